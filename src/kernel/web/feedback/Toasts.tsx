import { useEffect } from 'react';
import { provideToasts } from './toast.ts';
import { showToast, useToastList } from './toastList.ts';

const signs = { success: '✓', info: 'i', warning: '!', error: '✕' } as const;

/** Where toasts appear: top centre, newest below, read out by screen readers. */
export function Toasts() {
  const shown = useToastList((state) => state.shown);
  useEffect(() => {
    provideToasts(showToast);
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
