import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { UnreadScope, type Unread } from '../form/unread.ts';
import { offerReopening } from '../router/layerHistory.ts';

/** A dialog or drawer as its opener writes it: `(close) => <CodeForm code={code} onClose={close} />`. */
type Layer = (close: () => void) => ReactNode;

export interface Layers {
  /** Shows it in the place of what is open; its code is loaded now where it is lazy. */
  open(layer: Layer): void;
  /** Stands once on the page, beside what it covers. */
  shown: ReactNode;
}

/** What clicks open over a page, one at a time; the browser's Forward opens again what Back has closed. */
export function useLayers(): Layers {
  const [opened, setOpened] = useState<{ no: number; layer: Layer; unread: Unread; close(): void } | null>(null);
  const count = useRef(0);
  const stands = useRef(false);
  useEffect(() => {
    stands.current = true;
    return () => void (stands.current = false);
  }, []);
  const open = useCallback((layer: Layer) => {
    count.current += 1;
    const no = count.current;
    // One that opened another in its place does not close that.
    setOpened({ no, layer, unread: new Map(), close: () => setOpened((now) => (now?.no === no ? null : now)) });
    offerReopening(() => {
      if (stands.current) open(layer);
      return stands.current;
    });
  }, []);
  // Opened again, it begins anew: nothing of the former record stays in its fields.
  const shown = opened && (
    <Suspense fallback={null} key={opened.no}>
      <UnreadScope value={opened.unread}>{opened.layer(opened.close)}</UnreadScope>
    </Suspense>
  );
  return { open, shown };
}
