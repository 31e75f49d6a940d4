// A template of the account with a logo and two versions, for pictures and tests of its editor.
import type { BrowserContext } from 'playwright-core';
import sharp from 'sharp';
import type { WebHarness } from './web-harness.ts';

const mark = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><rect width="96" height="96" rx="20" fill="#a4480f"/><path d="M28 68V28h14l18 24V28h8v40H56L36 42v26z" fill="#fff"/></svg>`;

const html = (size: number) => `<style>
  .line { background: {{accent}} }
</style>
<div class="flex flex-col justify-between w-full h-full p-[72px] bg-[#faf7f2]">
  <div class="flex items-center">
    <img src="logo.png" width="56" height="56" />
    <p class="ml-[20px] text-[30px] font-semibold text-[#1b1916]">{{site}}</p>
  </div>
  <h1 data-fit="${size} 76 64 52 44" data-lines="4" class="font-serif leading-tight text-[#1b1916]">{{title}}</h1>
  {{#if author}}
  <div class="flex items-center">
    <div class="line w-[64px] h-[6px] mr-[24px]"></div>
    <p class="text-[30px] text-[#57534d]">{{author}}</p>
  </div>
  {{/if}}
</div>
`;

const variables = {
  title: { doc: 'The headline.', default: 'Untitled', example: 'What we learned from ten years of quiet software' },
  site: { doc: 'The name beside the logo.', example: 'Studio North' },
  author: { doc: 'Who wrote it.', example: 'Maja Lindqvist' },
  accent: { doc: 'The color of the line.', default: '#a4480f' },
};

export async function seedTemplates(harness: WebHarness, context: BrowserContext): Promise<void> {
  const logo = await sharp(Buffer.from(mark)).png().toBuffer();
  const uploaded = await context.request.put('/api/own-templates/hero/files/logo.png', {
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/octet-stream' },
    data: logo,
  });
  if (!uploaded.ok()) throw new Error(await uploaded.text());
  for (const [size, publish] of [
    [96, true],
    [88, false],
  ] as const) {
    const body = { html: html(size), variables, description: 'A headline in serif, with our logo.', publish };
    const { status, body: answer } = await harness.call(context, 'PUT', '/api/own-templates/hero', body);
    if (status !== 200) throw new Error(JSON.stringify(answer));
  }
}
