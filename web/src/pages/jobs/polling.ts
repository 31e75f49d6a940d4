/** How often a list is loaded again: soon while something runs, otherwise to notice new jobs. */
export const pollMs = (isRunning: boolean): number => (isRunning ? 2000 : 5000);
