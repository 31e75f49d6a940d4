export type FoundBrowser = {
  path: string;
  kind: 'headless-shell' | 'chromium' | 'chrome';
  version?: string;
  env: Record<string, string>;
  source: string;
};
export function findBrowser(where: { browserPath?: string | undefined; projectDir: string }): Promise<FoundBrowser | undefined>;
