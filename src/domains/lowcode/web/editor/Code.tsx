import { useEffect, useRef } from 'react';
import type { CodeField } from './codeField.ts';

interface Props {
  text: string;
  onChange(text: string): void;
  onReady(field: CodeField | null): void;
}

/** The field's code is loaded here alone. */
export function Code({ text, onChange, onReady }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ text, onChange, onReady });
  latest.current = { text, onChange, onReady };
  useEffect(() => {
    let field: CodeField | null = null;
    let gone = false;
    void import('./codeField.ts').then(({ openCodeField }) => {
      if (gone || !place.current) return;
      field = openCodeField(place.current, latest.current.text, (next) => latest.current.onChange(next));
      latest.current.onReady(field);
    });
    return () => {
      gone = true;
      field?.close();
      latest.current.onReady(null);
    };
  }, []);
  return <div ref={place} className="lc-editor-code" />;
}
