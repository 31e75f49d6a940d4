// The template as it stands in the editor: its text, and what is said of its variables.
import { useEffect, useMemo, useState } from 'react';
import { api, type TemplateVariablesView, type VariableBody, type VariableView } from '../../api.ts';
import { useSettled } from '../../ui/settled.ts';

export type Draft = {
  readonly html: string;
  readonly description: string;
  /** By name. Also of variables that the text does not use at the moment. */
  readonly said: Readonly<Record<string, VariableBody>>;
  /** Those that the server found in the text, when it last could read it. */
  readonly variables: readonly VariableView[];
};

/** A template as the server sends it. */
export type Opened = TemplateVariablesView & { readonly html: string; readonly description: string };

export const draftOf = ({ html, description, variables, example }: Opened): Draft => ({
  html,
  description,
  variables,
  said: Object.fromEntries(
    variables.map(({ name, doc, default: preset }) => [
      name,
      { doc, ...(preset !== null && { default: preset }), ...(example[name] && { example: example[name] }) },
    ]),
  ),
});

/** What is saved: nothing of variables that the text does not use. */
export const contentOf = ({ html, description, said, variables }: Draft) => ({
  html,
  description,
  variables: Object.fromEntries(variables.map(({ name }) => [name, said[name] ?? {}])),
});

/** The order of the variables is no difference. */
const textOf = (draft: Draft) => {
  const { variables, ...content } = contentOf(draft);
  return JSON.stringify([content, Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1))]);
};

/** `before` is what is saved, if anything is. */
export function useDraft(initial: Draft, before: Draft | undefined) {
  const [draft, setDraft] = useState(initial);
  const [saved, setSaved] = useState(before ? textOf(before) : '');
  const { html } = draft;
  const settled = useSettled(html, 200);

  useEffect(() => {
    let isOver = false;
    if (settled.trim() === '') return;
    api.templateVariables({ html: settled }).then(
      ({ variables }) => {
        if (isOver) return;
        setDraft((current) => ({ ...current, variables: sameOr(current.variables, variables) }));
      },
      // The card shows the mistake.
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [settled]);

  const isChanged = useMemo(() => textOf(draft) !== saved, [draft, saved]);
  return {
    draft,
    isChanged,
    setHtml: (next: string) => setDraft((current) => ({ ...current, html: next })),
    setDescription: (description: string) => setDraft((current) => ({ ...current, description })),
    say: (name: string, field: keyof VariableBody, text: string) =>
      setDraft((current) => {
        const { [field]: _, ...others } = current.said[name] ?? {};
        return {
          ...current,
          said: { ...current.said, [name]: { ...others, ...(text !== '' && { [field]: text }) } },
        };
      }),
    replace: (next: Draft) => setDraft(next),
    markSaved: (content: Draft) => setSaved(textOf(content)),
  };
}

const sameOr = (before: readonly VariableView[], now: readonly VariableView[]) =>
  namesOf(before) === namesOf(now) ? before : now;
const namesOf = (variables: readonly VariableView[]) => variables.map(({ name, type }) => `${name}:${type}`).join();
