import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { dateTime } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/states.tsx';
import { Panel, PanelHeader } from '../../ui/surface.tsx';
import { toast } from '../../ui/toast.tsx';

const queryKey = ['webhook-secret'];

/** The secret is in the document only while it is shown. */
export function Secret() {
  const secret = useQuery({ queryKey, queryFn: api.webhookSecret });
  const client = useQueryClient();
  const [shown, setShown] = useState(false);
  const [rotating, setRotating] = useState(false);
  return (
    <Panel>
      <PanelHeader
        title="Signing secret"
        actions={
          <Button size="sm" icon="refresh" onClick={() => setRotating(true)}>
            Rotate
          </Button>
        }
      >
        Your server checks with it that a webhook comes from here.
      </PanelHeader>
      {secret.error ? (
        <Failed error={secret.error} retry={() => secret.refetch()} />
      ) : (
        <div className="px-5 pb-5">
          <div className="flex items-center gap-1 rounded-md border bg-sunken py-1 pr-1 pl-3">
            <code
              data-testid="webhook-secret"
              className="min-w-0 flex-1 font-mono text-xs leading-6 break-all text-ink-2"
            >
              {shown && secret.data ? secret.data.secret : 'whsec_••••••••••••'}
            </code>
            <Button look="quiet" size="sm" aria-pressed={shown} onClick={() => setShown(!shown)}>
              {shown ? 'Hide' : 'Show'}
            </Button>
            <CopyButton
              text={secret.data?.secret ?? ''}
              label="Copy signing secret"
              disabled={secret.data === undefined}
            />
          </div>
          {secret.data && secret.data.previousUntil !== null && (
            <p className="mt-2 text-xs text-ink-2">
              The previous secret also signs until {dateTime(secret.data.previousUntil)}.
            </p>
          )}
        </div>
      )}
      {rotating && (
        <Confirm
          title="Rotate the signing secret?"
          action="Rotate"
          onClose={() => setRotating(false)}
          onConfirm={async () => {
            client.setQueryData(queryKey, await api.rotateWebhookSecret());
            setShown(false);
            toast('Secret rotated');
          }}
        >
          <p>
            A new secret is created. For 24 hours every webhook is signed with both, so that your servers have time to
            change. A secret from an earlier rotation stops signing now.
          </p>
        </Confirm>
      )}
    </Panel>
  );
}
