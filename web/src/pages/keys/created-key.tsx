import type { CreatedKeyView } from '../../api.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyLine } from '../../ui/copy.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { AgentSetup } from './agent-setup.tsx';

/** The only page that ever shows the key. */
export function CreatedKey({ created, onClose }: { created: CreatedKeyView; onClose: () => void }) {
  const { baseUrl } = useSession();
  const curl = `curl "${baseUrl}/v1/screenshot?url=https://example.com" \\\n  -H "X-API-Key: ${created.secret}" \\\n  -o example.png`;
  return (
    <Dialog title="Save your key now" onClose={onClose} wide mustAnswer>
      <p className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
        <Icon name="alert" className="mt-0.5" />
        The key and the signing secret are shown only once. Store them like passwords.
      </p>
      <dl className="mt-5 flex flex-col gap-4">
        <div>
          <dt className="mb-1.5 text-sm font-medium">API key</dt>
          <dd data-testid="secret">
            <CopyLine text={created.secret} label="Copy API key" />
          </dd>
        </div>
        <div>
          <dt className="mb-1.5 flex items-baseline justify-between gap-3 text-sm font-medium">
            Key ID
            <span className="text-xs font-normal text-ink-3">no secret; always in the list of keys</span>
          </dt>
          <dd data-testid="key-id">
            <CopyLine text={created.key.id} label="Copy key ID" />
          </dd>
        </div>
        <div>
          <dt className="mb-1.5 flex items-baseline justify-between gap-3 text-sm font-medium">
            Signing secret
            <span className="text-xs font-normal text-ink-3">for links in public HTML</span>
          </dt>
          <dd data-testid="signing-secret">
            <CopyLine text={created.signingSecret} label="Copy signing secret" />
          </dd>
        </div>
        <div>
          <dt className="mb-1.5 text-sm font-medium">Your first request</dt>
          <dd>
            <CodeBlock code={curl} label="curl" />
          </dd>
        </div>
        <div>
          <dt className="mb-1.5 flex items-baseline justify-between gap-3 text-sm font-medium">
            For agents
            <span className="text-xs font-normal text-ink-3">tools over MCP</span>
          </dt>
          <dd data-testid="agents">
            <AgentSetup baseUrl={baseUrl} secret={created.secret} />
          </dd>
        </div>
      </dl>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have saved them
        </Button>
      </DialogActions>
    </Dialog>
  );
}
