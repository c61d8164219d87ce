import type { Dictionary } from '../../contract/dictionary.ts';
import { yuan } from '../../contract/money.ts';
import type { Fen } from '../../contract/money.ts';
import type { Instant } from '../../contract/time.ts';
import { showInstant } from '../../contract/time.ts';

/** What is shown where there is no value. */
export const NOTHING = '—';

interface DictProps {
  of: Pick<Dictionary, 'label' | 'tone'>;
  code: string | null | undefined;
  /** Plain text instead of a tag. */
  plain?: boolean;
}

/** A coded value with its Chinese label, coloured by the contract's tone. */
export function Dict({ of, code, plain = false }: DictProps) {
  if (code === null || code === undefined || code === '') return <>{NOTHING}</>;
  if (plain) return <>{of.label(code)}</>;
  return <span className={`kq-dict kq-dict-${of.tone(code)}`}>{of.label(code)}</span>;
}

/** Fen as yuan with two decimals and thousands: `1,234.50`. */
export function Money({ fen, unit = false }: { fen: Fen | null | undefined; unit?: boolean }) {
  if (fen === null || fen === undefined) return <>{NOTHING}</>;
  return (
    <span className="kq-number">
      {unit && '¥'}
      {yuan(fen, true)}
    </span>
  );
}

/** Basis points as a percentage: 898 → 8.98%. */
export const showRate = (bp: number | null | undefined): string =>
  bp === null || bp === undefined ? NOTHING : `${(bp / 100).toFixed(2)}%`;

/** An instant in Asia/Shanghai; `day` shows the date alone, with the time on hover. */
export function Time({ at, day = false }: { at: Instant | null | undefined; day?: boolean }) {
  if (!at) return <>{NOTHING}</>;
  const text = showInstant(at);
  if (!day) return <span className="kq-number">{text}</span>;
  return (
    <span className="kq-number" title={text}>
      {text.slice(0, 10)}
    </span>
  );
}
