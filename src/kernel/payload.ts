// A JSON head and a body of bytes in one buffer. Inside JSON the bytes would be a third larger and copied twice.

export const pack = (head: unknown, bytes: Buffer = Buffer.alloc(0)): Buffer => {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, bytes]);
};

export function unpack<Head>(payload: Buffer): { head: Head; bytes: Buffer } {
  const bytes = packedBytes(payload);
  return { head: JSON.parse(payload.toString('utf8', 4, payload.length - bytes.length)), bytes };
}

/** The bytes alone: the head is not parsed. */
export const packedBytes = (payload: Buffer): Buffer => payload.subarray(4 + payload.readUInt32BE(0));
