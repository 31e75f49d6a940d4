// tintype account …
import { createAccount, setPassword } from '../access/accounts.ts';
import { isPlanName, type PlanName, planNames } from '../kernel/plans.ts';
import { table, when } from './columns.ts';
import { type Command, type CommandIo, UsageError } from './command.ts';
import { jsonOption, sentenceOrJson } from './json-option.ts';
import { accountOf, withStore } from './with-store.ts';

const passwordOption = { value: 'PASSWORD', doc: '12 to 256 characters; - reads it from standard input.' };

export const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    takes: ['EMAIL'],
    options: {
      plan: { value: 'PLAN', doc: `${planNames.join(', ')}. Default: DEFAULT_PLAN.` },
      password: {
        ...passwordOption,
        doc: `${passwordOption.doc} Without a password the account can have keys but cannot sign in.`,
      },
      name: { value: 'NAME', doc: "The user's name." },
      admin: { doc: 'Makes the account an administrator.' },
      json: jsonOption,
    },
    doc: 'Creates an account.',
    async run({ given, options }, io) {
      const plan = planNamed(options.plan ?? io.config().defaultPlan);
      const password = await readPassword(options.password, io);
      await withStore(io, async (store) => {
        const input = { email: given.EMAIL ?? '', name: options.name, plan, password, admin: options.admin === 'true' };
        const account = await createAccount(store, input);
        const { email, admin } = account;
        const sentence = `Created ${email}: ${io.config().planLimits[plan].label} plan${admin ? ', administrator' : ''}.`;
        io.print(sentenceOrJson({ options }, sentence, account));
      });
    },
  },
  {
    name: 'account list',
    takes: [],
    options: { json: jsonOption },
    doc: 'Lists the accounts.',
    run: ({ options }, io) =>
      withStore(io, async (store) => {
        const accounts = await store.accounts.list();
        if (options.json) return io.print(JSON.stringify(accounts, null, 2));
        if (accounts.length === 0) return io.note('There are no accounts yet. See: tintype account create --help');
        const state = (admin: boolean, disabled: boolean) => (disabled ? 'disabled' : admin ? 'administrator' : '');
        const rows = accounts.map((one) => [one.email, one.plan, when(one.createdAt), state(one.admin, one.disabled)]);
        io.print(table(['EMAIL', 'PLAN', 'CREATED', ''], rows));
      }),
  },
  {
    name: 'account plan',
    takes: ['EMAIL', 'PLAN'],
    options: { json: jsonOption },
    doc: 'Changes the plan of an account, from its next request on.',
    async run({ given, options }, io) {
      const plan = planNamed(given.PLAN ?? '');
      await withStore(io, async (store) => {
        const { id, email } = await accountOf(store, given.EMAIL ?? '');
        await store.accounts.setPlan(id, plan);
        const sentence = `${email} is now on the ${io.config().planLimits[plan].label} plan.`;
        io.print(sentenceOrJson({ options }, sentence, { id, email, plan }));
      });
    },
  },
  {
    name: 'account password',
    takes: ['EMAIL'],
    options: { password: passwordOption, json: jsonOption },
    doc: 'Sets a new password and ends every session of the account.',
    async run({ given, options }, io) {
      const password = await readPassword(options.password ?? '-', io);
      await withStore(io, async (store) => {
        const { id, email } = await accountOf(store, given.EMAIL ?? '');
        await setPassword(store, id, password ?? '');
        io.print(sentenceOrJson({ options }, `${email} has a new password.`, { id, email }));
      });
    },
  },
  {
    name: 'account two-factor-off',
    takes: ['EMAIL'],
    options: { json: jsonOption },
    doc: 'Turns two-factor sign-in off, for somebody who lost the app. The password alone signs in again.',
    run: ({ given, options }, io) =>
      withStore(io, async (store) => {
        const { id, email } = await accountOf(store, given.EMAIL ?? '');
        await store.signIn.removeTwoFactor(id);
        io.print(sentenceOrJson({ options }, `${email} signs in without a code.`, { id, email, twoFactor: false }));
      }),
  },
];

function planNamed(text: string): PlanName {
  if (!isPlanName(text)) throw new UsageError(`There is no plan "${text}". Plans: ${planNames.join(', ')}.`);
  return text;
}

const readPassword = async (given: string | undefined, io: CommandIo): Promise<string | undefined> =>
  given === '-' ? io.readLine() : given;
