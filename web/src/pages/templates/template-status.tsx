import type { ApiError } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Badge } from '../../ui/surface.tsx';

/** What is published, and what is not saved. */
export function Status({ latest, published, isChanged }: { latest: number; published: number; isChanged: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {published > 0 && <Badge tone="ok">Version {published} is published</Badge>}
      {latest > published && <Badge tone="neutral">Version {latest} is not published</Badge>}
      {isChanged && <Badge tone="warn">{latest === 0 ? 'Not saved' : 'Unsaved changes'}</Badge>}
    </span>
  );
}

/** What is wrong with the template, under its text. */
export function Mistakes({ error, onGo }: { error: ApiError | undefined; onGo: (() => void) | undefined }) {
  return (
    <div role="status" className="flex min-h-11 items-center gap-2 border-t px-4 py-2 text-sm">
      {error ? (
        <>
          <Icon name="alert" className="text-danger" />
          <span className="min-w-0 flex-1 break-words text-danger">{error.message}</span>
          {onGo && (
            <Button size="sm" onClick={onGo}>
              Show
            </Button>
          )}
        </>
      ) : (
        <span className="text-xs text-ink-3">
          Type <code className="font-mono">{'{{'}</code> for variables. Escape, then Tab, leaves the editor.
        </span>
      )}
    </div>
  );
}
