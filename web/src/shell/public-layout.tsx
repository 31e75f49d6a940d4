// The layout of the public pages.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSession } from '../session.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Wordmark } from '../ui/icon.tsx';
import { useTitle } from '../ui/title.ts';

export function PublicLayout({ title, children }: { title: string; children: ReactNode }) {
  const { account, signUp } = useSession();
  useTitle(title);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-0 z-30 border-b border-line bg-bg/90 backdrop-blur">
        <div className="mx-auto flex h-15 max-w-[72rem] items-center gap-6 px-4 sm:px-8">
          <Link href="/" aria-label="Tintype, home" className="rounded-sm">
            <Wordmark />
          </Link>
          <nav aria-label="Main" className="flex flex-1 items-center gap-5 text-sm text-ink-2">
            <Link href="/templates" className="hidden rounded-sm hover:text-ink sm:block">
              Templates
            </Link>
            <a href="/docs" className="hidden rounded-sm hover:text-ink sm:block">
              Documentation
            </a>
            <span className="flex-1" />
            {account ? (
              <ButtonLink href="/keys" look="primary" size="sm">
                Dashboard
              </ButtonLink>
            ) : (
              <>
                <Link href="/sign-in" className="rounded-sm hover:text-ink">
                  Sign in
                </Link>
                {signUp === 'open' && (
                  <ButtonLink href="/sign-up" look="primary" size="sm">
                    Get a key
                  </ButtonLink>
                )}
              </>
            )}
          </nav>
        </div>
      </header>
      <main className="mx-auto w-full max-w-[72rem] flex-1 px-4 pt-10 pb-24 sm:px-8">{children}</main>
      <Footer />
    </div>
  );
}

function Footer() {
  const { version } = useSession();
  return (
    <footer className="border-t">
      <div className="mx-auto flex max-w-[72rem] flex-wrap items-center gap-x-6 gap-y-2 px-4 py-8 text-sm text-ink-3 sm:px-8">
        <span>Tintype {version}</span>
        <span className="flex-1" />
        <Link href="/templates" className="rounded-sm hover:text-ink">
          Templates
        </Link>
        <a href="/docs" className="rounded-sm hover:text-ink">
          Documentation
        </a>
        <a href="/openapi.json" className="rounded-sm hover:text-ink">
          OpenAPI
        </a>
      </div>
    </footer>
  );
}
