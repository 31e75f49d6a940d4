// A program of a user of @tintype/client: it compiles strictly, the mistakes in it do not.
import {
  type EndedJob,
  type ErrorCode,
  metaTags,
  type OgImage,
  type Result,
  signer,
  Tintype,
  TintypeError,
} from '@tintype/client';

declare module '@tintype/client' {
  interface TemplateVariables {
    'team-card': { title?: string; members_items?: string[] };
  }
}

export async function use(baseUrl: string, apiKey: string, keyId: string, secret: string, url: string) {
  const tintype = new Tintype({ baseUrl, apiKey, retries: 1, timeout: 60_000 });
  const shot: Result = await tintype.screenshot({ url, width: 200, height: 100, clip: [0, 0, 100, 50] });
  const { imageUrl, width } = await tintype.screenshot({ url, width: 200, height: 100, response: 'json' });
  const { content } = await tintype.content({ url, format: 'text', response: 'json' });
  const { template } = await tintype.og({ template: 'quote', title: 'Hello', response: 'json' });
  const { id } = await tintype.jobs.create({ kind: 'og', request: { template: 'quote', title: 'Later' } });
  const job: EndedJob = await tintype.jobs.wait(id);
  let code: ErrorCode | string = '';
  try {
    await tintype.og({ template: 'quote', accent: 'no colour' });
  } catch (error) {
    if (error instanceof TintypeError) code = `${error.code} ${error.parameter}`;
  }
  const sign = signer({ baseUrl, keyId, secret });
  const image: OgImage = await sign.ogImage({ template: 'changelog-card', change_items: ['One', 'Two'] });
  const signed = await fetch(image.url);
  return {
    start: Array.from((await shot.bytes()).slice(0, 4)),
    cache: shot.cache,
    verdict: shot.verdict?.ok,
    imageUrl,
    width,
    content,
    template,
    job: job.status === 'done' && job.kind === 'og' ? job.result.template : job.status,
    code,
    signed: signed.status,
    tags: metaTags(image).length,
  };
}

/** Never called: each line is a mistake that the compiler finds, or something that it must allow. */
export function mistakes(tintype: Tintype, sign: ReturnType<typeof signer>): void {
  // @ts-expect-error: no such template
  tintype.og({ template: 'no-such-template' });
  // @ts-expect-error: the template has no such variable
  tintype.og({ template: 'quote', change_items: ['One'] });
  // @ts-expect-error: neither url nor html nor markdown
  tintype.screenshot({ width: 100 });
  // @ts-expect-error: two of them
  tintype.screenshot({ url: 'https://example.com/', html: '<h1>' });
  // @ts-expect-error: a parameter of PDFs
  tintype.screenshot({ url: 'https://example.com/', pageSize: 'a4' });
  // @ts-expect-error: a parameter of pictures
  tintype.pdf({ url: 'https://example.com/', selector: 'h1' });
  // @ts-expect-error: no such device
  tintype.screenshot({ url: 'https://example.com/', device: 'nokia-3310' });
  // @ts-expect-error: no such code
  tintype.screenshot({ url: 'https://example.com/', failOn: ['ugly'] });
  // @ts-expect-error: a secret cannot be in a link
  sign.screenshot({ url: 'https://example.com/', headers: { a: 'b' } });
  tintype.og({ template: 'my/hero', anything: 'goes', lines_items: ['One'], width: 600 });
  tintype.og({ template: 'team-card', members_items: ['Ada'] });
}
