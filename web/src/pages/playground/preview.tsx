import { useEffect, useState } from 'react';
import type { EndpointName, RenderedView } from '../../api.ts';
import { bytes, ms, plural } from '../../format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Phases, phaseLabel } from '../../ui/phases.tsx';
import { Badge, Panel } from '../../ui/surface.tsx';
import { Picture } from '../../ui/thumbnail.tsx';
import { VerdictBadges } from '../../ui/verdict.tsx';
import type { Run } from './run.ts';

export function Preview({
  run,
  endpoint,
  placeholder,
}: {
  run: Run;
  endpoint: EndpointName;
  placeholder: string | undefined;
}) {
  const { result, error, running } = run;
  return (
    <Panel className="overflow-hidden">
      <div className="picture-ground relative flex h-[min(62dvh,36rem)] items-center justify-center p-4 sm:p-8">
        {running && <Progress run={run} />}
        {result && !error ? (
          <Result result={result} dim={running && endpoint !== 'og'} />
        ) : placeholder ? (
          <img
            src={placeholder}
            alt="Example of the template"
            className="max-h-full max-w-full rounded-md shadow-pop"
          />
        ) : (
          !running && <Nothing run={run} endpoint={endpoint} />
        )}
      </div>
      {result && !error && <Facts result={result} />}
    </Panel>
  );
}

function Progress({ run }: { run: Run }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  const elapsed = Math.max(0, now - run.startedAt);
  return (
    <div className="absolute inset-x-0 top-0 z-10">
      <div className="h-0.5 overflow-hidden bg-line">
        <div className="h-full w-2/5 animate-[slide_1.1s_ease-in-out_infinite] bg-phase" />
      </div>
      {elapsed > 250 && (
        <p className="absolute top-3 left-3 flex items-center gap-2 rounded-md bg-surface px-2.5 py-1 text-xs shadow-pop">
          <span role="status">{phaseLabel(run.step)}</span>
          <span className="text-ink-3 tabular-nums">{(elapsed / 1000).toFixed(1)} s</span>
        </p>
      )}
    </div>
  );
}

function Result({ result, dim }: { result: RenderedView; dim: boolean }) {
  if (result.text !== null)
    return (
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="The text of the page"
        className={`size-full overflow-auto rounded-sm bg-surface p-4 shadow-pop transition-opacity ${dim ? 'opacity-40' : ''}`}
      >
        <pre className="font-mono text-xs break-words whitespace-pre-wrap">{result.text}</pre>
      </section>
    );
  if (!result.type.startsWith('image/')) return <FirstPage result={result} dim={dim} />;
  const ratio = result.width / result.height;
  return (
    // The size is known before the bytes arrive: as large as fits, and never larger than the picture.
    <div className="flex size-full items-center justify-center [container-type:size]">
      <img
        src={result.image}
        width={result.width}
        height={result.height}
        alt={result.page?.title ? `Capture of ${result.page.title}` : 'The result'}
        style={{ width: `min(100cqw, 100cqh * ${ratio}, ${result.width}px)`, height: 'auto', aspectRatio: ratio }}
        className={`rounded-sm shadow-pop transition-opacity ${dim ? 'opacity-40' : ''}`}
      />
    </div>
  );
}

/** Of a PDF. */
function FirstPage({ result, dim }: { result: RenderedView; dim: boolean }) {
  const about = `${plural(result.pages ?? 1, 'page')}, ${bytes(result.size)}`;
  return (
    <a
      href={result.image}
      target="_blank"
      rel="noreferrer"
      className="flex max-h-full min-h-0 flex-col items-center gap-3 text-center"
    >
      <Picture
        src={result.firstPage ?? undefined}
        alt="The first page of the PDF"
        className={`min-h-0 max-w-full rounded-sm object-contain shadow-pop transition-opacity ${dim ? 'opacity-40' : ''}`}
      >
        <Icon name="file" className="size-10 text-ink-2" />
        <span className="font-medium">Your PDF is ready</span>
      </Picture>
      <span className="shrink-0 rounded-md bg-surface px-2.5 py-1 text-xs text-ink-2 shadow-pop">{about}</span>
    </a>
  );
}

function Nothing({ run, endpoint }: { run: Run; endpoint: EndpointName }) {
  if (run.error)
    return (
      <div className="max-w-sm text-center">
        <span className="mx-auto flex size-10 items-center justify-center rounded-lg bg-danger-soft text-danger">
          <Icon name="alert" />
        </span>
        <p className="mt-4 font-medium">The render failed</p>
        <p className="mt-1 text-sm text-ink-2">{run.error.message}</p>
        <p className="mt-2 font-mono text-xs text-ink-2">
          {run.error.status > 0 && run.error.status} {run.error.code}
        </p>
        {run.error.code === 'not_signed_in' && (
          <ButtonLink
            look="primary"
            className="mt-4"
            href={`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`}
          >
            Sign in again
          </ButtonLink>
        )}
      </div>
    );
  return (
    <div className="max-w-xs text-center">
      <span className="mx-auto flex size-10 items-center justify-center rounded-lg border bg-surface text-ink-2 shadow-card">
        <Icon name="camera" />
      </span>
      <p className="mt-4 font-medium">Nothing rendered yet</p>
      <p className="mt-1 text-sm text-ink-2">
        {endpoint === 'og'
          ? 'Choose a template to begin.'
          : endpoint === 'content'
            ? 'Enter an address and press Read. The text appears here.'
            : 'Enter an address and press Capture. The picture appears here.'}
      </p>
    </div>
  );
}

function Facts({ result }: { result: RenderedView }) {
  const isImage = result.type.startsWith('image/');
  return (
    <div className="border-t">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3 text-sm text-ink-2 tabular-nums">
        <Badge tone={result.cache === 'HIT' ? 'neutral' : 'ok'}>{result.cache}</Badge>
        <span>{result.type}</span>
        {result.text === null && (
          <span>
            {result.width} × {result.height}
            {!isImage && ' pt'}
          </span>
        )}
        <span>{bytes(result.size)}</span>
        <span>rendered in {ms(result.renderTime)}</span>
        <VerdictBadges verdict={result.verdict} />
        {result.page && result.page.status >= 400 && <span>page status {result.page.status}</span>}
        <span className="ml-auto flex gap-1">
          {/* In this tab the pages and secrets of the form would be lost. */}
          <ButtonLink size="sm" look="quiet" icon="external" href={result.image} inNewTab>
            Open
          </ButtonLink>
        </span>
      </div>
      {result.warnings.length > 0 && (
        <ul className="flex flex-col gap-1 border-t px-5 py-3 text-sm text-warn">
          {result.warnings.map((warning) => (
            <li key={warning} className="flex items-start gap-2">
              <Icon name="alert" className="mt-0.5" />
              {warning}
            </li>
          ))}
        </ul>
      )}
      {result.cache === 'MISS' && Object.keys(result.phases).length > 0 && (
        <div className="border-t px-5 py-4">
          <h2 className="mb-2.5 text-xs font-medium text-ink-2">Where the time went</h2>
          <Phases phases={result.phases} />
        </div>
      )}
    </div>
  );
}
