import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type KeyView } from '../../api.ts';
import { useAccount, useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { Meter, PageHeader, Panel } from '../../ui/surface.tsx';
import { toast } from '../../ui/toast.tsx';
import { CreateKey } from './create-key.tsx';
import { Fragments, KeyTable } from './key-table.tsx';
import { RenameKey } from './rename-key.tsx';

type Doing = { what: 'create' } | { what: 'rename' | 'revoke'; key: KeyView } | undefined;

export function Page() {
  const keys = useQuery({ queryKey: ['keys'], queryFn: api.keys });
  const client = useQueryClient();
  const [doing, setDoing] = useState<Doing>();
  const [showRevoked, setShowRevoked] = useState(false);
  /** Not set until something is typed. */
  const [search, setSearch] = useState<string>();
  const done = () => setDoing(undefined);
  const changed = () => client.invalidateQueries({ queryKey: ['keys'] });
  const all = keys.data?.keys ?? [];
  const revoked = all.filter((key) => key.status === 'revoked').length;
  const usual = showRevoked ? all : all.filter((key) => key.status !== 'revoked');
  const wanted = search?.trim().toLowerCase() ?? '';
  const shown = wanted === '' ? usual : usual.filter((key) => textOf(key).includes(wanted));
  return (
    <>
      <PageHeader
        title="API Keys"
        actions={
          <>
            {/* Once used it stays: it must not go away with what was typed, or while it has the focus. */}
            {(usual.length > 5 || search !== undefined) && (
              <Input
                type="search"
                aria-label="Search keys"
                placeholder="Search by name, key, ID or host"
                value={search ?? ''}
                onChange={(event) => setSearch(event.target.value)}
                className="w-full sm:w-64"
              />
            )}
            <Button look="primary" icon="plus" onClick={() => setDoing({ what: 'create' })}>
              Create New Key
            </Button>
          </>
        }
      >
        A key identifies your account to the API. It is shown only once, when it is created. Its ID is no secret: signed
        links contain it.
      </PageHeader>
      <Panel>
        {keys.error ? (
          <Failed error={keys.error} retry={() => keys.refetch()} />
        ) : keys.data === undefined ? (
          <SkeletonRows />
        ) : shown.length === 0 && wanted !== '' ? (
          <Empty icon="key" title="No matching key">
            No key has “{search}” in its name, its ID, its first or last characters, or its hosts.
          </Empty>
        ) : shown.length === 0 ? (
          <Empty
            icon="key"
            title={revoked > 0 ? 'No active keys' : 'Create your first key'}
            action={
              <Button look="primary" icon="plus" onClick={() => setDoing({ what: 'create' })}>
                Create New Key
              </Button>
            }
          >
            With a key you can request your first picture. A curl command to copy comes with it.
          </Empty>
        ) : (
          <KeyTable
            keys={shown}
            onRename={(key) => setDoing({ what: 'rename', key })}
            onRevoke={(key) => setDoing({ what: 'revoke', key })}
          />
        )}
      </Panel>
      {keys.data && (
        <Below
          active={keys.data.active}
          limit={keys.data.limit}
          revoked={revoked}
          showRevoked={showRevoked}
          toggle={() => setShowRevoked(!showRevoked)}
        />
      )}

      {doing?.what === 'create' && <CreateKey onClose={done} onCreated={changed} />}
      {doing?.what === 'rename' && (
        <RenameKey
          current={doing.key}
          onClose={done}
          onDone={async () => {
            await changed();
            toast('Key renamed');
          }}
        />
      )}
      {doing?.what === 'revoke' && (
        <Confirm
          title={`Revoke “${doing.key.name}”?`}
          action="Revoke key"
          onClose={done}
          onConfirm={async () => {
            await api.revokeKey(doing.key.id);
            await changed();
            toast('Key revoked');
          }}
        >
          <p>
            Requests with <Fragments of={doing.key} /> will be refused at once, and signed links with the key ID{' '}
            <code className="font-mono text-xs text-ink-2">{doing.key.id}</code> stop working. This cannot be undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** What the search looks at. */
const textOf = ({ id, name, first, last, allowedHosts }: KeyView): string =>
  [id, name, first, last, ...(allowedHosts ?? [])].join(' ').toLowerCase();

function Below({
  active,
  limit,
  revoked,
  showRevoked,
  toggle,
}: {
  active: number;
  limit: number;
  revoked: number;
  showRevoked: boolean;
  toggle: () => void;
}) {
  const account = useAccount();
  const { plans } = useSession();
  const label = plans.find((plan) => plan.name === account.plan)?.label;
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex items-center gap-3 text-sm text-ink-2">
        <div className="w-24">
          <Meter value={active} max={limit} label="Active keys" />
        </div>
        {active} of {limit} active keys on {label}
      </div>
      {revoked > 0 && (
        <Button look="quiet" size="sm" onClick={toggle} aria-pressed={showRevoked}>
          {showRevoked ? 'Hide' : 'Show'} {revoked} revoked
        </Button>
      )}
    </div>
  );
}
