// Which names can be public at all. A name that passes is still judged by every address it resolves to; these rules
// keep names of private networks from being asked about, and give a better answer than "not found".

const internalSuffixes = [
  'localhost',
  'local',
  'localdomain',
  'localdomain6',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'svc',
  'cluster.local',
  'consul',
  'onion',
];

// Their addresses are refused too; the names are for networks where the metadata service answers elsewhere.
const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
  'rancher-metadata',
]);

/** The name without the dot that marks it as complete. */
export const withoutTrailingDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/** Could this be a name at all? WHATWG's parser has already refused the forbidden characters. */
export const isHostName = (name: string): boolean =>
  name.length > 0 && name.length <= 253 && name.split('.').every((label) => label.length > 0 && label.length <= 63);

export const isMetadataName = (name: string): boolean => metadataNames.has(name);

/** Why a name is not public by its looks, or undefined. Completes "url leads to …". */
export function internalNameReason(name: string): string | undefined {
  if (!name.includes('.')) return `"${name}", which is not a public host name: it has no dot`;
  const suffix = internalSuffixes.find((ending) => name.endsWith(`.${ending}`));
  return suffix === undefined ? undefined : `"${name}", and names ending in .${suffix} are not public`;
}
