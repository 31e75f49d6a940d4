// tintype export and import: move data between SQLite and PostgreSQL, or to another machine.
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type ExportLine, exportLines, importLines } from '../store/transfer.ts';
import { type Command, Failure } from './command.ts';
import { jsonOption } from './json-option.ts';
import { withStore } from './with-store.ts';

export const transferCommands: readonly Command[] = [
  {
    name: 'export',
    takes: ['FILE'],
    options: {},
    doc: 'Writes accounts, keys, usage, jobs and the secret of the service to a file; - is standard output. Protect it like the database.',
    async run({ given }, io) {
      await withStore(io, async (store) => {
        let rows = 0;
        const writeAll = async (write: (text: string) => Promise<void>) => {
          for await (const line of exportLines(store)) {
            await write(`${JSON.stringify(line)}\n`);
            if ('end' in line) rows = line.rows;
          }
        };
        if (given.FILE === '-') await writeAll((text) => io.writeBytes(Buffer.from(text)));
        else await intoNewFile(given.FILE ?? '', (file) => writeAll((text) => file.appendFile(text)));
        io.note(
          `${rows} rows, as they were when the export began. Stop the service first if nothing may change after that.`,
        );
      });
    },
  },
  {
    name: 'import',
    takes: ['FILE'],
    options: { json: jsonOption },
    doc: 'Imports an exported file into the configured database, which must have no accounts. If anything fails, nothing is imported.',
    async run({ given, options }, io) {
      await withStore(io, async (store) => {
        const counts = await importLines(store, linesOf(given.FILE ?? '')).catch((error) => {
          throw new Failure(error.code === 'ENOENT' ? `There is no file ${given.FILE}.` : error.message);
        });
        if (options.json) return io.print(JSON.stringify(counts, null, 2));
        for (const [table, count] of Object.entries(counts)) io.print(`${table} ${count}`);
      });
    },
  },
];

/** The file gets its name when it is complete, so that an export that fails or is ended leaves no half of one. */
async function intoNewFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  if (await exists(path)) throw new Failure(`${path} exists already.`);
  const partial = `${path}.partial`;
  const another = new Failure(`Another export writes to ${path}.`);
  let own: number | undefined;
  const isOwn = async () => own !== undefined && (await inodeOf(partial)) === own;
  try {
    // Left by an export that was killed. Created anew, because open() sets the mode only of a new file.
    await rm(partial, { force: true });
    const file = await open(partial, 'wx', 0o600);
    own = (await file.stat()).ino;
    try {
      await write(file);
      await file.sync();
      if (!(await isOwn())) throw another;
      if (await exists(path)) throw new Failure(`${path} exists already.`);
      await rename(partial, path);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (await isOwn()) await rm(partial, { force: true }).catch(() => {});
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw another;
    throw syscall === undefined ? error : new Failure(`${path}: ${message}`);
  }
}

const inodeOf = (path: string): Promise<number | undefined> =>
  lstat(path).then(
    ({ ino }) => ino,
    () => undefined,
  );

const exists = async (path: string): Promise<boolean> => (await inodeOf(path)) !== undefined;

async function* linesOf(path: string): AsyncGenerator<ExportLine> {
  const input = createReadStream(path, 'utf8');
  const opened = new Promise((resolve, reject) => input.once('open', resolve).once('error', reject));
  await opened;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    try {
      if (line !== '') yield JSON.parse(line) as ExportLine;
    } catch {
      throw new Error('The file is not an export of Tintype, or it is damaged.');
    }
}
