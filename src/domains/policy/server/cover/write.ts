import { sql } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';
import { insertRecords } from '#kernel/server/database/insertRecords.ts';
import type { CoverChange } from '../../contract/rules/cover.ts';

export interface PersonChange {
  insuredItemId: string;
  change: CoverChange;
}

/** Rows of one statement. */
const AT_ONCE = 5_000;

/** Writes what an endorsement that nobody sees yet does to cover; written again, it changes nothing. */
export async function writeCover(tx: Tx, policyId: string, endorsementId: string, persons: readonly PersonChange[]): Promise<void> {
  const slices = persons.flatMap(({ insuredItemId, change }) =>
    change.write.map(({ planCode, from, to, annualFen }) => ({
      insuredItemId,
      policyId,
      planCode,
      coverageStart: from,
      coverageEnd: to,
      annualPremiumFen: annualFen,
      createdByEndorsementId: endorsementId,
    })),
  );
  for (let at = 0; at < slices.length; at += AT_ONCE) await insertRecords(tx, 'policy_cover_slice', slices.slice(at, at + AT_ONCE));
  const superseded = persons.flatMap(({ change }) => change.supersede.map(({ id }) => id));
  if (superseded.length > 0)
    await sql`insert into policy_cover_supersede (slice_id, endorsement_id)
      select id, ${endorsementId}::bigint from unnest(${superseded}::bigint[]) as t (id)`.execute(tx);
}
