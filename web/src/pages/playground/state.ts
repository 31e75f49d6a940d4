// The URL of the playground contains the form, so it can be shared, bookmarked and restored. Secrets and pages that are sent
// are in memory only: an address is kept in logs and histories.
import { useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import type { EndpointName } from '../../api.ts';

export type Values = Readonly<Record<string, string>>;
export type State = { readonly endpoint: EndpointName; readonly values: Values };

const starts: Record<EndpointName, Values> = {
  screenshot: { url: 'https://example.com/' },
  content: { url: 'https://example.com/' },
  og: { template: 'default', title: 'Pictures worth a thousand requests' },
};

// Present if the URL was copied from a request; not part of the form.
const notOurs = new Set(['endpoint', 'api_key', 'key_id', 'expires', 'signature', 'response']);

type Names = ReadonlySet<string>;

export function read(search: string, notInUrl: Names): State {
  const query = new URLSearchParams(search);
  const named = query.get('endpoint') ?? '';
  const endpoint = Object.hasOwn(starts, named) ? (named as EndpointName) : 'screenshot';
  const values = Object.fromEntries([...query].filter(([name]) => !notOurs.has(name) && !notInUrl.has(name)));
  return { endpoint, values: Object.keys(values).length > 0 ? values : starts[endpoint] };
}

export function write({ endpoint, values }: State, notInUrl: Names): string {
  const shown = Object.entries(values).filter(([name]) => !notInUrl.has(name));
  return new URLSearchParams([['endpoint', endpoint], ...shown]).toString();
}

export function usePlayground(notInUrl: Names) {
  const search = useSearch();
  const [state, setState] = useState(() => read(search, notInUrl));
  const written = useRef(search);
  const kept = useRef<Partial<Record<EndpointName, Values>>>({});

  // The URL follows the form with a delay, because browsers limit how often it may change.
  useEffect(() => {
    const next = write(state, notInUrl);
    const timer = setTimeout(() => {
      if (next === written.current) return;
      written.current = next;
      history.replaceState(history.state, '', `/playground?${next}`);
    }, 250);
    return () => clearTimeout(timer);
  }, [state, notInUrl]);

  // The form follows the URL when a link or the back button changes it.
  useEffect(() => {
    if (search === written.current) return;
    written.current = search;
    setState(read(search, notInUrl));
  }, [search, notInUrl]);

  return {
    ...state,
    setValue: (name: string, value: string | undefined) =>
      setState(({ endpoint, values }) => {
        const { [name]: _, ...others } = values;
        return { endpoint, values: value === undefined ? others : { ...values, [name]: value } };
      }),
    setValues: (values: Values) => setState(({ endpoint }) => ({ endpoint, values })),
    setEndpoint: (endpoint: EndpointName) =>
      setState((current) => {
        kept.current[current.endpoint] = current.values;
        return { endpoint, values: kept.current[endpoint] ?? starts[endpoint] };
      }),
  };
}
