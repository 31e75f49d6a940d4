// Why a browser did not start, and what the operator can do about it.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

export type Owner = { readonly uid: number; readonly gid: number };

/** `message` is for the operator: log, doctor, /readyz. `brief` is for callers and has no paths of this machine. */
export class BrowserStartError extends Error {
  readonly brief: string;
  constructor(brief: string, message: string) {
    super(message);
    this.name = 'BrowserStartError';
    this.brief = brief;
  }
}

const orElse = 'Or run Tintype as an ordinary user, or set BROWSER_SANDBOX=off to run the browser without its sandbox.';

export const noUnprivilegedUser = (): BrowserStartError =>
  new BrowserStartError(
    'The browser does not start: the server runs as root and has no other user to run it as.',
    `As root the browser needs the user nobody, and /etc/passwd has none. Add it. ${orElse}`,
  );

/** `said` is the browser's stderr; `owner` the user it was to run as, if not ours. */
export function startFailure(
  { path, folder, owner }: { path: string; folder: string; owner: Owner | undefined },
  said: string,
  late: boolean,
): BrowserStartError {
  for (const [place, what] of [
    [path, 'the browser'],
    [folder, 'the folder for its profile'],
  ] as const) {
    const closed = owner && closedTo(place, owner);
    if (closed)
      return new BrowserStartError(
        'The browser does not start: the user it runs as may not read it.',
        `The browser runs as the user nobody, which has no permission for ${closed}, needed to reach ${what} (${place}). Run chmod o+rx ${closed}, or move ${what}. ${orElse}`,
      );
  }
  if (/No usable sandbox|apparmor-userns|Failed to move to new namespace|setuid sandbox/i.test(said))
    return new BrowserStartError(
      'The browser does not start: its sandbox is not available on this server.',
      `The sandbox of ${path} is not available: this machine forbids unprivileged user namespaces. Allow them: kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0, in a container deploy/seccomp.json. BROWSER_SANDBOX=off runs the browser without its sandbox.`,
    );
  return new BrowserStartError(
    'The browser does not start.',
    `The browser ${path} did not start${late ? ' in time' : ''}. ${said}`.trim(),
  );
}

/** The first folder of the path, or the file itself, that this user may not enter or run. */
function closedTo(path: string, owner: Owner): string | undefined {
  const above = dirname(path);
  const first = above === path ? undefined : closedTo(above, owner);
  if (first !== undefined) return first;
  try {
    const { mode, uid, gid } = statSync(path);
    const mayRun = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
    return mode & mayRun ? undefined : path;
  } catch {
    return undefined;
  }
}
