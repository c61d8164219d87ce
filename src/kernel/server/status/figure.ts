import type { FigureLevel, FigureUnit } from '../../contract/status.ts';
import type { Instant } from '../../contract/time.ts';
import type { Db } from '../context.ts';

/** From where on a figure is worth a look (amber), or somebody's sleep (red). The alerts of `deploy/alerts.yaml` say the same. */
interface Limit {
  side: 'above' | 'below';
  amber?: number;
  red?: number;
  /** So many minutes it must have lasted before anybody is called. */
  minutes: number;
}

/** One figure about the running product: for Prometheus under `metric`, on the page 系统状态 under `label`. */
export interface Figure {
  /** As Prometheus has it: `kangqiao_…`, base units, `_ratio` for a share. */
  metric: string;
  /** English, for Prometheus. */
  help: string;
  /** Chinese, for the page. */
  label: string;
  unit: FigureUnit;
  /** Name of the label by which it stands more than once: `queue`. */
  by?: string;
  limit?: Limit;
  /** Chinese, on the page where it has no value although its source was read: `未配置`. */
  absent?: string;
}

export interface FigureValue {
  metric: string;
  /** Which one, where the figure has a `by`, and its Chinese name. */
  of?: { key: string; label: string };
  value: number;
  /** Chinese, beside the value on the page. */
  note?: string;
}

/** Where figures come from; a domain registers its own. */
export interface StatusSource {
  /** Chinese heading of its part of the page. */
  title: string;
  /** Page on which something can be done about it. */
  link?: { label: string; path: string };
  figures: readonly Figure[];
  /** Whether it asks the database; what does not is there while the database is away. */
  needsDatabase: boolean;
  /** Values of `now`, in few and short statements; a figure without one is absent. */
  read(at: { db: Db; now: Instant }): Promise<readonly FigureValue[]>;
}

export interface StatusPart extends Pick<StatusSource, 'title' | 'link' | 'figures'> {
  values: readonly FigureValue[];
}

export interface Reading {
  at: Instant;
  databaseUp: boolean;
  parts: readonly StatusPart[];
}

/** The one source of figures about the running product: `/metrics` and the page 系统状态 show what it says. */
export interface Status {
  figures(): readonly Figure[];
  read(): Promise<Reading>;
}

export function levelOf({ limit }: Pick<Figure, 'limit'>, value: number): FigureLevel {
  if (!limit) return 'NORMAL';
  const passes = (bound: number | undefined) => bound !== undefined && (limit.side === 'above' ? value > bound : value < bound);
  if (passes(limit.red)) return 'RED';
  return passes(limit.amber) ? 'AMBER' : 'NORMAL';
}

/** Seconds from then to `now`, never negative: clocks of machines differ. */
export const secondsSince = (then: Instant | null, now: Instant): number =>
  then === null ? 0 : Math.max(0, (Date.parse(now) - Date.parse(then)) / 1000);
