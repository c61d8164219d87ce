import type { ReactNode } from 'react';

/** A titled block of a page. */
export function Section({ title, extra, children }: { title?: ReactNode; extra?: ReactNode; children: ReactNode }) {
  return (
    <section className="kq-section">
      {(title || extra) && (
        <header className="kq-section-head">
          <h3>{title}</h3>
          {extra}
        </header>
      )}
      {children}
    </section>
  );
}
