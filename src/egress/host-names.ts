// Which names can be public. The addresses of a name are checked too; these rules keep the names of private networks
// out of DNS queries, and give a better answer than "not found".

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

// Their addresses are refused too; the names are for networks where the metadata service has another address.
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

/** Is this a valid host name? The URL parser has already refused the forbidden characters. */
export const isHostName = (name: string): boolean =>
  name.length > 0 && name.length <= 253 && name.split('.').every((label) => label.length > 0 && label.length <= 63);

export const isMetadataName = (name: string): boolean => metadataNames.has(name);

/** Why a name cannot be public, or undefined. Completes "url leads to …". */
export function internalNameReason(name: string): string | undefined {
  if (!name.includes('.')) return `"${name}", which is not a public host name: it has no dot`;
  const suffix = internalSuffixes.find((ending) => name.endsWith(`.${ending}`));
  return suffix === undefined ? undefined : `"${name}", and names ending in .${suffix} are not public`;
}
