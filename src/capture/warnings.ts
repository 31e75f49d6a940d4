// The warnings and verdict codes that follow from the facts of a page.
import type { Budget, Outlet } from '../egress/egress-types.ts';
import type { VerdictCode } from '../kernel/verdict.ts';
import { networkBudget } from './budgets.ts';
import type { Facts } from './in-page-types.ts';

const budgets: Record<keyof Budget, string> = {
  requests: `it exceeded the limit of ${networkBudget.requests.toLocaleString('en')} requests`,
  connections: `it exceeded the limit of ${networkBudget.connections.toLocaleString('en')} connections`,
  bytes: `it exceeded the limit of ${networkBudget.bytes / 1024 ** 2} MiB received`,
  sentBytes: `it exceeded the limit of ${networkBudget.sentBytes / 1e6} MB sent`,
  responseBytes: `one of its files is larger than ${networkBudget.responseBytes / 1024 ** 2} MiB`,
};

export const exhaustedBudget = (budget: keyof Budget): string => budgets[budget];

/** `wall` is the vendor of a bot check, or empty. */
export function warningsOf(facts: Facts, wall: string, outlet: Outlet): string[] {
  const warnings: string[] = [];
  if (wall !== '') warnings.push(`The target shows a bot check (${wall}) instead of its page.`);
  if (facts.status >= 400) warnings.push(`The target answered with status ${facts.status}.`);
  if (facts.failedImages > 0) warnings.push(`${count(facts.failedImages, 'image')} could not be loaded.`);
  else if (facts.failedInView > 0)
    warnings.push(`${count(facts.failedInView, 'image')} of the captured region could not be loaded.`);
  if (facts.failedFonts > 0) warnings.push(`${count(facts.failedFonts, 'web font')} could not be loaded.`);
  if (outlet.exhausted) warnings.push(`The page is incomplete: ${exhaustedBudget(outlet.exhausted)}.`);
  return warnings;
}

/** The verdict codes that follow from the facts. `asked` is the requested address. */
export function codesOf(facts: Facts, wall: string, asked: string): VerdictCode[] {
  const codes: VerdictCode[] = [];
  if (facts.status >= 400) codes.push('http_error');
  if (wall !== '') codes.push('bot_wall');
  if (facts.asksForPassword && wasSentToSignIn(facts, asked)) codes.push('login_wall');
  if (facts.failedInView > 0) codes.push('images_failed');
  return codes;
}

const signInWords =
  'log-?in|log-?on|sign-?in|sign-?on|auth|oauth2?|sso|saml2?|idp|cas|session|anmeldung|connexion|acceder|entrar|giris';
/** Such as /user-login. */
const mentionsSignIn = new RegExp(`(?:^|[/._-])(?:${signInWords})(?:$|[/._-])`, 'i');
/** Such as /login or login.example.com, and not /needs-login. */
const isSignIn = new RegExp(`(?:^|[/.])(?:${signInWords})(?:$|[/.])`, 'i');

/**
 * The browser ended on another page than the requested one, and that page is for signing in: by its address, or because it
 * has little other text. A home page that redirects to /en/ and has a small login box is not. Whoever asked for a page for
 * signing in got it.
 */
function wasSentToSignIn({ url, isShort }: Facts, asked: string): boolean {
  const from = new URL(asked);
  const to = new URL(url);
  if (place(from) === place(to) || isSignIn.test(from.hostname + from.pathname)) return false;
  return isShort || mentionsSignIn.test(to.hostname + to.pathname);
}

/** Two addresses are the same page if they differ only in scheme, a leading www, query or a trailing slash. */
const place = ({ host, pathname }: URL): string => host.replace(/^www\./, '') + pathname.replace(/\/+$/, '');

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
