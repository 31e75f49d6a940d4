// tintype serve, doctor and lists update.
import { createLog } from '../kernel/log.ts';
import { listsDir } from '../kernel/project-paths.ts';
import { readableLine } from '../kernel/readable-log.ts';
import { type Command, Failure } from './command.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { jsonOption } from './json-option.ts';
import { stopSignal } from './stop-signal.ts';

export const serveCommand: Command = {
  name: 'serve',
  takes: [],
  options: {},
  doc: 'Serves the API and the dashboard until SIGTERM or SIGINT.',
  async run(_, io) {
    const config = io.config();
    const stopped = stopSignal();
    const { start } = await import('../app.ts');
    const log = process.stdout.isTTY ? createLog(config.logLevel, writeReadable) : undefined;
    const running = await start(config, { ...(log && { log }) }).catch((error: unknown) => {
      throw explain(error, config);
    });
    void running.prepared.then(giveBackMemory);
    await stopped;
    await running.stop();
  },
};

export const serviceCommands: readonly Command[] = [
  {
    name: 'doctor',
    takes: [],
    options: { json: jsonOption },
    doc: 'Checks what Tintype needs on this machine, and says how to get what is missing.',
    async run({ options }, io) {
      const { runDoctor } = await import('../doctor.ts');
      // The doctor has printed everything.
      if (!(await runDoctor(io.print, io.config(), options.json !== undefined))) throw new Failure('');
    },
  },
  {
    name: 'lists update',
    takes: [],
    options: { json: jsonOption },
    doc: 'Fetches the newest lists for blockAds and blockCookies.',
    async run({ options }, io) {
      const { updateLists } = await import('../capture/clean/lists.ts');
      const { unpackNewest } = await import('../../setup/lists-package.js');
      const print = options.json ? io.note : io.print;
      const state = await updateLists({ dir: listsDir, print, unpack: unpackNewest });
      if (options.json) io.print(JSON.stringify(state, null, 2));
    },
  },
];

/** At a terminal somebody reads the log; in a pipe it is JSON for programs. */
function writeReadable(json: string): void {
  const line = readableLine(json, process.stdout.hasColors?.() ?? false);
  if (line !== undefined) process.stdout.write(line);
}

function explain(error: unknown, { port, host }: { port: number; host: string }): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  // File operations have the same codes.
  if (syscall === 'getaddrinfo') return new Failure(`HOST is ${host}, which is no address of this machine.`);
  if (syscall !== 'listen' && syscall !== 'bind') return error;
  if (code === 'EADDRINUSE') return new Failure(`Port ${port} is in use already. Set PORT to another one.`);
  if (code === 'EACCES')
    return new Failure(`Port ${port} needs rights this user does not have. Set PORT to another one.`);
  if (code === 'EADDRNOTAVAIL') return new Failure(`HOST is ${host}, which is no address of this machine.`);
  return error;
}
