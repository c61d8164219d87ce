import { instantOf, showInstant } from '#kernel/contract/time.ts';
import type { FigureLevel, FigureUnit } from '#kernel/contract/status.ts';
import type { StatusFigure, StatusValue } from '../../contract/calls/status.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GIB = 1024 ** 3;

/** `2小时5分钟`: the two largest units that matter. */
export function showSeconds(value: number): string {
  const seconds = Math.round(value);
  if (seconds < MINUTE) return `${seconds}秒`;
  const [unit, name, below, belowName] =
    seconds < HOUR ? [MINUTE, '分钟', 1, '秒'] : seconds < DAY ? [HOUR, '小时', MINUTE, '分钟'] : [DAY, '天', HOUR, '小时'];
  const whole = Math.floor(seconds / Number(unit));
  const rest = Math.floor((seconds % Number(unit)) / Number(below));
  return `${whole}${name}${rest > 0 && (whole < 10 || unit !== MINUTE) ? `${rest}${belowName}` : ''}`;
}

const oneDecimal = (value: number) => String(Math.round(value * 10) / 10);

export function showFigure(unit: FigureUnit, value: number): string {
  switch (unit) {
    case 'SECONDS':
      return showSeconds(value);
    case 'BYTES':
      return value < GIB ? `${Math.round(value / 1024 ** 2)} MB` : `${oneDecimal(value / GIB)} GB`;
    case 'SHARE':
      return `${oneDecimal(value * 100)}%`;
    case 'YES_NO':
      return value > 0 ? '是' : '否';
    case 'MOMENT':
      return showInstant(instantOf(value * 1000));
    case 'COUNT':
      return String(value);
  }
}

/** `超过2分钟注意，超过15分钟告警`; empty for a figure without limits and for yes and no, which say it themselves. */
export function showLimit({ unit, limit }: StatusFigure): string {
  if (!limit || unit === 'YES_NO') return '';
  const word = limit.side === 'above' ? '超过' : '低于';
  const part = (bound: number | null, what: string) =>
    bound === null ? [] : [bound === 0 ? `出现即${what}` : `${word}${showFigure(unit, bound)}${what}`];
  return [...part(limit.amber, '注意'), ...part(limit.red, '告警')].join('，');
}

export const levels: Readonly<Record<FigureLevel, { word: string; tone: 'success' | 'warning' | 'error' }>> = {
  NORMAL: { word: '正常', tone: 'success' },
  AMBER: { word: '注意', tone: 'warning' },
  RED: { word: '告警', tone: 'error' },
};

export const rank: Readonly<Record<FigureLevel, number>> = { RED: 0, AMBER: 1, NORMAL: 2 };

export const worst = (values: readonly Pick<StatusValue, 'level'>[]): FigureLevel =>
  values.map(({ level }) => level).toSorted((a, b) => rank[a] - rank[b])[0] ?? 'NORMAL';

export interface StatusRow {
  key: string;
  label: string;
  level: FigureLevel;
  /** By metric. */
  cells: ReadonlyMap<string, StatusValue>;
}

/** What comes next stands first. */
const soonest = ({ cells }: StatusRow, moments: readonly string[]): number =>
  Math.max(0, ...moments.map((metric) => cells.get(metric)?.value ?? 0));

/** Values of figures that stand more than once, a row for each key: what is wrong first, then by the last of the moments. */
export function rowsOf(figures: readonly Pick<StatusFigure, 'metric' | 'unit'>[], values: readonly StatusValue[]): StatusRow[] {
  const moments = figures.filter(({ unit }) => unit === 'MOMENT').map(({ metric }) => metric);
  const byKey = Map.groupBy(
    values.filter(({ key }) => key !== null),
    ({ key }) => key ?? '',
  );
  return [...byKey]
    .map(([key, of]) => ({ key, label: of[0]?.label ?? key, level: worst(of), cells: new Map(of.map((one) => [one.metric, one])) }))
    .toSorted((a, b) => rank[a.level] - rank[b.level] || soonest(a, moments) - soonest(b, moments));
}

/** Nothing to look at: all its figures are nought. */
export const isQuiet = ({ cells }: StatusRow): boolean => [...cells.values()].every(({ value }) => value === 0);
