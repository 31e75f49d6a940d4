// The session: the account and what this server offers. Loaded before any page is shown.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import { planNames } from '../../src/kernel/plans.ts';
import { type AccountView, api, type SessionView } from './api.ts';

export const useSessionQuery = () => useQuery({ queryKey: ['session'], queryFn: api.session, staleTime: 60_000 });

const Context = createContext<SessionView | undefined>(undefined);
export const SessionProvider = Context.Provider;

export function useSession(): SessionView {
  const session = useContext(Context);
  if (session === undefined) throw new Error('useSession is used outside of SessionProvider');
  return session;
}

/** The account, on pages for signed-in users. */
export function useAccount(): AccountView {
  const { account } = useSession();
  if (account === null) throw new Error('useAccount is used on a page that is open to all');
  return account;
}

/** Somebody else may sign in in another tab: their data must not be shown here under this name, so everything is loaded again. */
export function useAccountOfAllTabs({ account }: SessionView): void {
  const id = account?.id ?? null;
  useEffect(() => {
    const tabs = new BroadcastChannel('account');
    tabs.onmessage = ({ data }) => {
      if (id !== null && data !== id) window.location.reload();
    };
    tabs.postMessage(id);
    return () => tabs.close();
  }, [id]);
}

/** After signing out: loads a new document, so that no account data stays in memory. */
export const leaveTo = (path: string): void => window.location.replace(path);

/** Call after anything that changes who is signed in, or how. */
export function useForget(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' });
    await client.invalidateQueries({ queryKey: ['session'] });
  };
}

export const planAtLeast = (plan: string, lowest: string): boolean => {
  const names: readonly string[] = planNames;
  return names.indexOf(plan) >= names.indexOf(lowest);
};
