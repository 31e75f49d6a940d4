// Differences that remain, each with its reason. The report names them beside their pages.
//   never rests: no two pictures of the page are alike
//   ours is right: the reference shows less, or something else, than a reader would see
//   defect: Tintype's picture is wrong
// A key is a page's name, or its name and a mode.

export type Reason = 'never rests' | 'ours is right' | 'defect';
export type KnownDifference = { readonly reason: Reason; readonly why: string };

export const knownDifferences: Readonly<Record<string, KnownDifference>> = {
  'particles.js-2.0.0/demo/index.html': { reason: 'never rests', why: 'particles start at random places and fly on' },
};

export const knownFor = (name: string, mode: string): KnownDifference | undefined =>
  knownDifferences[`${name} ${mode}`] ?? knownDifferences[name];
