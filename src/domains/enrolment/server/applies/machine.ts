import { createHash } from 'node:crypto';
import { canonicalJson } from '#kernel/contract/canonicalJson.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { machineOf, machineViewer } from '#kernel/server/auth/viewer.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { idNoHash } from '#domains/patient/server/index.ts';
import { getInsuredForEnrol } from '#domains/policy/server/index.ts';
import {
  pushInsurerDecision,
  queryEnrolProgress,
  submitEnrolApply,
  supplyEnrolApply,
  withdrawEnrolApply,
} from '../../contract/calls/appliesEntry.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import { enrolmentErrors as errors } from '../../contract/errors.ts';
import { tidyCertificate } from '../../contract/rules/certificate.ts';
import { own } from '../database.ts';
import { withdrawApply } from './decide.ts';
import { enterApply, submitApply, supplyApply } from './enter.ts';
import { requireInsuredSeen } from './entry.ts';
import { insurerDecides } from './insurer.ts';
import { applyRecords, APPLY_TARGET, type ApplyRecord } from './records.ts';

/** The machine as the trail shows it. */
const acting = (ctx: CommandContext): Acting => ({ ...asSystem(ctx, ctx), actorName: machineOf(ctx).name });
const progressOf = ({ applyNo, state, applicantWording }: Pick<ApplyRecord, 'applyNo' | 'state' | 'applicantWording'>) => ({
  applyNo,
  state,
  applicantWording,
});

/** The application of a number, locked; of another insurer it is none. */
async function lockByNo(ctx: CommandContext, applyNo: string): Promise<ApplyRecord> {
  const viewer = machineViewer(ctx);
  const found = await applyRecords.seen(ctx.tx, viewer).select('a.id').where('a.applyNo', '=', applyNo.toUpperCase()).executeTakeFirst();
  if (!found) throw applyRecords.missing();
  const apply = await applyRecords.lock(ctx.tx, viewer, found.id);
  ctx.target({ type: APPLY_TARGET, id: apply.id, no: apply.applyNo, looked: true });
  return apply;
}

/** The mini program and insurers hand in, supply, withdraw and ask; insurers tell what they concluded. */
export const machineHandlers = (kernel: Kernel): readonly Handler[] => [
  command(submitEnrolApply, async (request, ctx) => {
    const { externalRequestNo: externalNo, idNo, policyNo, insurerCaseNo, ...wish } = request;
    // Keyed, so that what is kept tells nothing of what was sent.
    const digest = createHash('sha256').update(canonicalJson(request)).digest('hex');
    const externalHash = kernel.secrets.blindIndex('enrolment.request', digest);
    await lockKeys(ctx.tx, 'enrolment.request', [externalNo]);
    const viewer = machineViewer(ctx);
    const earlier = await own(ctx.tx)
      .selectFrom('enrolmentApply')
      .select(['id', 'applyNo', 'state', 'applicantWording', 'externalHash'])
      .where('externalNo', '=', externalNo)
      .executeTakeFirst();
    if (earlier && earlier.externalHash !== externalHash) throw refuse(platformErrors.DUPLICATE_REQUEST);
    if (earlier) {
      ctx.target({ type: APPLY_TARGET, id: earlier.id, no: earlier.applyNo, looked: true });
      return progressOf(earlier);
    }
    const insured = await getInsuredForEnrol(ctx.tx, {
      idNoHash: idNoHash(kernel.secrets, tidyCertificate(idNo)),
      policyNo,
      today: ctx.today,
    });
    if (!insured) throw refuse(errors.NOT_LISTED);
    await requireInsuredSeen(ctx, viewer, insured.insuredItemId);
    const by = acting(ctx);
    const origin = {
      source: machineOf(ctx).party === 'INSURER' ? ('INSURER' as const) : ('MINI' as const),
      uploaderId: viewer.userId,
      externalNo,
      externalHash,
      insurerCaseNo,
    };
    return progressOf(await submitApply(kernel, by, await enterApply(kernel, by, insured.insuredItemId, wish, origin)));
  }),
  command(supplyEnrolApply, async ({ applyNo, materials }, ctx) => {
    const apply = await lockByNo(ctx, applyNo);
    return progressOf(await supplyApply(kernel, acting(ctx), apply, materials, machineViewer(ctx).userId));
  }),
  command(withdrawEnrolApply, async ({ applyNo, opinion }, ctx) =>
    progressOf(await withdrawApply(kernel, acting(ctx), await lockByNo(ctx, applyNo), opinion)),
  ),
  query(queryEnrolProgress, async ({ applyNo }, ctx) => {
    const row = await applyRecords
      .seen(ctx.db, machineViewer(ctx))
      .select(['a.applyNo', 'a.state', 'a.applicantWording'])
      .where('a.applyNo', '=', applyNo.toUpperCase())
      .executeTakeFirst();
    if (!row) throw applyRecords.missing();
    return progressOf(row);
  }),
  command(pushInsurerDecision, async ({ insurerCaseNo: caseNo, applyNo, decision, opinion, decidedAt }, ctx) => {
    const apply = await lockByNo(ctx, applyNo);
    const known = apply.insurerCaseNo === caseNo ? apply.insurerDecision : null;
    // What was told before is the same word again, also after it gave the case back and was asked anew.
    const repeated = known === decision || (apply.insurerSentAt !== null && decidedAt < apply.insurerSentAt);
    if (apply.state !== 'WAIT_INSURER' && known !== null && known !== decision) throw refuse(errors.INSURER_DIFFERS);
    if (apply.state !== 'WAIT_INSURER' && known === null)
      throw refuse(platformErrors.WRONG_STATE, { state: applyMachine.states[apply.state].label });
    const row = repeated ? apply : await insurerDecides(kernel, acting(ctx), apply, { caseNo, decision, opinion, decidedAt, fileId: null });
    return { applyNo: row.applyNo, state: row.state, decidedAt };
  }),
];
