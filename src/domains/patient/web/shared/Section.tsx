import type { ReactNode } from 'react';

/** A titled part of the record with its acts at the right. */
export function Section({ title, actions, children }: { title: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="pa-section">
      <header>
        <h3>{title}</h3>
        {actions && <span className="pa-card-actions">{actions}</span>}
      </header>
      {children}
    </section>
  );
}
