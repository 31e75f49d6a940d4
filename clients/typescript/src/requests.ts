// What callers give, made from the generated types.
import type {
  CaptureSource,
  ContentOptions,
  ContentSource,
  OgOptions,
  PdfOptions,
  ScreenshotOptions,
  TemplateVariables,
} from './generated.ts';

export type ScreenshotRequest = CaptureSource & ScreenshotOptions;
export type PdfRequest = CaptureSource & PdfOptions;
export type ContentRequest = ContentSource & ContentOptions;

/** The names of the built-in templates, and of those that a server adds to `TemplateVariables`. */
export type TemplateName = keyof TemplateVariables & string;

type BuiltInRequest = {
  [Name in TemplateName]: { readonly template: Name } & OgOptions & TemplateVariables[Name];
}[TemplateName];

/** A template of the account, with any variables. */
type OwnTemplateRequest = { readonly template: `my/${string}` } & OgOptions & {
    readonly [variable: string]: string | number | boolean | readonly string[] | undefined;
  };

export type OgRequest = BuiltInRequest | OwnTemplateRequest;

type Fields = Readonly<Record<string, unknown>>;

/** As the body of a POST has it: `failOn` is a text there. */
export function bodyOf(request: object): Fields {
  const { failOn } = request as { failOn?: unknown };
  return Array.isArray(failOn) ? { ...request, failOn: failOn.join(',') } : { ...request };
}

/** As a query has it: lists of a card are lines, other lists are separated by commas. */
export function queryOf(request: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    if (value === undefined || value === null) continue;
    query.set(name, Array.isArray(value) ? value.join(name.endsWith('_items') ? '\n' : ',') : String(value));
  }
  return query.toString();
}
