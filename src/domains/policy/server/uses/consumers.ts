import type { DeliveredEvent, PayloadOf } from '#kernel/contract/event.ts';
import { dayOf, type Day } from '#kernel/contract/time.ts';
import { consumer, type ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { claimClosed, claimDecided, claimPaid, claimSubmitted, claimWithdrawn } from '#events/claim.ts';
import {
  applyApproved,
  applyClosed,
  applyRejected,
  applySubmitted,
  applyWithdrawn,
  contractActivated,
  contractCancelled,
  contractExpired,
  contractResumed,
  contractSigned,
  contractSuspended,
  contractTerminated,
} from '#events/enrolment.ts';
import { realNameChanged } from '#events/patient.ts';
import { own } from '../database.ts';
import { linkPatient } from '../persons/patients.ts';
import { recordUse, type CoverUse } from './uses.ts';

interface UseEvent {
  refType: CoverUse['refType'];
  refId: string;
  refNo: string;
  insuredItemId: string | null;
  state: CoverUse['state'];
  from: Day | null;
  to: Day | null;
  claimedFen?: number;
  paidFen?: number;
  seq: number;
}

/** Days that an event leaves out stay as an earlier one gave them; before the first, the day of the event. */
async function keep({ tx, now }: ConsumerContext, at: string, { insuredItemId, from, to, ...use }: UseEvent): Promise<void> {
  if (insuredItemId === null) return;
  const known = await own(tx)
    .selectFrom('policyCoverUse')
    .select(['useFrom', 'useTo'])
    .where('refType', '=', use.refType)
    .where('refId', '=', use.refId)
    .executeTakeFirst();
  await recordUse(tx, { ...use, insuredItemId, useFrom: from ?? known?.useFrom ?? dayOf(at), useTo: to ?? known?.useTo ?? null, now });
}

type Apply = Pick<PayloadOf<typeof applySubmitted>, 'applyId' | 'applyNo' | 'insuredItemId' | 'seq'> & { submittedAt?: string };
const keepApply = (ctx: ConsumerContext, { payload, at }: DeliveredEvent<Apply>, state: CoverUse['state']) =>
  keep(ctx, at, {
    refType: 'APPLY',
    refId: payload.applyId,
    refNo: payload.applyNo,
    insuredItemId: payload.insuredItemId,
    state,
    from: payload.submittedAt ? dayOf(payload.submittedAt) : null,
    to: null,
    seq: payload.seq,
  });

type Contract = Pick<PayloadOf<typeof contractSuspended>, 'contractId' | 'contractNo' | 'insuredItemId' | 'seq'> & {
  startDate?: string | null;
  endDate?: string | null;
  onDate?: string;
};
const keepContract = (ctx: ConsumerContext, { payload, at }: DeliveredEvent<Contract>, state: CoverUse['state']) =>
  keep(ctx, at, {
    refType: 'CONTRACT',
    refId: payload.contractId,
    refNo: payload.contractNo,
    insuredItemId: payload.insuredItemId,
    state,
    from: payload.startDate ?? null,
    to: payload.endDate ?? (state === 'ENDED' ? (payload.onDate ?? null) : null),
    seq: payload.seq,
  });

type Claim = PayloadOf<typeof claimSubmitted>;
/** A claim names its contract; whose cover that is, the contract's own events say. */
async function keepClaim(ctx: ConsumerContext, { payload, at }: DeliveredEvent<Claim>, state: CoverUse['state']): Promise<void> {
  if (payload.contractId === null) return;
  const contract = await own(ctx.tx)
    .selectFrom('policyCoverUse')
    .select('insuredItemId')
    .where('refType', '=', 'CONTRACT')
    .where('refId', '=', payload.contractId)
    .executeTakeFirst();
  await keep(ctx, at, {
    refType: 'CLAIM',
    refId: payload.claimId,
    refNo: payload.claimNo,
    insuredItemId: contract?.insuredItemId ?? null,
    state,
    from: payload.purchasedFrom ?? dayOf(payload.submittedAt),
    to: payload.purchasedTo,
    claimedFen: payload.claimedFen,
    paidFen: payload.paidFen,
    seq: payload.seq,
  });
}

const HEARER = 'policy';
/** What enrolment and claim do with covers, and who proves to be whom, as their events say. */
export const useConsumers = [
  consumer(HEARER, realNameChanged, ({ payload: { patientId, idNoHash } }, { tx }) => linkPatient(tx, patientId, idNoHash)),
  consumer(HEARER, applySubmitted, (event, ctx) => keepApply(ctx, event, 'OPEN')),
  consumer(HEARER, applyApproved, (event, ctx) => keepApply(ctx, event, 'LIVE')),
  consumer(HEARER, applyRejected, (event, ctx) => keepApply(ctx, event, 'ENDED')),
  ...[applyClosed, applyWithdrawn].map((declared) => consumer(HEARER, declared, (event, ctx) => keepApply(ctx, event, 'ENDED'))),
  consumer(HEARER, contractSigned, (event, ctx) => keepContract(ctx, event, 'LIVE')),
  consumer(HEARER, contractActivated, (event, ctx) => keepContract(ctx, event, 'LIVE')),
  // A contract that rests goes on; its cover is in use.
  ...[contractSuspended, contractResumed].map((declared) => consumer(HEARER, declared, (event, ctx) => keepContract(ctx, event, 'LIVE'))),
  ...[contractTerminated, contractExpired].map((declared) => consumer(HEARER, declared, (event, ctx) => keepContract(ctx, event, 'ENDED'))),
  consumer(HEARER, contractCancelled, (event, ctx) => keepContract(ctx, event, 'ENDED')),
  consumer(HEARER, claimSubmitted, (event, ctx) => keepClaim(ctx, event, 'OPEN')),
  consumer(HEARER, claimDecided, (event, ctx) => keepClaim(ctx, event, 'OPEN')),
  consumer(HEARER, claimPaid, (event, ctx) => keepClaim(ctx, event, 'PAID')),
  consumer(HEARER, claimClosed, (event, ctx) => keepClaim(ctx, event, event.payload.paidFen > 0 ? 'PAID' : 'ENDED')),
  consumer(HEARER, claimWithdrawn, (event, ctx) => keepClaim(ctx, event, 'ENDED')),
];
