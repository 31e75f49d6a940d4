// Compresses JSON, HTML, scripts and texts for clients that accept it. Pictures and PDFs are compressed by their format, and
// the dashboard's assets when it is built.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A smaller body fits into one packet either way. */
const smallest = 1400;
const compressible = /^(?:application\/(?:json|javascript|xml|manifest\+json)|text\/|image\/svg\+xml)/;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Both run on threads of their own. Level 4 of Brotli takes about the time of gzip's default, and its output is smaller. */
const encoders = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => zip(bytes),
} as const;

export function registerCompression(app: FastifyInstance): void {
  // A callback and not a promise, which is faster for pictures: there is nothing to wait for.
  app.addHook('onSend', (request, reply, body, done) => {
    const isCompressible =
      (typeof body === 'string' || Buffer.isBuffer(body)) &&
      body.length >= smallest &&
      reply.statusCode !== 206 &&
      compressible.test(String(reply.getHeader('content-type'))) &&
      !reply.hasHeader('content-encoding');
    if (!isCompressible) return done(null, body);
    addVary(reply, 'Accept-Encoding');
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding === undefined) return done(null, body);
    compress(reply, body, encoding).then((bytes) => done(null, bytes), done);
  });
}

async function compress(reply: FastifyReply, body: string | Buffer, encoding: keyof typeof encoders): Promise<Buffer> {
  const bytes = await encoders[encoding](Buffer.from(body));
  // The same text in another encoding: a strong tag would say that the bytes are the same.
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`);
  reply.removeHeader('accept-ranges');
  reply.header('content-encoding', encoding).header('content-length', bytes.length);
  return bytes;
}

type Reply = { getHeader(name: string): unknown; header(name: string, value: string): unknown };

export function addVary(reply: Reply, name: string): void {
  const vary = reply.getHeader('vary');
  const names = typeof vary === 'string' ? vary.split(', ') : [];
  if (!names.includes(name)) reply.header('vary', [...names, name].join(', '));
}

/** The better of the encodings that the client accepts. `q=0` refuses one. */
function acceptedEncoding(header: string | undefined): keyof typeof encoders | undefined {
  const accepted = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(';', 1)[0]?.trim()),
  );
  return (['br', 'gzip'] as const).find((name) => accepted.has(name));
}
