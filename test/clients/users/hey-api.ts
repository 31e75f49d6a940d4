import { client } from './hey-api-client/client.gen';
import { content, ogJsonByPost, screenshot, screenshotJson } from './hey-api-client/sdk.gen';

export async function use(baseUrl: string, key: string, page: string) {
  client.setConfig({ baseUrl, auth: key });

  const picture = await screenshot({ query: { url: page, width: 200, height: 100 } });
  const blob: Blob | undefined = picture.data;

  const json = await screenshotJson({ query: { url: page, width: 200, height: 100 } });
  const width: number | undefined = json.data?.width;
  const link: string | null | undefined = json.data?.imageUrl;

  const card = await ogJsonByPost({ body: { template: 'quote', title: 'Hello' } });
  const template: string | undefined = card.data?.template;

  const text = await content({ query: { url: page, format: 'text' } });
  const words: string | undefined = text.data;

  const refused = await screenshot({ query: { url: page, width: 0 } });
  const code: string | undefined = refused.error?.code;

  // @ts-expect-error: url is required
  void (() => screenshot({ query: {} }));
  // @ts-expect-error: there is no such format
  void (() => screenshot({ query: { url: page, format: 'gif' } }));
  // @ts-expect-error: a picture has no width
  void picture.data?.width;
  return { bytes: blob && new Uint8Array(await blob.arrayBuffer()), width, link, template, words, code };
}
