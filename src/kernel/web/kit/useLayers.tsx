import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

/** A dialog or drawer as its opener writes it: `(close) => <CodeForm code={code} onClose={close} />`. */
type Layer = (close: () => void) => ReactNode;

export interface Layers {
  /** Shows it in the place of what is open; its code is loaded now where it is lazy. */
  open(layer: Layer): void;
  /** Stands once on the page, beside what it covers. */
  shown: ReactNode;
}

/** What clicks open over a page, one at a time. The keyboard goes back to where it was when the last one is closed. */
export function useLayers(): Layers {
  const [opened, setOpened] = useState<{ no: number; layer: Layer; close(): void } | null>(null);
  const count = useRef(0);
  const opener = useRef<Element | null>(null);
  const open = useCallback((layer: Layer) => {
    count.current += 1;
    opener.current ??= document.activeElement;
    const no = count.current;
    // One that opened another in its place does not close that.
    setOpened({ no, layer, close: () => setOpened((now) => (now?.no === no ? null : now)) });
  }, []);
  useEffect(() => {
    if (opened !== null) return;
    // It is gone at once, with its own way of giving the keyboard back.
    if (document.activeElement === document.body && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    opener.current = null;
  }, [opened]);
  // Opened again, it begins anew: nothing of the former record stays in its fields.
  const shown = opened && (
    <Suspense fallback={null} key={opened.no}>
      {opened.layer(opened.close)}
    </Suspense>
  );
  return { open, shown };
}
