// A page's file is gone after an upgrade of the server while a tab was open: the document is loaded anew, once.
import type { ReactNode } from 'react';
import { Failed } from './ui/states.tsx';

const reloadedAt = 'tintype:reloaded-at';
/** A file that is still missing so soon after a reload will not come with another one. */
const againMs = 60_000;

type Loaded = { Page: () => ReactNode };

export async function loadOrReload(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch {
    const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
    if (Date.now() - last > againMs) {
      sessionStorage.setItem(reloadedAt, String(Date.now()));
      location.reload();
      return new Promise(() => {});
    }
    return { Page: NotLoaded };
  }
}

const notLoaded = new Error('This page could not be loaded. The server may just be upgrading.');

function NotLoaded() {
  return <Failed error={notLoaded} retry={() => location.reload()} />;
}
