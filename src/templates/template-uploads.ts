// Stores the files that are uploaded with a template, up to the limits of a template.

import { type CheckedFile, checkFile } from '../cards/checked-file.ts';
import type { HtmlPainter } from '../cards/html/html-painter.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { OwnTemplateStore, StoredFile } from '../store/own-templates.ts';

const mostFiles = 20;
const mostFileBytes = 20 * 1024 * 1024;

/** Throws if the templates of the account would take more than its plan allows. */
export type RoomCheck = (accountId: string, bytes: number) => Promise<void>;

export function createUploads(store: OwnTemplateStore, painter: Pick<HtmlPainter, 'checkFont'>, checkRoom: RoomCheck) {
  const check = (file: string, bytes: Buffer, deadline: Deadline): Promise<CheckedFile> =>
    checkFile(file, bytes, painter, deadline);

  async function add(accountId: string, templateId: string, checked: CheckedFile): Promise<StoredFile> {
    const { bytes: _, ...file } = checked;
    const before = await store.files(templateId);
    // The same file again: nothing is added.
    if (before.some(({ name, hash }) => name === file.name && hash === file.hash)) return file;
    if (before.length >= mostFiles && !before.some(({ name }) => name === file.name))
      throw new Problem('conflict', { message: `A template has ${mostFiles} files at most. Remove one first.` });
    if ((await store.fileBytes(templateId)) + file.size > mostFileBytes)
      throw new Problem('conflict', {
        message: `The files of a template, with those of its old versions, have ${mostFileBytes / 1024 / 1024} MB at most.`,
      });
    // In base64.
    await checkRoom(accountId, (file.size * 4) / 3);
    await store.putFile(templateId, checked, Date.now());
    return file;
  }

  return {
    check,
    add,
    put: async (
      accountId: string,
      templateId: string,
      file: string,
      bytes: Buffer,
      deadline: Deadline,
    ): Promise<StoredFile> => add(accountId, templateId, await check(file, bytes, deadline)),
  };
}
