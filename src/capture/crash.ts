// What died under a render. A crash is not the caller's fault and not yet an answer: the render is tried once more.

export class Crash extends Error {
  /** `browser`: it says nothing about the page. `renderer`: the page may have done it. */
  readonly who: 'browser' | 'renderer';
  /** The page was stopped for what it took; another try would end the same way. */
  readonly final: boolean;

  constructor(who: 'browser' | 'renderer', message: string, final = false) {
    super(message);
    this.name = 'Crash';
    this.who = who;
    this.final = final;
  }
}

/** The session was closed by us, or its page went away: what was still asked of it has no answer. */
export class SessionClosed extends Error {
  constructor() {
    super('The page is closed.');
    this.name = 'SessionClosed';
  }
}
