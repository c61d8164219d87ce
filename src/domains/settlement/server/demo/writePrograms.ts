import { sql } from 'kysely';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, plusDays, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { attach } from '#domains/files/server/index.ts';
import { programMachine } from '../../contract/programStates.ts';
import { PROGRAM_AGREEMENT } from '../../contract/purposes.ts';
import { programRecords, type ProgramRecord } from '../access.ts';
import { own } from '../database.ts';
import { bookFact } from '../incentive/facts.ts';
import { lockProgram } from '../incentive/fund.ts';
import { commit, giveRest } from '../incentive/postings.ts';
import { MONTHLY_CAP, PROGRAMS, type ProgramSpec } from './programSpecs.ts';
import { daysAgo, type Stage, type StaffName } from './stage.ts';

type Action = keyof typeof programMachine.transitions;
interface Line {
  id: string;
  name: string;
  companyId: string;
  companyName: string;
}

/** What a programme of the demonstration rests on, plainly marked as made up. */
const agreement = (spec: ProgramSpec, line: Line): Buffer =>
  renderPdf({
    title: '合作协议',
    watermark: '演示资料 仅供体验',
    footer: '演示资料',
    blocks: [
      { kind: 'title', text: '医生服务激励合作协议', note: '演示资料' },
      {
        kind: 'fields',
        fields: [
          ['项目', spec.name],
          ['药企', line.companyName],
          ['产品线', line.name],
          ['预算', `${yuan(spec.budgetFen, true)}元`],
        ],
      },
      { kind: 'text', text: '费用按实际完成的服务计付，不与处方量、药品销量挂钩。' },
    ],
  });

async function move(stage: Stage, id: string, action: Action, at: Instant, by: StaffName | null, opinion = '', more: object = {}) {
  const acting = stage.at(at, by ?? undefined);
  const program = await lockProgram(stage.tx, id);
  const status = await moveState(acting, programMachine, {
    targetType: programRecords.type,
    targetId: id,
    targetNo: program.programNo,
    action,
    from: program.status,
    opinion,
  });
  await own(stage.tx)
    .updateTable('settlementProgram')
    .set((eb) => ({
      status,
      ...(opinion !== '' && { opinion }),
      ...more,
      version: eb('version', '+', 1),
      ...updatedColumns({ now: at, userId: by ? stage.staff[by].id : null }),
    }))
    .where('id', '=', id)
    .execute();
  return program;
}

/** A draft with its tasks and its agreement. */
async function draft(stage: Stage, spec: ProgramSpec, line: Line, payerId: string, at: Instant): Promise<ProgramRecord> {
  const { tx, staff, kernel } = stage;
  const paper = await kernel.ports.files.store(
    tx,
    {
      purpose: PROGRAM_AGREEMENT,
      name: '合作协议.pdf',
      body: agreement(spec, line),
      contentType: 'application/pdf',
      createdBy: staff.chan_ops.id,
    },
    at,
  );
  const program = await own(tx)
    .insertInto('settlementProgram')
    .values({
      programNo: await nextNumber(tx, 'IP', dayOf(at)),
      programName: spec.name,
      pharmaCompanyId: line.companyId,
      companyName: line.companyName,
      productLineId: line.id,
      lineName: line.name,
      payerEntityId: payerId,
      startDate: plusDays(stage.today, -spec.from),
      endDate: plusDays(stage.today, -spec.to),
      budgetFen: String(spec.budgetFen),
      scopeType: 'ALL',
      introduction: [
        `${spec.name}邀请您完成以下工作：`,
        ...spec.tasks.map(({ taskName, unitFen }) => `· ${taskName}：每次${yuan(unitFen, true)}元，每月最多${MONTHLY_CAP}次`),
        '完成后三天计入可结算收入，次月随结算单发放。本项目不与处方量、药品销量挂钩。',
      ].join('\n'),
      fileIds: [paper.fileId],
      complianceByName: staff.chan_ops.name,
      complianceAt: at,
      makerName: staff.chan_ops.name,
      createdAt: at,
      createdBy: staff.chan_ops.id,
      ...updatedColumns({ now: at, userId: staff.chan_ops.id }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await own(tx)
    .insertInto('settlementProgramTask')
    .values(spec.tasks.map((task) => ({ ...task, unitFen: String(task.unitFen), monthlyCapCount: MONTHLY_CAP, programId: program.id })))
    .execute();
  await attach(
    tx,
    {
      fileIds: [paper.fileId],
      purpose: PROGRAM_AGREEMENT,
      ownerType: programRecords.type,
      ownerId: program.id,
      field: 'agreement',
      userId: staff.chan_ops.id,
    },
    at,
  );
  return program;
}

interface Running {
  spec: ProgramSpec;
  program: ProgramRecord;
  tasks: readonly string[];
  done: number;
}

/** Somebody did something that day: a doctor after the other, a task after the other. */
async function writeFact(stage: Stage, running: Running, doctors: readonly { id: string; name: string }[], day: Day): Promise<void> {
  const { spec, program, tasks } = running;
  const n = (running.done += 1);
  const doctor = doctors[(n * 7) % doctors.length]!;
  const at = startOfDay(day, '16:30');
  const { taskType } = spec.tasks[n % tasks.length]!;
  const byHand = taskType === 'CASE_COLLECT' || taskType === 'LECTURE';
  const { id } = await own(stage.tx)
    .insertInto('settlementProgramFact')
    .values({
      programId: program.id,
      taskId: tasks[n % tasks.length]!,
      doctorId: doctor.id,
      doctorName: doctor.name,
      sourceType: byHand ? 'IMPORT' : taskType === 'FOLLOW_UP_RECORD' ? 'VISIT_RECORD' : 'TASK',
      sourceNo: `${program.programNo}-DEMO${String(n).padStart(3, '0')}`,
      occurredAt: at,
      itemCount: 1,
      state: 'NEW',
      createdAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await bookFact(stage.at(startOfDay(day, '17:00')), stage.ledger, id);
}

/** More budget is asked for, and a table waits for a second person. */
async function ask(stage: Stage, { spec, program, tasks }: Running, doctor: { id: string; name: string }): Promise<void> {
  const { tx, staff } = stage;
  const at = daysAgo(stage, 1, '15:00');
  const change = { programId: program.id, makerId: staff.chan_ops.id, makerName: staff.chan_ops.name, createdAt: at };
  if (spec.fate === 'ACTIVE' && spec.every === 2)
    await own(tx)
      .insertInto('settlementProgramChange')
      .values({ ...change, kind: 'BUDGET', amountFen: '50000', reason: '参与医生多于预期，预算余额不足以支付' })
      .execute();
  if (spec.fate !== 'PAUSED') return;
  const { id } = await own(tx)
    .insertInto('settlementProgramChange')
    .values({ ...change, kind: 'FACTS', batchNo: 'DR-DEMO-01', factCount: 3, reason: '导入激励事实' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await own(tx)
    .insertInto('settlementProgramFact')
    .values(
      [1, 2, 3].map((n) => ({
        programId: program.id,
        taskId: tasks[0]!,
        doctorId: doctor.id,
        doctorName: doctor.name,
        sourceType: 'IMPORT' as const,
        sourceNo: `${program.programNo}-PZ${n}`,
        occurredAt: daysAgo(stage, n + 1, '12:00'),
        itemCount: 1,
        changeId: id,
        state: 'CHECKING' as const,
        createdAt: at,
      })),
    )
    .execute();
}

/** Programmes of pharma companies. @returns what happens with them on a day */
export async function writePrograms(stage: Stage, doctorIds: readonly string[]): Promise<(day: Day) => Promise<void>> {
  const { tx, staff, today, kernel } = stage;
  const { rows: lines } = await sql<Line>`
    select l.id, l.name, c.id as company_id, c.name as company_name
      from pharma_product_line l join pharma_company c on c.id = l.company_id order by l.id limit ${PROGRAMS.length}`.execute(tx);
  const payer = await own(tx).selectFrom('settlementPayer').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const { rows: doctors } = await sql<{ id: string; name: string }>`
    select id, name from doctor_doctor where id = any(${[...doctorIds]}::bigint[]) order by id`.execute(tx);
  if (lines.length === 0 || doctors.length === 0) return () => Promise.resolve();
  const running: Running[] = [];
  const begin = async (spec: ProgramSpec, at: Instant) => {
    const program = await draft(stage, spec, lines[PROGRAMS.indexOf(spec) % lines.length]!, payer.id, at);
    if (spec.fate === 'DRAFT') return;
    await move(stage, program.id, 'submit', startOfDay(dayOf(at), '14:00'), 'chan_ops', '', { submittedBy: staff.chan_ops.id });
    if (spec.fate === 'PENDING_AUDIT') return;
    const verdict = spec.fate === 'REJECTED' ? 'reject' : 'approve';
    const passedAt = startOfDay(dayOf(at), '15:30');
    await move(stage, program.id, verdict, passedAt, 'fin_r', spec.opinion, { auditedBy: staff.fin_r.id });
    if (verdict === 'reject') return;
    await commit(stage.at(passedAt), kernel, program, { key: 'budget', fen: BigInt(spec.budgetFen) }, staff.fin_r);
    const tasks = await own(tx)
      .selectFrom('settlementProgramTask')
      .select('id')
      .where('programId', '=', program.id)
      .orderBy('id')
      .execute();
    running.push({ spec, program, tasks: tasks.map(({ id }) => id), done: 0 });
  };
  /** What changes its state on a day. */
  const changeState = async ({ spec, program }: Running, ago: number, day: Day) => {
    const at = startOfDay(day, '09:10');
    if (spec.fate === 'PAUSED' && ago === 9) await move(stage, program.id, 'pause', at, 'chan_ops', '病例脱敏规则调整，暂停收集');
    if (ago === spec.to - 1) await move(stage, program.id, 'end', startOfDay(day, '00:10'), null);
    if (spec.fate !== 'CLOSED' || ago !== spec.to - 3) return;
    await giveRest(stage.at(at), kernel, await move(stage, program.id, 'close', at, 'fin_r', '项目未开展授课，预算全额退回'), staff.fin_r);
  };
  return async (day) => {
    const ago = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
    for (const spec of PROGRAMS) {
      // What has not begun yet was written some days ago.
      const writtenAgo = spec.from > 0 ? spec.from + 1 : 4;
      if (ago === writtenAgo) await begin(spec, startOfDay(day, '10:20'));
    }
    for (const one of running) {
      await changeState(one, ago, day);
      const { from, to, every } = one.spec;
      if (every !== undefined && ago > 0 && ago <= from && ago >= to && (from - ago) % every === 0)
        await writeFact(stage, one, doctors, day);
      if (ago === 1) await ask(stage, one, doctors[0]!);
    }
  };
}
