// A render's turn on the processors, as the render itself sees it. render/admission.ts gives turns; captures and cards
// tell when they need none.

export type Turn = {
  /** It only waits from now on (for the network, a delay, an element): another render may use its slot. */
  pause(): void;
  /** It has work again. Resolves when it has a slot, or when it is to go on without one. */
  resume(): Promise<void>;
};

/** For a render that has the machine to itself. */
export const soleTurn: Turn = { pause() {}, async resume() {} };
