// A crash during a render. It is not the caller's fault, and the render is retried before the caller sees an error.

export class Crash extends Error {
  /** `browser`: the page is not to blame. `renderer`: the page may have caused it. */
  readonly who: 'browser' | 'renderer';
  /** It was this page, because it exceeded a limit or was alone; a retry would end the same way. */
  readonly final: boolean;

  constructor(who: Crash['who'], message: string, final = false) {
    super(message);
    this.name = 'Crash';
    this.who = who;
    this.final = final;
  }
}

/** The session was closed by us, or its page was closed: pending commands reject with this. */
export class SessionClosed extends Error {
  constructor() {
    super('The page is closed.');
    this.name = 'SessionClosed';
  }
}
