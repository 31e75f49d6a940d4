import { useInfiniteQuery } from '@tanstack/react-query';
import { type AuditView, api } from '../../api.ts';
import { dateTime } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/states.tsx';
import { PageHeader, Panel, ScrollRegion, StackingTable, Td } from '../../ui/surface.tsx';

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

const columns = [{ title: 'When' }, { title: 'Who' }, { title: 'What' }, { title: 'Whom' }] as const;
const cell = 'max-md:block max-md:h-auto! max-md:px-0! md:h-11!';

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
            <StackingTable columns={columns}>
              {actions.map(({ id, at, actor, action, target, details }) => (
                <tr key={id} className="block px-5 py-3 md:table-row">
                  <Td className={`${cell} whitespace-nowrap text-ink-2`}>{dateTime(at)}</Td>
                  <Td className={`${cell} truncate md:max-w-56`} title={actor}>
                    {actor}
                  </Td>
                  <Td className={cell}>
                    {words[action]}
                    {details && <span className="text-ink-3"> ({details})</span>}
                  </Td>
                  <Td className={`${cell} truncate md:max-w-56`} title={target ?? undefined}>
                    {target ?? '–'}
                  </Td>
                </tr>
              ))}
            </StackingTable>
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
