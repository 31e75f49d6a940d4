import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AdminAccountView, api, type PlanView } from '../../api.ts';
import { date, plural } from '../../format.ts';
import { useAccount, useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { Badge, PageHeader, Panel, Td, Th } from '../../ui/surface.tsx';
import { toast } from '../../ui/toast.tsx';

// More rows than anybody reads; the search finds the others.
const mostShown = 100;

export function Page() {
  const { plans } = useSession();
  const client = useQueryClient();
  const accounts = useQuery({ queryKey: ['admin', 'accounts'], queryFn: api.accounts });
  const [search, setSearch] = useState('');
  const [disabling, setDisabling] = useState<AdminAccountView>();
  const all = accounts.data?.accounts ?? [];
  const wanted = search.trim().toLowerCase();
  const found = all.filter(({ email, name }) => `${email} ${name}`.toLowerCase().includes(wanted));
  const shown = found.slice(0, mostShown);
  const change = async (id: string, body: Parameters<typeof api.changeAccount>[1], done: string) => {
    await api.changeAccount(id, body);
    await Promise.all([
      client.invalidateQueries({ queryKey: ['admin', 'accounts'] }),
      client.invalidateQueries({ queryKey: ['session'] }),
    ]);
    toast(done);
  };
  const failed = (error: unknown) => toast((error as Error).message);
  return (
    <>
      <PageHeader
        title="Accounts"
        actions={
          <Input
            type="search"
            aria-label="Search accounts"
            placeholder="Search by e-mail or name"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="w-64"
          />
        }
      >
        A plan change takes effect with the account’s next request.
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
          <AccountTable
            accounts={shown}
            plans={plans}
            onPlan={(account, plan) =>
              change(account.id, { plan: plan.name }, `${account.email} is now on ${plan.label}`).catch(failed)
            }
            onDisable={setDisabling}
            onEnable={(account) =>
              change(account.id, { disabled: false }, `${account.email} is enabled again`).catch(failed)
            }
          />
        )}
      </Panel>
      {accounts.data && (
        <p className="mt-4 text-sm text-ink-2">
          {plural(all.length, 'account')}
          {found.length > shown.length && `. Showing the newest ${shown.length}; use the search to find others.`}
        </p>
      )}
      {disabling && (
        <Confirm
          title={`Disable ${disabling.email}?`}
          action="Disable account"
          onClose={() => setDisabling(undefined)}
          onConfirm={() => change(disabling.id, { disabled: true }, `${disabling.email} is disabled`)}
        >
          <p>Its keys are refused and its sessions end at once. Nothing is deleted, and you can enable it again.</p>
        </Confirm>
      )}
    </>
  );
}

function AccountTable({
  accounts,
  plans,
  onPlan,
  onDisable,
  onEnable,
}: {
  accounts: readonly AdminAccountView[];
  plans: readonly PlanView[];
  onPlan: (account: AdminAccountView, plan: PlanView) => void;
  onDisable: (account: AdminAccountView) => void;
  onEnable: (account: AdminAccountView) => void;
}) {
  const me = useAccount();
  return (
    <table className="block w-full md:table">
      <thead className="hidden md:table-header-group">
        <tr>
          <Th>Account</Th>
          <Th>Created</Th>
          <Th>Status</Th>
          <Th>Plan</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody className="block divide-y md:table-row-group">
        {accounts.map((account) => (
          <tr key={account.id} className="flex flex-wrap items-center gap-2 px-5 py-3.5 md:table-row md:px-0 md:py-0">
            <Td className="h-auto! w-full max-md:px-0! md:w-auto md:py-2.5">
              <span className="block truncate font-medium">{account.email}</span>
              {account.name && <span className="block truncate text-xs text-ink-3">{account.name}</span>}
            </Td>
            <Td className="hidden text-ink-2 md:table-cell">{date(account.createdAt)}</Td>
            <Td className="h-auto! max-md:flex max-md:flex-1 max-md:flex-wrap max-md:gap-1.5 max-md:px-0!">
              {account.disabled ? <Badge tone="danger">Disabled</Badge> : <Badge tone="ok">Active</Badge>}
              {account.admin && (
                <Badge tone="accent" className="md:ml-1.5">
                  Administrator
                </Badge>
              )}
            </Td>
            <Td className="h-auto! max-md:px-0!">
              <Select
                aria-label={`Plan of ${account.email}`}
                className="w-28 md:w-32"
                value={account.plan}
                onChange={(event) => {
                  const plan = plans.find(({ name }) => name === event.target.value);
                  if (plan) onPlan(account, plan);
                }}
              >
                {plans.map(({ name, label }) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </Select>
            </Td>
            <Td className="h-auto! max-md:px-0! md:w-28 md:text-right">
              {account.disabled ? (
                <Button size="sm" onClick={() => onEnable(account)}>
                  Enable
                </Button>
              ) : (
                <Button
                  size="sm"
                  disabled={account.id === me.id}
                  title={account.id === me.id ? 'You cannot disable your own account.' : undefined}
                  onClick={() => onDisable(account)}
                >
                  Disable
                </Button>
              )}
            </Td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
