// After an upgrade of the server, an open tab may ask for a file that no longer exists. The document is then reloaded once.
import type { ReactNode } from 'react';
import { Failed } from './ui/states.tsx';

const reloadedAt = 'tintype:reloaded-at';
/** If the file is still missing this soon after a reload, another reload does not help. */
const againMs = 60_000;

type Loaded = { Page: () => ReactNode };

export async function loadOrReload(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch {
    const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
    if (Date.now() - last > againMs && (await isServerThere())) {
      sessionStorage.setItem(reloadedAt, String(Date.now()));
      location.reload();
      return new Promise(() => {});
    }
    return { Page: NotLoaded };
  }
}

/** A reload while the server is away would replace the app by the browser's own error page. */
const isServerThere = (): Promise<boolean> =>
  fetch('/healthz').then(
    ({ ok }) => ok,
    () => false,
  );

const notLoaded = new Error('This page could not be loaded. The server may be restarting after an upgrade.');

function NotLoaded() {
  return <Failed error={notLoaded} retry={() => location.reload()} />;
}
