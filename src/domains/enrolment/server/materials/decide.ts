import type { Updateable } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { noLease } from '#kernel/server/desk/caseDesk.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import { auditOtherMaterial, saveOtherMaterialWork } from '../../contract/calls/otherMaterials.ts';
import { enrolmentErrors as errors } from '../../contract/errors.ts';
import { otherMaterialFacts } from '../../contract/materialFacts.ts';
import { otherMaterialMachine, requiredPapers, type OtherMaterialAction } from '../../contract/materialStates.ts';
import { applyPermissions } from '../../contract/permissions.ts';
import { paused, stopped } from '../applies/clock.ts';
import { contractRecords } from '../contracts/access.ts';
import { isCovered } from '../contracts/begin.ts';
import { own } from '../database.ts';
import { enrolReview } from '../review.ts';
import type { EnrolmentOtherMaterial } from '../tables.ts';
import { carryOut, consequenceOf } from './effects.ts';
import { factsFor, missingFacts, openFacts, sealFacts } from './facts.ts';
import { materialDesk, MATERIAL_TARGET, otherMaterialRecords, ownerOf, type OtherMaterialRecord } from './records.ts';

type Verdict = Omit<CheckedInputOf<typeof auditOtherMaterial>, 'materialId' | 'version' | 'leaseToken'>;
type Columns = Omit<Updateable<EnrolmentOtherMaterial>, 'id'>;
type Act = (kernel: Kernel, ctx: CommandContext, material: OtherMaterialRecord, verdict: Verdict) => Promise<OtherMaterialRecord>;

/** Takes a transition and writes the row once; whoever had the case has it no longer. */
export async function advance(
  ctx: Acting,
  material: OtherMaterialRecord,
  action: OtherMaterialAction,
  opinion: string,
  columns: Columns = {},
): Promise<OtherMaterialRecord> {
  const state = await moveState(ctx, otherMaterialMachine, {
    targetType: MATERIAL_TARGET,
    targetId: material.id,
    targetNo: material.materialNo,
    action,
    from: material.state,
    opinion,
    contributors: [material.enteredBy],
  });
  await materialDesk.drop(ctx.tx, material.id);
  const row = await own(ctx.tx)
    .updateTable('enrolmentOtherMaterial')
    .set({ ...noLease, ...columns, state, version: material.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', material.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, contractNo: material.contractNo, insuredName: material.insuredName };
}

const decidedBy = ({ staff, now }: CommandContext) => ({ decidedBy: staff.userId, decidedName: staff.displayName, decidedAt: now });
const labels = labelsOf(otherMaterialFacts.shape);

/** @throws Refusal SCM14020 to SCM14022 where something is not judged, missing or found twice; SCM90020 without its facts */
const pass: Act = async (kernel, ctx, material, { opinion, internalNote }) => {
  const review = enrolReview(kernel.secrets);
  const owner = ownerOf(material);
  const papers = await review.materials.of(ctx.tx, owner);
  const open = papers.filter(({ verdict }) => verdict === null).length;
  if (open > 0) throw refuse(errors.CHECKS_OPEN, { n: open }, { message: `还有${open}份材料未给出结论` });
  const usable = papers.filter(({ verdict }) => verdict === 'OK');
  const missing = requiredPapers[material.kind].filter((type) => !usable.some(({ materialType }) => materialType === type));
  if (missing.length > 0 || usable.length === 0)
    throw refuse(errors.MATERIAL_MISSING, { names: missing.map((type) => materialTypes.label(type)).join('、') || '合格的材料' });
  const pending = await review.duplicates.pending(ctx.tx, owner);
  if (pending > 0) throw refuse(errors.DUPLICATES_OPEN, { n: pending });
  const facts = openFacts(kernel.secrets, material.factsCipher);
  const [unknown] = missingFacts(material.kind, facts);
  if (unknown !== undefined) throw refuseField(`facts.${unknown}`, `请填写${labels[unknown] ?? '材料内容'}`);
  const contract = await contractRecords.lock(ctx.tx, ctx.staff, material.contractId);
  const effect = await carryOut(
    kernel,
    ctx,
    contract,
    material,
    facts,
    usable.map(({ fileId }) => fileId),
    ctx.staff,
  );
  return advance(ctx, material, 'pass', opinion, { ...effect, internalNote, ...decidedBy(ctx), ...stopped });
};

const supplement: Act = async (kernel, ctx, material, { supplement: wish, opinion, internalNote }) => {
  if (!wish) throw refuse(errors.NO_SUPPLEMENT_ITEM);
  const supervises = ctx.has(applyPermissions['apply.supervise']);
  const asked = await enrolReview(kernel.secrets).supplements.ask(ctx, ownerOf(material), wish, supervises);
  const applicantWording = asked.items
    .map(({ materialType, wording }) => `${materialTypes.label(materialType)}${wording ? `：${wording}` : ''}`)
    .join('；')
    .slice(0, 500);
  return advance(ctx, material, 'supplement', opinion, { applicantWording, internalNote, ...(await paused(ctx.tx, material, ctx.now)) });
};

/** @throws Refusal SCM14024, SCM14025 */
const reject: Act = async (_kernel, ctx, material, { rejectReasons, applicantWording, internalNote, opinion }) => {
  if (rejectReasons.length === 0) throw refuse(errors.NO_REASON);
  if (applicantWording === '') throw refuse(errors.NO_WORDING);
  const words = { rejectReasons, applicantWording, internalNote };
  return advance(ctx, material, 'reject', opinion || applicantWording, { ...words, ...decidedBy(ctx), ...stopped });
};

const withdraw: Act = async (kernel, ctx, material, { opinion }) => {
  await enrolReview(kernel.secrets).supplements.cancel(ctx, ownerOf(material));
  return advance(ctx, material, 'withdraw', opinion, stopped);
};

const effects: Readonly<Record<Verdict['action'], Act>> = { pass, supplement, reject, withdraw };

export const audit = (kernel: Kernel) =>
  command(auditOtherMaterial, async ({ materialId, version, leaseToken, ...verdict }, ctx) => {
    const { action } = verdict;
    const material = await otherMaterialRecords.lock(ctx.tx, ctx.staff, materialId);
    ctx.target({ type: MATERIAL_TARGET, id: materialId, no: material.materialNo, looked: true });
    if (action !== 'withdraw') {
      await materialDesk.requireOther(ctx, material, errors.OWN_ENTRY);
      if (otherMaterialMachine.canStart(action, material.state)) await materialDesk.requireHeld(ctx, material, leaseToken);
    }
    if (!otherMaterialMachine.canStart(action, material.state))
      throw refuse(platformErrors.WRONG_STATE, { state: otherMaterialMachine.states[material.state].label });
    await requireVersion(ctx, MATERIAL_TARGET, material, version, () => ({ materialId: material.id, state: material.state }));
    const row = await effects[action](kernel, ctx, material, verdict);
    return { ...actionAnswer(ctx, otherMaterialMachine, row), outcome: row.outcome };
  });

/** Keeps what a reviewer found so far; decides nothing. @throws Refusal SCM14011 */
export const saveWork = (kernel: Kernel) =>
  command(saveOtherMaterialWork, async ({ materialId, leaseToken, materials, duplicates, facts }, ctx) => {
    const material = await otherMaterialRecords.lock(ctx.tx, ctx.staff, materialId);
    await materialDesk.requireHeld(ctx, material, leaseToken);
    const review = enrolReview(kernel.secrets);
    await review.materials.judge(ctx, ownerOf(material), materials);
    await review.duplicates.judge(ctx, ownerOf(material), duplicates);
    const known = openFacts(kernel.secrets, material.factsCipher);
    const merged = facts ? { ...known, ...factsFor(material.kind, facts, ctx.today) } : known;
    if (facts)
      await own(ctx.tx)
        .updateTable('enrolmentOtherMaterial')
        .set({ factsCipher: sealFacts(kernel.secrets, merged), updatedAt: ctx.now })
        .where('id', '=', materialId)
        .execute();
    const contract = await contractRecords.get(ctx.tx, ctx.staff, material.contractId);
    ctx.target({ type: MATERIAL_TARGET, id: materialId, no: material.materialNo, looked: true });
    const covered = await isCovered(ctx, contract, ctx.today);
    return { consequence: consequenceOf(material.kind, merged, contract, { today: ctx.today, covered }), savedAt: ctx.now };
  });
