import { refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import type { InsurerDecision } from '../../contract/applyDictionaries.ts';
import { enrolmentErrors as errors } from '../../contract/errors.ts';
import { INSURER_PROOF } from '../../contract/purposes.ts';
import { advance, approve, refuseApply } from './advance.ts';
import { keepDecision } from './decisions.ts';
import { APPLY_TARGET, type ApplyRecord } from './records.ts';
import { reopen } from './reopen.ts';

interface Conclusion {
  caseNo: string;
  decision: InsurerDecision;
  opinion: string;
  decidedAt: Instant;
  /** What proves it, where somebody registers it by hand. */
  fileId: string | null;
}

/** What the insurer concluded of a case that waits for it. @throws Refusal SCM14030 */
export async function insurerDecides(kernel: Kernel, ctx: Acting, apply: ApplyRecord, conclusion: Conclusion): Promise<ApplyRecord> {
  const { caseNo, decision, opinion, decidedAt, fileId } = conclusion;
  if (apply.insurerCaseNo !== null && apply.insurerCaseNo !== caseNo) throw refuse(errors.INSURER_DIFFERS);
  if (fileId !== null)
    await attach(
      ctx.tx,
      {
        fileIds: [fileId],
        purpose: INSURER_PROOF,
        ownerType: APPLY_TARGET,
        ownerId: apply.id,
        field: 'INSURER',
        userId: ctx.staffOrNull?.userId ?? '0',
      },
      ctx.now,
    );
  const columns = {
    insurerCaseNo: caseNo,
    insurerDecision: decision,
    insurerOpinion: opinion,
    insurerDecidedAt: decidedAt,
    insurerEvidenceFileId: fileId,
  };
  await keepDecision(ctx, apply, { level: 3, verdict: decision, internalNote: opinion });
  if (decision === 'ACCEPT') return approve(kernel, ctx, apply, 'insurerAccept', opinion, columns);
  if (decision === 'REJECT')
    return refuseApply(ctx, apply, 'insurerReject', opinion, { ...columns, rejectReasons: ['R99'], applicantWording: opinion });
  const row = await advance(ctx, apply, 'insurerReturn', opinion, { ...columns, preferUserId: apply.firstReviewerId });
  return reopen(kernel, ctx, row);
}
