import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type NewInvitationView, type PlanView } from '../../api.ts';
import { date } from '../../format.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx';
import { FormDialog, TextField } from '../../ui/form.tsx';
import { Badge, Panel, PanelHeader } from '../../ui/surface.tsx';
import { toast, toastError } from '../../ui/toast.tsx';

const key = ['admin', 'invitations'];

/** The open invitations; nothing where there are none. */
export function Invitations() {
  const client = useQueryClient();
  const { plans } = useSession();
  const found = useQuery({ queryKey: key, queryFn: api.invitations });
  const invitations = found.data?.invitations ?? [];
  if (invitations.length === 0) return null;
  const withdraw = async (id: string) => {
    try {
      await api.withdrawInvitation(id);
      toast('Invitation withdrawn');
    } catch (error) {
      toastError(error);
    }
    await client.invalidateQueries({ queryKey: key });
  };
  return (
    <Panel className="mt-6">
      <PanelHeader title="Open invitations" />
      <ul className="divide-y border-t">
        {invitations.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5 text-sm">
            <span className="min-w-full truncate font-medium sm:min-w-0 sm:flex-1">
              {invitation.email ?? 'Anybody with the link'}
            </span>
            <span className="text-ink-2">{labelOf(plans, invitation.plan)}</span>
            {invitation.admin && <Badge tone="accent">Administrator</Badge>}
            <span className="text-ink-3">until {date(invitation.expiresAt)}</span>
            <Button size="sm" onClick={() => withdraw(invitation.id)}>
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const labelOf = (plans: readonly PlanView[], name: string) => plans.find((plan) => plan.name === name)?.label ?? name;

export function Invite({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewInvitationView>();
  if (made) return <Invited made={made} onClose={onClose} />;
  return <InviteForm onClose={onClose} onMade={setMade} />;
}

function InviteForm({ onClose, onMade }: { onClose: () => void; onMade: (made: NewInvitationView) => void }) {
  const { plans, defaultPlan } = useSession();
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [plan, setPlan] = useState(defaultPlan);
  const [admin, setAdmin] = useState(false);
  const [days, setDays] = useState(7);
  return (
    <FormDialog
      title="Invite somebody"
      description="The link creates one account."
      action="Create invitation"
      onClose={onClose}
      onSend={async () => {
        const view = await api.invite({ email, plan, admin, days });
        await client.invalidateQueries({ queryKey: key });
        onMade(view);
      }}
    >
      {(error) => (
        <>
          <TextField
            label="E-mail"
            hint="Leave empty to let the person choose the address."
            error={error?.of('email', 'E-mail')}
            type="email"
            value={email}
            onText={setEmail}
          />
          <Field label="Plan" error={error?.of('plan', 'Plan')}>
            {(wiring) => (
              <Select {...wiring} value={plan} onChange={(event) => setPlan(event.target.value as PlanView['name'])}>
                {plans.map(({ name, label }) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Valid for (days)" error={error?.of('days', 'Valid for')}>
            {(wiring) => (
              <Input
                {...wiring}
                type="number"
                min={1}
                max={30}
                value={days}
                onChange={(event) => setDays(event.target.valueAsNumber)}
              />
            )}
          </Field>
          <Checkbox checked={admin} onChange={(event) => setAdmin(event.target.checked)}>
            Administrator
          </Checkbox>
        </>
      )}
    </FormDialog>
  );
}

function Invited({ made, onClose }: { made: NewInvitationView; onClose: () => void }) {
  return (
    <Dialog title="Copy the link now" onClose={onClose} wide mustAnswer>
      <p className="mb-3 text-sm text-ink-2">
        It is shown only once, works once, and expires on {date(made.invitation.expiresAt)}.
        {made.sent && ` It is also on its way to ${made.invitation.email} by mail.`}
      </p>
      <CopyLine text={made.link} label="Copy the invitation link" />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
