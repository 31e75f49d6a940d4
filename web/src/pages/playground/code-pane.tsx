import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type EndpointName, type ParameterView } from '../../api.ts';
import { useSession } from '../../session.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Field, FormError, Select } from '../../ui/field.tsx';
import { useSettled } from '../../ui/settled.ts';
import { Segmented } from '../../ui/tabs.tsx';
import { htmlSnippet, secretVariable, snippets } from './snippets.ts';
import type { Values } from './state.ts';

export function CodePane({
  endpoint,
  parameters,
  values,
}: {
  endpoint: EndpointName;
  parameters: readonly ParameterView[];
  values: Values;
}) {
  const { baseUrl } = useSession();
  const [language, setLanguage] = useState('curl');
  const list = snippets(baseUrl, endpoint, values, parameters);
  const secrets = parameters.filter(({ name, isSecret }) => isSecret && values[name] !== undefined);
  const refusal = parameters.find(({ name, notInUrl }) => notInUrl !== null && values[name] !== undefined)?.notInUrl;
  const current = list.find(({ value }) => value === language);
  return (
    <div className="flex flex-col gap-4">
      <div className="-mx-1 overflow-x-auto px-1 py-0.5">
        <Segmented
          label="Language"
          value={language}
          onChange={setLanguage}
          options={[...list.map(({ value, label }) => ({ value, label })), { value: 'html', label: 'HTML' }]}
        />
      </div>
      {current ? (
        <>
          <CodeBlock code={current.code} label={current.label} />
          <p className="text-xs text-ink-3">
            The key comes from the environment variable TINTYPE_KEY. A key is shown only when it is created.
            {secrets.map(({ name, example }) => (
              <span key={name} className="block">
                {name} comes from {secretVariable(name)}, as JSON: <code className="font-mono">{example}</code>
              </span>
            ))}
          </p>
        </>
      ) : refusal ? (
        <FormError>A link cannot have every parameter of this form. {refusal}</FormError>
      ) : (
        <SignedLink endpoint={endpoint} values={values} />
      )}
    </div>
  );
}

const dayMs = 24 * 60 * 60 * 1000;
const expiries: readonly { days: number; label: string }[] = [
  { days: 0, label: 'never' },
  { days: 1, label: 'in a day' },
  { days: 30, label: 'in 30 days' },
  { days: 365, label: 'in a year' },
];

/** A link for public HTML. The server signs it; the signing secret never reaches the browser. */
function SignedLink({ endpoint, values }: { endpoint: EndpointName; values: Values }) {
  const keys = useQuery({ queryKey: ['keys'], queryFn: api.keys });
  const active = keys.data?.keys.filter(({ status }) => status === 'active') ?? [];
  const [chosen, setChosen] = useState('');
  const [days, setDays] = useState(0);
  const keyId = chosen || active[0]?.id || '';
  const settled = useSettled(values, 300);
  const link = useQuery({
    queryKey: ['link', endpoint, settled, keyId, days],
    queryFn: () =>
      api.link({ endpoint, parameters: settled, keyId, expiresAt: days === 0 ? null : Date.now() + days * dayMs }),
    enabled: keyId !== '',
    placeholderData: (previous) => previous,
  });
  if (keys.data && active.length === 0)
    return (
      <div className="rounded-lg border bg-surface px-6 py-10 text-center">
        <p className="font-medium">A signed link needs a key</p>
        <p className="mx-auto mt-1 max-w-sm text-sm text-ink-2">
          It acts for the key that signed it, and stops working when that key is revoked.
        </p>
        <ButtonLink href="/keys" className="mt-5">
          Create one
        </ButtonLink>
      </div>
    );
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field half label="Signed with">
          {(wiring) => (
            <Select {...wiring} className="w-full" value={keyId} onChange={(event) => setChosen(event.target.value)}>
              {active.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field half label="Expires">
          {(wiring) => (
            <Select
              {...wiring}
              className="w-full"
              value={days}
              onChange={(event) => setDays(Number(event.target.value))}
            >
              {expiries.map((expiry) => (
                <option key={expiry.days} value={expiry.days}>
                  {expiry.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <FormError>{link.error?.message}</FormError>
      {link.data && !link.error && <CodeBlock code={htmlSnippet(link.data.url, endpoint, settled)} label="HTML" />}
      <p className="text-xs text-ink-3">
        The link contains no key, so you can use it in public HTML. It stops working when its key is revoked.
      </p>
    </>
  );
}
