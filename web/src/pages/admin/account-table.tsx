import { useState } from 'react';
import type { AdminAccountView, api } from '../../api.ts';
import { date, number, plural } from '../../format.ts';
import { useAccount, useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';
import { Badge, StackingTable, Td } from '../../ui/surface.tsx';

const columns = [
  { title: 'Account' },
  { title: 'Created', isWide: true },
  { title: 'Renders', isNumber: true, isWide: true },
  { title: 'Hits', isNumber: true, isWide: true },
  { title: 'Status' },
  { title: 'Plan' },
  { title: 'Actions', isHidden: true },
] as const;

/** Resolves also if the change failed, which it tells by itself. */
type OnChange = (id: string, change: Parameters<typeof api.changeAccount>[1], done: string) => Promise<void>;

export function AccountTable({
  accounts,
  onChange,
  onAsk,
}: {
  accounts: readonly AdminAccountView[];
  onChange: OnChange;
  onAsk: (what: 'disable' | 'demote' | 'password', account: AdminAccountView) => void;
}) {
  const me = useAccount();
  return (
    <StackingTable columns={columns}>
      {accounts.map((account) => (
        <tr key={account.id} className="flex flex-wrap items-center gap-2 px-5 py-3.5 md:table-row md:px-0 md:py-0">
          <Td className="h-auto! w-full max-md:px-0! md:max-w-0 md:py-2.5">
            <span className="block truncate font-medium" title={account.email}>
              {account.email}
            </span>
            {account.name && <span className="block truncate text-xs text-ink-3">{account.name}</span>}
            <span className="block text-xs text-ink-3 tabular-nums lg:hidden">
              {plural(account.usage.renders, 'render')}, {plural(account.usage.hits, 'hit')}
            </span>
          </Td>
          <Td className="hidden whitespace-nowrap text-ink-2 lg:table-cell">{date(account.createdAt)}</Td>
          <Td className="hidden text-right tabular-nums lg:table-cell">{number(account.usage.renders)}</Td>
          <Td className="hidden text-right text-ink-2 tabular-nums lg:table-cell">{number(account.usage.hits)}</Td>
          <Td className="h-auto! max-md:w-full max-md:px-0!">
            <span className="flex flex-wrap gap-1.5">
              {account.disabled ? <Badge tone="danger">Disabled</Badge> : <Badge tone="ok">Active</Badge>}
              {account.admin && <Badge tone="accent">Administrator</Badge>}
            </span>
          </Td>
          <Td className="h-auto! max-md:flex-1 max-md:px-0!">
            <PlanSelect account={account} onChange={onChange} />
          </Td>
          <Td className="h-auto! whitespace-nowrap max-md:px-0! md:w-36 md:text-right *:align-middle">
            {account.disabled ? (
              <Button
                size="sm"
                onClick={() => onChange(account.id, { disabled: false }, `${account.email} is enabled again`)}
              >
                Enable
              </Button>
            ) : (
              <Button
                size="sm"
                disabled={account.id === me.id}
                title={account.id === me.id ? 'You cannot disable your own account.' : undefined}
                onClick={() => onAsk('disable', account)}
              >
                Disable
              </Button>
            )}
            <ActionsMenu of={account.email}>
              {account.admin ? (
                <MenuItem onSelect={() => onAsk('demote', account)}>Demote to user</MenuItem>
              ) : (
                <MenuItem
                  onSelect={() => onChange(account.id, { admin: true }, `${account.email} is an administrator now`)}
                >
                  Promote to administrator
                </MenuItem>
              )}
              {account.id !== me.id && (
                <MenuItem onSelect={() => onAsk('password', account)}>Set a new password</MenuItem>
              )}
              {account.twoFactor && (
                <MenuItem
                  onSelect={() =>
                    onChange(account.id, { twoFactor: false }, `${account.email} signs in without a code now`)
                  }
                >
                  Turn off two-factor
                </MenuItem>
              )}
            </ActionsMenu>
          </Td>
        </tr>
      ))}
    </StackingTable>
  );
}

function PlanSelect({ account, onChange }: { account: AdminAccountView; onChange: OnChange }) {
  const { plans } = useSession();
  // Shown until the server has answered; after that the plan that is set, also if the change failed.
  const [chosen, setChosen] = useState<string>();
  return (
    <Select
      aria-label={`Plan of ${account.email}`}
      className="w-28 md:w-32"
      value={chosen ?? account.plan}
      onChange={async (event) => {
        const plan = plans.find(({ name }) => name === event.target.value);
        if (plan === undefined) return;
        setChosen(plan.name);
        await onChange(account.id, { plan: plan.name }, `${account.email} is now on ${plan.label}`);
        setChosen(undefined);
      }}
    >
      {plans.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </Select>
  );
}
