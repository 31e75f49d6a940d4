import { useInfiniteQuery } from '@tanstack/react-query';
import { type AuditView, api } from '../../api.ts';
import { dateTime } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { PageHeader, Panel, ScrollRegion, Td, Th } from '../../ui/surface.tsx';

const words: Readonly<Record<AuditView['actions'][number]['action'], string>> = {
  plan_changed: 'Changed the plan',
  account_disabled: 'Disabled the account',
  account_enabled: 'Enabled the account',
  promoted: 'Promoted to administrator',
  demoted: 'Demoted to user',
  password_set: 'Set a new password',
  two_factor_removed: 'Turned off two-factor sign-in',
  invitation_created: 'Created an invitation',
  invitation_withdrawn: 'Withdrew an invitation',
  cache_purged: 'Emptied the cache',
};

export function Page() {
  const audit = useInfiniteQuery({
    queryKey: ['admin', 'audit'],
    queryFn: ({ pageParam }) => api.audit(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const actions = audit.data?.pages.flatMap((page) => page.actions) ?? [];
  return (
    <>
      <PageHeader title="Audit">What administrators did in the dashboard. Kept for a year.</PageHeader>
      <Panel>
        {audit.error ? (
          <Failed error={audit.error} retry={() => audit.refetch()} />
        ) : audit.isPending ? (
          <SkeletonRows />
        ) : actions.length === 0 ? (
          <Empty icon="book" title="Nothing yet">
            Changes of accounts, invitations and the cache will be listed here.
          </Empty>
        ) : (
          <ScrollRegion label="Actions of administrators">
            <table className="w-full">
              <thead>
                <tr>
                  <Th>When</Th>
                  <Th>Who</Th>
                  <Th>What</Th>
                  <Th>Whom</Th>
                </tr>
              </thead>
              <tbody className="divide-y">
                {actions.map(({ id, at, actor, action, target, details }) => (
                  <tr key={id}>
                    <Td className="h-11! whitespace-nowrap text-ink-2">{dateTime(at)}</Td>
                    <Td className="h-11! max-w-56 truncate" title={actor}>
                      {actor}
                    </Td>
                    <Td className="h-11!">
                      {words[action]}
                      {details && <span className="text-ink-3"> ({details})</span>}
                    </Td>
                    <Td className="h-11! max-w-56 truncate" title={target ?? undefined}>
                      {target ?? '–'}
                    </Td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        )}
      </Panel>
      {audit.hasNextPage && (
        <Button className="mt-4" busy={audit.isFetchingNextPage} onClick={() => audit.fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  );
}
