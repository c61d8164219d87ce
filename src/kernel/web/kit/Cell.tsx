import type { ReactNode } from 'react';
import { grouped } from '../../contract/money.ts';
import type { Column } from './columns.ts';
import { isMeasure } from './columnWidths.ts';
import { Masked } from './Masked.tsx';
import { plainText } from './plainText.ts';
import { PageLink } from './PageLink.tsx';
import { Dict, Money, NOTHING, showRate, Time } from './values.tsx';

const LEVEL = ' / ';

/** A path gives way before its last part: that is where rows differ. */
function shown(text: string): ReactNode {
  const at = text.lastIndexOf(LEVEL);
  if (at === -1 || isMeasure(text)) return text;
  return (
    <span className="kq-path">
      <span>{text.slice(0, at)}</span>
      <span>{text.slice(at)}</span>
    </span>
  );
}

const textOf = (value: unknown): string => plainText(value) || NOTHING;

/** One cell: long text is cut by CSS alone and shown in full on hover. */
export function Cell<Row extends object>({ column, row }: { column: Column<Row>; row: Row }) {
  if (column.kind === 'custom') return <>{column.render(row)}</>;
  const value = column.value ? column.value(row) : (row as Record<string, unknown>)[column.key];
  const text = textOf(value);
  switch (column.kind) {
    case 'dict':
      return <Dict of={column.dictionary} code={plainText(value)} plain={column.plain ?? false} />;
    case 'money':
      return <Money fen={value as string | number | null} />;
    case 'rate':
      return <span className="kq-number">{showRate(value === null || value === undefined ? null : Number(value))}</span>;
    case 'time':
      return <Time at={value as string | null} />;
    case 'number':
      return <span className="kq-number">{typeof value === 'number' ? grouped(value) : text}</span>;
    case 'day':
    case 'month':
      return <span className="kq-number">{text}</span>;
    case 'flag':
      return <>{value === null || value === undefined ? NOTHING : value ? '是' : '否'}</>;
    case 'image':
      return value ? <img src={plainText(value)} alt={column.title} className="kq-thumb" loading="lazy" /> : <>{NOTHING}</>;
    case 'masked':
      return (
        <Masked
          value={text === NOTHING ? null : text}
          permission={column.masked.permission}
          withReason={column.masked.withReason ?? false}
          reveal={(reason) => column.masked.reveal(row, reason)}
        />
      );
    case 'link': {
      const target = column.to(row);
      if (!target || text === NOTHING) return <>{text}</>;
      if (typeof target === 'function') {
        return (
          <button type="button" className="kq-link" title={text} onClick={target}>
            {shown(text)}
          </button>
        );
      }
      return (
        <PageLink to={target.path} {...(target.search && { search: target.search })}>
          {shown(text)}
        </PageLink>
      );
    }
    default:
      return <span title={text}>{shown(text)}</span>;
  }
}
