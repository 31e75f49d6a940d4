// The files of results. Their names are hashes of their content, so a file never changes.

export interface Files {
  write(hash: string, bytes: Buffer): Promise<void>;
  /** undefined if there is no such file. The caller verifies the hash. */
  read(hash: string): Promise<Buffer | undefined>;
  remove(hash: string): Promise<void>;
  /** Removes what a crash left: temporary files, and files without an index entry. */
  sweep(isKnown: (hash: string) => Promise<boolean>): Promise<void>;
}
