// Unsaved text is not lost: a question comes before the tab is closed, before a link leads away and before signing out, and
// the browser's Back keeps the text until the template is opened again.
import { useEffect, useRef } from 'react';
import type { Draft } from './draft.ts';

const question = 'Leave without saving? The changes to this template are lost.';

/** By template. In memory only: signing out loads a new document. */
const kept = new Map<string, { readonly draft: Draft; readonly latest: number }>();

/** The text that was left behind, if no newer version was saved since. */
export function leftBehind(name: string, latest: number): Draft | undefined {
  const found = kept.get(name);
  return found?.latest === latest ? found.draft : undefined;
}

let hasUnsaved = false;
/** The user has agreed to lose the text, so that the browser need not ask again. */
let isLeaving = false;

/** Does what ends this document, such as signing out, unless the user would rather keep unsaved text. */
export async function leaveAfter(work: () => Promise<void>): Promise<void> {
  if (hasUnsaved && !confirm(question)) return;
  isLeaving = true;
  try {
    await work();
  } catch (error) {
    isLeaving = false;
    throw error;
  }
}

export function useAskBeforeLeaving(name: string, draft: Draft, latest: number, isChanged: boolean): void {
  const now = useRef({ draft, latest, isChanged });
  now.current = { draft, latest, isChanged };
  const isGivenUp = useRef(false);
  useEffect(
    () => () => {
      const { isChanged: isUnsaved, ...text } = now.current;
      if (isUnsaved && !isGivenUp.current) kept.set(name, text);
      else kept.delete(name);
    },
    [name],
  );
  useEffect(() => {
    if (!isChanged) return;
    hasUnsaved = true;
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const isHere = link instanceof HTMLAnchorElement && !link.hasAttribute('download') && link.target === '';
      if (!isHere || link.getAttribute('href')?.startsWith('#') || event.metaKey || event.ctrlKey) return;
      isGivenUp.current = confirm(question);
      if (isGivenUp.current) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, true);
    return () => {
      hasUnsaved = false;
      removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, true);
    };
  }, [isChanged]);
}
