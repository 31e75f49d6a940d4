import { useRef, useState } from 'react';
import { api, type TemplateFileView } from '../../api.ts';
import { bytes } from '../../format.ts';
import { useAction } from '../../ui/action.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';

const accepted = '.png,.jpg,.jpeg,.webp,.avif,.gif,.svg,.woff2,.woff,.ttf,.otf';

/** How a file is used: an image by its name, a font by its name without the ending. */
const usageOf = ({ name, kind }: TemplateFileView): string =>
  kind === 'image' ? `<img src="${name}" />` : `font-family: "${name.replace(/\.[^.]+$/, '')}"`;

export function FilesPanel({
  template,
  files,
  onChanged,
}: {
  template: string;
  files: readonly TemplateFileView[];
  onChanged: (files: readonly TemplateFileView[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const { busy, error, run } = useAction();
  const [removing, setRemoving] = useState<TemplateFileView>();
  const upload = (chosen: readonly File[]) =>
    run(async () => {
      let now = files;
      for (const file of chosen) {
        const added = await api.uploadTemplateFile(template, file);
        now = [...now.filter(({ name }) => name !== added.name), added].sort((a, b) => (a.name < b.name ? -1 : 1));
        onChanged(now);
      }
      toast(chosen.length === 1 ? `${chosen[0]?.name} is uploaded` : `${chosen.length} files are uploaded`);
    });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-md text-sm text-ink-2">
          Images up to 1 MB, fonts up to 5 MB. A saved version keeps the files it was saved with.
        </p>
        <input
          ref={input}
          type="file"
          multiple
          accept={accepted}
          aria-label="Files to upload"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const chosen = [...(event.target.files ?? [])];
            event.target.value = '';
            if (chosen.length > 0) void upload(chosen);
          }}
        />
        <Button icon="plus" busy={busy} onClick={() => input.current?.click()}>
          Upload
        </Button>
      </div>
      <FormError>{error?.message}</FormError>
      {files.length > 0 && (
        <ul className="divide-y border-y">
          {files.map((file) => (
            <li key={file.name} className="flex items-center gap-3 py-2.5">
              <span className="picture-ground flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-md border">
                {file.picture ? (
                  <img src={file.picture} alt="" className="max-h-full max-w-full" />
                ) : (
                  <Icon name="file" className="text-ink-2" />
                )}
              </span>
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">
                  {file.name} <span className="font-normal text-ink-3">{bytes(file.size)}</span>
                </span>
                <code className="block truncate font-mono text-xs text-ink-2">{usageOf(file)}</code>
              </span>
              <CopyButton text={usageOf(file)} label={`Copy the use of ${file.name}`} />
              <IconButton icon="trash" label={`Remove ${file.name}`} onClick={() => setRemoving(file)} />
            </li>
          ))}
        </ul>
      )}
      {removing && (
        <Confirm
          title={`Remove ${removing.name}?`}
          action="Remove file"
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await api.removeTemplateFile(template, removing.name);
            onChanged(files.filter(({ name }) => name !== removing.name));
          }}
        >
          <p>Saved versions that show it keep it. New versions cannot use it.</p>
        </Confirm>
      )}
    </div>
  );
}
