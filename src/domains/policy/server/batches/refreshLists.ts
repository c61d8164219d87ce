import { sql } from 'kysely';
import type { Acting } from '../../../../kernel/server/command/acting.ts';
import { refreshPersons, refreshPolicy } from '../cover/cache.ts';
import { own } from '../database.ts';

const CHUNK = 5_000;
type Run = <T>(work: (acting: Acting) => Promise<T>) => Promise<T>;

/** What lists show of the persons of a batch follows behind what it changed, some at a time. */
export async function refreshLists(run: Run, batchId: string): Promise<void> {
  let after = '0';
  for (;;) {
    const last = await run(async ({ tx, today }) => {
      const { rows } = await sql<{ id: string }>`
        select distinct insured_item_id as id from policy_insured_batch_row
        where batch_id = ${batchId} and insured_item_id > ${after} order by 1 limit ${CHUNK}`.execute(tx);
      const itemIds = rows.map(({ id }) => id);
      if (itemIds.length > 0) await refreshPersons(tx, { itemIds }, today);
      return itemIds.at(-1);
    });
    if (last === undefined) break;
    after = last;
  }
  await run(async ({ tx, today }) => {
    const batch = await own(tx)
      .updateTable('policyInsuredBatch')
      .set({ listsFresh: true })
      .where('id', '=', batchId)
      .returning('policyIds')
      .executeTakeFirstOrThrow();
    for (const policyId of batch.policyIds.map(String).toSorted()) await refreshPolicy(tx, policyId, today);
  });
}
