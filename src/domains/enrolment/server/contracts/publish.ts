import {
  contractActivated,
  contractAmended,
  contractCancelled,
  contractExpired,
  contractResumed,
  contractSigned,
  contractSuspended,
  contractTerminated,
  rightsChanged,
} from '#events/enrolment.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { listLimits } from '#domains/insurance/server/index.ts';
import { own } from '../database.ts';
import type { ContractRecord } from './access.ts';

/** Events of one contract are counted without a gap. */
async function nextSeq(ctx: Acting, contract: ContractRecord): Promise<number> {
  const { eventSeq } = await own(ctx.tx)
    .updateTable('enrolmentContract')
    .set((eb) => ({ eventSeq: eb('eventSeq', '+', 1) }))
    .where('id', '=', contract.id)
    .returning('eventSeq')
    .executeTakeFirstOrThrow();
  return eventSeq;
}

const agreedOf = (contract: ContractRecord, seq: number) => ({
  contractId: contract.id,
  contractNo: contract.contractNo,
  insuredItemId: contract.insuredItemId,
  policyId: contract.policyId,
  startDate: contract.startDate,
  endDate: contract.endDate,
  seq,
});
export const publishSigned = async (ctx: Acting, contract: ContractRecord): Promise<void> =>
  ctx.publish(contractSigned, contract.id, agreedOf(contract, await nextSeq(ctx, contract)));
export const publishCancelled = async (ctx: Acting, contract: ContractRecord): Promise<void> =>
  ctx.publish(contractCancelled, contract.id, agreedOf(contract, await nextSeq(ctx, contract)));

export async function publishActivated(ctx: Acting, contract: ContractRecord): Promise<void> {
  await ctx.publish(contractActivated, contract.id, {
    contractId: contract.id,
    contractNo: contract.contractNo,
    chainId: contract.chainId ?? contract.id,
    patientId: contract.patientId,
    hospitalId: contract.hospitalId,
    productLine: contract.productLine,
    productCode: contract.productCode,
    productName: contract.productName,
    productId: contract.productId,
    productVersionId: contract.productVersionId,
    policyId: contract.policyId,
    policyNo: contract.policyNo,
    insuredItemId: contract.insuredItemId,
    holder: {
      name: contract.insuredName,
      idType: contract.idType,
      idNoCipher: contract.idNoCipher,
      mobileCipher: contract.mobileCipher,
    },
    startDate: contract.startDate ?? contract.coverageStart,
    endDate: contract.endDate ?? contract.coverageEnd,
    seq: await nextSeq(ctx, contract),
  });
  await publishRights(ctx, contract, contract.startDate ?? ctx.today);
}

const ENDINGS = {
  suspended: contractSuspended,
  resumed: contractResumed,
  terminated: contractTerminated,
  expired: contractExpired,
} as const;
export async function publishChange(
  ctx: Acting,
  contract: ContractRecord,
  what: keyof typeof ENDINGS,
  { reason, onDate }: { reason: string; onDate: string },
): Promise<void> {
  const { id, contractNo, patientId, insuredItemId, productLine } = contract;
  await ctx.publish(ENDINGS[what], id, {
    contractId: id,
    contractNo,
    patientId,
    insuredItemId,
    productLine,
    reason,
    onDate,
    seq: await nextSeq(ctx, contract),
  });
  if (what === 'terminated' || what === 'expired') await publishRights(ctx, contract, contract.startDate ?? onDate, onDate);
}

export async function publishAmended(
  ctx: Acting,
  contract: ContractRecord,
  { seq, type, effectiveOn }: { seq: number; type: string; effectiveOn: string },
): Promise<void> {
  await ctx.publish(contractAmended, contract.id, { contractId: contract.id, seq, type, effectiveOn });
  await publishRights(ctx, contract, effectiveOn);
}

/** What the contract gives, from a day on: for whoever orders against it. */
async function publishRights(ctx: Acting, contract: ContractRecord, effectiveFrom: string, effectiveTo = contract.endDate): Promise<void> {
  const limits = await listLimits(ctx.tx, contract.productVersionId, contract.planCode);
  await ctx.publish(rightsChanged, contract.id, {
    contractId: contract.id,
    contractNo: contract.contractNo,
    patientId: contract.patientId,
    state: contract.state,
    productLine: contract.productLine,
    productId: contract.productId,
    productCode: contract.productCode,
    insurerId: contract.insurerId,
    policyId: contract.policyId,
    planCode: contract.planCode,
    coverageStart: contract.coverageStart,
    coverageEnd: contract.coverageEnd,
    effectiveFrom,
    effectiveTo: effectiveTo ?? contract.coverageEnd,
    drugList: contract.drugIds,
    limits,
  });
}
