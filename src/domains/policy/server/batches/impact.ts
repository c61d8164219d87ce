import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { OutputOf } from '#kernel/contract/call.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { queryInsuredBatchImpact, type BatchImpact } from '../../contract/calls/batches.ts';
import { own } from '../database.ts';
import { batchRecords, type BatchRecord } from './records.ts';

/** A change of premium from which on a second person looks at a list. */
export const LARGE_PREMIUM_FEN = 10_000_000n;
/** Contracts and claims that are shown of each kind. */
const SHOWN = 200;

type Used = BatchImpact['contracts'][number] & { refType: string; state: string; outside: boolean; kept: boolean };

/** What the uses of persons who leave, or whose cover is taken back, have to do with it. */
async function usesOfRows(db: Db | Tx, batchId: string): Promise<Used[]> {
  const { rows } = await sql<Used>`
    select u.ref_no, r.name, case when r.from_sheet then r.row_no end as row_no, u.use_from::text as day, u.ref_type, u.state,
      (r.leave_on is not null and u.use_from > r.leave_on) or r.op is distinct from 'REMOVE' as outside,
      coalesce(r.lines @> '[{"basis": "NONE"}]', false) or p.refund_if_claimed as kept
    from policy_insured_batch_row r
    join policy_cover_use u on u.insured_item_id = r.insured_item_id
    join policy_policy p on p.id = r.policy_id
    where r.batch_id = ${batchId} and r.result = 'REMOVE'
      and ((u.ref_type = 'CONTRACT' and u.state = 'LIVE') or (u.ref_type = 'CLAIM' and u.state in ('OPEN', 'PAID')))
    order by r.row_no, u.id`.execute(db);
  return rows;
}

const reasonOf = ({ refType, state, outside }: Used): string =>
  refType === 'CONTRACT'
    ? '减员后签约失去保障'
    : state === 'PAID'
      ? '减员日早于已赔付案件的购药日'
      : outside
        ? '购药日不在减员后的保障期间内'
        : '在途理赔';
const shown = (uses: readonly Used[]) =>
  uses.slice(0, SHOWN).map((use) => ({ refNo: use.refNo, name: use.name, rowNo: use.rowNo, day: use.day, reason: reasonOf(use) }));

/** What a list would do as everything stands now, and a hash that another state of anything of it changes (R4). */
export async function impactOf(db: Db | Tx, batch: BatchRecord, today: Day): Promise<{ impact: BatchImpact; impactHash: string }> {
  const {
    rows: [sums],
  } = await sql<{ earliestDay: Day | null; farBackdatedRows: number; sameFileBatchNo: string | null; limit: number }>`
    select min(r.first_day)::text as earliest_day,
        count(*) filter (where r.first_day < ${today}::date - p.max_backdate_days)::int as far_backdated_rows,
        coalesce(max(p.max_backdate_days), 0)::int as
      limit,
        (
          select b.batch_no
            from policy_insured_batch b
            where b.file_sha256 = ${batch.fileSha256} and b.state = 'APPLIED' and b.id <> ${batch.id}
            order by b.id desc limit 1
        ) as same_file_batch_no
      from policy_insured_batch_row r
      join policy_policy p on p.id = r.policy_id
      where r.batch_id = ${batch.id} and r.result in ('ADD', 'MODIFY', 'REMOVE')`.execute(db);
  const { rows: premium } = await sql<{ planCode: string; collectFen: string; refundFen: string }>`
    select l ->> 'plan_code' as plan_code,
      coalesce(sum((l ->> 'amount_fen')::bigint) filter (where (l ->> 'amount_fen')::bigint > 0), 0)::text as collect_fen,
      coalesce(-sum((l ->> 'amount_fen')::bigint) filter (where (l ->> 'amount_fen')::bigint < 0), 0)::text as refund_fen
    from policy_insured_batch_row r, jsonb_array_elements(r.lines) l
    where r.batch_id = ${batch.id} and r.result in ('ADD', 'MODIFY', 'REMOVE') group by 1 order by 1`.execute(db);
  const { rows: policies } = await sql<{ id: string; seq: number }>`
    select id, endorsement_seq as seq from policy_policy where id = any(${batch.policyIds}::bigint[]) order by id`.execute(db);
  const decidedAt = batch.policySeqs as Readonly<Record<string, number>>;
  const uses = await usesOfRows(db, batch.id);
  const contracts = uses.filter(({ refType }) => refType === 'CONTRACT');
  const openClaims = uses.filter(({ refType, state }) => refType === 'CLAIM' && state === 'OPEN');
  const blocking = uses.filter(({ refType, state, outside, kept }) => refType === 'CLAIM' && state === 'PAID' && (outside || !kept));
  const delta = BigInt(batch.premiumDeltaFen);
  const far = sums?.farBackdatedRows ?? 0;
  const auditReasons = [
    ...(far > 0 ? [`${far}行追溯超过${sums?.limit ?? 0}天`] : []),
    ...((delta < 0n ? -delta : delta) >= LARGE_PREMIUM_FEN ? ['保费变化达到10万元'] : []),
    ...(openClaims.length > 0 ? [`涉及${openClaims.length}件在途理赔`] : []),
    ...(contracts.length > 0 ? [`涉及${contracts.length}份有效签约`] : []),
    ...(batch.mode === 'FULL' ? ['全量比对'] : []),
    ...(batch.reverseOfBatchId === null ? [] : ['冲正批次']),
  ];
  const impact: BatchImpact = {
    rows: {
      add: batch.addRows,
      modify: batch.modifyRows,
      remove: batch.removeRows,
      same: batch.sameRows,
      excluded: batch.excludedRows,
    },
    backdatedRows: batch.backdatedRows,
    farBackdatedRows: far,
    earliestDay: sums?.earliestDay ?? null,
    premium,
    premiumDeltaFen: batch.premiumDeltaFen,
    contracts: shown(contracts),
    openClaims: shown(openClaims),
    blocking: shown(blocking),
    stale: policies.some(({ id, seq }) => decidedAt[id] !== seq),
    warnRows: batch.warnRows,
    auditReasons,
    sameFileBatchNo: sums?.sameFileBatchNo ?? null,
  };
  // What follows from the day alone is left out: a list that waits over night is the same list.
  const hashed = [
    impact.rows,
    impact.earliestDay,
    impact.premium,
    impact.premiumDeltaFen,
    uses.map(({ refNo, state, day, rowNo }) => [refNo, state, day, rowNo]),
    policies,
  ];
  return { impact, impactHash: createHash('sha256').update(JSON.stringify(hashed)).digest('hex') };
}

export const batchImpactHandler = query(
  queryInsuredBatchImpact,
  async ({ batchId }, { db, staff, today }): Promise<OutputOf<typeof queryInsuredBatchImpact>> =>
    impactOf(db, await batchRecords.get(db, staff, batchId), today),
);

/** Rows of a list that change something, as its policies are given. */
export const changesOf = ({ addRows, modifyRows, removeRows }: BatchRecord): number => addRows + modifyRows + removeRows;

/** Ids of the policies that rows with changes name. */
export async function touchedPolicies(tx: Tx, batchId: string): Promise<string[]> {
  const rows = await own(tx)
    .selectFrom('policyInsuredBatchRow')
    .select('policyId')
    .distinct()
    .where('batchId', '=', batchId)
    .where('result', 'in', ['ADD', 'MODIFY', 'REMOVE'])
    .where('policyId', 'is not', null)
    .orderBy('policyId')
    .execute();
  return rows.flatMap(({ policyId }) => policyId ?? []);
}
