// The accounts' own templates: found for a request, previewed, saved as versions, published.

import type { Canvas, Card, CardMaker, HtmlTemplate, TemplateFile } from '../cards/card-types.ts';
import type { HtmlPainter } from '../cards/html/html-painter.ts';
import { describe, filesIn, type TemplateAbout } from '../cards/template-document.ts';
import { nameExpects, templateName } from '../cards/template-name.ts';
import { checkVariable } from '../cards/variables.ts';
import { createAccountSlots } from '../kernel/account-slots.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { type Plans, storageOf } from '../kernel/plans.ts';
import type { OwnTemplateStore, StoredFile, StoredTemplate, StoredVersion } from '../store/own-templates.ts';
import { createUploads, type RoomCheck } from './template-uploads.ts';

export const mostTemplates = 100;
const mostVersions = 500;

export const ownPrefix = 'my/';

/** A version of a template, as it is published, kept and shown. */
export type OwnVersion = {
  readonly version: number;
  readonly source: string;
  readonly about: TemplateAbout;
  readonly files: readonly TemplateFile[];
  readonly createdAt: number;
};

export type TemplateDraft = {
  readonly html: string;
  readonly description?: unknown;
  readonly variables?: unknown;
  /** Uploaded before it is saved: base64 by name. */
  readonly files?: unknown;
};

export type OwnTemplates = {
  /** The template of `my/hero` or `my/hero@3`. Throws template_not_found. */
  find(accountId: string, reference: string): Promise<{ readonly html: HtmlTemplate; readonly version: string }>;
  list(accountId: string): Promise<(StoredTemplate & { readonly about: TemplateAbout })[]>;
  /** With the version of this number, or the latest. */
  open(accountId: string, name: string, version?: number): Promise<StoredTemplate & OwnVersion>;
  versions(accountId: string, name: string): Promise<Pick<StoredVersion, 'version' | 'createdAt'>[]>;
  /** Reads it, paints its example, and adds a version. Returns the number. */
  save(accountId: string, name: string, draft: TemplateDraft, publish: boolean, deadline: Deadline): Promise<number>;
  publish(accountId: string, name: string, version: number): Promise<void>;
  remove(accountId: string, name: string): Promise<void>;
  /** What a draft looks like. `name` is the template whose files it may show. */
  preview(
    accountId: string,
    name: string | undefined,
    draft: TemplateDraft,
    values: Readonly<Record<string, string>>,
    canvas: Canvas,
    deadline: Deadline,
  ): Promise<Card>;
  /** The example of the published version, or of the latest. `key` names that version. */
  example(
    accountId: string,
    name: string,
    canvas: Canvas,
  ): Promise<{ readonly key: string; paint(deadline: Deadline): Promise<Card> }>;
  /** The variables of a draft. */
  read(accountId: string, draft: TemplateDraft, deadline: Deadline): Promise<TemplateAbout>;
  files(accountId: string, name: string): Promise<StoredFile[]>;
  putFile(accountId: string, name: string, file: string, bytes: Buffer, deadline: Deadline): Promise<StoredFile>;
  removeFile(accountId: string, name: string, file: string): Promise<void>;
  readFile(hash: string): Promise<Buffer>;
};

type Dependencies = {
  readonly store: OwnTemplateStore;
  readonly cards: Pick<CardMaker, 'render'> & { readonly html: HtmlPainter };
  readonly plans: Plans;
};

/** Templates of one account that may be painted and wait. */
const mostPaints = 32;
/** Versions never change, so those in use stay in memory. */
const versionsKept = 200;

export function createOwnTemplates({ store, cards, plans }: Dependencies): OwnTemplates {
  const kept = new BoundedMap<string, OwnVersion>(versionsKept);
  // One at a time for an account: the painting processes are shared.
  const inTurn = createAccountSlots(1, {
    most: mostPaints,
    message: 'Too many templates of this account are being painted.',
  });
  const most = storageOf(plans, 'templates');
  const checkRoom: RoomCheck = async (accountId, added) => {
    const { bytes, plan } = await store.bytesOfAccount(accountId);
    if (bytes + added <= most[plan]) return;
    throw new Problem('conflict', {
      message: `${plans[plan].label} allows the templates of an account ${Math.floor(most[plan] / 1e6)} MB, with all versions and files. Remove a template first.`,
    });
  };
  const uploads = createUploads(store, cards.html, checkRoom);

  async function versionOf(id: string, number: number): Promise<OwnVersion | undefined> {
    const name = `${id} ${number}`;
    const known = kept.get(name);
    if (known) return known;
    const stored = await store.version(id, number);
    if (stored === undefined) return undefined;
    const { version, source, createdAt } = stored;
    const read = { version, source, createdAt, about: JSON.parse(stored.about), files: JSON.parse(stored.files) };
    kept.set(name, read);
    return read;
  }

  async function named(accountId: string, name: string): Promise<StoredTemplate> {
    const found = await store.find(accountId, name);
    if (found) return found;
    const near = nearestName(
      name,
      (await store.list(accountId)).map((each) => each.name),
    );
    throw new Problem('template_not_found', {
      parameter: 'template',
      message: `You have no template "${ownPrefix}${name.slice(0, 64)}".${near ? ` Did you mean ${ownPrefix}${near}?` : ''}`,
    });
  }

  async function checked(accountId: string, name: string | undefined, draft: TemplateDraft, deadline: Deadline) {
    const found = await cards.html.read(draft.html, deadline);
    const about = describe(found.variables, draft);
    const template = name === undefined ? undefined : await store.find(accountId, name);
    const all = template ? await store.files(template.id) : [];
    const missing = found.files.find((file) => !all.some((each) => each.name === file));
    if (missing !== undefined)
      throw invalidParameter('html', `The template shows ${missing}, which has not been uploaded.`);
    // A font is named in CSS, so it cannot be told whether it is used.
    const files = all
      .filter((file) => file.kind === 'font' || found.files.includes(file.name))
      .map(({ name: file, kind, hash }) => ({ name: file, kind, hash }));
    return { about, files };
  }

  const paint = (
    owner: string,
    source: string,
    { variables }: TemplateAbout,
    files: readonly TemplateFile[],
    values: Readonly<Record<string, string>>,
    canvas: Canvas,
    deadline: Deadline,
  ) =>
    cards.render(
      {
        ...canvas,
        template: 'my/draft',
        html: { owner, source, variables, files },
        variables: values,
        isPreview: true,
      },
      deadline,
    );

  async function created(accountId: string, name: string): Promise<StoredTemplate> {
    if (!templateName.test(name)) throw invalidParameter('name', `name must be ${nameExpects}.`);
    const template = await store.create(accountId, name, mostTemplates, Date.now());
    if (template) return template;
    throw new Problem('conflict', { message: `An account has ${mostTemplates} templates at most. Remove one first.` });
  }

  return {
    async find(accountId, reference) {
      const [name = '', number, more] = reference.slice(ownPrefix.length).split('@', 3);
      const isVersion = number === undefined || /^[1-9]\d{0,8}$/.test(number);
      if (!templateName.test(name) || !isVersion || more !== undefined)
        throw invalidParameter(
          'template',
          `template must be my/<name> or my/<name>@<version>; a name is ${nameExpects}.`,
        );
      const { id, published } = await named(accountId, name);
      const version = await versionOf(id, number === undefined ? published : Number(number));
      if (version === undefined)
        throw new Problem('template_not_found', {
          parameter: 'template',
          message:
            number === undefined
              ? `${ownPrefix}${name} has no published version.`
              : `${ownPrefix}${name} has no version ${number}.`,
        });
      const { source, about, files } = version;
      return {
        html: { owner: accountId, source, variables: about.variables, files },
        version: `${id}@${version.version}`,
      };
    },
    async list(accountId) {
      const templates = await store.list(accountId);
      const versions = await Promise.all(
        templates.map(({ id, published, latest }) => versionOf(id, published || latest)),
      );
      return templates.map((template, i) => ({ ...template, about: versions[i]?.about ?? noAbout }));
    },
    async open(accountId, name, number) {
      const template = await named(accountId, name);
      const version = await versionOf(template.id, number ?? template.latest);
      if (version) return { ...template, ...version };
      if (number === undefined) return { ...template, version: 0, source: '', about: noAbout, files: [], createdAt: 0 };
      throw noVersion(name, number);
    },
    versions: async (accountId, name) => store.versions((await named(accountId, name)).id),
    save: (accountId, name, draft, publish, deadline) =>
      inTurn(accountId, deadline, async () => {
        if (!templateName.test(name)) throw invalidParameter('name', `name must be ${nameExpects}.`);
        const given = filesIn(draft.files);
        if (given.size > 0) {
          await cards.html.read(draft.html, deadline);
          const { id } = await created(accountId, name);
          for (const [file, bytes] of given) await uploads.put(accountId, id, file, bytes, deadline);
        }
        const { about, files } = await checked(accountId, name, draft, deadline);
        const canvas: Canvas = { width: 1200, height: 630, format: 'png', quality: 80 };
        // An example image may be unavailable for a moment; that is no fault of the template.
        await paint(accountId, draft.html, about, files, withoutImages(about), canvas, deadline);
        await checkRoom(accountId, Buffer.byteLength(draft.html));
        const template = await created(accountId, name);
        const version = { source: draft.html, about: JSON.stringify(about), files: JSON.stringify(files) };
        const number = await store.addVersion(template.id, version, publish, mostVersions, Date.now());
        if (number === undefined)
          throw new Problem('conflict', {
            message: `A template has ${mostVersions} versions at most. Save it under a new name.`,
          });
        return number;
      }),
    async publish(accountId, name, version) {
      const { id } = await named(accountId, name);
      if ((await versionOf(id, version)) === undefined) throw noVersion(name, version);
      await store.publish(id, version, Date.now());
    },
    async remove(accountId, name) {
      await named(accountId, name);
      await store.remove(accountId, name, Date.now());
    },
    preview: (accountId, name, draft, values, canvas, deadline) =>
      inTurn(accountId, deadline, async () => {
        const { about, files } = await checked(accountId, name, draft, deadline);
        const known = Object.entries(values).filter(([each]) => Object.hasOwn(about.variables, each));
        for (const [each, value] of known) checkVariable(each, value, about.variables[each]);
        return paint(accountId, draft.html, about, files, Object.fromEntries(known), canvas, deadline);
      }),
    async example(accountId, name, canvas) {
      const { id, published, latest } = await named(accountId, name);
      const version = await versionOf(id, published || latest);
      if (version === undefined) throw new Problem('not_found', { message: `${ownPrefix}${name} has no version.` });
      const { source, about, files } = version;
      const paintWith = (values: Readonly<Record<string, string>>, deadline: Deadline) =>
        inTurn(accountId, deadline, () => paint(accountId, source, about, files, values, canvas, deadline));
      return {
        key: `${id}@${version.version}`,
        // The image of the example may be unavailable.
        paint: (deadline) => paintWith(about.example, deadline).catch(() => paintWith(withoutImages(about), deadline)),
      };
    },
    read: (accountId, draft, deadline) =>
      inTurn(accountId, deadline, async () => {
        const { variables } = await cards.html.read(draft.html, deadline);
        return describe(variables, draft);
      }),
    files: async (accountId, name) => store.files((await named(accountId, name)).id),
    putFile: (accountId, name, file, bytes, deadline) =>
      inTurn(accountId, deadline, async () => {
        const checkedFile = await uploads.check(file, bytes, deadline);
        return uploads.add(accountId, (await created(accountId, name)).id, checkedFile);
      }),
    async removeFile(accountId, name, file) {
      const { id } = await named(accountId, name);
      if (!(await store.removeFile(id, file))) throw new Problem('not_found', { message: `There is no file ${file}.` });
    },
    async readFile(hash) {
      const bytes = await store.readFile(hash);
      if (bytes === undefined) throw new Problem('internal_error');
      return bytes;
    },
  };
}

const noVersion = (name: string, version: number): Problem =>
  new Problem('not_found', { message: `${ownPrefix}${name} has no version ${version}.` });

const withoutImages = ({ variables, example }: TemplateAbout): Record<string, string> =>
  Object.fromEntries(Object.entries(example).filter(([name]) => variables[name]?.type !== 'image_url'));

const noAbout: TemplateAbout = { description: '', variables: {}, example: {} };
