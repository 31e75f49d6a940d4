import type { RefObject } from 'react';

/** Chooses the file of a template; a button clicks on it. */
export const TemplateFileInput = ({
  handle,
  onChoose,
}: {
  handle: RefObject<HTMLInputElement | null>;
  onChoose: (file: File) => void;
}) => (
  <input
    ref={handle}
    type="file"
    accept=".html,.htm"
    aria-label="Template file to import"
    className="sr-only"
    tabIndex={-1}
    onChange={(event) => {
      const [file] = event.target.files ?? [];
      // The same file can be chosen again.
      event.target.value = '';
      if (file) onChoose(file);
    }}
  />
);
