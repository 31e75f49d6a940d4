import type { AdminAccountView, api } from '../../api.ts';
import { date, number } from '../../format.ts';
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

type Change = Parameters<typeof api.changeAccount>[1];

export function AccountTable({
  accounts,
  onChange,
  onAsk,
}: {
  accounts: readonly AdminAccountView[];
  onChange: (id: string, change: Change, done: string) => void;
  onAsk: (what: 'disable' | 'demote' | 'password', account: AdminAccountView) => void;
}) {
  const me = useAccount();
  const { plans } = useSession();
  return (
    <StackingTable columns={columns}>
      {accounts.map((account) => (
        <tr key={account.id} className="flex flex-wrap items-center gap-2 px-5 py-3.5 md:table-row md:px-0 md:py-0">
          <Td className="h-auto! w-full max-md:px-0! md:max-w-0 md:py-2.5">
            <span className="block truncate font-medium" title={account.email}>
              {account.email}
            </span>
            {account.name && <span className="block truncate text-xs text-ink-3">{account.name}</span>}
          </Td>
          <Td className="hidden whitespace-nowrap text-ink-2 lg:table-cell">{date(account.createdAt)}</Td>
          <Td className="hidden text-right tabular-nums lg:table-cell">{number(account.usage.renders)}</Td>
          <Td className="hidden text-right text-ink-2 tabular-nums lg:table-cell">{number(account.usage.hits)}</Td>
          <Td className="h-auto! max-md:flex-1 max-md:px-0!">
            <span className="flex flex-wrap gap-1.5">
              {account.disabled ? <Badge tone="danger">Disabled</Badge> : <Badge tone="ok">Active</Badge>}
              {account.admin && <Badge tone="accent">Administrator</Badge>}
            </span>
          </Td>
          <Td className="h-auto! max-md:px-0!">
            <Select
              aria-label={`Plan of ${account.email}`}
              className="w-28 md:w-32"
              value={account.plan}
              onChange={(event) => {
                const plan = plans.find(({ name }) => name === event.target.value);
                if (plan) onChange(account.id, { plan: plan.name }, `${account.email} is now on ${plan.label}`);
              }}
            >
              {plans.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </Select>
          </Td>
          <Td className="h-auto! whitespace-nowrap max-md:px-0! md:w-36 md:text-right">
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
