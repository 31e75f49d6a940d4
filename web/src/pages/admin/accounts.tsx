import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AdminAccountView, api } from '../../api.ts';
import { number, plural } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { PageHeader, Panel } from '../../ui/surface.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { AccountTable } from './account-table.tsx';
import { Invitations, Invite } from './invitations.tsx';
import { SetPassword } from './set-password.tsx';

// More rows than anybody reads; the search finds the others.
const mostShown = 100;

const orders = {
  newest: { label: 'Newest first', by: (account: AdminAccountView) => account.createdAt },
  usage: { label: 'Most renders first', by: (account: AdminAccountView) => account.usage.renders },
} as const;
type Order = keyof typeof orders;

type Doing = { what: 'invite' } | { what: 'disable' | 'demote' | 'password'; account: AdminAccountView } | undefined;

export function Page() {
  const client = useQueryClient();
  const accounts = useQuery({ queryKey: ['admin', 'accounts'], queryFn: api.accounts });
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<Order>('newest');
  const [doing, setDoing] = useState<Doing>();
  const done = () => setDoing(undefined);
  const all = accounts.data?.accounts ?? [];
  const wanted = search.trim().toLowerCase();
  const found = all.filter(({ email, name }) => `${email} ${name}`.toLowerCase().includes(wanted));
  const { by } = orders[order];
  const shown = found.toSorted((a, b) => by(b) - by(a)).slice(0, mostShown);
  const change = async (id: string, body: Parameters<typeof api.changeAccount>[1], text: string) => {
    await api.changeAccount(id, body);
    await Promise.all([
      client.invalidateQueries({ queryKey: ['admin', 'accounts'] }),
      client.invalidateQueries({ queryKey: ['session'] }),
    ]);
    toast(text);
  };
  const changeNow = (...how: Parameters<typeof change>) => change(...how).catch(toastError);
  return (
    <>
      <PageHeader
        title="Accounts"
        actions={
          <>
            <Input
              type="search"
              aria-label="Search accounts"
              placeholder="Search by e-mail or name"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              className="w-56"
            />
            <Select
              aria-label="Order"
              className="w-44"
              value={order}
              onChange={(event) => setOrder(event.target.value as Order)}
            >
              {Object.entries(orders).map(([value, { label }]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
            <Button look="primary" icon="plus" onClick={() => setDoing({ what: 'invite' })}>
              Invite
            </Button>
          </>
        }
      >
        A plan change takes effect with the account’s next request. Usage is that of the last 30 days.
      </PageHeader>
      <Panel>
        {accounts.error ? (
          <Failed error={accounts.error} retry={() => accounts.refetch()} />
        ) : accounts.isPending ? (
          <SkeletonRows />
        ) : shown.length === 0 ? (
          <Empty icon="users" title="No matching account">
            No account has “{search}” in its e-mail or name.
          </Empty>
        ) : (
          <AccountTable accounts={shown} onChange={changeNow} onAsk={(what, account) => setDoing({ what, account })} />
        )}
      </Panel>
      {accounts.data && (
        <p className="mt-4 text-sm text-ink-2">
          {plural(all.length, 'account')}, {plural(rendersOf(all), 'render')} in 30 days
          {found.length > shown.length && `. Showing ${number(shown.length)}; use the search to find others.`}
        </p>
      )}
      {/* Below, because it has a size only once it is loaded. */}
      {accounts.data && <Invitations />}
      {doing?.what === 'invite' && <Invite onClose={done} />}
      {doing?.what === 'password' && <SetPassword account={doing.account} onClose={done} />}
      {doing?.what === 'disable' && (
        <Confirm
          title={`Disable ${doing.account.email}?`}
          action="Disable account"
          onClose={done}
          onConfirm={() => change(doing.account.id, { disabled: true }, `${doing.account.email} is disabled`)}
        >
          <p>Its keys are refused and its sessions end at once. Nothing is deleted, and you can enable it again.</p>
        </Confirm>
      )}
      {doing?.what === 'demote' && (
        <Confirm
          title={`Make ${doing.account.email} an ordinary user?`}
          action="Demote"
          onClose={done}
          onConfirm={() =>
            change(doing.account.id, { admin: false }, `${doing.account.email} is no administrator any more`)
          }
        >
          <p>The pages of the administration are closed to this account at once.</p>
        </Confirm>
      )}
    </>
  );
}

const rendersOf = (accounts: readonly AdminAccountView[]): number =>
  accounts.reduce((sum, { usage }) => sum + usage.renders, 0);
