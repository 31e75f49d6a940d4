// A render's slot on the processors, as the render itself sees it. render/admission.ts gives slots; a render says when
// it only waits and needs none.

export type Turn = {
  /** The account it is for, as an opaque key; none for the operator. Pages of two accounts never share a browser. */
  readonly account?: string;
  /** The render only waits from now on (for the network, a delay, an element): another render may use its slot. */
  pause(): void;
  /** The render has work again. Resolves when it has a slot, or may continue without one. */
  resume(): Promise<void>;
};

/** For a render that shares the machine with no other. */
export const soleTurn: Turn = { pause() {}, async resume() {} };
