import { sql } from 'kysely';
import { Refusal } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { endorsementMachine } from '../../../contract/states.ts';
import { lockPolicies } from '../../access.ts';
import { own } from '../../database.ts';
import { refuseHindered, undoHindrances, type Hindrance } from '../../endorsements/undo.ts';
import { withdrawOrders } from '../../premium/withdraw.ts';
import { restoreFacts } from './applyRows.ts';
import { touchedPolicies } from '../impact.ts';
import type { BatchRecord } from '../records.ts';
import { publishRows, refreshLists } from './publishRows.ts';
import { lockedBatch, moveBatch } from '../settle.ts';

export const endorsementsOf = (db: Db | Tx, batchId: string) =>
  own(db)
    .selectFrom('policyEndorsement')
    .select(['id', 'endorsementNo', 'policyId', 'visibleAt', 'state'])
    .where('batchId', '=', batchId)
    .where('state', '=', 'VISIBLE')
    .orderBy('id')
    .execute();

/** Later endorsements that said something else of persons of whom the list said something. */
async function laterFacts(db: Db | Tx, batchId: string): Promise<string[]> {
  const { rows } = await sql<{ no: string }>`
    select distinct e.endorsement_no as no from policy_endorsement o
    join policy_endorsement e on e.policy_id = o.policy_id and e.seq > o.seq and e.visible_at is not null and e.undone_at is null
    join policy_insured_batch_row r on r.batch_id = o.batch_id and r.policy_id = o.policy_id and r.before is not null
    where o.batch_id = ${batchId} and o.undone_at is null and o.visible_at is not null and (
      (e.kind = 'CORRECT' and e.before ->> 'insuredItemId' = r.insured_item_id::text)
      or exists (select from policy_insured_batch_row n where n.batch_id = e.batch_id and n.insured_item_id = r.insured_item_id
        and n.before is not null))
    order by 1`.execute(db);
  return rows.map(({ no }) => no);
}

/** All that stands against taking a list back as a whole. */
export const batchHindrances = async (acting: { tx: Db | Tx; today: Day }, batchId: string): Promise<Hindrance[]> =>
  undoHindrances(acting, await endorsementsOf(acting.tx, batchId), await laterFacts(acting.tx, batchId));

async function takeBackAll(acting: Acting, batch: BatchRecord): Promise<void> {
  const ids = await touchedPolicies(acting.tx, batch.id);
  await lockPolicies(acting.tx, ids);
  const policies = await own(acting.tx).selectFrom('policyPolicy').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute();
  const endorsements = await endorsementsOf(acting.tx, batch.id);
  // Somebody may have signed, claimed or paid since it was confirmed.
  refuseHindered(await batchHindrances(acting, batch.id));
  for (const { id, endorsementNo } of endorsements)
    await moveState(acting, endorsementMachine, {
      targetType: 'policy.endorsement',
      targetId: id,
      targetNo: endorsementNo,
      action: 'undoWithBatch',
      from: 'VISIBLE',
      opinion: `清单批次${batch.batchNo}`,
    });
  await sql`
    update policy_endorsement set state = 'UNDONE', undone_at = ${acting.now}::timestamptz, undone_by = ${batch.updatedBy}::bigint,
      updated_at = ${acting.now}::timestamptz, version = version + 1
    where batch_id = ${batch.id} and state = 'VISIBLE'`.execute(acting.tx);
  await restoreFacts(acting, batch.id, batch.updatedBy);
  for (const { id } of endorsements) await withdrawOrders(acting, id);
  await sql`
    update policy_policy set version = version + 1, updated_at = ${acting.now}::timestamptz where id = any(${ids}::bigint[])`.execute(
    acting.tx,
  );
  await publishRows(acting, batch, new Map(policies.map((policy) => [policy.id, policy])), true);
  await moveBatch(acting, batch, 'undone', { undoneAt: acting.now, listsFresh: false });
}

/**
 * Takes a list back as a whole, in one transaction; lists of persons follow. What came against it meanwhile leaves it as it is, and
 * says so.
 */
export const undoJob = (kernel: Kernel): JobDeclaration<{ batchId: string }> =>
  job<{ batchId: string }>({
    name: 'policy.undoBatch',
    label: '清单批次整批撤销',
    retryLimit: 5,
    expireSeconds: 3600,
    subject: ({ batchId }) => batchId,
    async run({ batchId }, { transaction, traceId }) {
      const run = <T>(work: (acting: Acting) => Promise<T>): Promise<T> =>
        transaction((writing) => work(asSystem(writing, { now: kernel.clock.now(), traceId })));
      const whileUndoing = (work: (acting: Acting, batch: BatchRecord) => Promise<unknown>) =>
        run(async (acting) => {
          const batch = await lockedBatch(acting.tx, batchId);
          if (batch.state === 'UNDOING') await work(acting, batch);
        });
      try {
        await whileUndoing(takeBackAll);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        await whileUndoing((acting, batch) => moveBatch(acting, batch, 'kept', {}, error.message.slice(0, 200)));
        return;
      }
      const { state, listsFresh } = await run((acting) => lockedBatch(acting.tx, batchId));
      if (state === 'UNDONE' && !listsFresh) await refreshLists(run, batchId, 2);
    },
  });
