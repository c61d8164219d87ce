import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { provideToasts } from './toast.ts';

interface Shown {
  id: number;
  kind: 'success' | 'info' | 'warning' | 'error';
  content: ReactNode;
}

const signs = { success: '✓', info: 'i', warning: '!', error: '✕' } as const;
const MOST = 4;
let nextId = 1;

/** Where toasts appear: top centre, newest below, read out by screen readers. */
export function Toasts() {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  useEffect(() => {
    provideToasts((kind, content, seconds) => {
      const id = nextId++;
      setShown((list) => [...list, { id, kind, content }].slice(-MOST));
      setTimeout(() => setShown((list) => list.filter((entry) => entry.id !== id)), seconds * 1000);
    });
    return () => provideToasts(() => {});
  }, []);
  return (
    <div className="kq-toasts" role="status" aria-live="polite">
      {shown.map((entry) => (
        <div key={entry.id} className={`kq-toast kq-toast-${entry.kind}`} role={entry.kind === 'error' ? 'alert' : undefined}>
          <i aria-hidden>{signs[entry.kind]}</i>
          {entry.content}
        </div>
      ))}
    </div>
  );
}
