import type { ReactNode } from 'react';

/** A titled part of the record with its acts at the right. */
export function Section({ title, acts, children }: { title: ReactNode; acts?: ReactNode; children: ReactNode }) {
  return (
    <section className="pa-section">
      <header>
        <h3>{title}</h3>
        {acts && <span className="pa-card-acts">{acts}</span>}
      </header>
      {children}
    </section>
  );
}
