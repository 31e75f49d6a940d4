declare module 'color-name' {
  const names: Readonly<Record<string, readonly [r: number, g: number, b: number]>>;
  export default names;
}
