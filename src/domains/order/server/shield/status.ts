import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { ShieldStatus } from '../../contract/dictionaries.ts';

interface Told {
  enabled: boolean;
  effectiveFrom: Day;
  effectiveTo: Day | null;
}

/** How a row stands on a day. */
export function statusOn({ enabled, effectiveFrom, effectiveTo }: Told, today: Day): ShieldStatus {
  if (!enabled) return 'DISABLED';
  if (effectiveTo !== null && effectiveTo < today) return 'EXPIRED';
  return effectiveFrom > today ? 'WAITING' : 'EFFECTIVE';
}

/** The same of the rows of a query over `order_shield s`. */
export const statusColumn = (today: Day) => sql<ShieldStatus>`
  case
    when not s.enabled then 'DISABLED'
    when s.effective_to < ${today}::date then 'EXPIRED'
    when s.effective_from > ${today}::date then 'WAITING'
    else 'EFFECTIVE'
  end`;
