import { refuse } from '#kernel/contract/errors.ts';
import { daysBetween, plusDays } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { getEnrolConfig } from '#domains/insurance/server/index.ts';
import { ageOn } from '#domains/patient/server/index.ts';
import { cancelContract, renewContract, resumeContract, revealContract, suspendContract } from '../../contract/calls/contracts.ts';
import { contractMachine } from '../../contract/contractStates.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { contractRecords, type ContractRecord } from './access.ts';
import { insuredWithCover, isCovered } from './begin.ts';
import { moveContract } from './move.ts';
import { openContract } from './open.ts';
import { closeInit } from './pays.ts';
import { publishCancelled, publishChange } from './publish.ts';

/** So long after its day an obligatory review may still come. */
export const REVIEW_GRACE_DAYS = 7;
const RENEW_BEFORE_DAYS = 60;
const RENEW_AFTER_DAYS = 30;

export const isReviewOverdue = ({ nextReviewOn }: Pick<ContractRecord, 'nextReviewOn'>, today: string): boolean =>
  nextReviewOn !== null && daysBetween(nextReviewOn, today) >= REVIEW_GRACE_DAYS;

const viewOf = (row: ContractRecord) => ({ contractId: row.id, reason: row.suspendReason, opinion: '' });

export const suspend = command(suspendContract, async ({ contractId, version, reason, opinion }, ctx) => {
  const contract = await contractRecords.lockVersion(ctx, contractId, version, viewOf);
  const moved = await moveContract(ctx, contract, 'suspend', { suspendReason: reason }, { opinion });
  await publishChange(ctx, moved, 'suspended', { reason, onDate: ctx.today });
  return actionAnswer(ctx, contractMachine, moved);
});

/** @throws Refusal SCM14046 while the review is overdue, SCM14047 without cover */
export const resume = command(resumeContract, async ({ contractId, version, opinion }, ctx) => {
  const contract = await contractRecords.lockVersion(ctx, contractId, version, (row) => ({ contractId: row.id, opinion: '' }));
  if (contract.state === 'SUSPENDED') {
    if (isReviewOverdue(contract, ctx.today)) throw refuse(enrolmentErrors.REVIEW_OVERDUE);
    if (!(await isCovered(ctx, contract, ctx.today))) throw refuse(enrolmentErrors.POLICY_NOT_IN_FORCE);
  }
  const moved = await moveContract(ctx, contract, 'resume', { coverLostOn: null }, { opinion });
  await publishChange(ctx, moved, 'resumed', { reason: 'MANUAL', onDate: ctx.today });
  return actionAnswer(ctx, contractMachine, moved);
});

/** @throws Refusal SCM14051 while a payment may be on its way */
export async function requireNoPayment(tx: Db | Tx, contractId: string): Promise<void> {
  const open = await own(tx)
    .selectFrom('enrolmentContractPay')
    .select('state')
    .where('contractId', '=', contractId)
    .where('state', 'in', ['PENDING', 'UNKNOWN', 'CHECKING'])
    .executeTakeFirst();
  if (!open) return;
  throw open.state === 'CHECKING'
    ? refuse(enrolmentErrors.PAY_UNKNOWN, { message: '线下支付正在复核，请复核后再操作' })
    : refuse(enrolmentErrors.PAY_UNKNOWN);
}

export const cancel = command(cancelContract, async ({ contractId, version, opinion }, ctx) => {
  const contract = await contractRecords.lockVersion(ctx, contractId, version, (row) => ({ contractId: row.id, opinion: '' }));
  await requireNoPayment(ctx.tx, contract.id);
  const moved = await moveContract(ctx, contract, 'cancel', { cancelReason: 'MANUAL', signDueAt: null }, { opinion });
  await closeInit(ctx, contract.id);
  await publishCancelled(ctx, moved);
  return actionAnswer(ctx, contractMachine, moved);
});

/** The person in the policy that goes on, whom its product's rules still take. @throws Refusal SCM14049 */
async function renewedInsured(ctx: Acting, contract: ContractRecord) {
  if (contract.renewedPolicyId === null || contract.renewedPolicyNo === null || contract.idNoHash === null)
    throw refuse(enrolmentErrors.NO_RENEWED_POLICY);
  const insured = await insuredWithCover(ctx, { idNoHash: contract.idNoHash, policyNo: contract.renewedPolicyNo });
  if (insured?.policyId !== contract.renewedPolicyId)
    throw refuse(enrolmentErrors.NO_RENEWED_POLICY, { message: '续保保单的被保人清单中没有该被保人，不能续签' });
  const { ageMin, ageMax } = await getEnrolConfig(ctx.tx, insured.productVersionId);
  const age = insured.birthDate === null ? null : ageOn(insured.birthDate, insured.coverageStart ?? ctx.today);
  if (age !== null && (age < ageMin || age > ageMax))
    throw refuse(enrolmentErrors.NO_RENEWED_POLICY, { message: `被保人${age}岁，不在产品允许的${ageMin}-${ageMax}岁内，不能续签` });
  return insured;
}

/** @throws Refusal SCM14045 outside of the weeks around the end, SCM14049 without a renewed policy that takes the person */
export const renew = (kernel: Kernel) =>
  command(renewContract, async ({ contractId, version }, ctx) => {
    const contract = await contractRecords.lockVersion(ctx, contractId, version);
    await moveContract(ctx, contract, 'renew');
    const { endDate } = contract;
    if (endDate === null || ctx.today < plusDays(endDate, -RENEW_BEFORE_DAYS) || ctx.today > plusDays(endDate, RENEW_AFTER_DAYS))
      throw refuse(enrolmentErrors.RENEW_WINDOW);
    const insured = await renewedInsured(ctx, contract);
    const next = await own(ctx.tx)
      .selectFrom('enrolmentContract')
      .select('contractNo')
      .where('previousContractId', '=', contract.id)
      .where('state', '<>', 'CANCELLED')
      .executeTakeFirst();
    if (next) throw refuse(enrolmentErrors.CONTRACT_LIVE, { contractNo: next.contractNo });
    const start = insured.coveredFrom ?? insured.coverageStart;
    const end = insured.coveredTo ?? insured.coverageEnd;
    if (start === null || end === null) throw refuse(enrolmentErrors.NO_RENEWED_POLICY);
    return openContract(kernel, ctx, {
      applyId: null,
      origin: 'RENEW',
      productLine: contract.productLine,
      productId: insured.productId,
      productVersionId: insured.productVersionId,
      planCode: insured.planCode ?? contract.planCode,
      insuredItemId: insured.insuredItemId,
      policyId: insured.policyId,
      policyNo: insured.policyNo,
      insurerId: insured.insurerId,
      adcode: insured.adcode,
      patientId: contract.patientId,
      hospitalId: contract.hospitalId,
      drugKey: contract.drugKey,
      drugIds: contract.drugIds,
      insured,
      coverageStart: start,
      coverageEnd: end,
      continuousFrom: insured.continuousFrom,
      hasSocial: insured.hasSocial,
      preExistingIcd: insured.preExistingIcd,
      familySubjectId: insured.familySubjectId,
      waived: contract.payMode === 'NONE',
      previous: contract,
    });
  });

export const reveal = ({ secrets }: Kernel) =>
  command(revealContract, async ({ id, field }, ctx) => {
    const contract = await contractRecords.get(ctx.tx, ctx.staff, id);
    ctx.target({ type: contractRecords.type, id, no: contract.contractNo, looked: true });
    const cipher = { idNo: contract.idNoCipher, mobile: contract.mobileCipher, payeeAccount: contract.payeeAccountCipher }[field];
    return { value: cipher === null ? null : secrets.decrypt(cipher) };
  });
