// What a run in the namespace tells.

export type Outcome = {
  readonly name: string;
  readonly url: string;
  /** From the shared list, or a way of our own. */
  readonly listed: boolean;
  /** `picture`, or the problem's code and text. */
  readonly outcome: string;
  /** Hosts that the page tried and the guard refused: the proof that the page did try. */
  readonly refused: readonly string[];
};

export type Report = {
  readonly browser: string;
  readonly canaries: number;
  /** Canaries that did not notice a direct call. */
  readonly deaf: readonly string[];
  readonly vectors: readonly Outcome[];
  readonly innocents: readonly { readonly url: string; readonly ok: boolean; readonly outcome: string }[];
  readonly contacts: readonly {
    readonly address: string;
    readonly port: number;
    readonly kind: string;
    readonly said: string;
  }[];
  /** The Host headers that the fixture site saw. */
  readonly hosts: readonly string[];
  /** Contacts of one page in a browser without its WebRTC flags. */
  readonly control: number;
};
