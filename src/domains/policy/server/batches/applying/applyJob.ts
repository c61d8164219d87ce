import { sql, type RawBuilder } from 'kysely';
import { Refusal, refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { policyErrors } from '../../../contract/errors.ts';
import { endorsementMachine, isTerminal, policyMachine } from '../../../contract/states.ts';
import { lockPolicies, type PolicyRecord } from '../../access.ts';
import { json, own } from '../../database.ts';
import { periodOf } from '../../endorsements/carryOut.ts';
import { orderKindOf } from '../../premium/firstOrder.ts';
import { openOrder } from '../../premium/makeOrder.ts';
import { applyChunk, writeFacts } from './applyRows.ts';
import { impactOf, touchedPolicies } from '../impact.ts';
import type { BatchRecord } from '../records.ts';
import { publishRows, refreshLists } from './publishRows.ts';
import { lockedBatch, moveBatch } from '../settle.ts';

interface Sum {
  policyId: string;
  add: number;
  modify: number;
  remove: number;
  premiumFen: string;
  firstDay: Day | null;
  persons: number;
}

/** What the rows of each policy come to. */
async function sumsOf({ tx }: Acting, batchId: string): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    select policy_id, count(*) filter (where result = 'ADD')::int as add, count(*) filter (where result = 'MODIFY')::int as modify,
      count(*) filter (where result = 'REMOVE')::int as remove, coalesce(sum(premium_fen), 0)::text as premium_fen,
      min(first_day)::text as first_day, count(*) filter (where lines is not null)::int as persons
    from policy_insured_batch_row where batch_id = ${batchId} and result in ('ADD', 'MODIFY', 'REMOVE')
    group by policy_id order by policy_id`.execute(tx);
  return rows;
}

const summaryOf = ({ add, modify, remove }: Sum): string =>
  [add > 0 && `新增${add}人`, modify > 0 && `变更${modify}人`, remove > 0 && `减员${remove}人`].filter(Boolean).join('，');

/** The policies of a list under their locks, as they stand. @throws Refusal SCM13012, SCM13024 */
async function lockedPolicies(acting: Acting, batch: BatchRecord): Promise<Map<string, PolicyRecord>> {
  const ids = await touchedPolicies(acting.tx, batch.id);
  await lockPolicies(acting.tx, ids);
  const policies = await own(acting.tx).selectFrom('policyPolicy').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute();
  const over = policies.find(({ state }) => isTerminal(state));
  if (over) throw refuse(policyErrors.POLICY_OVER, { state: policyMachine.states[over.state].label.replace(/^已/, '') });
  const { impactHash, impact } = await impactOf(acting.tx, batch, acting.today);
  if (impactHash !== batch.impactHash || impact.stale) throw refuse(policyErrors.IMPACT_CHANGED);
  return new Map(policies.map((policy) => [policy.id, policy]));
}

/** One endorsement per policy, which nobody sees before all of it stands. */
async function begin(acting: Acting, batch: BatchRecord): Promise<void> {
  const policies = await lockedPolicies(acting, batch);
  const known = await own(acting.tx)
    .selectFrom('policyEndorsement')
    .select('policyId')
    .where('batchId', '=', batch.id)
    .where('state', '=', 'DRAFT')
    .execute();
  const there = new Set(known.map(({ policyId }) => policyId));
  for (const sum of await sumsOf(acting, batch.id)) {
    const policy = policies.get(sum.policyId);
    if (!policy || there.has(sum.policyId)) continue;
    await own(acting.tx)
      .insertInto('policyEndorsement')
      .values({
        endorsementNo: await nextNumber(acting.tx, 'PD', acting.today),
        policyId: policy.id,
        kind: 'MIXED',
        effectiveOn: sum.firstDay ?? acting.today,
        reason: `清单批次${batch.batchNo}`,
        before: json({ coverageEnd: policy.coverageEnd }),
        after: json({ summary: summaryOf(sum) }),
        premiumDeltaFen: sum.premiumFen,
        batchId: batch.id,
        state: 'DRAFT',
        makerId: batch.makerId,
        makerName: batch.makerName,
        checkerId: batch.checkerId,
        ...createdColumns({ now: acting.now, userId: batch.makerId }),
      })
      .execute();
  }
}

/** What `instalmentOf` says of an amount, by the database. */
const partOfLine = (amount: RawBuilder<unknown>, no: RawBuilder<unknown>, of: RawBuilder<unknown>) =>
  sql`(
    sign(${amount}) * ((2 * abs(${amount}) * ${no} + ${of}) / (2 * ${of}) - (2 * abs(${amount}) * (${no} - 1) + ${of}) / (2 * ${of}))
  )::bigint`;

/** The part of a policy's premium that its first order asks for: each line is split for itself. */
async function partOfSum({ tx }: Acting, batchId: string, sum: Sum, part: { no: number; of: number }): Promise<bigint> {
  if (part.of === 1) return BigInt(sum.premiumFen);
  const { rows } = await sql<{ fen: string }>`
    select coalesce(sum(${partOfLine(sql`(l ->> 'amount_fen')::bigint`, sql`${part.no}::bigint`, sql`${part.of}::bigint`)}), 0)::text as fen
    from policy_insured_batch_row r, jsonb_array_elements(r.lines) l
    where r.batch_id = ${batchId} and r.policy_id = ${sum.policyId} and r.result in ('ADD', 'MODIFY', 'REMOVE')`.execute(tx);
  return BigInt(rows[0]?.fen ?? '0');
}

/** The one premium order of each policy; its lines stand with the rows. */
async function writeOrders(acting: Acting, batch: BatchRecord, policies: ReadonlyMap<string, PolicyRecord>): Promise<void> {
  const { rows: endorsements } = await sql<{ id: string; policyId: string }>`
    select id::text as id, policy_id::text as policy_id from policy_endorsement where batch_id = ${batch.id} and state = 'VISIBLE'`.execute(
    acting.tx,
  );
  const endorsementOf = new Map(endorsements.map(({ id, policyId }) => [policyId, id]));
  for (const sum of await sumsOf(acting, batch.id)) {
    const policy = policies.get(sum.policyId)!;
    const firstDay = sum.firstDay ?? acting.today;
    const asked = await orderKindOf(acting, policy, { firstCover: sum.add > 0, period: periodOf(firstDay, policy.coverageEnd) });
    await openOrder(
      acting,
      policy,
      { amountFen: await partOfSum(acting, batch.id, sum, asked.part), persons: sum.persons, firstDay },
      {
        ...asked,
        sourceEndorsementId: endorsementOf.get(sum.policyId) ?? null,
        maker: { id: batch.makerId, name: batch.makerName },
        state: 'PENDING_AUDIT',
      },
    );
  }
  await sql`
    insert into policy_premium_order_item (
      premium_order_id, generation, line_no, insured_item_id, plan_code, annual_premium_fen, date_from, date_to, days, basis, fee_fen,
      amount_fen, calc
    )
      select o.id, o.generation, row_number() over (partition by o.id order by r.row_no, l.at), r.insured_item_id, i.plan_code,
          i.annual_premium_fen, i.date_from, i.date_to, i.days, i.basis, i.fee_fen,
          ${partOfLine(sql`i.amount_fen`, sql`o.part_no`, sql`o.part_of`)},
          case when o.part_of = 1 then i.calc else i.calc || '，第' || o.part_no || '期/共' || o.part_of || '期' end
        from policy_insured_batch_row r
        join policy_endorsement e on e.batch_id = r.batch_id and e.policy_id = r.policy_id and e.state = 'VISIBLE'
        join policy_premium_order o on o.source_endorsement_id = e.id and o.reverses_order_id is null and o.state <> 'VOIDED'
        cross join lateral jsonb_array_elements(r.lines) with ordinality l (line, at)
        cross join lateral jsonb_populate_record(null::policy_premium_order_item, l.line) i
        where r.batch_id = ${batch.id} and r.result in ('ADD', 'MODIFY', 'REMOVE')`.execute(acting.tx);
}

/** The one transaction in which a list takes effect: cover, facts, numbers, premium, and who is told. */
async function flip(acting: Acting, batch: BatchRecord): Promise<void> {
  const policies = await lockedPolicies(acting, batch);
  await writeFacts(acting, batch.id, batch.makerId);
  const { rows: endorsements } = await sql<{ id: string; endorsementNo: string }>`
    update policy_endorsement e set state = 'VISIBLE', visible_at = ${acting.now}::timestamptz, seq = p.endorsement_seq + 1,
      updated_at = ${acting.now}::timestamptz, version = e.version + 1
    from policy_policy p where p.id = e.policy_id and e.batch_id = ${batch.id} and e.state = 'DRAFT'
    returning e.id::text as id, e.endorsement_no`.execute(acting.tx);
  for (const { id, endorsementNo } of endorsements)
    await moveState(acting, endorsementMachine, {
      targetType: 'policy.endorsement',
      targetId: id,
      targetNo: endorsementNo,
      action: 'apply',
      from: 'DRAFT',
      opinion: `清单批次${batch.batchNo}`,
    });
  await sql`
    update policy_policy set endorsement_seq = endorsement_seq + 1, version = version + 1, updated_at = ${acting.now}::timestamptz
    where id = any(${[...policies.keys()]}::bigint[])`.execute(acting.tx);
  await writeOrders(acting, batch, policies);
  await publishRows(acting, batch, policies, false);
  await moveBatch(acting, batch, 'applied', { appliedAt: acting.now, listsFresh: false, failure: null });
}

const UNKNOWN = '系统异常，请点“继续”重试；仍不成功请作废后重新导入';

/** A list takes effect: nobody sees any of it before all of it stands; who begins again after a break goes on behind what is written. */
export const applyJob = (kernel: Kernel): JobDeclaration<{ batchId: string }> =>
  job<{ batchId: string }>({
    name: 'policy.applyBatch',
    label: '清单批次生效',
    retryLimit: 5,
    expireSeconds: 3600,
    subject: ({ batchId }) => batchId,
    async run({ batchId }, { transaction, traceId, signal }) {
      const run = <T>(work: (acting: Acting) => Promise<T>): Promise<T> =>
        transaction((writing) => work(asSystem(writing, { now: kernel.clock.now(), traceId })));
      /** False: the list is not, or no longer, to be applied. */
      const whileApplying = (work: (acting: Acting, batch: BatchRecord) => Promise<boolean | void>): Promise<boolean> =>
        run(async (acting) => {
          const batch = await lockedBatch(acting.tx, batchId);
          return batch.state === 'APPLYING' && (await work(acting, batch)) !== false;
        });
      try {
        if (await whileApplying(begin)) {
          let more = true;
          while (more && !signal.aborted)
            more = await whileApplying(async (acting, batch) => {
              const upto = Number(batch.appliedUpto);
              const done = await applyChunk(acting, batchId, upto, batch.makerId);
              await own(acting.tx)
                .updateTable('policyInsuredBatch')
                .set((eb) => ({ appliedRows: eb('appliedRows', '+', done.rows), appliedUpto: String(done.upto) }))
                .where('id', '=', batchId)
                .execute();
              return done.upto !== upto;
            });
          if (signal.aborted) return;
          await whileApplying(flip);
        }
      } catch (error) {
        const refused = error instanceof Refusal;
        if (!refused) kernel.log.error({ error, traceId, batchId }, 'a list of insured persons could not be applied');
        await whileApplying(async (acting, batch) => {
          const failure = refused ? error.message.slice(0, 500) : UNKNOWN;
          await moveBatch(acting, batch, 'broke', { failure }, failure);
        });
        return;
      }
      const { state, listsFresh } = await run((acting) => lockedBatch(acting.tx, batchId));
      if (state === 'APPLIED' && !listsFresh) await refreshLists(run, batchId, 1);
    },
  });
