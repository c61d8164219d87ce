import { sql } from 'kysely';
import type { Acting } from '../../../../kernel/server/command/acting.ts';
import { refreshPersons, refreshPolicy } from '../cover/cache.ts';
import { own } from '../database.ts';

const CHUNK = 1_000;
type Run = <T>(work: (acting: Acting) => Promise<T>) => Promise<T>;

/**
 * What lists show of the persons of a batch follows behind what it changed, some at a time.
 * @param atOnce chunks that are written at the same time: who waits for it takes two; more than one leaves nothing of two cores to others
 */
export async function refreshLists(run: Run, batchId: string, atOnce: 1 | 2): Promise<void> {
  const persons = await run(async ({ tx }) => {
    const { rows } = await sql<{ id: string }>`
      select distinct insured_item_id as id from policy_insured_batch_row
      where batch_id = ${batchId} and insured_item_id is not null order by 1`.execute(tx);
    return rows.map(({ id }) => id);
  });
  let from = 0;
  const chunkAfterChunk = async () => {
    while (from < persons.length) {
      const itemIds = persons.slice(from, (from += CHUNK));
      await run(({ tx, today }) => refreshPersons(tx, { itemIds }, today));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, chunkAfterChunk));
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
