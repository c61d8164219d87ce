import { refuse } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { getInsuredForEnrol } from '#domains/policy/server/index.ts';
import { enrolmentErrors as errors } from '../../contract/errors.ts';
import { openContract } from '../contracts/open.ts';
import type { ApplyRecord } from './records.ts';

/** The contract of an application that was passed, on the cover as it is now. @throws Refusal SCM14002, SCM14003, SCM14004 */
export async function contractFor(kernel: Kernel, ctx: Acting, apply: ApplyRecord, waived: boolean): Promise<string> {
  const insured = await getInsuredForEnrol(ctx.tx, { insuredItemId: apply.insuredItemId, today: ctx.today });
  if (!insured) throw refuse(errors.NOT_LISTED);
  const { coverageStart, coverageEnd, planCode, patientId } = apply;
  if (!insured.covered || coverageStart === null || coverageEnd === null || planCode === null || patientId === null)
    throw refuse(errors.NOT_COVERED, { message: '保单已不在保障期内，不能通过' });
  const { contractId } = await openContract(kernel, ctx, {
    applyId: apply.id,
    origin: 'APPLY',
    productLine: apply.productLine,
    productId: apply.productId,
    productVersionId: apply.productVersionId,
    planCode,
    insuredItemId: apply.insuredItemId,
    policyId: apply.policyId,
    policyNo: apply.policyNo,
    insurerId: apply.insurerId,
    adcode: apply.adcode,
    patientId,
    hospitalId: apply.hospitalId,
    drugKey: apply.drugKey,
    drugIds: apply.drugId === null ? [] : [apply.drugId],
    insured: {
      name: apply.insuredName,
      idType: apply.idType,
      idNoCipher: apply.idNoCipher,
      idNoHash: apply.idNoHash,
      mobileCipher: apply.mobileCipher,
      mobileHash: apply.mobileHash,
      birthDate: apply.birthDate,
      gender: apply.gender,
    },
    coverageStart,
    coverageEnd,
    continuousFrom: insured.continuousFrom,
    hasSocial: insured.hasSocial,
    preExistingIcd: insured.preExistingIcd,
    familySubjectId: insured.familySubjectId,
    waived,
  });
  return contractId;
}
