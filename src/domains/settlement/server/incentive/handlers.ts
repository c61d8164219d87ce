import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { getChannels } from '#domains/channel/server/index.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import { attach } from '#domains/files/server/index.ts';
import { getCompanies, getProductLines } from '#domains/pharma/server/index.ts';
import {
  addIncentiveProgram,
  auditIncentiveProgram,
  closeIncentiveProgram,
  modifyIncentiveProgram,
  pauseIncentiveProgram,
  resumeIncentiveProgram,
  submitIncentiveProgram,
} from '../../contract/calls/incentive.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { programMachine } from '../../contract/programStates.ts';
import { PROGRAM_AGREEMENT } from '../../contract/purposes.ts';
import { payerRecords, programRecords, type ProgramRecord } from '../access.ts';
import { own } from '../database.ts';
import { enqueueWork } from './fund.ts';
import { commit, giveRest } from './postings.ts';

type Facts = CheckedInputOf<typeof addIncentiveProgram>;
type Action = keyof typeof programMachine.transitions;
type Answered = Pick<ProgramRecord, 'id' | 'status' | 'version'>;

const answer = (ctx: CommandContext, row: Answered) => ({
  ...actionAnswer(ctx, programMachine, { ...row, state: row.status }),
  state: row.status,
});
const actorOf = ({ staff }: CommandContext) => ({ id: staff.userId, name: staff.displayName });
const missing = (what: string) => refuse(platformErrors.NOT_FOUND, { message: `${what}不存在或已删除` });

/** Doctors or channels that a programme is about have to be there. @throws Refusal SCM90040 */
async function requireScope(tx: Tx, { scopeType, scopeIds }: Facts): Promise<string[]> {
  if (scopeType === 'ALL') return [];
  const ids = [...new Set(scopeIds)];
  const found = scopeType === 'DOCTOR' ? await getDoctors(tx, ids) : await getChannels(tx, ids);
  if (found.length < ids.length) throw missing(scopeType === 'DOCTOR' ? '医生' : '渠道');
  return ids;
}

/** @throws Refusal SCM19027, SCM19037, SCM90040 for whom a programme names */
async function columnsOf(ctx: CommandContext, facts: Facts) {
  const { tx, staff, now } = ctx;
  const [company] = await getCompanies(tx, [facts.pharmaCompanyId]);
  if (!company) throw missing('药企');
  const [line] = await getProductLines(tx, [facts.productLineId]);
  if (!line) throw missing('产品线');
  if (line.companyId !== company.companyId) throw refuse(settlementErrors.OTHER_COMPANY, { line: line.name, company: company.name });
  const payer = await payerRecords.get(tx, payerRecords.everyone, facts.payerEntityId);
  if (!payer.enabled) throw refuse(settlementErrors.PAYER_DISABLED, { name: payer.entityName });
  return {
    programName: facts.programName,
    pharmaCompanyId: company.companyId,
    companyName: company.name,
    productLineId: line.productLineId,
    lineName: line.name,
    payerEntityId: payer.id,
    startDate: facts.startDate,
    endDate: facts.endDate,
    budgetFen: String(facts.budgetFen),
    scopeType: facts.scopeType,
    scopeIds: await requireScope(tx, facts),
    introduction: facts.introduction,
    fileIds: facts.fileIds,
    complianceByName: facts.complianceChecked ? staff.displayName : null,
    complianceAt: facts.complianceChecked ? now : null,
    makerName: staff.displayName,
  };
}

/** Tasks are written anew as long as nobody has passed them. */
async function writeTasks(tx: Tx, programId: string, tasks: Facts['tasks']): Promise<void> {
  await own(tx).deleteFrom('settlementProgramTask').where('programId', '=', programId).execute();
  if (tasks.length === 0) return;
  await own(tx)
    .insertInto('settlementProgramTask')
    .values(tasks.map(({ unitFen, ...task }) => ({ ...task, unitFen: String(unitFen), programId })))
    .execute();
}

const attachPapers = (ctx: CommandContext, programId: string, fileIds: readonly string[]) =>
  attach(
    ctx.tx,
    {
      fileIds,
      purpose: PROGRAM_AGREEMENT,
      ownerType: programRecords.type,
      ownerId: programId,
      field: 'agreement',
      userId: ctx.staff.userId,
    },
    ctx.now,
  );

export const add = command(addIncentiveProgram, async (facts, ctx) => {
  const columns = await columnsOf(ctx, facts);
  const row = await own(ctx.tx)
    .insertInto('settlementProgram')
    .values({ programNo: await nextNumber(ctx.tx, 'IP', dayOf(ctx.now)), ...columns, ...createdColumns(ctx) })
    .returning(['id', 'programNo', 'status', 'version'])
    .executeTakeFirstOrThrow();
  await writeTasks(ctx.tx, row.id, facts.tasks);
  await attachPapers(ctx, row.id, facts.fileIds);
  ctx.target({ type: programRecords.type, id: row.id, no: row.programNo });
  return answer(ctx, row);
});

/** Tasks of a programme as a form has them. */
const tasksOf = async (tx: Tx, programId: string): Promise<Facts['tasks']> =>
  (
    await own(tx)
      .selectFrom('settlementProgramTask')
      .select(['taskType', 'taskName', 'unitFen', 'monthlyCapCount', 'programCapCount', 'minDurationMin', 'minScore'])
      .where('programId', '=', programId)
      .orderBy('id')
      .execute()
  ).map((task) => ({ ...task, unitFen: Number(task.unitFen) }));

/** What was passed is changed by applications alone. */
export const modify = command(modifyIncentiveProgram, async ({ id, version, ...facts }, ctx) => {
  const program = await programRecords.lockVersion(ctx, id, version, async (stored) => ({
    complianceChecked: stored.complianceAt !== null,
    tasks: await tasksOf(ctx.tx, id),
  }));
  if (program.status !== 'DRAFT' && program.status !== 'REJECTED')
    throw refuse(platformErrors.WRONG_STATE, { state: programMachine.states[program.status].label });
  const columns = await columnsOf(ctx, facts);
  await writeTasks(ctx.tx, id, facts.tasks);
  await attachPapers(ctx, id, facts.fileIds);
  const row = await own(ctx.tx)
    .updateTable('settlementProgram')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: programRecords.type, id, no: program.programNo });
  return answer(ctx, row);
});

/** @throws Refusal SCM19034 for what is not written yet, SCM19031 before somebody said that nothing is paid for prescriptions */
async function requireComplete(tx: Tx, program: ProgramRecord): Promise<void> {
  const { n } = await own(tx)
    .selectFrom('settlementProgramTask')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('programId', '=', program.id)
    .executeTakeFirstOrThrow();
  const fields = [
    ...(n === '0' ? ['任务与单价'] : []),
    ...(program.introduction === '' ? ['激励说明'] : []),
    ...(program.fileIds.length === 0 ? ['合作协议'] : []),
  ];
  if (fields.length > 0) throw refuse(settlementErrors.PROGRAM_INCOMPLETE, { fields: fields.join('、') });
  if (program.complianceAt === null) throw refuse(settlementErrors.NOT_COMPLIANT);
}

async function move(ctx: CommandContext, program: ProgramRecord, action: Action, opinion: string, more: object = {}) {
  const status = await moveState(ctx, programMachine, {
    targetType: programRecords.type,
    targetId: program.id,
    targetNo: program.programNo,
    action,
    from: program.status,
    opinion,
    contributors: [program.createdBy, program.updatedBy, program.submittedBy],
  });
  const row = await own(ctx.tx)
    .updateTable('settlementProgram')
    .set((eb) => ({ status, ...(opinion !== '' && { opinion }), ...more, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', program.id)
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
  return answer(ctx, row);
}

export const submit = command(submitIncentiveProgram, async ({ id, version }, ctx) => {
  const program = await programRecords.lockVersion(ctx, id, version);
  await requireComplete(ctx.tx, program);
  return move(ctx, program, 'submit', '', { submittedBy: ctx.staff.userId, auditedBy: null });
});

/** The company owes the budget from here on. @throws Refusal SCM19001 for one's own */
export const audit = (kernel: Kernel) =>
  command(auditIncentiveProgram, async ({ id, version, decision, opinion }, ctx) => {
    const program = await programRecords.lockVersion(ctx, id, version);
    const auditedBy = ctx.staff.userId;
    if (decision === 'reject') return move(ctx, program, 'reject', opinion, { auditedBy });
    await requireComplete(ctx.tx, program);
    const answered = await move(ctx, program, 'approve', opinion, { auditedBy });
    await commit(ctx, kernel, program, { key: 'budget', fen: BigInt(program.budgetFen) }, actorOf(ctx));
    return answered;
  });

export const pause = command(pauseIncentiveProgram, async ({ id, version, opinion }, ctx) =>
  move(ctx, await programRecords.lockVersion(ctx, id, version), 'pause', opinion),
);

/** What was done meanwhile is accrued by a job. */
export const resume = command(resumeIncentiveProgram, async ({ id, version, opinion }, ctx) => {
  const program = await programRecords.lockVersion(ctx, id, version);
  const answered = await move(ctx, program, 'resume', opinion);
  await enqueueWork(ctx, program);
  return answered;
});

/** What is left goes back. @throws Refusal SCM19033 while doctors have not got what they earned */
export const close = (kernel: Kernel) =>
  command(closeIncentiveProgram, async ({ id, version, opinion }, ctx) => {
    const program = await programRecords.lockVersion(ctx, id, version);
    const { n: incomes } = await own(ctx.tx)
      .selectFrom('settlementIncome')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .where('programId', '=', id)
      .where('status', 'in', ['PENDING', 'AVAILABLE', 'LOCKED', 'HELD'])
      .executeTakeFirstOrThrow();
    const { n: facts } = await own(ctx.tx)
      .selectFrom('settlementProgramFact')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .where('programId', '=', id)
      .where('state', 'in', ['CHECKING', 'NEW'])
      .executeTakeFirstOrThrow();
    const open = Number(incomes) + Number(facts);
    if (program.status === 'ENDED' && open > 0) throw refuse(settlementErrors.UNSETTLED, { n: open });
    const answered = await move(ctx, program, 'close', opinion);
    await giveRest(ctx, kernel, program, actorOf(ctx));
    return answered;
  });
