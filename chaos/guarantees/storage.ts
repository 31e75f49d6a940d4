// The disk fills and the database is locked while requests come: pictures go on, uncached, and recovery needs nobody.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Guarantee, row } from '../guarantee.ts';
import { startService } from '../service.ts';

export const storage: Guarantee = async () => {
  if (process.getuid?.() !== 0) {
    console.warn('SKIPPED: a full disk is played with a small tmpfs, which needs root.');
    return [];
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'tintype-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=700', 'tmpfs', dataDir]);
  try {
    const service = await startService({ DATA_DIR: dataDir });
    const key = await service.newKey();
    const calm = await service.shot(key, '/', '&width=500');
    const filler = join(dataDir, 'filler');
    try {
      for (let block = 0; ; block++) writeFileSync(filler, Buffer.alloc(1 << 20), { flag: block === 0 ? 'w' : 'a' });
    } catch {
      // No space left: as wanted.
    }
    const full = await Promise.all([600, 601, 602].map((width) => service.shot(key, '/', `&width=${width}`)));
    rmSync(filler);
    const again = [await service.shot(key, '/', '&width=700'), await service.shot(key, '/', '&width=700')];
    const other = new DatabaseSync(join(dataDir, 'tintype.db'));
    other.exec('begin exclusive');
    const locked = await service.shot(key, '/', '&width=800');
    other.exec('rollback');
    other.close();
    const free = [await service.shot(key, '/', '&width=900'), await service.shot(key, '/', '&width=900')];
    await service.close();
    const hit = (answers: typeof again) => answers.every(({ status }) => status === 200) && answers[1]?.cache === 'HIT';
    const pictures = full.filter(({ status }) => status === 200).length;
    return [
      row(
        'pictures while the disk is full',
        `${pictures} of ${full.length}`,
        'all, uncached',
        calm.status === 200 && pictures === full.length,
      ),
      row('cached again once there is room', hit(again) ? 'yes' : 'no', 'yes', hit(again)),
      row('a picture while the database is locked', String(locked.status), '200, uncached', locked.status === 200),
      row('cached again once it is free', hit(free) ? 'yes' : 'no', 'yes', hit(free)),
    ];
  } finally {
    execFileSync('umount', ['-l', dataDir]);
    rmSync(dataDir, { recursive: true, force: true });
  }
};
