// The kinds of values a parameter can have. Each kind parses a text (undefined = refused), says in words what it expects,
// and has a schema for OpenAPI and an input element for forms.

export type Kind<T> = {
  readonly parse: (text: string) => T | undefined;
  /** Completes the sentence "width must be …". */
  readonly expects: string;
  /** What the caller may have meant by a text that was refused. */
  readonly meant?: (text: string) => string | undefined;
  /** Of the text in a query, or of the value in a JSON body. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** A JSON body may also give an array of numbers (`clip`), or gives nothing but this type (`cookies`). */
  readonly json?: 'numbers' | 'object' | 'array';
  /** How many numbers such an array has: the fewest and the most. */
  readonly jsonLength?: readonly [number, number];
  /** The input element in a form. */
  readonly input: 'text' | 'number' | 'checkbox' | 'select' | 'code' | 'url' | 'color';
};

export function int(min: number, max: number): Kind<number> {
  return {
    parse: (text) => within(/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN, min, max),
    expects: `a whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    input: 'number',
  };
}

export function float(min: number, max: number): Kind<number> {
  return {
    parse: (text) => within(/^\d{1,6}(\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN, min, max),
    expects: `a number from ${min} to ${max}`,
    schema: { type: 'number', minimum: min, maximum: max },
    input: 'number',
  };
}

const within = (value: number, min: number, max: number) => (value >= min && value <= max ? value : undefined);

/** 1 and 0 too, which many clients write. */
const flags = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

export function flag(): Kind<boolean> {
  return {
    parse: (text) => flags.get(text),
    expects: 'true or false',
    schema: { type: 'boolean' },
    input: 'checkbox',
  };
}

/** One of the options, or another spelling of one. */
export function choice<const T extends string>(
  options: readonly T[],
  spellings: ReadonlyMap<string, T> = new Map(),
): Kind<T> {
  return {
    parse: (text) => options.find((option) => option === text) ?? spellings.get(text),
    expects: options.length === 1 ? `"${options[0]}"` : `one of ${options.join(', ')}`,
    schema: { type: 'string', enum: options },
    input: 'select',
  };
}

/** Some of the options, separated by commas, or one word for all. The value has them in the order of `options`. */
export function someOf<const T extends string>(options: readonly T[], all: string): Kind<readonly T[]> {
  const longest = options.join().length;
  const one = `(?:${options.join('|')})`;
  return {
    parse: (text) => {
      if (text === all) return options;
      const named = text.length > longest ? [] : text.split(',');
      const found = options.filter((option) => named.includes(option));
      // The numbers differ if a name is unknown or given twice.
      return found.length > 0 && found.length === named.length ? found : undefined;
    },
    expects: `${all}, or one or more of ${options.join(', ')}, each at most once, separated by commas without spaces`,
    schema: { type: 'string', pattern: `^(?:${all}|${one}(?:,${one})*)$` },
    input: 'text',
  };
}

/** Free text of at least one character: CSS, JavaScript, HTML, selectors. */
export function text(what: string, maxLength: number, input: 'text' | 'code' | 'url' = 'text'): Kind<string> {
  return {
    parse: (value) => (value.length > 0 && value.length <= maxLength ? value : undefined),
    expects: `${what} of 1 to ${maxLength} characters`,
    schema: { type: 'string', minLength: 1, maxLength },
    input,
  };
}

/** A whole document, which is measured as it is sent: in bytes of UTF-8. */
export function documentText(what: string, maxBytes: number): Kind<string> {
  const anyText = text(what, maxBytes, 'code');
  return {
    ...anyText,
    parse: (value) => (Buffer.byteLength(value) <= maxBytes ? anyText.parse(value) : undefined),
    expects: `${what} of 1 to ${maxBytes.toLocaleString('en')} bytes`,
  };
}

export type Rect = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** `x,y,w,h` in CSS pixels of the page. */
export function rect(maxOffset: number, maxSide: number): Kind<Rect> {
  return {
    parse: (value) => {
      if (!/^\d{1,6}(,\d{1,6}){3}$/.test(value)) return undefined;
      const [x = 0, y = 0, width = 0, height = 0] = value.split(',').map(Number);
      if (x > maxOffset || y > maxOffset || width < 1 || height < 1 || width > maxSide || height > maxSide)
        return undefined;
      return { x, y, width, height };
    },
    expects: `four whole numbers x,y,w,h with x and y from 0 to ${maxOffset} and w and h from 1 to ${maxSide}`,
    schema: { type: 'string', pattern: '^\\d+,\\d+,\\d+,\\d+$' },
    json: 'numbers',
    jsonLength: [4, 4],
    input: 'text',
  };
}

export type Edges = { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };

/** `top,right,bottom,left` in millimetres, whole or decimal. */
export function edges(maxMm: number): Kind<Edges> {
  return {
    parse: (value) => {
      if (!/^\d{1,4}(\.\d{1,20})?(,\d{1,4}(\.\d{1,20})?){3}$/.test(value)) return undefined;
      const [top = 0, right = 0, bottom = 0, left = 0] = value.split(',').map(Number);
      return Math.max(top, right, bottom, left) <= maxMm ? { top, right, bottom, left } : undefined;
    },
    expects: `four numbers top,right,bottom,left in millimetres, each from 0 to ${maxMm}`,
    schema: { type: 'string', pattern: '^[\\d.]+,[\\d.]+,[\\d.]+,[\\d.]+$' },
    json: 'numbers',
    jsonLength: [4, 4],
    input: 'text',
  };
}

/** A name with a dot, and what may follow it. */
const looksLikeHost = /^[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,63})+(?:[/:?#]|$)/i;

/** A URL as written. egress/target.ts decides whether it may be captured, after all parameters are validated. */
export function httpUrl(maxLength: number): Kind<string> {
  return {
    parse: (value) => (value.length <= maxLength && /^https?:/i.test(value) && URL.canParse(value) ? value : undefined),
    expects: `an http or https URL of at most ${maxLength} characters`,
    meant: (text) =>
      looksLikeHost.test(text.slice(0, 300)) && URL.canParse(`https://${text}`)
        ? `https://${text.slice(0, 200)}`
        : undefined,
    schema: { type: 'string', format: 'uri', maxLength },
    input: 'url',
  };
}

/** One line of text, such as the value of a header. */
export function line(what: string, maxLength: number): Kind<string> {
  const anyText = text(what, maxLength);
  return {
    ...anyText,
    parse: (value) => (hasControl.test(value.slice(0, maxLength + 1)) ? undefined : anyText.parse(value)),
    expects: `${what} of 1 to ${maxLength} characters, without line breaks and control characters`,
  };
}

const hasControl = /\p{Cc}/u;

/** A language tag, in its canonical spelling. */
export function locale(): Kind<string> {
  return {
    parse: (value) => {
      if (!/^[A-Za-z0-9]{2,8}(-[A-Za-z0-9]{1,8}){0,20}$/.test(value)) return undefined;
      try {
        return Intl.getCanonicalLocales(value)[0];
      } catch {
        return undefined;
      }
    },
    expects: 'a language tag by BCP 47, such as de or pt-BR',
    schema: { type: 'string', pattern: '^[A-Za-z0-9]{2,8}(-[A-Za-z0-9]{1,8})*$' },
    input: 'text',
  };
}

/** A time zone by its name in the IANA database. */
export function timezone(): Kind<string> {
  return {
    parse: (value) => {
      // Offsets such as +01:00 are none, although Intl knows them.
      if (!/^[A-Za-z][A-Za-z0-9_+-]{1,30}(\/[A-Za-z0-9_+-]{1,30}){0,2}$/.test(value)) return undefined;
      try {
        // Of the same name it is the usual spelling, which browsers insist on; an old name stays as it is.
        const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions();
        return timeZone.toLowerCase() === value.toLowerCase() ? timeZone : value;
      } catch {
        return undefined;
      }
    },
    expects: 'the IANA name of a time zone, such as Europe/Berlin',
    schema: { type: 'string', maxLength: 92 },
    input: 'text',
  };
}

export type Geolocation = { readonly latitude: number; readonly longitude: number; readonly accuracy: number };

/** `lat,lon` in degrees, or `lat,lon,accuracy` with metres. */
export function geolocation(): Kind<Geolocation> {
  const degrees = '-?\\d{1,3}(?:\\.\\d{1,15})?';
  const pattern = `^${degrees},${degrees}(?:,\\d{1,6}(?:\\.\\d{1,6})?)?$`;
  const form = new RegExp(pattern);
  return {
    parse: (value) => {
      if (!form.test(value)) return undefined;
      const [latitude = 0, longitude = 0, accuracy = 10] = value.split(',').map(Number);
      return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude, accuracy } : undefined;
    },
    expects: 'lat,lon or lat,lon,accuracy: degrees from -90 to 90 and from -180 to 180, and metres from 0 to 999999',
    schema: { type: 'string', pattern },
    json: 'numbers',
    jsonLength: [2, 3],
    input: 'text',
  };
}

/** Pages of a document, such as `1-3,5`. */
export function pageRanges(): Kind<string> {
  const range = '[1-9]\\d{0,4}(?:-[1-9]\\d{0,4})?';
  const pattern = `^${range}(?:,${range}){0,49}$`;
  const form = new RegExp(pattern);
  return {
    parse: (value) => (form.test(value) && value.split(',').every(isAscending) ? value : undefined),
    expects: 'page numbers and ranges from 1 on, such as 1-3,5, at most 50 of them',
    schema: { type: 'string', pattern },
    input: 'text',
  };
}

const isAscending = (range: string): boolean => {
  const [from = 0, to = from] = range.split('-').map(Number);
  return from <= to;
};
