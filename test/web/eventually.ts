import { expect } from 'vitest';

/** Waits for it patiently: a test must not fail because the machine is busy. */
export const eventually = <T>(get: () => T) => expect.poll(get);
