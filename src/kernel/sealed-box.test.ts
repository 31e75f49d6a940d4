import { describe, expect, it } from 'vitest';
import { createSealedBox } from './sealed-box.ts';

const secret = 'a secret of the service';

describe('what is sealed', () => {
  it('opens for its owner, purpose and secret only', () => {
    const sealed = createSealedBox(secret, 'jobs').seal('Grüße', 'job_1');
    expect(createSealedBox(secret, 'jobs').open(sealed, 'job_1')).toBe('Grüße');
    expect(() => createSealedBox(secret, 'jobs').open(sealed, 'job_2')).toThrow();
    expect(() => createSealedBox(secret, 'webhooks').open(sealed, 'job_1')).toThrow();
    expect(() => createSealedBox('another', 'jobs').open(sealed, 'job_1')).toThrow();
  });

  it('does not open if it was changed, and is never the same twice', () => {
    const box = createSealedBox(secret, 'jobs');
    const sealed = box.seal('text', 'job_1');
    expect(box.seal('text', 'job_1').equals(sealed)).toBe(false);
    for (const at of [0, 12, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(changed, 'job_1')).toThrow();
    }
  });

  it('opens as databases have it stored', () => {
    const job = Buffer.from('HhfMmEm2HvIul6aFsW_LR7Azq_E88qd-uWPcP0tLiGRwGwX8afw_CratpUTfy6Dld5zx2ZHX', 'base64url');
    expect(createSealedBox(secret, 'tintype jobs').open(job, 'job_1')).toBe('[["basicAuth","ada:pass"]]');
    const webhook =
      'wDoETdEbQe2Eepp9NrQtiwFXnYH5tExu4Ux-0AJwlWEA3yYeHqzvkGLNY4qErRDh8_-rH3nsgJIql44kUfXKYHzy083sWALBwsP8OVb8';
    expect(createSealedBox(secret, 'webhook secrets').open(Buffer.from(webhook, 'base64url'), 'acc_1')).toBe(
      'whsec_bLpb/4AnWxQw6337WDldi2DAVCf90NWa9gRO/ZDU+hE=',
    );
  });
});
