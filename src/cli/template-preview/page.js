// Shows the templates, and paints those again whose files have changed.
const main = document.querySelector('#templates');
const status = document.querySelector('#status');

const examples = [
  ['wide', '1200 × 630'],
  ['square', '840 × 840'],
  ['tall', '720 × 1280'],
];
const texts = [
  ['none', 'no values'],
  ['word', 'one word'],
  ['long', '300 characters'],
  ['arabic', 'Arabic'],
  ['japanese', 'Japanese'],
];

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

async function fill(figure, template, shape, values) {
  const query = new URLSearchParams({ template, shape, values });
  const answer = await fetch(`/card?${query}`);
  if (!answer.ok) return await answer.text();
  const image = element('img', { alt: `${template}: ${figure.textContent}` });
  image.src = URL.createObjectURL(await answer.blob());
  image.onload = () => URL.revokeObjectURL(image.src);
  figure.prepend(image);
  return undefined;
}

async function sectionOf({ name, description, fault }) {
  const section = element('section', {}, element('h2', { textContent: name }));
  if (description) section.append(element('p', { textContent: description }));
  const show = (line) => section.append(element('pre', { className: 'fault', textContent: line }));
  if (fault) {
    show(fault);
    return section;
  }
  const row = (kind, cards) => {
    const figures = cards.map(([, label]) => element('figure', {}, element('figcaption', { textContent: label })));
    section.append(element('div', { className: `cards ${kind}` }, ...figures));
    return figures;
  };
  const [first, ...others] = row('example', examples);
  const mistake = await fill(first, name, 'wide', 'example');
  if (mistake) {
    section.querySelector('.cards').remove();
    show(mistake);
    return section;
  }
  const more = row('texts', texts);
  await Promise.all([
    ...others.map((figure, i) => fill(figure, name, examples[i + 1][0], 'example')),
    ...more.map((figure, i) => fill(figure, name, 'wide', texts[i][0])),
  ]);
  return section;
}

const shown = new Map();
let asked = 0;

async function update() {
  const turn = ++asked;
  const { templates } = await (await fetch('/state')).json();
  const sections = await Promise.all(
    templates.map(async (template) => {
      const before = shown.get(template.name);
      return before?.version === template.version ? before : { ...template, section: await sectionOf(template) };
    }),
  );
  // A later change may have been shown already.
  if (turn !== asked) return;
  shown.clear();
  for (const each of sections) shown.set(each.name, each);
  main.replaceChildren(...sections.map(({ section }) => section));
  const faults = main.querySelectorAll('.fault').length;
  status.textContent =
    templates.length === 0
      ? 'No file of the folder ends in .html.'
      : `${templates.length} in this folder, painted at ${new Date().toLocaleTimeString()}${faults > 0 ? `; ${faults} with a mistake` : ''}.`;
}

const changes = new EventSource('/changes');
changes.onmessage = () => update();
// Also after the program was started again.
changes.onopen = () => update();
changes.onerror = () => {
  status.textContent = 'tintype templates dev has ended.';
};
