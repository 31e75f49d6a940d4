// A real nginx on the configuration we ship: what it logs has no query, so no key, no signature and no set-up token.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { hasCommand } from '../harness/needs.ts';
import { startNginx } from '../harness/nginx.ts';
import { freePort } from '../harness/ports.ts';

const nginxIsHere = hasCommand('/usr/sbin/nginx');

it.skipIf(!nginxIsHere)(
  'neither log of nginx has a key, a signature or a token, also where no node answers',
  async () => {
    const node = createServer((request, response) => {
      if (request.url?.startsWith('/v1/og')) request.socket.destroy();
      else response.end('{}');
    });
    await new Promise<void>((done) => node.listen(0, '127.0.0.1', done));
    const { port } = node.address() as AddressInfo;
    const nginx = await startNginx([`http://127.0.0.1:${port}`, `http://127.0.0.1:${await freePort()}`]);
    try {
      const referer = 'http://a/setup?token=hunter2';
      for (const path of [
        '/v1/screenshot?api_key=hunter2',
        '/v1/files/x.png?expires=1&signature=hunter2',
        '/setup?token=hunter2',
        '/v1/og?key_id=hunter2&signature=hunter2',
      ])
        await fetch(nginx.url + path, { headers: { referer } });
      // A line is written after its response has been sent.
      for (const path of ['/v1/screenshot', '/v1/files/x.png', '/setup', '/v1/og'])
        await expect.poll(() => nginx.logs()).toContain(`"GET ${path}" `);
      expect(await nginx.logs()).not.toContain('hunter2');
    } finally {
      await nginx.remove();
      node.close();
    }
  },
);
