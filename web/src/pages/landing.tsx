import { useSession } from '../session.tsx';
import { PublicLayout } from '../shell/public-layout.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { CodeBlock } from '../ui/copy.tsx';
import { LiveExample } from './landing/live-example.tsx';
import { PlansTable } from './landing/plans-table.tsx';

const features: readonly { title: string; text: string }[] = [
  {
    title: 'Screenshots',
    text: 'PNG, JPEG or WebP of a viewport, a region or the whole scrolled page. Lazy images are loaded, fonts are waited for.',
  },
  {
    title: 'PDFs',
    text: 'Page size, margins, headers and footers with page numbers, backgrounds, scale: the parameters you would set in print.',
  },
  {
    title: 'Open Graph cards',
    text: 'A dozen designed templates in any size and any script, painted in milliseconds without a browser.',
  },
  {
    title: 'Clean pages',
    text: 'Cookie banners are answered with no, advertisements are left out, dark mode and devices are emulated.',
  },
  {
    title: 'Cached and signed',
    text: 'A result is kept for days and served in microseconds. A signed link puts it into public HTML without a key.',
  },
  {
    title: 'Closed to the inside',
    text: 'Only public addresses are captured. Every connection a page makes is checked, redirects and scripts included.',
  },
];

export function Landing() {
  const { signUp, setupOpen, baseUrl } = useSession();
  const curl = `curl "${baseUrl}/v1/screenshot?url=https://example.com&fullPage=true" \\\n  -H "X-API-Key: $TINTYPE_API_KEY" \\\n  -o example.png`;
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
              This server has no administrator yet: open the setup link that its first start printed.
            </p>
          )}
        </div>
      </section>

      <LiveExample />

      <section aria-labelledby="what" className="pt-24">
        <h2 id="what" className="font-serif text-2xl tracking-[-0.015em]">
          What it does for you
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
            A GET request is the whole API
          </h2>
          <p className="mt-3 text-pretty text-ink-2">
            Parameters in the query, the key in a header, bytes in the answer. Every error is JSON, names the parameter
            at fault and says what is allowed.
          </p>
        </div>
        <CodeBlock code={curl} label="curl" className="self-start" />
      </section>

      <section aria-labelledby="plans" className="pt-24">
        <h2 id="plans" className="font-serif text-2xl tracking-[-0.015em]">
          Plans
        </h2>
        <p className="mt-3 max-w-xl text-ink-2">
          New accounts start on Free. Whoever runs this server can move an account to another plan at any time.
        </p>
        <div className="mt-8">
          <PlansTable />
        </div>
      </section>
    </PublicLayout>
  );
}
