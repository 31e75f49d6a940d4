// Runs at the start of every document that has scripts, before any of them: notes when elements were last added and when
// anything last changed after `load`. A page that begins to build itself in its load handler would else be quiet by the
// time we ask.

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
