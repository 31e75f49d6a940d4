import { api } from '../api.ts';
import { AccountLinkPage } from './account-link.tsx';

/** The page behind the setup link of the first start. It creates the administrator's account. */
export const Page = () => (
  <AccountLinkPage
    tab="Set up"
    title="Set up Tintype"
    check={api.setupOpen}
    send={api.setup}
    closed={{
      title: 'This link is no longer valid',
      text: 'A setup link works once, until an administrator exists. If there is none, restart the server to get a new link.',
    }}
    form={{
      title: 'Set up Tintype',
      text: 'This creates the administrator’s account, on the Business plan. The link works once.',
      action: 'Create administrator',
    }}
  />
);
