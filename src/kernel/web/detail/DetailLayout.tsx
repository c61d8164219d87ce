import { Descriptions, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { TableFailure } from '../kit/TableState.tsx';
import { NOTHING } from '../kit/values.tsx';

export { Section } from './Section.tsx';

interface DetailLayoutProps {
  /** Number or name that people call the record. */
  title: ReactNode;
  /** State tag beside the title. */
  state?: ReactNode;
  /** A line under the title: who, when, which product. */
  subtitle?: ReactNode;
  /** Buttons that the role and the state allow. */
  actions?: ReactNode;
  loading?: boolean;
  error?: unknown;
  onRetry?(): void;
  children?: ReactNode;
  /** Right column: timeline, related records. */
  aside?: ReactNode;
}

/** Header with number, state and actions; facts in groups below; timeline at the side. */
export function DetailLayout({ title, state, subtitle, actions, loading = false, error, onRetry, children, aside }: DetailLayoutProps) {
  if (error) return <TableFailure error={error} onRetry={onRetry} />;
  if (loading) return <Skeleton active paragraph={{ rows: 10 }} className="kq-pad" />;
  return (
    <div className="kq-detail">
      <header className="kq-detail-head">
        <div>
          <h2>
            {title} {state}
          </h2>
          {subtitle && <p className="kq-muted">{subtitle}</p>}
        </div>
        <div className="kq-detail-actions">{actions}</div>
      </header>
      <div className={aside ? 'kq-detail-body kq-detail-split' : 'kq-detail-body'}>
        <div className="kq-detail-main">{children}</div>
        {aside && <aside className="kq-detail-aside">{aside}</aside>}
      </div>
    </div>
  );
}

interface FactsProps {
  title?: ReactNode;
  facts: readonly { label: string; value: ReactNode; wide?: boolean }[];
  columns?: number;
  extra?: ReactNode;
}

const DAY = /(\d{4}-\d{2}-\d{2})/;
/** No day is broken at its hyphens, however narrow its column is. */
function unbroken(value: ReactNode): ReactNode {
  if (typeof value !== 'string' || !DAY.test(value)) return value;
  const parts = value.split(DAY);
  return (
    <span>
      {parts.map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <span key={at} className="kq-unbroken">
            {part}
          </span>
        ),
      )}
    </span>
  );
}

/** One group of facts, in columns of one width: those of groups below one another stand in one line. */
export function Facts({ title, facts, columns = 3, extra }: FactsProps) {
  return (
    <section className="kq-section">
      <Descriptions
        className="kq-facts"
        title={title}
        extra={extra}
        size="small"
        column={columns}
        items={facts.map(({ label, value, wide }) => ({
          key: label,
          label,
          children: unbroken(value) ?? NOTHING,
          span: wide ? columns : 1,
        }))}
      />
    </section>
  );
}
