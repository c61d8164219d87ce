import { useEffect } from 'react';

/** Hands a list's filters, as text, to whoever sums over them. */
export function ReportFilters({ filters, onChange }: { filters: object; onChange(text: string): void }) {
  const text = JSON.stringify(filters);
  useEffect(() => onChange(text), [text, onChange]);
  return null;
}

/** Totals over the filter, below the list. */
export const TotalsLine = ({ parts }: { parts: readonly (readonly [label: string, value: string])[] }) => (
  <p className="kq-muted" style={{ margin: '8px 0 0', display: 'flex', flexWrap: 'wrap', gap: 24 }} aria-label="合计">
    <span>合计</span>
    {parts.map(([label, value]) => (
      <span key={label}>
        {label} <b className="kq-number">{value}</b>
      </span>
    ))}
  </p>
);
