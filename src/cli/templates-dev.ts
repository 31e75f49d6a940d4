// tintype templates dev: a page that shows the templates of a folder while they are written.
import { stat } from 'node:fs/promises';
import { type Command, Failure, UsageError } from './command.ts';
import { stopSignal } from './stop-signal.ts';
import { defaultFolder } from './template-server.ts';

const usualPort = 4180;

export const devCommand: Command = {
  name: 'templates dev',
  takes: ['[DIR]'],
  options: {
    port: { value: 'PORT', doc: `The port on 127.0.0.1; ${usualPort} if it is not given, and 0 for any that is free.` },
  },
  doc: `Shows the templates of the folder DIR (${defaultFolder} if it is not given) in the browser, and again whenever a file is saved. Needs no server and no key.`,
  async run({ given, options }, io) {
    const folder = given.DIR ?? defaultFolder;
    const port = options.port === undefined ? usualPort : Number(options.port);
    if (!/^\d{1,5}$/.test(options.port ?? '0') || port > 65_535)
      throw new UsageError('--port must be a number from 0 to 65535.');
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) throw new UsageError(`${folder} is not a folder.`);
    const stopped = stopSignal();
    const { startPreview } = await import('./template-preview/preview-server.ts');
    const preview = await startPreview(folder, port, io.config()).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') throw new Failure(`Port ${port} is in use already. Give another with --port.`);
      throw error;
    });
    io.print(`The templates of ${folder} are at ${preview.url}`);
    await stopped;
    await preview.stop();
  },
};
