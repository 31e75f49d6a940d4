// The kinds of values a parameter can have. Each kind parses a text (undefined = refused), says in words what it expects,
// has a schema for OpenAPI, and lists valid and invalid values for the boundary tests.

export type Kind<T> = {
  readonly parse: (text: string) => T | undefined;
  /** Completes the sentence "width must be …". */
  readonly expects: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly good: readonly string[];
  readonly bad: readonly string[];
  /** The input element in a form. */
  readonly input: 'text' | 'number' | 'checkbox' | 'select' | 'code' | 'url' | 'color';
};

// What lenient parsers accept: exponents, hexadecimal, blanks, signs, names of numbers.
const oddNumbers = ['', ' 5', '5 ', '1e3', '0x10', 'Infinity', 'NaN', '+5', '-1', '1_000', '５', 'ten', '1,5'];

export function int(min: number, max: number): Kind<number> {
  return {
    parse: (text) => within(/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN, min, max),
    expects: `a whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    good: [String(min), String(max), String(Math.floor((min + max) / 2))],
    bad: [String(min - 1), String(max + 1), `${min}.5`, ...oddNumbers],
    input: 'number',
  };
}

export function float(min: number, max: number): Kind<number> {
  return {
    parse: (text) => within(/^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN, min, max),
    expects: `a number from ${min} to ${max}`,
    schema: { type: 'number', minimum: min, maximum: max },
    good: [String(min), String(max), String((min + max) / 2)],
    bad: [String(min - 0.01), String(max + 0.01), '.5', '1.', ...oddNumbers],
    input: 'number',
  };
}

const within = (value: number, min: number, max: number) => (value >= min && value <= max ? value : undefined);

export function flag(): Kind<boolean> {
  return {
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    expects: 'true or false',
    schema: { type: 'boolean' },
    good: ['true', 'false'],
    bad: ['', '1', '0', 'yes', 'TRUE', ' true'],
    input: 'checkbox',
  };
}

export function choice<const T extends string>(options: readonly T[]): Kind<T> {
  return {
    parse: (text) => options.find((option) => option === text),
    expects: options.length === 1 ? `"${options[0]}" if it is given` : `one of ${options.join(', ')}`,
    schema: { type: 'string', enum: options },
    good: options,
    bad: ['', `${options[0]} `, (options[0] ?? '').toUpperCase(), 'other'],
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
    expects: `${all}, or one or more of ${options.join(', ')}, each once, separated by commas without blanks`,
    schema: { type: 'string', pattern: `^(?:${all}|${one}(?:,${one})*)$` },
    good: [all, ...options, options.join(), [...options].reverse().join()],
    bad: [
      '',
      'other',
      `${options[0]},`,
      `${options[0]},${options[0]}`,
      `${options[0]}, ${options[1]}`,
      `${all},${options[0]}`,
    ],
    input: 'text',
  };
}

/** Free text of at least one character: CSS, JavaScript, HTML, selectors. */
export function text(what: string, maxLength: number, input: 'text' | 'code' | 'url' = 'text'): Kind<string> {
  return {
    parse: (value) => (value.length > 0 && value.length <= maxLength ? value : undefined),
    expects: `${what} of at most ${maxLength} characters, and not empty`,
    schema: { type: 'string', minLength: 1, maxLength },
    good: [],
    bad: ['', 'x'.repeat(maxLength + 1)],
    input,
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
    good: ['0,0,1,1', '10,20,300,200'],
    bad: [
      '',
      '1,2,3',
      '1,2,3,4,5',
      '0,0,0,10',
      '0,0,10,0',
      '-1,0,10,10',
      '0, 0,10,10',
      '0,0,1.5,10',
      '0,0,1e3,10',
      'a,b,c,d',
    ],
    input: 'text',
  };
}

export type Edges = { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };

/** `top,right,bottom,left` in millimetres, whole or decimal. */
export function edges(maxMm: number): Kind<Edges> {
  return {
    parse: (value) => {
      if (!/^\d{1,4}(\.\d{1,4})?(,\d{1,4}(\.\d{1,4})?){3}$/.test(value)) return undefined;
      const [top = 0, right = 0, bottom = 0, left = 0] = value.split(',').map(Number);
      return Math.max(top, right, bottom, left) <= maxMm ? { top, right, bottom, left } : undefined;
    },
    expects: `four numbers top,right,bottom,left in millimetres, each from 0 to ${maxMm}`,
    schema: { type: 'string', pattern: '^[\\d.]+,[\\d.]+,[\\d.]+,[\\d.]+$' },
    good: ['0,0,0,0', '10,12.5,10,12.5'],
    bad: ['', '10', '10,10,10', '10,10,10,-1', '10,10,10,1e1', '10 10 10 10', '1,1,1,1,1'],
    input: 'text',
  };
}

/** A URL as written. egress/target.ts decides whether it may be captured, after all parameters are validated. */
export function httpUrl(maxLength: number): Kind<string> {
  return {
    parse: (value) => (value.length <= maxLength && /^https?:/i.test(value) && URL.canParse(value) ? value : undefined),
    expects: `an http or https URL of at most ${maxLength} characters`,
    schema: { type: 'string', format: 'uri', maxLength },
    good: [],
    bad: [
      '',
      'example.com',
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://',
      'http://[::1',
    ],
    input: 'url',
  };
}
