// A real nginx with the configuration we ship, in a folder of its own.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';

const template = join(import.meta.dirname, '../../deploy/nginx/tintype.conf.template');

export type ReverseProxy = {
  readonly url: string;
  /** Everything that it writes is in here. */
  readonly folder: string;
  /** Its access log and its error log. */
  logs(): Promise<string>;
  remove(): Promise<void>;
};

export async function startNginx(upstreams: readonly string[]): Promise<ReverseProxy> {
  const dir = await mkdtemp(join(tmpdir(), 'tintype-nginx-'));
  const port = await freePort();
  const servers = upstreams.map((url) => `server ${new URL(url).host} max_fails=0;`).join('\n  ');
  const values: Record<string, string> = {
    TINTYPE_UPSTREAM: servers,
    TINTYPE_LISTEN: `127.0.0.1:${port}`,
    TINTYPE_ACCESS_LOG: join(dir, 'access'),
    TINTYPE_ERROR_LOG: join(dir, 'errors'),
  };
  const site = (await readFile(template, 'utf8')).replaceAll(/\$\{([A-Z_]+)\}/g, (_, name) => values[name] ?? '');
  await writeFile(join(dir, 'tintype.conf'), site);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    join(dir, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${dir}/pid; error_log ${dir}/errors;
events { worker_connections 1024; }
http { access_log off; ${folders.map((name) => `${name}_temp_path ${dir}/${name};`).join(' ')} include ${dir}/tintype.conf; }`,
  );
  const child = spawn('/usr/sbin/nginx', ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', join(dir, 'errors')], {
    stdio: 'ignore',
  });
  const exited = new Promise((done) => child.once('exit', done));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const up = await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
    if (up) break;
    if (tries > 100 || child.exitCode !== null)
      throw new Error(`nginx did not start:\n${await readFile(join(dir, 'errors'), 'utf8').catch(() => '')}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    url,
    folder: dir,
    logs: async () =>
      (await Promise.all(['access', 'errors'].map((name) => readFile(join(dir, name), 'utf8')))).join(''),
    async remove() {
      child.kill('SIGTERM');
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
