import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { addOtherMaterial, supplyOtherMaterial } from '../../contract/calls/otherMaterials.ts';
import { enrolmentErrors as errors } from '../../contract/errors.ts';
import type { OtherMaterialFacts } from '../../contract/materialFacts.ts';
import { otherMaterialMachine, type OtherMaterialKind } from '../../contract/materialStates.ts';
import { resumed, started } from '../applies/clock.ts';
import { contractRecords, type ContractRecord } from '../contracts/access.ts';
import { own } from '../database.ts';
import { enrolReview } from '../review.ts';
import { factsFor, sealFacts } from './facts.ts';
import { attachPapers } from './files.ts';
import { MATERIAL_TARGET, otherMaterialRecords, ownerOf } from './records.ts';

/** R3: working minutes that a material may take. */
const REVIEW_MINUTES = 960;
const OVER: readonly ContractRecord['state'][] = ['TERMINATED', 'EXPIRED', 'CANCELLED'];

interface HandedIn {
  kind: OtherMaterialKind;
  facts: OtherMaterialFacts;
}

/** What somebody hands in for a locked contract. @throws Refusal SCM14060 for a contract that is over */
export async function enterMaterial(
  { secrets }: Pick<Kernel, 'secrets'>,
  ctx: Acting,
  contract: ContractRecord,
  { kind, facts }: HandedIn,
  by: { userId: string; displayName: string },
) {
  if (OVER.includes(contract.state)) throw refuse(errors.CONTRACT_ENDED);
  return own(ctx.tx)
    .insertInto('enrolmentOtherMaterial')
    .values({
      materialNo: await nextNumber(ctx.tx, 'QT', ctx.today),
      contractId: contract.id,
      kind,
      factsCipher: sealFacts(secrets, factsFor(kind, facts, ctx.today)),
      enteredStateAt: ctx.now,
      submittedAt: ctx.now,
      enteredBy: by.userId,
      enteredName: by.displayName,
      ...(await started(ctx.tx, ctx.now, REVIEW_MINUTES)),
      ...createdColumns(ctx),
    })
    .returning(['id', 'materialNo', 'state', 'version'])
    .executeTakeFirstOrThrow();
}

export const add = (kernel: Kernel) =>
  command(addOtherMaterial, async ({ contractId, kind, facts, materials }, ctx) => {
    const contract = await contractRecords.lock(ctx.tx, ctx.staff, contractId);
    const row = await enterMaterial(kernel, ctx, contract, { kind, facts }, ctx.staff);
    if (materials.length === 0) throw refuseField('materials', '请上传材料');
    await attachPapers(ctx, row.id, materials, ctx.staff.userId);
    await enrolReview(kernel.secrets).materials.add(ctx, ownerOf(row), materials);
    ctx.target({ type: MATERIAL_TARGET, id: row.id, no: row.materialNo });
    return { ...actionAnswer(ctx, otherMaterialMachine, row), materialNo: row.materialNo };
  });

/** What was asked for came: the case waits again, and its clock goes on. @throws Refusal SCM14029 */
export const supply = (kernel: Kernel) =>
  command(supplyOtherMaterial, async ({ materialId, version, materials }, ctx) => {
    const material = await otherMaterialRecords.lockVersion(ctx, materialId, version, (row) => ({ materialId: row.id }));
    const state = await moveState(ctx, otherMaterialMachine, {
      targetType: MATERIAL_TARGET,
      targetId: materialId,
      targetNo: material.materialNo,
      action: 'supply',
      from: material.state,
    });
    await attachPapers(ctx, materialId, materials, ctx.staff.userId);
    await enrolReview(kernel.secrets).supplements.supply(ctx, ownerOf(material), materials);
    const row = await own(ctx.tx)
      .updateTable('enrolmentOtherMaterial')
      .set({ state, ...(await resumed(ctx.tx, material, ctx.now)), version: material.version + 1, ...updatedColumns(ctx) })
      .where('id', '=', materialId)
      .returning(['id', 'state', 'version'])
      .executeTakeFirstOrThrow();
    return actionAnswer(ctx, otherMaterialMachine, row);
  });
