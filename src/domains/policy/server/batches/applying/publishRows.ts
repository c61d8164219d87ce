import type { Acting } from '#kernel/server/command/acting.ts';
import type { CoverChange } from '../../../contract/rules/cover.ts';
import type { PolicyRecord } from '../../access.ts';
import { own } from '../../database.ts';
import { publishInsured } from '../../endorsements/publish.ts';
import type { KeptChange, KeptSlice } from '../parsing/decide.ts';
import type { BatchRecord } from '../records.ts';
import { sql } from 'kysely';
import { refreshPersons, refreshPolicy } from '../../cover/cache.ts';

const ROWS_AT_ONCE = 100;
const read = ({ annualFen, ...slice }: KeptSlice) => ({ ...slice, annualFen: BigInt(annualFen) });
const changeOf = ({ write, supersede }: KeptChange): CoverChange => ({
  write: write.map(read),
  supersede: supersede.map(({ id, ...slice }) => ({ id, ...read(slice) })),
  lines: [],
});

/** Publishes whose cover a list changed, or changed back, some rows at a time. */
export async function publishRows(
  acting: Acting,
  batch: BatchRecord,
  policies: ReadonlyMap<string, PolicyRecord>,
  undo: boolean,
): Promise<void> {
  const { last } = await own(acting.tx)
    .selectFrom('policyInsuredBatchRow')
    .select((eb) => eb.fn.max('rowNo').as('last'))
    .where('batchId', '=', batch.id)
    .executeTakeFirstOrThrow();
  // By ranges: of what was written just now the planner knows too little to stop at a limit.
  const rowsFrom = (rowNo: number) =>
    own(acting.tx)
      .selectFrom('policyInsuredBatchRow')
      .select(['policyId', 'insuredItemId', 'change', 'backdated'])
      .where('batchId', '=', batch.id)
      .where('rowNo', '>=', rowNo)
      .where('rowNo', '<', rowNo + ROWS_AT_ONCE)
      .where('result', 'in', ['ADD', 'MODIFY', 'REMOVE'])
      .where('change', 'is not', null)
      .orderBy('rowNo')
      .execute();
  let next = rowsFrom(0);
  for (let rowNo = 0; rowNo <= (last ?? -1); rowNo += ROWS_AT_ONCE) {
    const rows = await next;
    // Asked for now: the database writes the events of the rows before while those of these rows are made.
    next = rowsFrom(rowNo + ROWS_AT_ONCE);
    next.catch(() => undefined); // heard where it is awaited
    for (const [place, some] of Map.groupBy(rows, ({ policyId, backdated }) => `${policyId}/${backdated}`)) {
      const [policyId = '', backdated] = place.split('/');
      const policy = policies.get(policyId);
      if (!policy) throw new Error(`Policy ${policyId} of a list is not locked`);
      await publishInsured(
        acting,
        some.map(({ insuredItemId, change }) => ({ insuredItemId: insuredItemId ?? '', change: changeOf(change as KeptChange) })),
        { policy, batchNo: batch.batchNo, backdated: backdated === 'true', undo },
      );
    }
  }
  await next;
}

const PERSONS_AT_ONCE = 1_000;
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
      const itemIds = persons.slice(from, (from += PERSONS_AT_ONCE));
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
