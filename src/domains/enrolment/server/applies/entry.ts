import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { CommandContext, QueryContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { detach } from '#domains/files/server/index.ts';
import { getEnrolConfig, resolveVersion } from '#domains/insurance/server/index.ts';
import { idNoHash } from '#domains/patient/server/index.ts';
import { getInsuredForEnrol, searchInsured } from '#domains/policy/server/index.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import {
  addEnrolApply,
  delEnrolApply,
  modifyEnrolApply,
  queryInsuredForEnrol,
  supplySignContract,
} from '../../contract/calls/appliesEntry.ts';
import { tidyCertificate } from '../../contract/rules/certificate.ts';
import { enrolmentErrors as errors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { numberColumns } from '../marks/person.ts';
import { ENROL_APPLY, enrolReview } from '../review.ts';
import { changeDraft, enterApply, submitApply, supplyApply, type Insured } from './enter.ts';
import { requiredOf } from './facts.ts';
import { applyRecords, APPLY_TARGET, ownerOf, type ApplyRecord } from './records.ts';

const answered = (ctx: CommandContext, apply: ApplyRecord) => ({
  applyId: apply.id,
  applyNo: apply.applyNo,
  ...actionAnswer(ctx, applyMachine, apply),
});

async function lockSeen(ctx: CommandContext, applyId: string, version: number): Promise<ApplyRecord> {
  const apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
  await requireVersion(ctx, APPLY_TARGET, apply, version);
  return apply;
}

/** Persons whom an application may be entered for; an insurer's people find their own. */
async function findInsured(kernel: Kernel, { db, staff, today }: QueryContext, idNo: string, policyNo: string): Promise<Insured[]> {
  const wanted =
    idNo === ''
      ? (await searchInsured(db, { policyNo, today, seer: staff, page: { pageNo: 1, pageSize: 50 } })).rows.map(({ insuredItemId }) => ({
          insuredItemId,
          today,
        }))
      : [{ idNoHash: idNoHash(kernel.secrets, tidyCertificate(idNo)), ...(policyNo !== '' && { policyNo }), today }];
  const found: Insured[] = [];
  for (const one of wanted) {
    const insured = await getInsuredForEnrol(db, one);
    if (insured && seesInsurer(staff, insured)) found.push(insured);
  }
  return found;
}
const seesInsurer = ({ scope }: Viewer, { insurerId }: Insured): boolean =>
  scope.insurer === null || (insurerId !== null && scope.insurer.includes(insurerId));

/** @throws Refusal SCM14004 for somebody of an insurer whom the caller does not see */
export async function requireInsuredSeen({ tx, today }: Pick<CommandContext, 'tx' | 'today'>, viewer: Viewer, id: string): Promise<void> {
  const insured = await getInsuredForEnrol(tx, { insuredItemId: id, today });
  if (!insured || !seesInsurer(viewer, insured)) throw refuse(errors.NOT_LISTED);
}

async function presentInsured(kernel: Kernel, ctx: QueryContext, insured: Insured) {
  const numbers = numberColumns(kernel.secrets, {
    mobile: insured.mobileCipher && kernel.secrets.decrypt(insured.mobileCipher),
    idNo: insured.idNoCipher && kernel.secrets.decrypt(insured.idNoCipher),
  });
  const version = await resolveVersion(ctx.db, insured.productId, insured.coveredFrom ?? ctx.today);
  const config = await getEnrolConfig(ctx.db, insured.productVersionId);
  return {
    insuredItemId: insured.insuredItemId,
    policyNo: insured.policyNo,
    productId: insured.productId,
    productName: version?.productName ?? '',
    productLine: insured.productLine,
    name: insured.name,
    idNoMasked: numbers.idNoMasked,
    mobileMasked: numbers.mobileMasked,
    coveredFrom: insured.coveredFrom,
    coveredTo: insured.coveredTo,
    perDrug: config.indications.length > 0,
    drugIds: [...new Set(config.indications.flatMap(({ medicineId }) => medicineId ?? []))],
    requiredMaterials: requiredOf(config, { drugId: null, productLine: insured.productLine === 'DAAS' ? 'STANDARD' : insured.productLine }),
  };
}

export const entryHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryInsuredForEnrol, async ({ idNo, policyNo }, ctx) => {
    if (idNo === '' && policyNo === '') throw refuseField('idNo', '请填写证件号或保单号');
    const rows = [];
    for (const insured of await findInsured(kernel, ctx, idNo, policyNo)) rows.push(await presentInsured(kernel, ctx, insured));
    return rows;
  }),
  command(addEnrolApply, async ({ insuredItemId, submit, ...wish }, ctx) => {
    await requireInsuredSeen(ctx, ctx.staff, insuredItemId);
    const draft = await enterApply(kernel, ctx, insuredItemId, wish, { source: 'STAFF', uploaderId: ctx.staff.userId });
    return answered(ctx, submit ? await submitApply(kernel, ctx, draft) : draft);
  }),
  command(modifyEnrolApply, async ({ applyId, version, submit, ...wish }, ctx) => {
    const draft = await lockSeen(ctx, applyId, version);
    const changed = await changeDraft(kernel, ctx, draft, wish, ctx.staff.userId);
    return answered(ctx, submit ? await submitApply(kernel, ctx, changed) : changed);
  }),
  command(delEnrolApply, async ({ applyId, version }, ctx) => {
    const draft = await lockSeen(ctx, applyId, version);
    if (draft.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: applyMachine.states[draft.state].label });
    const fileIds = (await enrolReview(kernel.secrets).materials.of(ctx.tx, ownerOf(draft))).map(({ fileId }) => fileId);
    await detach(ctx.tx, { fileIds, ownerType: APPLY_TARGET, ownerId: applyId, field: 'MATERIAL' }, ctx.now);
    await own(ctx.tx).deleteFrom('enrolmentMaterial').where('ownerType', '=', ENROL_APPLY).where('ownerId', '=', applyId).execute();
    await own(ctx.tx).deleteFrom('enrolmentApply').where('id', '=', applyId).execute();
    ctx.target({ type: APPLY_TARGET, id: applyId, no: draft.applyNo });
    return {};
  }),
  command(supplySignContract, async ({ applyId, version, materials }, ctx) => {
    const apply = await lockSeen(ctx, applyId, version);
    return answered(ctx, await supplyApply(kernel, ctx, apply, materials, ctx.staff.userId));
  }),
];
