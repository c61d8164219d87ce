import { dayOf, hours, type Instant } from '#kernel/contract/time.ts';
import type { Fact, Facts } from '#kernel/contract/rules/rule.ts';
import { evaluateUnit, judgeRows, type ExplainedCondition } from './evaluateUnit.ts';
import type { FrozenRow, PackageSnapshot } from './snapshot.ts';

/** What was known of somebody in one conversation at one moment. */
export interface Glimpse {
  at: Instant;
  facts: Facts;
  /** Codes that were looked at; of any other one nothing is known, which is not the same as having no value. */
  codes: ReadonlySet<string>;
  followUp: boolean;
  marketing: boolean;
  alive: boolean;
  cancelled: boolean;
  /** The engine judged everybody's conditions by it; otherwise only a touch was decided by it. */
  judged: boolean;
}

/** Facts that count hours: they go on with the clock until they are read again. */
const HOUR_CODES: ReadonlySet<string> = new Set(['doctor.hoursSinceMessage', 'assistant.hoursSinceMessage']);

/** Facts that were read earlier on a day, as they are at a later moment of it. */
export function movedTo(facts: Facts, at: Instant): Facts {
  if (![...HOUR_CODES].some((code) => facts.has(code))) return facts;
  return new Map(
    [...facts].map(([code, fact]): [string, Fact] => {
      if (!HOUR_CODES.has(code) || fact.at === null) return [code, fact];
      const passed = Math.max(0, Math.floor((Date.parse(at) - Date.parse(fact.at)) / hours(1)));
      return [code, { ...fact, value: String(passed) }];
    }),
  );
}

/** The last that was known at a moment, of that day; null: of that day nothing was kept until then. */
export function glimpseAt(glimpses: readonly Glimpse[], at: Instant): Glimpse | null {
  const last = glimpses.findLast((one) => one.at <= at);
  return last !== undefined && dayOf(last.at) === dayOf(at) ? last : null;
}

/** Whether rows can be judged: all variables of those that count were looked at. Rows of which none counts need nothing. */
export function isKnown(rows: readonly FrozenRow[], glimpse: Glimpse | null): boolean {
  return rows.every(({ checked, variableCode }) => checked === 0 || (glimpse !== null && glimpse.codes.has(variableCode)));
}

export type Judged = { holds: boolean; explain: ExplainedCondition[] } | 'UNKNOWN';

/** Whether launch conditions held at a moment, as far as that is known. */
export function launchAt(snapshot: Pick<PackageSnapshot, 'launch' | 'mainLaunch'>, glimpse: Glimpse | null, at: Instant): Judged {
  if (!isKnown([...snapshot.launch, ...(snapshot.mainLaunch ?? [])], glimpse)) return 'UNKNOWN';
  return evaluateUnit(snapshot, glimpse === null ? new Map() : movedTo(glimpse.facts, at));
}

/** Whether other rows held at a moment, as far as that is known. */
export function rowsAt(
  rows: readonly FrozenRow[],
  glimpse: Glimpse | null,
  at: Instant,
): (Exclude<Judged, string> & { empty: boolean }) | 'UNKNOWN' {
  if (!isKnown(rows, glimpse)) return 'UNKNOWN';
  const { held, empty, explain } = judgeRows(rows, glimpse === null ? new Map() : movedTo(glimpse.facts, at));
  return { holds: held, empty, explain };
}
