import type { RawBuilder, SqlBool } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';

/** Who is asked for: condition on rows of an alias with insurer_id, product_id, product_line and adcode. */
export interface InsuredAsked {
  day: Day;
  today: Day;
  /** Whether the condition names regions, which are the persons' own. */
  byRegion: boolean;
  seen(alias: string): RawBuilder<SqlBool>;
}
export type CountInsured = (db: Db, asked: InsuredAsked) => Promise<number>;

let answer: CountInsured | null = null;

/** Told by policy, which knows who is covered (在保人数): statistics count nobody by themselves. */
export function fillInsuredCount(count: CountInsured): void {
  answer = count;
}

/** Nobody is insured where nothing keeps policies. */
export const countInsured: CountInsured = async (db, asked) => (answer ? answer(db, asked) : 0);
