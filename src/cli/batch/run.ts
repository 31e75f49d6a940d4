// Runs a batch: some workers take lines one after the other, render them and write what came of each.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Problem } from '../../kernel/errors.ts';
import { type CommandIo, Failure, type Input } from '../command.ts';
import { openRenderPlace, type RenderPlace } from '../render-place.ts';
import { stopSignal } from '../stop-signal.ts';
import { createFileNames } from './file-names.ts';
import { createLineReader, type LineRequest, type SharedOptions } from './line-request.ts';
import { countLines, type Line, readLines } from './lines.ts';
import { type BatchCounts, createProgress } from './progress.ts';
import { type BatchFolder, openBatchFolder, type ResultRow } from './results.ts';
import { retryLater } from './retry-later.ts';

/** So many lines fail for a reason that is none of the API's, such as a missing browser, before a run without any result ends. */
const mostDefects = 10;

export type BatchOptions = {
  /** `-` is standard input. */
  readonly file: string;
  readonly folder: string;
  readonly atOnce: number | undefined;
  readonly shared: SharedOptions;
  /** Where it is rendered: --server, --key, --allow-private. */
  readonly options: Input['options'];
};

/** Throws a Failure unless every line is done. */
export async function runBatch(options: BatchOptions, io: CommandIo): Promise<void> {
  const workers = options.atOnce ?? io.config().rendersAtOnce;
  // First, because it checks --server and --key.
  const place = await openRenderPlace(options, io, workers);
  try {
    const total = await countIfFile(options.file);
    const folder = await openBatchFolder(options.folder);
    try {
      await runLines(options, { place, workers, folder, total }, io);
    } finally {
      await folder.close();
    }
  } finally {
    await place.stop();
  }
}

type Opened = {
  readonly place: RenderPlace;
  readonly workers: number;
  readonly folder: BatchFolder;
  /** Undefined for a pipe. */
  readonly total: number | undefined;
};

async function runLines(
  { file, shared }: BatchOptions,
  { place, workers, folder, total }: Opened,
  io: CommandIo,
): Promise<void> {
  const progress = createProgress(io, total);
  const readRequest = createLineReader(shared);
  const nameOf = createFileNames();
  const source = file === '-' ? io.input() : createReadStream(file);
  const lines = readLines(source);
  const stopping = new AbortController();
  let fault: unknown;
  let defects = 0;
  const stop = (error?: unknown) => {
    fault ??= error;
    stopping.abort();
    // Whoever waits for the next line of a pipe gets an error.
    source.destroy();
  };
  const { signal } = stopping;
  void stopSignal().then(() => stop());

  async function runLine(line: Line): Promise<void> {
    const startedAt = performance.now();
    let request: LineRequest | undefined;
    let row: ResultRow;
    try {
      request = readRequest(line);
      const name = nameOf(request);
      if (folder.isDone(name)) return progress.wasDone();
      const { endpoint, parameters } = request;
      const output = await retryLater(() => place.render(endpoint, parameters, { signal }), signal);
      await folder.writeResult(name, output.bytes);
      row = {
        line: line.number,
        ...sourceFields(request),
        status: 'done',
        file: name,
        type: output.type,
        bytes: output.bytes.length,
        ...(output.page && { httpStatus: output.page.status }),
        ...(output.verdict && { verdict: output.verdict }),
        warnings: output.warnings,
        ms: Math.round(performance.now() - startedAt),
      };
    } catch (error) {
      // A render that was given up is rendered in the next run. A folder that cannot be written ends this one.
      if (signal.aborted) return;
      if (error instanceof Failure) throw error;
      if (!(error instanceof Problem) && progress.counts.done === 0 && ++defects === mostDefects) throw error;
      row = failedRow(line, request, error, Math.round(performance.now() - startedAt));
    }
    await folder.addRow(row);
    progress.ended(row);
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      const next = await lines.next().catch((error: Error) => {
        if (signal.aborted) return { done: true } as const;
        throw new Failure(`${file} cannot be read: ${error.message}`);
      });
      if (next.done) return;
      await runLine(next.value);
    }
  }

  try {
    await Promise.all(Array.from({ length: workers }, () => work().catch(stop)));
  } finally {
    progress.stop();
  }
  if (fault !== undefined) throw fault;
  report(progress.counts, signal.aborted, total, folder.resultsFile, io);
}

function report(
  { done, doneBefore, failed, doubtful }: BatchCounts,
  wasStopped: boolean,
  total: number | undefined,
  resultsFile: string,
  io: CommandIo,
): void {
  const facts = [
    `${done} done${doubtful > 0 ? ` (${doubtful} with a verdict other than ok)` : ''}`,
    ...(doneBefore > 0 ? [`${doneBefore} done before`] : []),
    `${failed} failed`,
    ...(wasStopped && total !== undefined ? [`${total - done - doneBefore - failed} left`] : []),
  ].join(', ');
  const summary = `${facts}. Results: ${resultsFile}`;
  if (wasStopped) throw new Failure(`Stopped: ${summary}\nRun the same command again to go on; it skips what is done.`);
  if (failed > 0) throw new Failure(`${summary}\nRun the same command again to retry what failed.`);
  io.note(summary);
}

/** Undefined for a pipe, which can be read once only. */
async function countIfFile(file: string): Promise<number | undefined> {
  if (file === '-') return undefined;
  try {
    const facts = await stat(file);
    // Reading a folder says what is wrong with it.
    return facts.isFile() || facts.isDirectory() ? await countLines(createReadStream(file)) : undefined;
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function sourceFields({ endpoint, parameters }: LineRequest): Pick<ResultRow, 'url' | 'template'> {
  const url = parameters.get('url');
  return endpoint === 'og' ? { template: parameters.get('template') ?? '' } : { url: url ?? null };
}

function failedRow(line: Line, request: LineRequest | undefined, error: unknown, ms: number): ResultRow {
  const problem =
    error instanceof Problem ? error : new Problem('internal_error', { message: (error as Error).message });
  const { message, code, parameter, verdict } = problem;
  return {
    line: line.number,
    ...(request && sourceFields(request)),
    status: 'failed',
    error: { error: message, code, ...(parameter !== undefined && { parameter }) },
    ...(verdict && { verdict }),
    ms,
  };
}
