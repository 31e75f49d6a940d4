// Asks before unsaved text is lost: when the tab is closed, and when a link leads to another page of the dashboard.
import { useEffect } from 'react';

const question = 'Leave without saving? The changes to this template are lost.';

export function useAskBeforeLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const isHere = link instanceof HTMLAnchorElement && !link.hasAttribute('download') && link.target === '';
      if (!isHere || link.getAttribute('href')?.startsWith('#') || event.metaKey || event.ctrlKey) return;
      if (confirm(question)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, true);
    return () => {
      removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, true);
    };
  }, [isChanged]);
}
