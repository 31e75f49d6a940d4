// Reads what the browser writes: messages of JSON, each terminated by a NUL. Pages control the length of many messages
// (addresses, console output), so a message over the limit is neither kept nor parsed. Pictures have no limit: they are
// decoded piece by piece as they arrive, without being one string at any time.

/** Ordinary pages cause messages of up to 0.1 MB. Parsing 8 MB takes about 20 ms. */
const messageBytes = 8 * 1024 * 1024;
/** The id or the method of a message is in its first bytes. */
const headBytes = 200;
/** The session id is in its last bytes. */
const tailBytes = 200;

export type Listener = {
  /** A message, to be parsed. */
  message(text: string): void;
  /** Is there a handler for events of this name? Events without one (a page's console) are skipped. */
  wants(event: string): boolean;
  /** Is the command with this id a capture that is still waited for? */
  awaitsPicture(id: number): boolean;
  /** The picture that the command with this id asked for. */
  picture(id: number, bytes: Buffer): void;
  /** The beginning and the end of a message over the limit. */
  tooLong(head: string, tail: string): void;
};

export class MessageReader {
  readonly #to: Listener;
  #parts: Buffer[] = [];
  #length = 0;
  #picture: PictureDecoder | undefined;
  #tail: Buffer | undefined;

  constructor(to: Listener) {
    this.#to = to;
  }

  read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#add(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    if (this.#picture) {
      // If the command is no longer waited for, the rest of the picture is dropped.
      if (this.#to.awaitsPicture(this.#picture.id)) this.#picture.add(part);
      return;
    }
    if (this.#tail) {
      this.#tail = lastOf(this.#tail, part);
      return;
    }
    this.#parts.push(part);
    this.#length += part.length;
    // Checked once, as soon as there are enough bytes.
    if (this.#length >= headBytes && this.#length - part.length < headBytes) this.#begin();
    if (this.#length > messageBytes && !this.#picture) this.#skip();
  }

  #begin(): void {
    const start = Buffer.concat(this.#parts);
    const head = start.toString('latin1', 0, headBytes);
    const event = /^\{"method":"([\w.]+)"/.exec(head)?.[1];
    if (event !== undefined && !this.#to.wants(event)) return void this.#skip();
    const [begins, id] = /^\{"id":(\d+),"result":\{"data":"/.exec(head) ?? [];
    if (begins === undefined || !this.#to.awaitsPicture(Number(id))) return;
    this.#picture = new PictureDecoder(Number(id));
    this.#picture.add(start.subarray(begins.length));
    this.#parts = [];
  }

  /** Keeps only the beginning and the end of the message. */
  #skip(): void {
    if (this.#tail) return;
    this.#tail = lastOf(...this.#parts.slice(-tailBytes));
    this.#parts = [Buffer.concat(this.#parts.slice(0, headBytes)).subarray(0, headBytes)];
  }

  #finish(): void {
    const [parts, picture, tail] = [this.#parts, this.#picture, this.#tail];
    this.#parts = [];
    this.#length = 0;
    this.#picture = undefined;
    this.#tail = undefined;
    if (picture) this.#to.picture(picture.id, picture.bytes());
    else if (tail) this.#to.tooLong(parts[0]?.toString('latin1') ?? '', tail.toString('latin1'));
    else this.#to.message((parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString() ?? '');
  }
}

const lastOf = (...parts: Buffer[]): Buffer => {
  const last = Buffer.concat(parts.map((part) => part.subarray(-tailBytes)));
  return last.subarray(-tailBytes);
};

const quote = 0x22;

/** Base64 up to the closing quote; four characters are three bytes. */
class PictureDecoder {
  readonly id: number;
  readonly #decoded: Buffer[] = [];
  #rest = '';
  #ended = false;

  constructor(id: number) {
    this.id = id;
  }

  add(part: Buffer): void {
    if (this.#ended) return;
    const end = part.indexOf(quote);
    this.#ended = end >= 0;
    const text = this.#rest + part.toString('latin1', 0, this.#ended ? end : part.length);
    const whole = this.#ended ? text.length : text.length - (text.length % 4);
    this.#decoded.push(Buffer.from(text.slice(0, whole), 'base64'));
    this.#rest = text.slice(whole);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#decoded);
  }
}
