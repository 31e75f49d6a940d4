// The operations of the OpenAPI document, in the shape that the pages of the reference need.

export type SchemaView = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaView>>;
  readonly items?: SchemaView;
  readonly anyOf?: readonly SchemaView[];
  readonly additionalProperties?: SchemaView | boolean;
  readonly examples?: readonly unknown[];
};

type Content = Readonly<
  Record<
    string,
    { readonly schema?: SchemaView; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }
  >
>;

export type ResponseView = {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Content;
};

export type ParameterInQuery = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaView;
  readonly example?: unknown;
};

export type OperationView = {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly ParameterInQuery[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseView>>;
};

export type ApiDocument = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationView>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaView>>;
    readonly responses: Readonly<Record<string, ResponseView>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
  };
};

/** In the order of their tags, so that previous and next stay with one subject. */
export function operationsOf({ paths, tags }: ApiDocument): OperationView[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  return tags.flatMap(({ name }) => all.filter((operation) => operation.tags[0] === name));
}

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export function resolve(schema: SchemaView, { components }: ApiDocument): SchemaView {
  return schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? {});
}

export function resolveResponse(response: ResponseView, { components }: ApiDocument): ResponseView {
  return response.$ref === undefined ? response : (components.responses[nameIn(response.$ref)] ?? response);
}

/** What a value looks like, in words. */
export function typeText(given: SchemaView, document: ApiDocument): string {
  const schema = resolve(given, document);
  if (schema.anyOf) return schema.anyOf.map((each) => typeText(each, document)).join(' or ');
  if (schema.enum) return schema.enum.map((value) => (value === null ? 'null' : `\`${String(value)}\``)).join(', ');
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  const types = [schema.type ?? 'any'].flat();
  const name = types.map((type) => (type === 'array' ? `array of ${itemText(schema, document)}` : type)).join(' or ');
  return [name, rangeText(schema)].filter(Boolean).join(', ');
}

const itemText = ({ items }: SchemaView, document: ApiDocument): string =>
  items === undefined ? 'values' : typeText(items, document);

function rangeText({ minimum, maximum, maxLength }: SchemaView): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined) return `from ${minimum}`;
  if (maximum !== undefined) return `up to ${maximum}`;
  return maxLength === undefined ? '' : `up to ${maxLength.toLocaleString('en')} characters`;
}
