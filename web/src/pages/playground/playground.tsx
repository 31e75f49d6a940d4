import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api, type EndpointName, type ParametersView } from '../../api.ts';
import { planAtLeast, useAccount, useSession } from '../../session.tsx';
import { useSettled } from '../../ui/settled.ts';
import { Failed } from '../../ui/states.tsx';
import { PageHeader, Panel } from '../../ui/surface.tsx';
import { Segmented, Tabs } from '../../ui/tabs.tsx';
import { CodePane } from './code-pane.tsx';
import { OgForm } from './og-form.tsx';
import { PageForm } from './page-form.tsx';
import { Preview } from './preview.tsx';
import { useRun } from './run.ts';
import { usePlayground } from './state.ts';

const endpoints: readonly { value: EndpointName; label: string }[] = [
  { value: 'screenshot', label: 'Screenshot' },
  { value: 'content', label: 'Text' },
  { value: 'og', label: 'Open Graph' },
];

export function Page() {
  const parameters = useQuery({ queryKey: ['parameters'], queryFn: api.parameters, staleTime: Infinity });
  if (parameters.data) return <Playground parameters={parameters.data} />;
  return (
    <>
      <PageHeader title="Playground">{about}</PageHeader>
      {parameters.error ? (
        <Panel>
          <Failed error={parameters.error} retry={() => parameters.refetch()} />
        </Panel>
      ) : (
        <div role="status" aria-label="Loading" className="grid gap-6 lg:grid-cols-[24rem_minmax(0,1fr)]">
          <div className="skeleton h-160 rounded-lg opacity-50" />
          <div className="skeleton h-120 rounded-lg opacity-50" />
        </div>
      )}
    </>
  );
}

const about = 'Try every parameter. Renders are cached, count toward your plan and appear under Usage.';

function Playground({ parameters }: { parameters: ParametersView }) {
  const notInUrl = useMemo(
    () => new Set(parameters.screenshot.filter(({ notInUrl }) => notInUrl !== null).map(({ name }) => name)),
    [parameters],
  );
  const playground = usePlayground(notInUrl);
  return (
    <>
      <PageHeader
        title="Playground"
        actions={
          <Segmented
            label="Endpoint"
            value={playground.endpoint}
            onChange={playground.setEndpoint}
            options={endpoints}
          />
        }
      >
        {about}
      </PageHeader>
      <Workspace key={playground.endpoint} parameters={parameters} playground={playground} />
    </>
  );
}

function Workspace({
  parameters,
  playground,
}: {
  parameters: ParametersView;
  playground: ReturnType<typeof usePlayground>;
}) {
  const { endpoint, values } = playground;
  const account = useAccount();
  const { gates } = useSession();
  const locked = endpoint === 'og' && !planAtLeast(account.plan, gates.og ?? 'free');
  const { run, start, cancel } = useRun();
  const [tab, setTab] = useState('preview');
  const result = useRef<HTMLDivElement>(null);
  const go = () => {
    setTab('preview');
    // On a small screen the result is below the form.
    if ((result.current?.getBoundingClientRect().top ?? 0) > innerHeight - 200) result.current?.scrollIntoView();
    void start({ endpoint, parameters: values });
  };

  // A card takes milliseconds, so it is rendered while the user types. A page is captured only on request.
  const settled = useSettled(values, 350);
  useEffect(() => {
    if (endpoint === 'og' && !locked && settled.template) void start({ endpoint, parameters: settled });
  }, [endpoint, locked, settled, start]);

  const template = parameters.templates.find(({ name }) => name === values.template);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[24rem_minmax(0,1fr)]">
      {endpoint !== 'og' ? (
        <PageForm
          groups={parameters.groups}
          parameters={parameters[endpoint]}
          action={endpoint === 'content' ? 'Read' : 'Capture'}
          values={values}
          onChange={playground.setValue}
          onReplace={playground.setValues}
          error={run.error}
          running={run.running}
          onRun={go}
          onCancel={cancel}
        />
      ) : (
        <OgForm
          parameters={parameters}
          values={values}
          onChange={playground.setValue}
          onReplace={playground.setValues}
          error={run.error}
          locked={locked}
          onRun={go}
        />
      )}
      <div ref={result} className="min-w-0 scroll-mt-16 lg:sticky lg:top-6">
        <Tabs
          label="Result"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              value: 'preview',
              label: 'Preview',
              content: <Preview run={run} endpoint={endpoint} placeholder={locked ? template?.picture : undefined} />,
            },
            {
              value: 'code',
              label: 'Code',
              content: <CodePane endpoint={endpoint} parameters={parameters[endpoint]} values={values} />,
            },
          ]}
        />
      </div>
    </div>
  );
}
