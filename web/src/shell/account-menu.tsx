import { useLocation } from 'wouter';
import { api } from '../api.ts';
import { initial } from '../format.ts';
import { leaveAfter } from '../pages/templates/leaving.ts';
import { leaveTo, useAccount, useSession } from '../session.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLine, MenuNote } from '../ui/menu.tsx';
import { Badge } from '../ui/surface.tsx';
import { setTheme, type Theme, useTheme } from '../ui/theme.ts';
import { toastError } from '../ui/toast.tsx';

const themes = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'system', label: 'System', icon: 'screen' },
] as const satisfies readonly { value: Theme; label: string; icon: string }[];

/** `onGo` is called when it leads to a page. */
export function AccountMenu({ onGo }: { onGo?: (() => void) | undefined }) {
  const account = useAccount();
  const { plans } = useSession();
  const theme = useTheme();
  const [, go] = useLocation();
  const signOut = async () => {
    try {
      await leaveAfter(async () => {
        await api.signOut();
        leaveTo('/sign-in');
      });
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <div className="border-t p-3">
      <Menu
        side="top"
        align="start"
        label="Account"
        trigger={(props) => (
          <button
            type="button"
            {...props}
            className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left transition-colors hover:bg-sunken"
          >
            <span className="sr-only">Account</span>
            <span
              aria-hidden="true"
              className="flex size-7 shrink-0 items-center justify-center rounded-full bg-ink text-xs font-semibold text-on-ink"
            >
              {initial(account.name || account.email)}
            </span>
            <span className="min-w-0 flex-1 truncate text-sm">{account.name || account.email}</span>
            <Badge tone="accent">{plans.find((plan) => plan.name === account.plan)?.label}</Badge>
          </button>
        )}
      >
        <MenuNote>{account.email}</MenuNote>
        <MenuItem
          icon="gear"
          onSelect={() => {
            go('/settings');
            onGo?.();
          }}
        >
          Settings
        </MenuItem>
        <MenuLine />
        <MenuNote>Theme</MenuNote>
        {themes.map(({ value, label, icon }) => (
          <MenuItem key={value} icon={icon} onSelect={() => setTheme(value)}>
            <span className="flex-1">{label}</span>
            {theme === value && <Icon name="check" />}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem icon="leave" onSelect={signOut}>
          Sign out
        </MenuItem>
      </Menu>
    </div>
  );
}
