import { api } from '../api.ts';
import { AccountLinkPage } from './account-link.tsx';

/** The page behind an administrator's invitation. */
export const Page = () => (
  <AccountLinkPage
    tab="Invitation"
    title="Invitation"
    check={api.invitation}
    send={api.acceptInvitation}
    closed={{
      title: 'This invitation is no longer valid',
      text: 'It was used or withdrawn, or has expired. Ask the administrator for a new one.',
    }}
    form={{
      title: 'Create your account',
      text: 'You were invited. The link works once.',
      action: 'Create account',
    }}
  />
);
