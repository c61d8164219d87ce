import { sql } from 'kysely';
import type { DeliveredEvent, PayloadOf } from '#kernel/contract/event.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { json } from '#kernel/server/database/json.ts';
import { consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { claimAdjudicated, claimClosed, claimPaid, claimSubmitted, claimWithdrawn } from '#events/claim.ts';
import type { AdjudicationResult } from '../../contract/adjudication/result.ts';
import { workMinutes } from '../../contract/statistics/workTime.ts';
import { ownTx } from '../database.ts';
import { isNewer, lockThing } from './order.ts';

type ClaimFacts = PayloadOf<typeof claimSubmitted>;
/** What the event says beside its facts: whether the claim still waits for a decision, whether nothing more will be paid. */
const kinds = {
  [claimSubmitted.name]: { open: true, over: false },
  [claimAdjudicated.name]: { open: true, over: false },
  'claim.case.decided': { open: false, over: false },
  [claimPaid.name]: { open: false, over: false },
  [claimClosed.name]: { open: false, over: true },
  [claimWithdrawn.name]: { open: false, over: true },
} as const satisfies Record<string, { open: boolean; over: boolean }>;

const text = (fen: number) => String(fen);

/** The state of money at the end of a day is that of its last event, in whatever order they came. */
async function recordDay({ tx }: ConsumerContext, { payload, at, name }: DeliveredEvent<ClaimFacts>): Promise<void> {
  const kind = kinds[name]!;
  await sql`insert into insurance_stat_claim_day (claim_id, date, open_fen, approved_fen, paid_fen, seq)
    values (${payload.claimId}, ${dayOf(at)}, ${text(kind.open ? payload.claimedFen : 0)},
      ${text(kind.open ? 0 : kind.over ? payload.paidFen : payload.approvedFen)}, ${text(payload.paidFen)}, ${payload.seq})
    on conflict (claim_id, date) do update set open_fen = excluded.open_fen, approved_fen = excluded.approved_fen,
      paid_fen = excluded.paid_fen, seq = excluded.seq where insurance_stat_claim_day.seq < excluded.seq`.execute(tx);
}

/** What each step took, and what became of each medicine, of the latest round that was decided. */
async function recordDetail({ tx }: ConsumerContext, { claimId, round }: ClaimFacts, result: AdjudicationResult): Promise<void> {
  const cuts: Record<string, number> = {};
  const drugs = new Map<string, { medicineName: string; claimed: number; approved: number }>();
  for (const { steps, medicineId, medicineName, amountFen, payableFen } of result.lines) {
    for (const { code, cut } of steps) if (cut > 0) cuts[code] = (cuts[code] ?? 0) + cut;
    const drug = drugs.get(medicineId) ?? { medicineName, claimed: 0, approved: 0 };
    drugs.set(medicineId, { medicineName, claimed: drug.claimed + amountFen, approved: drug.approved + payableFen });
  }
  const { rows } = await sql<{ id: string }>`update insurance_stat_claim set cuts = ${json(cuts)}, detail_round = ${round}
    where claim_id = ${claimId} and detail_round <= ${round} returning claim_id::text as id`.execute(tx);
  if (rows.length === 0) return;
  await ownTx(tx).deleteFrom('insuranceStatClaimDrug').where('claimId', '=', claimId).execute();
  if (drugs.size === 0) return;
  await ownTx(tx)
    .insertInto('insuranceStatClaimDrug')
    .values(
      [...drugs].map(([medicineId, { medicineName, claimed, approved }]) => ({
        claimId,
        medicineId,
        medicineName: medicineName === '' ? `药品${medicineId}` : medicineName,
        claimedFen: text(claimed),
        approvedFen: text(approved),
      })),
    )
    .execute();
}

/** Takes over what an event of a claim says, unless a later one was there before; `result` comes with a decision. */
export async function recordClaim(
  ctx: ConsumerContext,
  event: DeliveredEvent<ClaimFacts>,
  result: AdjudicationResult | null,
): Promise<void> {
  const { payload, name } = event;
  const kind = kinds[name]!;
  const { tx } = ctx;
  await lockThing(tx, 'claim', payload.claimId);
  const known = await ownTx(tx).selectFrom('insuranceStatClaim').select('seq').where('claimId', '=', payload.claimId).executeTakeFirst();
  if (await isNewer(tx, 'claim', payload.claimId, known?.seq ?? null, payload.seq, ctx.now)) {
    const facts = {
      claimNo: payload.claimNo,
      round: payload.round,
      insurerId: payload.insurerId,
      productId: payload.productId,
      productVersionId: payload.productVersionId,
      productLine: payload.productLine,
      adcode: payload.adcode ?? '',
      state: payload.state,
      open: kind.open,
      submittedAt: payload.submittedAt,
      decidedAt: payload.decidedAt,
      paidAt: payload.paidAt,
      claimedFen: text(payload.claimedFen),
      approvedFen: text(payload.approvedFen),
      paidFen: text(payload.paidFen),
      reasonCodes: payload.reasonCodes,
      workMinutes: payload.decidedAt === null ? null : workMinutes(payload.submittedAt, payload.decidedAt),
      testUser: payload.testUser,
      seq: payload.seq,
    };
    await ownTx(tx)
      .insertInto('insuranceStatClaim')
      .values({ claimId: payload.claimId, ...facts })
      .onConflict((on) => on.column('claimId').doUpdateSet(facts))
      .execute();
  }
  await recordDay(ctx, event);
  if (result) await recordDetail(ctx, payload, result);
}

export const claimConsumers = [claimSubmitted, claimAdjudicated, claimPaid, claimClosed, claimWithdrawn].map((declared) =>
  consumer('insurance', declared, (event, ctx) => recordClaim(ctx, event, null)),
);
