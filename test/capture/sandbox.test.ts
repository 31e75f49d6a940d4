// A browser that cannot be protected does not start, and everybody who asks is told why.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { runDoctor } from '../../src/doctor.ts';
import { has } from '../harness/needs.ts';
import { commandOf, descendantsOf } from '../harness/processes.ts';
import { type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';
import { findPlace } from './capture-harness.ts';

const run = promisify(execFile);
const isRoot = has('root, who can have what others may not read', () => process.getuid?.() === 0);

describe.skipIf(!isRoot)('as root, with a browser that the user nobody may not read', () => {
  let folder: string;
  let site: Site;
  let service: Service | undefined;
  let env: { BROWSER_PATH: string };
  beforeAll(async () => {
    site = await startSite({ '/': colourPage('#336699') });
    folder = mkdtempSync(join(tmpdir(), 'tintype-closed-'));
    env = { BROWSER_PATH: join(folder, 'browser') };
    // Not the name of a browser in front, or the set-up would look through the script.
    const script = `#!/bin/sh\nbrowser=${(await findPlace()).path}\nexec "$browser" "$@"\n`;
    writeFileSync(env.BROWSER_PATH, script, { mode: 0o755 });
    chmodSync(folder, 0o700);
  });
  afterEach(() => service?.stop());
  afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true });
  });

  it('the browser is not started; /readyz, the log, the 502 and doctor give the reason', async () => {
    service = await startService(env);
    const { key } = await service.customer('business');
    const answer = await service.shot({ url: site.url }, key);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({
      code: 'renderer_unavailable',
      error: 'The browser does not start: the user it runs as may not read it.',
    });
    const ready = await service.get('/readyz');
    expect(ready.status).toBe(503);
    const reason = expect.stringMatching(
      new RegExp(`nobody, which has no permission for ${folder},.*BROWSER_SANDBOX=off`),
    );
    expect(await ready.json()).toMatchObject({ browser: false, reasons: { browser: reason } });
    expect(service.logLines.join()).toContain(`no permission for ${folder}`);
    const running = descendantsOf(process.pid).filter((each) => commandOf(each).includes('--remote-debugging'));
    expect(running).toEqual([]);
    const lines: string[] = [];
    expect(await runDoctor((line) => lines.push(line), loadConfig({ ...env, PORT: '0', DATA_DIR: tmpdir() }))).toBe(
      false,
    );
    expect(lines.join('\n')).toMatch(new RegExp(`✗ browser: .*no permission for ${folder}`));
  });

  it('BROWSER_SANDBOX=off starts the browser and logs a warning', async () => {
    service = await startService({ ...env, BROWSER_SANDBOX: 'off' });
    const { key } = await service.customer('business');
    expect((await service.shot({ url: site.url }, key)).status).toBe(200);
    expect(service.logLines.join()).toContain('WITHOUT its sandbox');
    expect((await service.get('/readyz')).status).toBe(200);
  });
});

describe('as an ordinary user without user namespaces', () => {
  // A user namespace of its own in which no further one can be made: what Chromium's sandbox needs is not there.
  const without = (...command: string[]) => [
    ...['--user', '--map-user=1000', '--map-group=1000', '--keep-caps', 'sh', '-c'],
    'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
    'sh',
    ...command,
  ];
  const canForbid = has('unshare, to forbid user namespaces', () => {
    try {
      execFileSync('unshare', without('true'), { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });

  it.skipIf(!canForbid)('the browser is not started, with the reason; BROWSER_SANDBOX=off starts it', async () => {
    const place = await findPlace();
    const launch = async (sandbox: 'on' | 'off') => {
      const from = (name: string) => JSON.stringify(join(import.meta.dirname, '../../src', name));
      const script = `import { launchBrowser } from ${from('capture/browser.ts')};
        import { createLog } from ${from('kernel/log.ts')};
        const place = ${JSON.stringify({ ...place, sandbox })};
        await launchBrowser(place, ${JSON.stringify(tmpdir())}, createLog('silent')).then(
          async (browser) => (console.log('sandbox', browser.sandbox), await browser.kill()),
          (error) => console.log(error.message));
        process.exit(0);`;
      return (await run('unshare', without(process.execPath, '--input-type=module', '-e', script))).stdout;
    };
    expect(await launch('on')).toMatch(/sandbox .* not available: .* user namespaces.*BROWSER_SANDBOX=off/);
    expect(await launch('off')).toContain('sandbox false');
  });
});
