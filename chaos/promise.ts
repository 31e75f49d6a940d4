// A promise of the service: what is measured, and what was promised. `quick` runs are a tenth of the length.

export type Row = { readonly promise: string; readonly figure: string; readonly goal: string; readonly kept: boolean };
export type Length = { readonly scale: number };
export type PromiseOf = (length: Length) => Promise<Row[]>;

export const row = (promise: string, figure: string, goal: string, kept: boolean): Row => ({
  promise,
  figure,
  goal,
  kept,
});
export const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
