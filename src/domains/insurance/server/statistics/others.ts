import type { DeliveredEvent, PayloadOf } from '#kernel/contract/event.ts';
import type { Tx } from '#kernel/server/context.ts';
import { consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { applyApproved, applyClosed, applyRejected, applySubmitted, applyWithdrawn } from '#events/enrolment.ts';
import { premiumOrderApproved, premiumOrderReversed } from '#events/policy.ts';
import { own, ownTx } from '../database.ts';
import { isNewer, lockThing } from './order.ts';

type ApplyFacts = PayloadOf<typeof applySubmitted>;

async function recordApply(
  ctx: ConsumerContext,
  payload: Omit<ApplyFacts, 'applicantWording'>,
  state: 'SUBMITTED' | 'APPROVED' | 'REJECTED',
) {
  const { tx } = ctx;
  await lockThing(tx, 'enrolment', payload.applyId);
  const known = await ownTx(tx)
    .selectFrom('insuranceStatEnrolment')
    .select('seq')
    .where('applyId', '=', payload.applyId)
    .executeTakeFirst();
  if (!(await isNewer(tx, 'enrolment', payload.applyId, known?.seq ?? null, payload.seq, ctx.now))) return;
  const facts = {
    applyNo: payload.applyNo,
    insuredItemId: payload.insuredItemId,
    insurerId: payload.insurerId,
    productId: payload.productId,
    productLine: payload.productLine,
    adcode: payload.adcode ?? '',
    state,
    submittedAt: payload.submittedAt,
    decidedAt: payload.decidedAt,
    firstRoundPass: state === 'SUBMITTED' ? null : payload.firstRoundPass,
    testUser: payload.testUser,
    seq: payload.seq,
  };
  await ownTx(tx)
    .insertInto('insuranceStatEnrolment')
    .values({ applyId: payload.applyId, ...facts })
    .onConflict((on) => on.column('applyId').doUpdateSet(facts))
    .execute();
}

/** What ended without a decision leaves the queue; it says too little to make a row of its own. */
async function endApply({ tx, now }: ConsumerContext, { applyId, seq }: { applyId: string; seq: number }): Promise<void> {
  await lockThing(tx, 'enrolment', applyId);
  const known = await ownTx(tx).selectFrom('insuranceStatEnrolment').select('seq').where('applyId', '=', applyId).executeTakeFirst();
  if (!known) throw new Error(`application ${applyId} is not known yet`);
  if (await isNewer(tx, 'enrolment', applyId, known.seq, seq, now))
    await ownTx(tx).updateTable('insuranceStatEnrolment').set({ state: 'CLOSED', seq }).where('applyId', '=', applyId).execute();
}

const lineOf = async (tx: Tx, productId: string): Promise<string> =>
  (await own(tx).selectFrom('insuranceProduct').select('productLine').where('id', '=', productId).executeTakeFirst())?.productLine ?? '';

/** Of an order that was reversed nothing is left; its row says that it was. */
async function recordPremium(
  ctx: ConsumerContext,
  { payload, seq }: DeliveredEvent<PayloadOf<typeof premiumOrderApproved>>,
  reversed: boolean,
) {
  const { tx } = ctx;
  const id = payload.premiumOrderId;
  await lockThing(tx, 'premium', id);
  const known = await ownTx(tx).selectFrom('insuranceStatPremium').select('seq').where('premiumOrderId', '=', id).executeTakeFirst();
  if (!(await isNewer(tx, 'premium', id, known?.seq ?? null, seq, ctx.now))) return;
  const facts = {
    policyId: payload.policyId,
    insurerId: payload.insurerId,
    productId: payload.productId,
    productLine: await lineOf(tx, payload.productId),
    adcode: payload.adcode ?? '',
    coverageStart: payload.coverageStart,
    coverageEnd: payload.coverageEnd,
    amountFen: String(payload.amountFen),
    reversed,
    seq,
  };
  await ownTx(tx)
    .insertInto('insuranceStatPremium')
    .values({ premiumOrderId: id, ...facts })
    .onConflict((on) => on.column('premiumOrderId').doUpdateSet(facts))
    .execute();
}

export const otherConsumers = [
  consumer('insurance', applySubmitted, ({ payload }, ctx) => recordApply(ctx, payload, 'SUBMITTED')),
  consumer('insurance', applyApproved, ({ payload }, ctx) => recordApply(ctx, payload, 'APPROVED')),
  consumer('insurance', applyRejected, ({ payload }, ctx) => recordApply(ctx, payload, 'REJECTED')),
  consumer('insurance', applyClosed, ({ payload }, ctx) => endApply(ctx, payload)),
  consumer('insurance', applyWithdrawn, ({ payload }, ctx) => endApply(ctx, payload)),
  consumer('insurance', premiumOrderApproved, (event, ctx) => recordPremium(ctx, event, false)),
  consumer('insurance', premiumOrderReversed, (event, ctx) => recordPremium(ctx, event, true)),
];
