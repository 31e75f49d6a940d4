import { type FormEvent, useState } from 'react';
import { api, type SiteView } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Panel, PanelHeader } from '../../ui/surface.tsx';
import { toast } from '../../ui/toast.tsx';

export function RefreshPage({ site }: { site: SiteView }) {
  const [path, setPath] = useState('');
  const { busy, error, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const refreshed = await api.refreshSitePage(site.id, path);
      toast(`${refreshed.path} is being read`);
    });
  };
  return (
    <Panel>
      <PanelHeader title="Refresh a page">
        A page is read again after a day. After a change you can have it read at once.
      </PanelHeader>
      <form onSubmit={submit} noValidate className="flex flex-wrap items-start gap-2 px-5 pb-5">
        <div className="min-w-48 flex-1">
          <Field label="Path" error={error?.message}>
            {(wiring) => (
              <Input
                {...wiring}
                value={path}
                maxLength={1000}
                placeholder="/blog/hello"
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => setPath(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" busy={busy} className="mt-6.5">
          Refresh
        </Button>
      </form>
    </Panel>
  );
}
