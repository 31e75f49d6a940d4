// The layout of the pages for signed-in users: navigation at the side, or behind a button on a small screen.
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useAccount } from '../session.tsx';
import { IconButton } from '../ui/button.tsx';
import { Icon, type IconName, Wordmark } from '../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';

const places: readonly { href: string; label: string; icon: IconName }[] = [
  { href: '/playground', label: 'Playground', icon: 'sliders' },
  { href: '/keys', label: 'API Keys', icon: 'key' },
  { href: '/usage', label: 'Usage', icon: 'chart' },
  { href: '/captures', label: 'Captures', icon: 'images' },
  { href: '/jobs', label: 'Jobs', icon: 'stack' },
  { href: '/webhooks', label: 'Webhooks', icon: 'send' },
  { href: '/templates', label: 'Templates', icon: 'layout' },
  { href: '/sites', label: 'Sites', icon: 'globe' },
];

const adminPlaces: typeof places = [
  { href: '/admin', label: 'Accounts', icon: 'users' },
  { href: '/admin/audit', label: 'Audit', icon: 'book' },
  { href: '/admin/health', label: 'Service health', icon: 'pulse' },
];

export function Shell({ children, wide }: { children: ReactNode; wide: boolean }) {
  const drawer = useRef<HTMLDialogElement>(null);
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes whenever the place changes.
  useEffect(() => drawer.current?.close(), [location]);
  // A link to the page that is shown does not change the location, so the effect above does not run.
  const onDrawerClick = (event: MouseEvent<HTMLDialogElement>) => {
    const { target } = event;
    if (target === drawer.current || (target instanceof Element && target.closest('a'))) drawer.current?.close();
  };
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-md bg-ink px-3 py-2 text-sm text-on-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col border-r lg:flex">
        <Navigation />
      </aside>
      <header className="sticky top-0 z-30 flex h-13 items-center justify-between border-b bg-bg px-4 lg:hidden">
        <Link href="/keys" aria-label="Tintype, home">
          <Wordmark />
        </Link>
        <IconButton icon="menu" label="Open navigation" onClick={() => drawer.current?.showModal()} />
      </header>
      <dialog
        ref={drawer}
        aria-label="Navigation"
        className="m-0 h-dvh max-h-none w-72 max-w-[85vw] border-r bg-bg"
        onClick={onDrawerClick}
        onKeyDown={() => {}}
      >
        <div className="flex h-full flex-col">
          <Navigation close={() => drawer.current?.close()} />
        </div>
      </dialog>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <div className={`mx-auto px-4 pt-6 pb-20 sm:px-8 sm:pt-9 ${wide ? 'max-w-[92rem]' : 'max-w-[68rem]'}`}>
          {children}
        </div>
      </main>
    </div>
  );
}

function Navigation({ close }: { close?: () => void }) {
  const account = useAccount();
  return (
    <>
      <div className="flex h-15 items-center justify-between px-5">
        <Link href="/keys" aria-label="Tintype, home" className="rounded-sm">
          <Wordmark />
        </Link>
        {close && <IconButton icon="close" label="Close navigation" onClick={close} className="-mr-2" />}
      </div>
      <nav aria-label="Main" className="flex flex-1 flex-col gap-0.5 overflow-y-auto px-3 py-1">
        {places.map((place) => (
          <Place key={place.href} {...place} />
        ))}
        {account.admin && (
          <>
            <p className="mt-6 mb-1 px-2.5 text-xs font-medium text-ink-3">Administration</p>
            {adminPlaces.map((place) => (
              <Place key={place.href} {...place} />
            ))}
          </>
        )}
        <div className="mt-auto pt-6">
          <a
            href="/docs"
            className="flex h-8.5 items-center gap-2.5 rounded-md px-2.5 text-sm text-ink-2 transition-colors hover:bg-sunken hover:text-ink"
          >
            <Icon name="book" className="text-ink-3" />
            Documentation
          </a>
        </div>
      </nav>
      <AccountMenu onGo={close} />
    </>
  );
}

function Place({ href, label, icon }: { href: string; label: string; icon: IconName }) {
  const [location] = useLocation();
  const here = location === href || (location.startsWith(`${href}/`) && href !== '/admin');
  return (
    <Link
      href={href}
      aria-current={here ? 'page' : undefined}
      className={`flex h-8.5 items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors ${here ? 'bg-sunken font-medium text-ink' : 'text-ink-2 hover:bg-sunken hover:text-ink'}`}
    >
      <Icon name={icon} className={here ? 'text-accent' : 'text-ink-3'} />
      {label}
    </Link>
  );
}
