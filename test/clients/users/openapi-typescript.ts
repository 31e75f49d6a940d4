import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript-client/schema';

export async function use(baseUrl: string, key: string, page: string) {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });

  const picture = await client.GET('/v1/screenshot', {
    params: { query: { url: page, width: 200, height: 100 } },
    parseAs: 'arrayBuffer',
  });
  const bytes: ArrayBuffer | undefined = picture.data;

  const json = await client.GET('/v1/screenshot.json', { params: { query: { url: page, width: 200, height: 100 } } });
  const width: number | undefined = json.data?.width;
  const link: string | null | undefined = json.data?.imageUrl;

  const card = await client.POST('/v1/og.json', { body: { template: 'quote', title: 'Hello' } });
  const template: string | undefined = card.data?.template;

  const text = await client.GET('/v1/content', { params: { query: { url: page, format: 'text' } }, parseAs: 'text' });
  const words: string | undefined = text.data;

  const refused = await client.GET('/v1/screenshot.json', { params: { query: { url: page, width: 0 } } });
  const code: 'invalid_parameter' | string | undefined = refused.error?.code;

  // @ts-expect-error: url is required
  void (() => client.GET('/v1/screenshot', { params: { query: {} } }));
  // @ts-expect-error: there is no such format
  void (() => client.GET('/v1/screenshot', { params: { query: { url: page, format: 'gif' } } }));
  // @ts-expect-error: the JSON has no such property
  void json.data?.nothing;
  return { bytes: bytes ? new Uint8Array(bytes) : undefined, width, link, template, words, code };
}
