import { useSession } from '../session.tsx';
import { PublicLayout } from '../shell/public-layout.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { CodeBlock } from '../ui/copy.tsx';
import { LiveExample } from './landing/live-example.tsx';
import { PlansTable } from './landing/plans-table.tsx';

const features: readonly { title: string; text: string }[] = [
  {
    title: 'Screenshots',
    text: 'PNG, JPEG, WebP or AVIF of the viewport, a region or the full page. Lazy images and web fonts are loaded first.',
  },
  {
    title: 'PDFs',
    text: 'Page size, margins, headers and footers with page numbers, backgrounds and scale.',
  },
  {
    title: 'Open Graph cards',
    text: 'Over a dozen templates in any size and any script, rendered in milliseconds without a browser.',
  },
  {
    title: 'Clean pages',
    text: 'Cookie banners are declined and advertisements blocked. Dark mode and devices are emulated.',
  },
  {
    title: 'Cached and signed',
    text: 'Results are cached for days and served in under a millisecond. A signed link works in public HTML without a key.',
  },
  {
    title: 'No access to private networks',
    text: 'Only public addresses are captured. Every connection of a page is checked, including redirects and scripts.',
  },
];

export function Landing() {
  const { signUp, setupOpen, baseUrl } = useSession();
  const curl = `curl "${baseUrl}/v1/screenshot?url=https://example.com&fullPage=true" \\\n  -H "X-API-Key: $TINTYPE_KEY" \\\n  -o example.png`;
  return (
    <PublicLayout title="">
      <section className="grid items-end gap-x-12 gap-y-8 pt-4 pb-12 sm:pt-12 lg:grid-cols-[1.15fr_1fr]">
        <h1 className="font-serif text-3xl font-normal tracking-[-0.02em] sm:text-4xl">
          One request in,
          <br />
          one picture out.
        </h1>
        <div>
          <p className="max-w-md text-md text-pretty text-ink-2 sm:text-lg">
            Tintype turns web pages into images and PDFs, and templates into Open Graph cards. It runs on your own
            server.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            {signUp === 'open' ? (
              <ButtonLink href="/sign-up" look="primary" size="lg">
                Get an API key
              </ButtonLink>
            ) : (
              <ButtonLink href="/sign-in" look="primary" size="lg">
                Sign in
              </ButtonLink>
            )}
            <ButtonLink href="/docs" size="lg">
              Read the docs
            </ButtonLink>
          </div>
          {setupOpen && (
            <p className="mt-4 max-w-md text-sm text-accent">
              This server has no administrator yet. Open the setup link from its log.
            </p>
          )}
        </div>
      </section>

      <LiveExample />

      <section aria-labelledby="what" className="pt-24">
        <h2 id="what" className="font-serif text-2xl tracking-[-0.015em]">
          Features
        </h2>
        <div className="mt-8 grid gap-x-10 gap-y-9 sm:grid-cols-2 lg:grid-cols-3">
          {features.map(({ title, text }) => (
            <div key={title} className="border-t pt-4">
              <h3 className="font-semibold">{title}</h3>
              <p className="mt-1.5 text-pretty text-ink-2">{text}</p>
            </div>
          ))}
        </div>
      </section>

      <section aria-labelledby="start" className="grid gap-8 pt-24 lg:grid-cols-[1fr_1.4fr] lg:gap-16">
        <div>
          <h2 id="start" className="font-serif text-2xl tracking-[-0.015em]">
            Every call is a GET request
          </h2>
          <p className="mt-3 text-pretty text-ink-2">
            Parameters are in the query, the key is in a header, the response is the picture. Every error is JSON, names
            the wrong parameter and says what is allowed.
          </p>
        </div>
        <CodeBlock code={curl} label="curl" className="self-start" />
      </section>

      <section aria-labelledby="plans" className="pt-24">
        <h2 id="plans" className="font-serif text-2xl tracking-[-0.015em]">
          Plans
        </h2>
        <p className="mt-3 max-w-xl text-ink-2">
          New accounts start on Free. The administrator of this server can change the plan of an account at any time.
        </p>
        <div className="mt-8">
          <PlansTable />
        </div>
      </section>
    </PublicLayout>
  );
}
