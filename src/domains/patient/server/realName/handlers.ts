import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Context } from '#kernel/server/context.ts';
import { command, procedure, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { assertOtherPerson } from '#domains/identity/server/index.ts';
import { addRealNameCheck, auditRealName, resetRealName } from '../../contract/calls/realName.ts';
import { checkResults, type CheckResult, type IdType } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { realNameMachine } from '../../contract/states.ts';
import { lockPatient, openPatient, type Seen } from '../access.ts';
import { ownTx } from '../database.ts';
import { attachFiles, requireFiles } from '../files.ts';
import { unsettled } from '../persons/operate.ts';
import { TARGET } from '../persons/save.ts';
import { idNoColumns } from '../sensitive.ts';
import { listHandlers } from './list.ts';
import { requireFreeCertificate, factsOf, openRequest, setState } from './request.ts';
import { switchHandlers } from './switches.ts';
import { keepCheck, provenFacts, type Verifier } from './verify.ts';

const answerOf = (
  ctx: Pick<Context, 'has'>,
  row: Pick<Seen, 'id' | 'realNameState' | 'version'>,
  result: CheckResult | null,
  message: string,
) => {
  const state = row.realNameState;
  return { patientId: row.id, state, version: row.version, result, message, allowedActions: realNameMachine.allowed(state, ctx.has) };
};

const openOf = (ctx: CommandContext, seen: Seen) =>
  ownTx(ctx.tx)
    .selectFrom('patientRealNameRequest')
    .selectAll()
    .where('patientId', '=', seen.id)
    .where('open', '=', true)
    .forUpdate()
    .executeTakeFirst();

/** Hands a failed check to a person, with the papers. */
async function toManual(
  kernel: Kernel,
  ctx: CommandContext,
  seen: Seen,
  input: { fileIds: readonly string[]; opinion: string; name?: string | undefined; idType?: IdType | undefined; idNo?: string | undefined },
): Promise<void> {
  requireFiles(input.fileIds, patientErrors.ID_PHOTO);
  const last = await ownTx(ctx.tx)
    .selectFrom('patientRealNameRequest')
    .selectAll()
    .where('patientId', '=', seen.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const wish = {
    method: 'MANUAL' as const,
    name: input.name ?? last?.name,
    idType: input.idType ?? last?.idType,
    idNo: input.idNo ?? (last && kernel.secrets.decrypt(last.idNoCipher)),
  };
  const facts = factsOf(kernel, seen, wish, ctx.today);
  const number = idNoColumns(kernel.secrets, facts.idNo);
  await requireFreeCertificate(ctx.tx, seen, { idType: facts.idType, idNoHash: number.idNoHash! });
  await attachFiles(ctx, ctx.staff.userId, seen.id, 'realName', input.fileIds);
  await ownTx(ctx.tx)
    .insertInto('patientRealNameRequest')
    .values({
      patientId: seen.id,
      method: 'MANUAL',
      name: facts.name,
      idType: facts.idType,
      idNoCipher: number.idNoCipher!,
      idNoHash: number.idNoHash!,
      idNoMasked: number.idNoMasked!,
      fileIds: [...input.fileIds],
      opinion: input.opinion,
      requestedBy: ctx.staff.userId,
      at: ctx.now,
      day: dayOf(ctx.now),
    })
    .execute();
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: `patient.manual:${seen.id}`,
      title: `待人工核验实名：${seen.patientNo}`,
      permission: patientPermissions['realName.audit'].code,
    },
    ctx.now,
  );
}

/** A person's decision on what a machine could not prove. */
async function decide(kernel: Kernel, ctx: CommandContext, seen: Seen, pass: boolean, opinion: string): Promise<object> {
  const request = await openOf(ctx, seen);
  if (!request) return {};
  assertOtherPerson(request.requestedBy, ctx.staff.userId, patientErrors.SAME_DECIDER);
  if (pass) await requireFreeCertificate(ctx.tx, seen, request);
  const checkId = await keepCheck(
    ctx,
    request,
    { result: pass ? 'PASS' : 'MISMATCH', ref: null, method: 'MANUAL', decidedBy: ctx.staff.userId, opinion },
    ctx.now,
  );
  await ownTx(ctx.tx).updateTable('patientRealNameRequest').set({ open: false }).where('id', '=', request.id).execute();
  await kernel.ports.notices.closeTodo(ctx.tx, `patient.manual:${seen.id}`, ctx.now);
  return pass ? provenFacts(request, kernel.secrets.decrypt(request.idNoCipher), checkId, ctx.now) : {};
}

export const realNameHandlers = (kernel: Kernel, verifier: Verifier): readonly Handler[] => [
  ...listHandlers,
  ...switchHandlers,
  procedure(addRealNameCheck, async ({ patientId, version, ...wish }, ctx) => {
    const requestId = await ctx.transaction(async (writing) => {
      const seen = await lockPatient(writing.tx, writing.staff, patientId, writing.now);
      await requireVersion(writing, TARGET, seen, version, () => ({ realNameState: seen.realNameState }));
      return openRequest(kernel, writing, seen, wish, 'verify', verifier.job);
    });
    const { answer, refusal } = await verifier.run(requestId, ctx);
    if (refusal) throw refusal;
    const after = await openPatient(ctx.db, ctx.staff, patientId, ctx.now);
    const result = answer?.result ?? null;
    return answerOf(
      ctx,
      after,
      result,
      result === null || result === 'ERROR' ? '核验服务暂不可用，稍后自动重试' : `核验结果：${checkResults.label(result)}`,
    );
  }),
  command(auditRealName, async ({ patientId, version, action, opinion, ...papers }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    await requireVersion(ctx, TARGET, seen, version, () => ({ realNameState: seen.realNameState }));
    const from = seen.realNameState;
    const state = await moveState(ctx, realNameMachine, {
      targetType: TARGET,
      targetId: seen.id,
      targetNo: seen.patientNo,
      action,
      from,
      opinion,
    });
    let proven: object = {};
    if (action === 'toManual') await toManual(kernel, ctx, seen, { ...papers, opinion });
    else proven = await decide(kernel, ctx, seen, action === 'manualPass', opinion);
    await setState(ctx, seen.id, state, proven);
    return answerOf(
      ctx,
      { id: seen.id, realNameState: state, version: seen.version + 1 },
      action === 'manualPass' ? 'PASS' : action === 'manualReject' ? 'MISMATCH' : null,
      realNameMachine.states[state].label,
    );
  }),
  command(resetRealName, async ({ patientId, version, opinion }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    await requireVersion(ctx, TARGET, seen, version, () => ({ realNameState: seen.realNameState }));
    const state = await moveState(ctx, realNameMachine, {
      targetType: TARGET,
      targetId: seen.id,
      targetNo: seen.patientNo,
      action: 'reset',
      from: seen.realNameState,
      opinion,
    });
    const open = await unsettled(ctx.tx, seen.groupIds);
    if (open.length > 0) throw refuse(patientErrors.RESET_BLOCKED, { data: { blockers: open } });
    await setState(ctx, seen.id, state, { realNameAt: null, realNameCheckId: null });
    return answerOf(ctx, { id: seen.id, realNameState: state, version: seen.version + 1 }, null, '已撤销实名');
  }),
];
