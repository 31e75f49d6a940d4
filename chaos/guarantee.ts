// A guarantee of the service: what is measured, and its goal. `--quick` runs are a tenth of the length.

export type Row = {
  readonly guarantee: string;
  readonly figure: string;
  readonly goal: string;
  readonly kept: boolean;
};
export type Length = { readonly scale: number };
export type Guarantee = (length: Length) => Promise<Row[]>;

export const row = (guarantee: string, figure: string, goal: string, kept: boolean): Row => ({
  guarantee,
  figure,
  goal,
  kept,
});
export const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
