// Releases of Node with a known hole, for `tintype doctor`. As of 2026-11-19: add a line when a security release is announced
// (https://nodejs.org/en/blog/vulnerability).

type Hole = { readonly id: string; readonly about: string; readonly closedIn: string };

const holes: readonly Hole[] = [{ id: 'CVE-2026-111497', about: 'decoding Brotli', closedIn: '24.22.1' }];

/** A hole of this release. A line says nothing about other major versions. */
export function holeOf(version: string): Hole | undefined {
  const [major = 0, minor = 0, patch = 0] = numbers(version);
  return holes.find(({ closedIn }) => {
    const [itsMajor, itsMinor = 0, itsPatch = 0] = numbers(closedIn);
    return major === itsMajor && (minor < itsMinor || (minor === itsMinor && patch < itsPatch));
  });
}

const numbers = (version: string): number[] => version.split('.').map(Number);
