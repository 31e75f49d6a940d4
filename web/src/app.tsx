import { lazy, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { loadOrReload } from './load-or-reload.tsx';
import { Landing } from './pages/landing.tsx';
import { NotFound } from './pages/not-found.tsx';
import { SignIn, SignUp } from './pages/sign-in.tsx';
import { SessionProvider, useAccountOfAllTabs, useSession, useSessionQuery } from './session.tsx';
import { PublicLayout } from './shell/public-layout.tsx';
import { Shell } from './shell/shell.tsx';
import { Failed } from './ui/states.tsx';
import { useTitle } from './ui/title.ts';

// Each of these pages is a separate file, loaded when it is first opened.
const page = (load: () => Promise<{ Page: () => ReactNode }>) =>
  lazy(async () => ({ default: (await loadOrReload(load)).Page }));
const Setup = page(() => import('./pages/setup.tsx'));
const Invitation = page(() => import('./pages/invitation.tsx'));
const LostPassword = page(() => import('./pages/lost-password.tsx'));
const NewPassword = page(() => import('./pages/new-password.tsx'));
const Templates = page(() => import('./pages/templates.tsx'));
const NewTemplate = page(() => import('./pages/templates/new-template.tsx'));
const TemplateEditor = page(() => import('./pages/templates/editor.tsx'));
const Keys = page(() => import('./pages/keys/keys.tsx'));
const Usage = page(() => import('./pages/usage/usage.tsx'));
const Playground = page(() => import('./pages/playground/playground.tsx'));
const Captures = page(() => import('./pages/captures.tsx'));
const Webhooks = page(() => import('./pages/webhooks/webhooks.tsx'));
const Sites = page(() => import('./pages/sites/sites.tsx'));
const Site = page(() => import('./pages/sites/site.tsx'));
const Jobs = page(() => import('./pages/jobs/jobs.tsx'));
const Settings = page(() => import('./pages/settings/settings.tsx'));
const Accounts = page(() => import('./pages/admin/accounts.tsx'));
const Audit = page(() => import('./pages/admin/audit.tsx'));
const Health = page(() => import('./pages/admin/health.tsx'));

export function App() {
  const session = useSessionQuery();
  if (session.isPending) return null;
  if (session.data === undefined)
    return <Failed error={session.error ?? new Error()} retry={() => session.refetch()} />;
  return (
    <SessionProvider value={session.data}>
      <Pages />
    </SessionProvider>
  );
}

function Pages() {
  const session = useSession();
  const { account } = session;
  useAccountOfAllTabs(session);
  return (
    <Switch>
      <Route path="/">{account ? <Redirect to="/keys" replace /> : <Landing />}</Route>
      <Route path="/sign-in">
        <SignIn />
      </Route>
      <Route path="/sign-up">
        <SignUp />
      </Route>
      <Route path="/setup">
        <Suspense>
          <Setup />
        </Suspense>
      </Route>
      <Route path="/invitation">
        <Suspense>
          <Invitation />
        </Suspense>
      </Route>
      <Route path="/lost-password">
        <Suspense>
          <LostPassword />
        </Suspense>
      </Route>
      <Route path="/new-password">
        <Suspense>
          <NewPassword />
        </Suspense>
      </Route>
      <Route path="/templates">
        {account ? (
          <Inside title="Templates" page={<Templates />} />
        ) : (
          <PublicLayout title="Templates">
            <Suspense>
              <Templates />
            </Suspense>
          </PublicLayout>
        )}
      </Route>
      <Route path="/templates/new">
        <Inside title="New template" page={<NewTemplate />} />
      </Route>
      <Route path="/templates/my/:name">
        <Inside title="Template" page={<TemplateEditor />} wide />
      </Route>
      <Route path="/keys">
        <Inside title="API Keys" page={<Keys />} />
      </Route>
      <Route path="/usage">
        <Inside title="Usage" page={<Usage />} />
      </Route>
      <Route path="/playground">
        <Inside title="Playground" page={<Playground />} wide />
      </Route>
      <Route path="/captures">
        <Inside title="Captures" page={<Captures />} />
      </Route>
      <Route path="/webhooks">
        <Inside title="Webhooks" page={<Webhooks />} />
      </Route>
      <Route path="/sites">
        <Inside title="Sites" page={<Sites />} />
      </Route>
      <Route path="/sites/:id">
        <Inside title="Site" page={<Site />} wide />
      </Route>
      <Route path="/jobs">
        <Inside title="Jobs" page={<Jobs />} />
      </Route>
      <Route path="/settings">
        <Inside title="Settings" page={<Settings />} />
      </Route>
      <Route path="/admin">
        <Inside title="Accounts" page={<Accounts />} admin />
      </Route>
      <Route path="/admin/audit">
        <Inside title="Administrators’ actions" page={<Audit />} admin />
      </Route>
      <Route path="/admin/health">
        <Inside title="Service health" page={<Health />} admin />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

/** A page for signed-in users. Others are sent to the sign-in page and back. */
function Inside({
  title,
  page,
  admin = false,
  wide = false,
}: {
  title: string;
  page: ReactNode;
  admin?: boolean;
  wide?: boolean;
}) {
  const { account } = useSession();
  const [location] = useLocation();
  useTitle(title);
  if (account === null)
    return <Redirect to={`/sign-in?next=${encodeURIComponent(location + window.location.search)}`} replace />;
  if (admin && !account.admin) return <NotFound />;
  return (
    <Shell wide={wide}>
      <Suspense fallback={<div className="h-96" />}>{page}</Suspense>
    </Shell>
  );
}
