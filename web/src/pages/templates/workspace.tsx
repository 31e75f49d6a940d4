import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type ApiError, api, type TemplateFileView } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { Panel } from '../../ui/surface.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { CardPane } from './card-pane.tsx';
import { CodeArea } from './code-area.tsx';
import type { CodeEditor, Mistake } from './code-editor.ts';
import { contentOf, draftOf, type Opened, useDraft } from './draft.ts';
import { TemplateFileInput } from './file-input.tsx';
import { FilesPanel } from './files-panel.tsx';
import { leftBehind, useAskBeforeLeaving } from './leaving.ts';
import { useLiveCard } from './live-card.ts';
import { Mistakes, Status } from './template-status.tsx';
import { UsePanel } from './use-panel.tsx';
import { VariablesPanel } from './variables-panel.tsx';
import { VersionsPanel } from './versions-panel.tsx';

export type Stored = {
  readonly latest: number;
  readonly published: number;
  readonly files: readonly TemplateFileView[];
};

/** Where the server found a mistake. */
function mistakeIn(error: ApiError | undefined): Mistake | undefined {
  const [, line, column] = /^Line (\d+), column (\d+):/.exec(error?.message ?? '') ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

export function Workspace({
  name,
  opened,
  stored: first,
  isNew,
}: {
  name: string;
  opened: Opened;
  stored: Stored;
  isNew: boolean;
}) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [begin] = useState(() => draftOf(opened));
  const [left] = useState(() => leftBehind(name, first.latest));
  const { draft, isChanged, setHtml, setDescription, say, replace, markSaved } = useDraft(
    left ?? begin,
    isNew ? undefined : begin,
  );
  const [stored, setStored] = useState(first);
  const { files, latest, published } = stored;
  const [tab, setTab] = useState('variables');
  const [isRemoving, setRemoving] = useState(false);
  const editor = useRef<CodeEditor>(null);
  const importing = useRef<HTMLInputElement>(null);
  const saving = useAction();
  const card = useLiveCard(name, draft, files.map((file) => file.name + file.picture + file.size).join());
  const error = card.error ?? saving.error;
  const mistake = mistakeIn(error);
  useAskBeforeLeaving(name, draft, latest, isChanged);
  useEffect(() => {
    if (left) toast('Your unsaved text is back');
  }, [left]);

  const known = useMemo(
    () => ({
      variables: draft.variables,
      files: files.filter(({ kind }) => kind === 'image').map((file) => file.name),
    }),
    [draft.variables, files],
  );
  const changed = (now: Partial<Stored>) => {
    setStored((current) => ({ ...current, ...now }));
    void client.invalidateQueries({ queryKey: ['own-templates'] });
  };
  const load = (next: Opened) => {
    replace(draftOf(next));
    editor.current?.setText(next.html);
  };
  const save = async (publish: boolean) => {
    if (saving.busy) return;
    // A template has a limited number of versions.
    if (!publish && !isChanged) return toast('Saved already');
    await saving.run(async () => {
      const saved = await api.saveTemplate(name, { ...contentOf(draft), publish });
      markSaved(draft);
      changed({ latest: saved.version, published: saved.published });
      toast(publish ? `Version ${saved.version} is published` : `Saved as version ${saved.version}`);
    });
  };
  const publish = async (version: number) => {
    await api.publishTemplate(name, version);
    changed({ published: version });
    toast(`Version ${version} is published`);
  };
  const importFile = (file: File) =>
    saving.run(async () => {
      const saved = await api.importTemplate(name, file);
      const now = await api.ownTemplate(name);
      load(now);
      markSaved(draftOf(now));
      changed({ latest: saved.version, published: saved.published, files: now.files });
      toast(`Imported as version ${saved.version}`);
    });

  const onSave = useRef(save);
  onSave.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!event.repeat) void onSave.current(false);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  return (
    <>
      <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <Link href="/templates" className="rounded-sm text-sm text-ink-2 hover:text-ink hover:underline">
            Templates
          </Link>
          <div className="mt-0.5 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 truncate font-mono text-lg font-semibold tracking-[-0.02em]">my/{name}</h1>
            <Status latest={latest} published={published} isChanged={isChanged} />
          </div>
        </div>
        <div className="flex items-center gap-2">
          <Button busy={saving.busy} onClick={() => save(false)} title="Ctrl+S or ⌘S">
            Save
          </Button>
          <Button look="primary" disabled={saving.busy} onClick={() => save(true)}>
            Save and publish
          </Button>
          <Menu label="More actions" trigger={(props) => <IconButton icon="more" label="More actions" {...props} />}>
            {latest > 0 && (
              <MenuItem icon="download" onSelect={() => window.location.assign(api.templateExport(name))}>
                Export version {latest}
              </MenuItem>
            )}
            <MenuItem icon="file" onSelect={() => importing.current?.click()}>
              Import a file
            </MenuItem>
            {latest > 0 && (
              <>
                <MenuLine />
                <MenuItem icon="trash" danger onSelect={() => setRemoving(true)}>
                  Remove
                </MenuItem>
              </>
            )}
          </Menu>
          <TemplateFileInput
            handle={importing}
            onChoose={(file) => {
              if (!isChanged || confirm('Replace the unsaved text with that of the file?')) void importFile(file);
            }}
          />
        </div>
      </header>

      <div className="grid items-start gap-6 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <Panel aria-label="Text" className="min-w-0">
          <CodeArea handle={editor} text={draft.html} onChange={setHtml} known={known} mistake={mistake} />
          <Mistakes error={error} onGo={mistake && (() => editor.current?.goTo(mistake))} />
        </Panel>
        <section aria-label="Card" className="min-w-0 lg:sticky lg:top-6 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <CardPane card={card} />
        </section>
        <div className="min-w-0">
          <Tabs
            label="Parts of the template"
            value={tab}
            onChange={setTab}
            tabs={[
              {
                value: 'variables',
                label: 'Variables',
                content: <VariablesPanel draft={draft} error={error} onSay={say} onDescribe={setDescription} />,
              },
              {
                value: 'files',
                label: files.length > 0 ? `Files (${files.length})` : 'Files',
                content: <FilesPanel template={name} files={files} onChanged={(now) => changed({ files: now })} />,
              },
              {
                value: 'versions',
                label: latest > 0 ? `Versions (${latest})` : 'Versions',
                content: (
                  <VersionsPanel
                    name={name}
                    html={draft.html}
                    latest={latest}
                    published={published}
                    onOpen={(version) => {
                      load(version);
                      toast(`Text of version ${version.version}. Save it to make it the newest.`);
                    }}
                    onPublish={publish}
                  />
                ),
              },
              { value: 'use', label: 'Use it', content: <UsePanel name={name} draft={draft} published={published} /> },
            ]}
          />
        </div>
      </div>

      {isRemoving && (
        <Confirm
          title={`Remove my/${name}?`}
          action="Remove template"
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await api.removeTemplate(name);
            markSaved(draft);
            await client.invalidateQueries({ queryKey: ['own-templates'] });
            toast(`my/${name} is removed`);
            navigate('/templates');
          }}
        >
          <p>
            It is removed with all its versions and files. Links and requests that use it stop working. This cannot be
            undone.
          </p>
        </Confirm>
      )}
    </>
  );
}
