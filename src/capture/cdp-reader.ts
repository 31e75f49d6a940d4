// Reads the browser's side of the pipe: messages of JSON, each ended by a NUL. A page decides how long many of them are
// (its addresses, its console, what it posts), so no message is held or parsed that is longer than an honest one. Only
// a picture may be: it is decoded piece by piece as it comes, without ever being one text.

/** Seen of honest pages: 0.1 MB. To parse so much takes some 20 ms. */
const messageBytes = 8 * 1024 * 1024;
/** Enough to tell what a message is: its id or method stands first. */
const headBytes = 200;
/** Its session stands last. */
const tailBytes = 200;

export type Listener = {
  /** A message, to be parsed. */
  message(text: string): void;
  /** Does anybody listen for events of this name? What nobody does (a page's console) is not even kept. */
  wants(event: string): boolean;
  /** Is a picture awaited under this id? */
  awaitsPicture(id: number): boolean;
  /** The answer with this id, which is a picture. */
  picture(id: number, bytes: Buffer): void;
  /** A message that was too long to be kept: how it began and ended. */
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
      // Whoever waited for it may be gone: then it is no use to anybody.
      if (this.#to.awaitsPicture(this.#picture.id)) this.#picture.add(part);
      return;
    }
    if (this.#tail) {
      this.#tail = lastOf(this.#tail, part);
      return;
    }
    this.#parts.push(part);
    this.#length += part.length;
    // Looked at once, when there is enough to see.
    if (this.#length >= headBytes && this.#length - part.length < headBytes) this.#begin();
    if (this.#length > messageBytes && !this.#picture) this.#skip();
  }

  #begin(): void {
    const so = Buffer.concat(this.#parts);
    const head = so.toString('latin1', 0, headBytes);
    const event = /^\{"method":"([\w.]+)"/.exec(head)?.[1];
    if (event !== undefined && !this.#to.wants(event)) return void this.#skip();
    const [begins, id] = /^\{"id":(\d+),"result":\{"data":"/.exec(head) ?? [];
    if (begins === undefined || !this.#to.awaitsPicture(Number(id))) return;
    this.#picture = new PictureDecoder(Number(id));
    this.#picture.add(so.subarray(begins.length));
    this.#parts = [];
  }

  /** Only how it began and how it ends is kept. */
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
