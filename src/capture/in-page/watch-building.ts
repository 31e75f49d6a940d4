// Runs at the start of every document that has scripts, before any of them: records when elements were last added and when
// anything last changed after `load`. Otherwise the work of the page's load handlers would already be over when settle.ts
// looks for changes.

export default function () {
  if (self === top)
    addEventListener(
      'load',
      () => {
        const addsElements = ({ addedNodes }: MutationRecord) =>
          [...addedNodes].some((node) => node.nodeType === Node.ELEMENT_NODE);
        new MutationObserver((changes) => {
          globalThis.changedAt = performance.now();
          if (changes.some(addsElements)) globalThis.builtAt = globalThis.changedAt;
        }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
      },
      { capture: true, once: true },
    );
}
