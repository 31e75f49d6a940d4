// Servers from npm that come without types; the harness uses a few functions of them.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}

declare module 'smtp-server' {
  import type { Readable } from 'node:stream';
  export class SMTPServer {
    constructor(options: {
      authOptional?: boolean;
      disabledCommands?: string[];
      onData(stream: Readable, session: unknown, done: () => void): void;
    });
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
  }
}
