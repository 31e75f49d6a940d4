// A real nginx on the configuration we ship: the body of a POST goes through as it arrives, and is written to no file.

import { readdir } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasCommand } from '../harness/needs.ts';
import { startNginx } from '../harness/nginx.ts';

it.skipIf(!hasCommand('/usr/sbin/nginx'))(
  'a body of 4 MB is passed on as it arrives, and written to no file',
  async () => {
    let received = 0;
    const node = createServer(async (incoming, response) => {
      for await (const chunk of incoming) received += (chunk as Buffer).length;
      response.end('{}');
    });
    await new Promise<void>((done) => node.listen(0, '127.0.0.1', done));
    const nginx = await startNginx([`http://127.0.0.1:${(node.address() as AddressInfo).port}`]);
    try {
      const half = Buffer.alloc(2 * 1024 * 1024, 'x');
      const sent = request(`${nginx.url}/v1/screenshot`, {
        method: 'POST',
        headers: { 'content-length': 2 * half.length },
      });
      const status = new Promise((resolve) => sent.on('response', (response) => resolve(response.resume().statusCode)));
      sent.write(half);
      // The node has the first half before the second is sent.
      await expect.poll(() => received).toBe(half.length);
      expect(await readdir(join(nginx.folder, 'client_body'), { recursive: true })).toEqual([]);
      sent.end(half);
      expect([await status, received]).toEqual([200, 2 * half.length]);
      expect(await readdir(join(nginx.folder, 'client_body'), { recursive: true })).toEqual([]);
    } finally {
      await nginx.remove();
      node.close();
    }
  },
);
