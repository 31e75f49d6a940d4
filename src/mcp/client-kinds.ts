// Clients that show a model only `structuredContent` where a result has it, and neither its pictures nor its texts:
// https://github.com/anthropics/claude-code/issues/79944, https://github.com/anomalyco/opencode/pull/32868 (Codex too).
// They get results without it. Nothing is lost: the first block says the same.

const blocksOnlyNames = /claude-code|codex|opencode|visual studio code|vscode/i;

/** By the name in a client's clientInfo. */
export const needsBlocksOnly = (clientName: unknown): boolean =>
  typeof clientName === 'string' && blocksOnlyNames.test(clientName.slice(0, 100));

/**
 * Until protocol revision 2026-07-28 a client says its name in the handshake only, which another node may have answered. It
 * sends back the session id that it was given there, so that says which kind of client it is. Nothing else is in it.
 */
const sessionPrefix = 'blocks-only-';

/** The session id to give in answer to this body; undefined for none. */
export function sessionFor(body: Readonly<Record<string, unknown>>, id: string): string | undefined {
  if (body.method !== 'initialize') return undefined;
  const params = body.params as { clientInfo?: { name?: unknown } } | null | undefined;
  return needsBlocksOnly(params?.clientInfo?.name) ? sessionPrefix + id : undefined;
}

export const isBlocksOnlySession = (sessionId: string | null): boolean => sessionId?.startsWith(sessionPrefix) === true;
