import { useSession } from '../../session.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Empty } from '../../ui/states.tsx';
import { Panel } from '../../ui/surface.tsx';

export function FirstJob() {
  const { baseUrl } = useSession();
  return (
    <Panel>
      <Empty icon="stack" title="No jobs yet">
        A job renders while nobody waits for it. Send one, and it appears here.
      </Empty>
      <div className="mx-auto -mt-8 max-w-2xl px-5 pb-10">
        <CodeBlock label="First job" code={command(baseUrl)} />
        <p className="mt-4 text-center">
          <ButtonLink size="sm" icon="key" href="/keys">
            Get an API key
          </ButtonLink>
        </p>
      </div>
    </Panel>
  );
}

const command = (baseUrl: string): string =>
  `curl ${baseUrl}/v1/jobs \\
  -H "X-API-Key: $KEY" \\
  --json '{ "kind": "screenshot", "request": { "url": "https://example.com/" } }'`;
