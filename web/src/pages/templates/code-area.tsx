import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { Failed } from '../../ui/states.tsx';
import type { CodeEditor, Known, Mistake } from './code-editor.ts';

/** The text editor, which is loaded when it is first shown. The text belongs to it: `setText` replaces it. */
export function CodeArea({
  handle,
  text,
  onChange,
  known,
  mistake,
}: {
  handle: RefObject<CodeEditor | null>;
  text: string;
  onChange: (text: string) => void;
  known: Known;
  mistake: Mistake | undefined;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<CodeEditor>();
  const [error, setError] = useState<Error>();
  const latest = useRef({ text, onChange, known });
  latest.current = { text, onChange, known };
  useEffect(() => {
    let made: CodeEditor | undefined;
    let isOver = false;
    import('./code-editor.ts').then(
      ({ createCodeEditor }) => {
        if (isOver || place.current === null) return;
        made = createCodeEditor({
          parent: place.current,
          text: latest.current.text,
          onChange: (next) => latest.current.onChange(next),
          known: () => latest.current.known,
        });
        setEditor(made);
      },
      () => setError(new Error('The editor could not be loaded. The server may be restarting after an upgrade.')),
    );
    return () => {
      isOver = true;
      made?.destroy();
    };
  }, []);
  useImperativeHandle(handle, () => editor ?? noEditor, [editor]);
  const { line, column } = mistake ?? {};
  useEffect(() => {
    editor?.mark(line === undefined || column === undefined ? undefined : { line, column });
  }, [editor, line, column]);
  if (error) return <Failed error={error} retry={() => location.reload()} />;
  return (
    <div
      ref={place}
      data-editor
      className="h-96 overflow-hidden rounded-t-lg outline-ring focus-within:outline-2 lg:h-136"
    />
  );
}

const nothing = () => {};
const noEditor: CodeEditor = { setText: nothing, mark: nothing, goTo: nothing, focus: nothing, destroy: nothing };
