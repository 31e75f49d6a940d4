import { content, ogJsonByPost, screenshot, screenshotJson } from './orval-client/api';

// The base URL is in the client: it is an option of the generator.
export async function use(_baseUrl: string, key: string, page: string) {
  const options = { headers: { 'X-API-Key': key } };

  const picture = await screenshot({ url: page, width: 200, height: 100 }, options);
  if (picture.status !== 200) throw new Error(`A picture is ${picture.status}.`);
  const blob: Blob = picture.data;

  const json = await screenshotJson({ url: page, width: 200, height: 100 }, options);
  if (json.status !== 200) throw new Error(`JSON is ${json.status}.`);
  const width: number = json.data.width;
  const link: string | null = json.data.imageUrl;

  const card = await ogJsonByPost({ template: 'quote', title: 'Hello' }, options);
  if (card.status !== 200) throw new Error(`A card is ${card.status}.`);
  const template: string = card.data.template;

  const text = await content({ url: page, format: 'text' }, options);
  if (text.status !== 200) throw new Error(`A text is ${text.status}.`);
  const words: string = text.data;

  const refused = await screenshotJson({ url: page, width: 0 }, options);
  const code: string | undefined = refused.status === 400 ? refused.data.code : undefined;

  // @ts-expect-error: url is required
  void (() => screenshot({}, options));
  // @ts-expect-error: there is no such format
  void (() => screenshot({ url: page, format: 'gif' }, options));
  // @ts-expect-error: a picture has no width
  void picture.data.width;
  return { bytes: new Uint8Array(await blob.arrayBuffer()), width, link, template, words, code };
}
