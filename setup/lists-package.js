// @ts-check
// The npm package with the filter lists. Only the tarball is used: installing the package would bring 160 MB and a build that
// fails.
import { fetchPinned, packInto, unpack } from './pinned.js';

const listsPackage = '@adguard/dnr-rulesets';
/** A later major version may have other files. */
const newestOf = `${listsPackage}@3`;

/** Those that the set-up takes. @param {string} folder @param {string[]} files */
export const unpackPinned = (folder, files) => fetchPinned(folder, listsPackage, files);

/** Those of today, as npm has them. @param {string} folder @param {string[]} files */
export const unpackNewest = async (folder, files) => unpack(await packInto(folder, newestOf), folder, files);
