import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { recheckSignContractRules, saveSignContractWork } from '../../contract/calls/appliesWork.ts';
import { own } from '../database.ts';
import { enrolReview } from '../review.ts';
import { checksOf, findAgain } from './facts.ts';
import { applyRecords, APPLY_TARGET, desk, ownerOf, type ApplyRecord } from './records.ts';
import { proposedGrade } from './rules.ts';
import type { Measures } from '../../contract/applyFields.ts';

type CheckVerdict = CheckedInputOf<typeof saveSignContractWork>['checks'][number];

/** What a reviewer says of the checks of the present round. @throws Refusal SCM90020 for an override without a reason */
export async function judgeChecks(
  { tx, staff }: Pick<CommandContext, 'tx' | 'staff'>,
  { id, round }: ApplyRecord,
  checks: readonly CheckVerdict[],
): Promise<void> {
  for (const { checkCode, humanVerdict, humanNote } of checks) {
    if (humanVerdict === 'OVERRIDE' && humanNote === '') throw refuseField('checks', '破例须填写理由');
    const { numUpdatedRows } = await own(tx)
      .updateTable('enrolmentCheck')
      .set({ humanVerdict, humanNote, userId: staff.userId })
      .where('applyId', '=', id)
      .where('round', '=', round)
      .where('checkCode', '=', checkCode)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw refuse(platformErrors.NOT_FOUND, { message: '审核要点不存在' });
  }
}

/** Keeps what a reviewer found so far; decides nothing. @throws Refusal SCM14011 */
export const saveWork = (kernel: Kernel) =>
  command(saveSignContractWork, async ({ applyId, leaseToken, materials, checks, duplicates, grade }, ctx) => {
    const apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
    await desk.requireHeld(ctx, apply, leaseToken);
    const review = enrolReview(kernel.secrets);
    await judgeChecks(ctx, apply, checks);
    await review.materials.judge(ctx, ownerOf(apply), materials);
    await review.duplicates.judge(ctx, ownerOf(apply), duplicates);
    if (grade) {
      if (apply.productLine !== 'HMO') throw refuseField('grade', '仅HMO申请需要风险分级');
      const proposed = proposedGrade(apply.measures as Measures | null);
      if (grade.chronicGrade !== proposed && grade.note === '') throw refuseField('grade', '分级与建议不一致时须填写说明');
      await own(ctx.tx)
        .updateTable('enrolmentApply')
        .set({ chronicGrade: grade.chronicGrade, gradeNote: grade.note, updatedAt: ctx.now })
        .where('id', '=', applyId)
        .execute();
    }
    // What was found on a material may make a check fail, or pass.
    if (materials.length > 0) await findAgain(kernel, ctx, apply);
    ctx.target({ type: APPLY_TARGET, id: applyId, no: apply.applyNo, looked: true });
    return {
      checks: await checksOf(ctx.tx, apply),
      duplicates: await review.duplicates.of(ctx.tx, ownerOf(apply)),
      savedAt: ctx.now,
    };
  });

/** The machine looks again while a case is open. */
export const recheckRules = (kernel: Kernel) =>
  command(recheckSignContractRules, async ({ applyId }, ctx) => {
    const apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
    ctx.target({ type: APPLY_TARGET, id: applyId, no: apply.applyNo, looked: true });
    if (apply.state === 'PENDING' || apply.state === 'REVIEWING' || apply.state === 'RECHECK') await findAgain(kernel, ctx, apply);
    return checksOf(ctx.tx, apply);
  });
