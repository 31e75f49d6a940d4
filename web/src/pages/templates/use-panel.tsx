import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { CopyLine } from '../../ui/copy.tsx';
import { CodePane } from '../playground/code-pane.tsx';
import type { Draft } from './draft.ts';
import { largeLook, type Values } from './looks.ts';

/** How the template is asked for: the parameter, a request as code, and a signed link for public HTML. */
export function UsePanel({ name, draft, published }: { name: string; draft: Draft; published: number }) {
  const parameters = useQuery({ queryKey: ['parameters'], queryFn: api.parameters, staleTime: Infinity });
  if (published === 0)
    return (
      <p className="text-sm text-ink-2">
        Publish a version first. Then <code className="font-mono text-xs">template=my/{name}</code> shows it.
      </p>
    );
  const values: Values = { template: `my/${name}`, ...largeLook.values(draft.variables, draft.said) };
  return (
    <div className="flex flex-col gap-4">
      <CopyLine text={`template=my/${name}`} label="Copy the parameter" />
      <p className="text-sm text-ink-2">
        For an <code className="font-mono text-xs">og:image</code> in public HTML choose HTML below: the link is signed,
        and contains no key.
      </p>
      {parameters.data && <CodePane endpoint="og" parameters={parameters.data.og} values={values} />}
    </div>
  );
}
