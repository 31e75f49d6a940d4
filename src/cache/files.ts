// Where the bytes of results live: content-addressed, so a name is written once and never changed.

export interface Files {
  write(hash: string, bytes: Buffer): Promise<void>;
  /** undefined if there is no such file. What comes back is not checked yet. */
  read(hash: string): Promise<Buffer | undefined>;
  remove(hash: string): Promise<void>;
  /** Removes what a crash left: temporary files, and files no index entry names. */
  sweep(isKnown: (hash: string) => Promise<boolean>): Promise<void>;
}
