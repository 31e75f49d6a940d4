import { createHash } from 'node:crypto';

/** Identifies a file by its bytes: SHA-256 in hex. */
export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
