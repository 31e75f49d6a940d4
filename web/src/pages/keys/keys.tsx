import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type KeyView } from '../../api.ts';
import { ago, date, number } from '../../format.ts';
import { useAccount, useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyValue } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { useSteps } from '../../ui/steps.ts';
import { Badge, Meter, PageHeader, Panel, StackingTable, Td } from '../../ui/surface.tsx';
import { Ago, Day } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { CreateKey } from './create-key.tsx';
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

const Fragments = ({ of: key }: { of: KeyView }) => (
  <code className="font-mono text-xs whitespace-nowrap text-ink-2">
    {key.first}…{key.last}
  </code>
);

const columns = [
  { title: 'Name' },
  { title: 'Key' },
  { title: 'Created' },
  { title: 'Last used' },
  { title: 'Status' },
  { title: 'Actions', isHidden: true },
] as const;

/** A thousand rows take a phone a second to lay out. */
const mostAtOnce = 25;

function KeyTable({
  keys,
  onRename,
  onRevoke,
}: {
  keys: readonly KeyView[];
  onRename: (key: KeyView) => void;
  onRevoke: (key: KeyView) => void;
}) {
  const [isLong, setLong] = useState(false);
  const listed = keys.slice(0, useSteps(isLong ? keys.length : mostAtOnce, isLong ? 100 : 8));
  return (
    <>
      <StackingTable columns={columns}>
        {listed.map((key) => (
          <tr key={key.id} className="relative block py-3 md:table-row md:py-0">
            <Td className="block h-auto! pr-12 pl-5 font-medium md:table-cell md:h-13! md:max-w-56 md:pr-4">
              <span className="block truncate">{key.name}</span>
              <Restrictions of={key} />
            </Td>
            <Td className="block h-auto! px-5 md:table-cell md:px-4">
              <Fragments of={key} />
              <span className="block">
                <CopyValue text={key.id} label={`Copy the key ID of ${key.name}`} />
              </span>
            </Td>
            <Td className="inline-block h-auto! pr-0! pl-5 text-ink-2 md:table-cell md:px-4!">
              <span className="md:hidden">Created </span>
              <Day at={key.createdAt} className="whitespace-nowrap" />
            </Td>
            <Td className="inline-block h-auto! px-1! text-ink-2 md:table-cell md:px-4!">
              <span className="md:hidden">· </span>
              {key.lastUsedAt === null ? (
                <span className="text-ink-3">
                  Never<span className="md:hidden"> used</span>
                </span>
              ) : (
                <>
                  <span className="md:hidden">used </span>
                  <Ago at={key.lastUsedAt} className="whitespace-nowrap" />
                </>
              )}
            </Td>
            <Td className="block h-auto! px-5 pt-1 md:table-cell md:px-4 md:pt-0">
              <Status of={key} />
            </Td>
            <Td className="absolute top-2 right-3 h-auto! px-0! md:static md:table-cell md:w-12 md:pr-3! md:text-right">
              {key.status !== 'revoked' && (
                <ActionsMenu of={key.name}>
                  <MenuItem onSelect={() => onRename(key)}>Rename</MenuItem>
                  <MenuItem danger onSelect={() => onRevoke(key)}>
                    Revoke
                  </MenuItem>
                </ActionsMenu>
              )}
            </Td>
          </tr>
        ))}
      </StackingTable>
      {!isLong && keys.length > mostAtOnce && (
        <div className="border-t px-5 py-3">
          <Button onClick={() => setLong(true)}>Show all {number(keys.length)} keys</Button>
        </div>
      )}
    </>
  );
}

function Status({ of: key }: { of: KeyView }) {
  if (key.status === 'revoked') return <Badge>Revoked {key.revokedAt !== null && ago(key.revokedAt)}</Badge>;
  if (key.status === 'expired') return <Badge tone="danger">Expired</Badge>;
  if (key.expiresAt !== null) return <Badge tone="ok">Active until {date(key.expiresAt)}</Badge>;
  return <Badge tone="ok">Active</Badge>;
}

function Restrictions({ of: key }: { of: KeyView }) {
  const parts = [
    key.allowedHosts && `only ${key.allowedHosts.join(', ')}`,
    key.allowedTemplates && `templates ${key.allowedTemplates.join(', ')}`,
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return (
    <span className="block truncate text-xs font-normal text-ink-3" title={parts.join('; ')}>
      {parts.join('; ')}
    </span>
  );
}

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
