import { useState } from 'react';
import { api, type SiteCheckView, type SiteView } from '../../api.ts';
import { ago, date } from '../../format.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy.tsx';
import { FormError } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel, PanelHeader } from '../../ui/surface.tsx';
import { toast } from '../../ui/toast.tsx';

type Proof = keyof SiteView['proofs'];

const ways: readonly { proof: Proof; title: string; name: string; text: string }[] = [
  { proof: 'dns', title: 'DNS record', name: 'a DNS record', text: 'A TXT record of' },
  { proof: 'file', title: 'File', name: 'a file', text: 'A text file at' },
  { proof: 'meta', title: 'Home page', name: 'the home page', text: 'An element in the head of' },
];

/** The three ways to prove it, until one is found; then one line that says so. */
export function Ownership({ site, onChecked }: { site: SiteView; onChecked: (site: SiteView) => void }) {
  const { busy, error, run } = useAction();
  const [check, setCheck] = useState<SiteCheckView>();
  const isProved = site.verifiedAt !== null && site.lostAt === null;
  const checkNow = () =>
    void run(async () => {
      const result = await api.checkSite(site.id);
      setCheck(result);
      onChecked(result.site);
      if (result.by !== null) toast('It is yours');
    });
  const button = (
    <Button look={isProved ? 'secondary' : 'primary'} icon="refresh" busy={busy} onClick={checkNow}>
      Check now
    </Button>
  );
  return (
    <Panel>
      <PanelHeader title={isProved ? 'Ownership' : 'Prove that it is yours'} actions={button}>
        {isProved
          ? `Proved by ${ways.find(({ proof }) => proof === site.verifiedBy)?.name}, since ${date(site.verifiedAt ?? 0)}. Leave it in place: it is checked once a week.`
          : 'One of the three is enough. Leave it in place: it is checked once a week.'}
      </PanelHeader>
      <div className="flex flex-col gap-4 px-5 pb-5 empty:hidden">
        {site.lostAt !== null && <Lost site={site} />}
        {error && <FormError>{error.message}</FormError>}
        {!isProved &&
          ways.map(({ proof, title, text }) => (
            <section key={proof} aria-labelledby={`proof-${proof}`} className="min-w-0">
              <h3 id={`proof-${proof}`} className="text-sm font-medium">
                {title}
              </h3>
              <p className="mt-0.5 mb-1.5 text-sm text-ink-2">
                {text} <span className="font-mono text-xs break-all">{site.proofs[proof].place}</span>
              </p>
              <CopyLine text={site.proofs[proof].value} label={`Copy for: ${title}`} />
              {check && (
                <p role="status" className="mt-1.5 flex items-start gap-1.5 text-xs text-ink-2">
                  <Icon name="info" className="mt-px size-3.5 text-ink-3" />
                  {check.found[proof]}
                </p>
              )}
            </section>
          ))}
        {!isProved && site.checkedAt !== null && <p className="text-xs text-ink-3">Checked {ago(site.checkedAt)}.</p>}
      </div>
    </Panel>
  );
}

const Lost = ({ site }: { site: SiteView }) => (
  <p
    className={`flex items-start gap-2 rounded-md px-3 py-2 text-sm ${site.isStopped ? 'bg-danger-soft text-danger' : 'bg-warn-soft text-warn'}`}
  >
    <Icon name="alert" className="mt-0.5" />
    <span>
      The proof has been missing since {date(site.lostAt ?? 0)}.{' '}
      {site.isStopped
        ? 'No page is read any more; the last cards are still served.'
        : 'After seven days no page is read any more, and only the last cards are served.'}
    </span>
  </p>
);
