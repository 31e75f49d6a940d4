import { useState } from 'react';
import type { KeyView } from '../../api.ts';
import { ago, date, number } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { CopyValue } from '../../ui/copy.tsx';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';
import { useSteps } from '../../ui/steps.ts';
import { Badge, StackingTable, Td } from '../../ui/surface.tsx';
import { Ago, Day } from '../../ui/time.tsx';

/** The first and the last characters of a key. */
export const Fragments = ({ of: key }: { of: KeyView }) => (
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

export function KeyTable({
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
