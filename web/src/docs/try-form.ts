// Sends the request of the page with the values of the form, and writes them into the code samples.
import { type Expression, expressionOf } from '../../../src/samples/literals.ts';
import { samples } from '../../../src/samples/samples.ts';

export function enableTryForm(form: HTMLFormElement): void {
  const { method = 'GET', path = '/', url = '', file, key } = form.dataset;
  const result = form.querySelector('.result') as HTMLElement;
  const keyField = form.elements.namedItem('key') as HTMLInputElement | null;
  const bodyField = form.elements.namedItem('body') as HTMLTextAreaElement | null;
  const adder = form.elements.namedItem('add') as HTMLSelectElement | null;

  const query = (): [string, string][] =>
    [...form.querySelectorAll<HTMLInputElement>('[data-name]')]
      .filter((field) => field.value !== '')
      .map((field) => [field.dataset.name ?? '', field.value]);

  const updateSamples = () => {
    const body = bodyField ? fieldsOf(bodyField.value) : undefined;
    if (bodyField && body === undefined) return;
    for (const { value, code } of samples({
      method,
      url,
      query: query(),
      body,
      needsKey: key === 'yes',
      file: file || undefined,
    })) {
      const place = document.querySelector(`.samples [id$="-${value}-panel"] code`);
      // Only what has changed loses its colors.
      if (place && place.textContent !== code) place.textContent = code;
    }
  };

  form.addEventListener('input', updateSamples);
  adder?.addEventListener('change', () => {
    if (adder.value === '') return;
    const field = addField(adder);
    adder.options[adder.selectedIndex]?.remove();
    adder.value = '';
    field.focus();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const words = new URLSearchParams(query()).toString();
    show(result, 'Waiting for the response…');
    const began = performance.now();
    try {
      const response = await fetch(words ? `${path}?${words}` : path, {
        method,
        headers: {
          ...(keyField?.value && { 'X-API-Key': keyField.value.trim() }),
          ...(bodyField && { 'Content-Type': 'application/json' }),
        },
        ...(bodyField && { body: bodyField.value }),
        cache: 'no-store',
        credentials: 'omit',
      });
      const blob = await response.blob();
      await showResponse(result, response, blob, performance.now() - began);
    } catch {
      show(result, 'The server did not answer.', false);
    }
  });
}

function addField(adder: HTMLSelectElement): HTMLInputElement {
  const label = document.createElement('label');
  const field = document.createElement('input');
  field.dataset.name = adder.value;
  label.append(`${adder.value} `, field);
  adder.parentElement?.before(label);
  return field;
}

/** The properties of a JSON object; undefined while it is not one. */
function fieldsOf(text: string): [string, Expression][] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.entries(value).map(([name, each]) => [name, expressionOf(each)]);
  } catch {
    return undefined;
  }
}

function show(place: HTMLElement, text: string, good?: boolean): HTMLElement {
  const line = document.createElement('p');
  line.className = `status${good === undefined ? '' : good ? ' good' : ' bad'}`;
  line.textContent = text;
  place.replaceChildren(line);
  return line;
}

const longestShown = 20_000;

async function showResponse(place: HTMLElement, response: Response, blob: Blob, ms: number): Promise<void> {
  const cache = response.headers.get('x-cache');
  const facts = [`${blob.size.toLocaleString('en')} bytes`, `${Math.round(ms)} ms`, ...(cache ? [cache] : [])];
  show(place, `${response.status} ${response.statusText} · ${facts.join(' · ')}`, response.ok);
  if (blob.type.startsWith('image/')) {
    const image = new Image();
    image.alt = 'The result';
    image.src = URL.createObjectURL(blob);
    image.addEventListener('load', () => URL.revokeObjectURL(image.src), { once: true });
    place.append(image);
  } else if (blob.type === 'application/pdf') {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = 'result.pdf';
    link.textContent = 'Save the PDF';
    place.append(link);
  } else {
    const code = document.createElement('pre');
    code.tabIndex = 0;
    const text = await blob.text();
    code.textContent = readable(text, blob.type).slice(0, longestShown);
    place.append(code);
  }
}

function readable(text: string, type: string): string {
  try {
    return type.startsWith('application/json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
  } catch {
    return text;
  }
}
