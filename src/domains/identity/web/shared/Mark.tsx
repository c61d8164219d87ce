import type { ReactNode } from 'react';
import type { Tone } from '#kernel/contract/dictionary.ts';

/** A word in the colours of coded values, where there is no dictionary behind it. */
export function Mark({ tone = 'default', title, children }: { tone?: Tone; title?: string | undefined; children: ReactNode }) {
  return (
    <span className={`kq-dict kq-dict-${tone}`} title={title}>
      {children}
    </span>
  );
}
