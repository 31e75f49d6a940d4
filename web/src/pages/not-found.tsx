import { ButtonLink } from '../ui/button.tsx';
import { Logo } from '../ui/icon.tsx';
import { useTitle } from '../ui/title.ts';

export function NotFound() {
  useTitle('Not found');
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-6 text-center">
      <Logo className="size-8" />
      <h1 className="mt-6 text-xl font-semibold tracking-[-0.02em]">Page not found</h1>
      <p className="mt-1 text-ink-2">This page does not exist, or you have no access to it.</p>
      <ButtonLink href="/" className="mt-6">
        Go to the home page
      </ButtonLink>
    </main>
  );
}
