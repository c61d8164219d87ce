import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult, queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  addIncentiveBudget,
  addIncentiveProgram,
  auditIncentiveChange,
  auditIncentiveProgram,
  closeIncentiveProgram,
  importIncentiveFact,
  modifyIncentiveIntroduction,
  modifyIncentiveProgram,
  pauseIncentiveProgram,
  queryIncentiveProgramList,
  resumeIncentiveProgram,
  submitIncentiveProgram,
} from '../../contract/calls/incentive.ts';
import { reverseIncome, unholdIncome } from '../../contract/calls/income.ts';
import { own } from '../database.ts';
import { acting, booksOf, incomesOf, keeper, key, newDoctor } from '../testing/fixtures.ts';
import {
  draftProgram,
  factsOf,
  newFacts,
  programInput,
  programOf,
  recorded,
  runningProgram,
  submittedProgram,
  taskDone,
  taskInput,
} from '../testing/programs.ts';
import { bookFact } from './facts.ts';
import { incentiveFactImporter } from './importer.ts';

let app: TestApp;
let reader: TestStaff;
const opinion = '按合作协议处理';
beforeAll(async () => {
  app = await startTestApp({ connections: 60 });
  reader = await keeper(app);
});
afterAll(async () => {
  await app.close();
});

/** What a programme has in the books. */
async function fundOf(id: string): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(b.sign * (b.debit_total_fen - b.credit_total_fen)), 0)::int as fen
      from ledger_account a
      join ledger_balance b on b.account_id = a.id
      where a.account_type = 'DR_PROGRAM_FUND' and a.owner_id = ${id}`.execute(app.db);
  return rows[0]!.fen;
}
/** The budget, the sums of the incomes and the books say the same. */
async function expectBalanced(id: string): Promise<void> {
  const row = await own(app.db).selectFrom('settlementProgram').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { rows } = await sql<{ used: number; reserved: number }>`
    select coalesce(sum(gross_fen) filter (where waits_for is null), 0)::int as used,
        coalesce(sum(gross_fen) filter (where waits_for = 'PAUSE'), 0)::int as reserved
      from settlement_income where program_id = ${id} and status <> 'REVERSED'`.execute(app.db);
  expect({ used: Number(row.usedFen), reserved: Number(row.reservedFen) }).toEqual(rows[0]);
  expect(await fundOf(id)).toBe(Number(row.budgetFen) - Number(row.usedFen));
}
const statusOf = async (doctorId: string) => (await incomesOf(app, reader, doctorId)).map(({ status }) => status);
const askBudget = async (program: { id: string; maker: TestStaff }, amountFen: number) => {
  const { program: row } = await programOf(app, reader, program.id);
  return app.ok(addIncentiveBudget, { id: program.id, version: row.version, amountFen, reason: '参与医生多于预期' }, key(program.maker));
};
const pass = (change: { id: string; version: number }, as: TestStaff) =>
  app.ok(auditIncentiveChange, { id: change.id, version: change.version, decision: 'approve', opinion }, key(as));
const on = async (id: string) => ({ id, version: (await programOf(app, reader, id)).program.version, opinion });

describe('a programme', () => {
  it('pays for no prescription, names a line of its company and ends after it begins', async () => {
    const maker = await keeper(app);
    const input = await programInput(app, maker, await newDoctor(app));
    const refused = (change: object) => app.refused(addIncentiveProgram, { ...input, ...change }, { as: maker });
    for (const taskName of ['处方奖励', '药品销量达标', '开药积分'])
      expect(await refused({ tasks: [taskInput({ taskName })] })).toMatchObject({
        code: 'SCM19031',
        message: '请先完成合规确认：激励不得与处方量、药品销量挂钩',
      });
    expect(await refused({ endDate: input.startDate })).toMatchObject({ fields: [{ message: '结束日期须晚于开始日期' }] });
    expect(await refused({ budgetFen: 0 })).toMatchObject({ fields: [{ message: '预算须大于0' }] });
    expect(await refused({ tasks: [taskInput({ unitFen: 0 })] })).toMatchObject({ fields: [{ message: '单价须大于0' }] });
    expect(await refused({ tasks: [taskInput(), taskInput()] })).toMatchObject({ fields: [{ message: '同一类型的任务名称不能重复' }] });
    expect(await refused({ scopeIds: [] })).toMatchObject({ fields: [{ message: '请选择指定对象' }] });
    const other = await programInput(app, maker, await newDoctor(app));
    expect(await refused({ productLineId: other.productLineId })).toMatchObject({ code: 'SCM19037' });
  });

  it('is submitted whole and confirmed, and passed by another person', async () => {
    const { id, version, maker, doctorId } = await draftProgram(app, { complianceChecked: false, introduction: '', tasks: [] });
    expect(await app.refused(submitIncentiveProgram, { id, version }, { as: maker })).toMatchObject({
      code: 'SCM19034',
      message: '激励项目资料不完整，请先补充任务与单价、激励说明',
    });
    const input = await programInput(app, maker, doctorId, { complianceChecked: false });
    const whole = await app.ok(modifyIncentiveProgram, { ...input, id, version }, { as: maker });
    expect(await app.refused(submitIncentiveProgram, { id, version: whole.version }, { as: maker })).toMatchObject({ code: 'SCM19031' });
    const sure = await app.ok(modifyIncentiveProgram, { ...input, id, version: whole.version, complianceChecked: true }, { as: maker });
    const asked = await app.ok(submitIncentiveProgram, { id, version: sure.version }, { as: maker });
    const verdict = { id, version: asked.version, decision: 'approve' as const, opinion };
    expect(await app.refused(auditIncentiveProgram, verdict, key(maker))).toMatchObject({ code: 'SCM19001' });
    expect(await app.refused(auditIncentiveProgram, { ...verdict, version: 1 }, key(reader))).toMatchObject({ code: 'SCM90030' });
    expect(await app.ok(auditIncentiveProgram, verdict, key(reader))).toMatchObject({ state: 'ACTIVE' });
    expect(await fundOf(id)).toBe(100_000);
    const { program } = await programOf(app, reader, id);
    expect(await app.refused(modifyIncentiveProgram, { ...input, id, version: program.version }, { as: maker })).toMatchObject({
      code: 'SCM90031',
    });
    expect((await app.ok(queryIncentiveProgramList, { programNo: program.programNo }, { as: reader })).rows).toMatchObject([
      { budgetFen: 100_000, leftFen: 100_000, takenFen: 0, doctorCount: 0 },
    ]);
  });

  it('that was sent back is changed and submitted again', async () => {
    const { id, version, maker, doctorId } = await submittedProgram(app);
    const back = await app.ok(auditIncentiveProgram, { id, version, decision: 'reject', opinion }, key(reader));
    expect(back).toMatchObject({ state: 'REJECTED' });
    expect(await fundOf(id)).toBe(0);
    const again = await app.ok(
      modifyIncentiveProgram,
      { ...(await programInput(app, maker, doctorId)), id, version: back.version },
      { as: maker },
    );
    expect(await app.ok(submitIncentiveProgram, { id, version: again.version }, { as: maker })).toMatchObject({ state: 'PENDING_AUDIT' });
  });
});

describe('what doctors did', () => {
  it('is one income out of the fund, however often it is told', async () => {
    const { id, doctorId } = await runningProgram(app);
    const record = await recorded(app, doctorId);
    await recorded(app, doctorId, record);
    const [income, ...others] = await incomesOf(app, reader, doctorId);
    expect(others).toEqual([]);
    expect(income).toMatchObject({ incomeType: 'INCENTIVE', taskType: 'FOLLOW_UP_RECORD', grossFen: 1_000, status: 'PENDING' });
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 1_000 });
    expect(await factsOf(app, reader, id)).toMatchObject([{ state: 'BOOKED', paidCount: 1, incomeNo: income!.incomeNo }]);
    await expectBalanced(id);
  });

  it('of a follow-up counts by its kind and its quality, and not for a doctor whom no programme names', async () => {
    const tasks = [
      taskInput({ taskType: 'PATIENT_EDU', taskName: '患者教育电话', minDurationMin: 5 }),
      taskInput({ taskType: 'SURVEY', taskName: '问卷调研', unitFen: 2_000, minScore: 60 }),
    ];
    const { id, doctorId } = await runningProgram(app, { tasks });
    await taskDone(app, doctorId, 'CALL', { durationMin: 8 });
    await taskDone(app, doctorId, 'CALL', { durationMin: 3 });
    await taskDone(app, doctorId, 'FORM', { score: 59.5 });
    await taskDone(app, doctorId, 'FORM', { score: 80 });
    await taskDone(app, doctorId, 'REPLY');
    await taskDone(app, null, 'CALL');
    await taskDone(app, await newDoctor(app), 'CALL', { durationMin: 8 });
    expect((await factsOf(app, reader, id)).map(({ taskType, state }) => `${taskType} ${state}`).toSorted()).toEqual([
      'PATIENT_EDU BOOKED',
      'PATIENT_EDU UNFIT',
      'SURVEY BOOKED',
      'SURVEY UNFIT',
    ]);
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 3_000 });
  });

  it('beyond the monthly cap is kept and not paid, in ten at once too', async () => {
    const { id, doctorId } = await runningProgram(app, { tasks: [taskInput({ monthlyCapCount: 3 })] });
    const facts = await newFacts(app, id, doctorId, 10);
    await Promise.all(facts.map((fact) => acting(app, (ctx) => bookFact(ctx, ledgerOf(app.kernel), fact))));
    expect(await statusOf(doctorId)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect((await factsOf(app, reader, id)).filter(({ state }) => state === 'OVER_CAP')).toHaveLength(7);
    await expectBalanced(id);
  });

  it('fifty times at once never spends more than the budget, and what finds none waits', async () => {
    const { id, doctorId } = await runningProgram(app, { budgetFen: 20_500 });
    const facts = await newFacts(app, id, doctorId, 50);
    await Promise.all(facts.map((fact) => acting(app, (ctx) => bookFact(ctx, ledgerOf(app.kernel), fact))));
    const statuses = await statusOf(doctorId);
    expect(statuses.filter((status) => status === 'PENDING')).toHaveLength(20);
    expect(statuses.filter((status) => status === 'HELD')).toHaveLength(30);
    expect((await programOf(app, reader, id)).program).toMatchObject({ takenFen: 20_000, leftFen: 500, waitingFen: 30_000 });
    expect(await booksOf(app, doctorId)).toEqual({ DR_PENDING: 20_000 });
    await expectBalanced(id);
    await expect(sql`update settlement_program set used_fen = budget_fen + 1 where id = ${id}`.execute(app.db)).rejects.toThrow(
      /settlement_program_budget/u,
    );
  });
});

describe('an incentive without budget', () => {
  it('waits with the reason, is not freed by hand, and is accrued when another has passed more', async () => {
    const made = await runningProgram(app, { budgetFen: 5_000, tasks: [taskInput({ unitFen: 6_000 })] });
    await recorded(app, made.doctorId);
    const [income] = await incomesOf(app, reader, made.doctorId);
    expect(income).toMatchObject({ status: 'HELD', holdReason: '项目预算余额不足：需60.00元，剩余50.00元' });
    expect(await booksOf(app, made.doctorId)).toEqual({});
    const free = { id: income!.id, version: income!.version, opinion };
    expect(await app.refused(unholdIncome, free, { as: reader })).toMatchObject({ code: 'SCM19032' });
    const { rows } = await sql`select 1 from identity_notice where title like ${'激励项目%预算余额不足'}`.execute(app.db);
    expect(rows.length).toBeGreaterThan(0);
    const change = await askBudget(made, 1_000);
    expect(
      await app.refused(
        addIncentiveBudget,
        { id: made.id, version: (await on(made.id)).version, amountFen: 1, reason: '再次申请' },
        key(made.maker),
      ),
    ).toMatchObject({ code: 'SCM19035' });
    expect(
      await app.refused(auditIncentiveChange, { id: change.id, version: change.version, decision: 'approve', opinion }, key(made.maker)),
    ).toMatchObject({ code: 'SCM19001' });
    expect(await pass(change, reader)).toMatchObject({ state: 'APPROVED' });
    await app.runDue();
    expect(await statusOf(made.doctorId)).toEqual(['PENDING']);
    expect((await programOf(app, reader, made.id)).program).toMatchObject({ budgetFen: 6_000, leftFen: 0, waitingFen: 0 });
    await expectBalanced(made.id);
  });

  it('takes what another gives back when it is reversed', async () => {
    const made = await runningProgram(app, { budgetFen: 1_000, tasks: [taskInput({ monthlyCapCount: 2 })] });
    await recorded(app, made.doctorId);
    await recorded(app, made.doctorId);
    const [waits, paid] = await incomesOf(app, reader, made.doctorId);
    const [first, second] = waits!.status === 'PENDING' ? [waits!, paid!] : [paid!, waits!];
    expect([first.status, second.status]).toEqual(['PENDING', 'HELD']);
    await app.ok(reverseIncome, { id: first.id, version: first.version, opinion }, key(reader));
    await app.runDue();
    expect((await statusOf(made.doctorId)).toSorted()).toEqual(['PENDING', 'REVERSED']);
    expect(await booksOf(app, made.doctorId)).toEqual({ DR_PENDING: 1_000 });
    await expectBalanced(made.id);
    // Its place under the cap is free again.
    await recorded(app, made.doctorId);
    expect((await factsOf(app, reader, made.id)).map(({ state }) => state).toSorted()).toEqual(['BOOKED', 'BOOKED', 'REVERSED']);
  });
});

describe('a programme that is paused', () => {
  it('sets money aside for what is done meanwhile, and accrues it when it goes on', async () => {
    const made = await runningProgram(app, { budgetFen: 1_500 });
    await app.ok(pauseIncentiveProgram, await on(made.id), { as: made.maker });
    await recorded(app, made.doctorId);
    await recorded(app, made.doctorId);
    const incomes = await incomesOf(app, reader, made.doctorId);
    expect(incomes.map(({ holdReason }) => holdReason).toSorted()).toEqual(['项目暂停', '项目预算余额不足：需10.00元，剩余5.00元']);
    const [aside] = incomes.filter(({ holdReason }) => holdReason === '项目暂停');
    expect(await app.refused(unholdIncome, { id: aside!.id, version: aside!.version, opinion }, { as: reader })).toMatchObject({
      code: 'SCM19036',
    });
    expect((await programOf(app, reader, made.id)).program).toMatchObject({ takenFen: 1_000, leftFen: 500 });
    await expectBalanced(made.id);
    await app.ok(resumeIncentiveProgram, await on(made.id), { as: made.maker });
    await app.runDue();
    expect((await statusOf(made.doctorId)).toSorted()).toEqual(['HELD', 'PENDING']);
    await expectBalanced(made.id);
  });

  it('gives back what was set aside for one that is reversed', async () => {
    const made = await runningProgram(app);
    await app.ok(pauseIncentiveProgram, await on(made.id), { as: made.maker });
    await recorded(app, made.doctorId);
    const [income] = await incomesOf(app, reader, made.doctorId);
    await app.ok(reverseIncome, { id: income!.id, version: income!.version, opinion }, key(reader));
    expect((await programOf(app, reader, made.id)).program).toMatchObject({ takenFen: 0, leftFen: 100_000 });
    expect(await booksOf(app, made.doctorId)).toEqual({});
    await expectBalanced(made.id);
  });
});

describe('another introduction', () => {
  it('is read when another person has passed it', async () => {
    const made = await runningProgram(app);
    const introduction = '每条随访记录10元，图片须清晰，次月发放。';
    const input = { id: made.id, version: made.version, introduction, reason: '补充图片要求' };
    const change = await app.ok(modifyIncentiveIntroduction, input, { as: made.maker });
    expect((await programOf(app, reader, made.id)).program.introVersion).toBe(1);
    await pass(change, reader);
    expect(await programOf(app, reader, made.id)).toMatchObject({ introduction, program: { introVersion: 2 } });
  });
});

describe('a table of what was done', () => {
  const tasks = [taskInput({ taskType: 'CASE_COLLECT', taskName: '病例征集' })];
  const doctorNoOf = async (doctorId: string) => {
    const { rows } = await sql<{ no: string }>`select doctor_no as no from doctor_doctor where id = ${doctorId}`.execute(app.db);
    return rows[0]!.no;
  };
  async function check(made: { id: string; maker: TestStaff }, rows: readonly Readonly<Record<string, string>>[]) {
    const as = made.maker;
    const fileId = await uploadRows(app, as, incentiveFactImporter, rows);
    const { importTaskId } = await app.ok(importIncentiveFact, { programId: made.id, fileId }, { as });
    await app.runDue();
    const { rows: wrong } = await app.ok(queryImportRowList, { importTaskId, hasError: true }, { as });
    return {
      importTaskId,
      version: (await app.ok(queryImportResult, { importTaskId }, { as })).version,
      faults: wrong.flatMap(({ errors }) => errors.map(({ message }) => message)),
    };
  }

  it('names what is wrong in which row, and counts when another person has passed it', async () => {
    const made = await runningProgram(app, { tasks });
    const row = {
      doctorNo: await doctorNoOf(made.doctorId),
      taskName: '病例征集',
      doneOn: app.clock.today(),
      itemCount: '2',
      voucherNo: 'PZ1',
    };
    const { faults } = await check(made, [
      { ...row, doctorNo: 'YS0' },
      { ...row, taskName: '没有的任务', voucherNo: 'PZ2' },
      { ...row, doneOn: plusDays(app.clock.today(), -30), voucherNo: 'PZ3' },
      { ...row, doctorNo: await doctorNoOf(await newDoctor(app)), voucherNo: 'PZ4' },
      { ...row, voucherNo: 'PZ4' },
    ]);
    expect(faults.toSorted()).toEqual(
      ['医生不存在', '项目中没有该任务', '完成日期不在项目有效期内', '医生不在项目的参与范围内', '凭证编号与第5行重复'].toSorted(),
    );
    const { importTaskId, version } = await check(made, [row]);
    await app.ok(commitImportTask, { importTaskId, version }, { as: made.maker, idempotencyKey: `commit-of-incentives-${importTaskId}` });
    await app.runDue();
    expect(await factsOf(app, reader, made.id)).toMatchObject([{ state: 'CHECKING', itemCount: 2 }]);
    expect(await incomesOf(app, reader, made.doctorId)).toEqual([]);
    const [change] = (await programOf(app, reader, made.id)).changes;
    expect(change).toMatchObject({ kind: 'FACTS', factCount: 1, status: 'PENDING' });
    expect(
      await app.refused(auditIncentiveChange, { id: change!.id, version: change!.version, decision: 'approve', opinion }, key(made.maker)),
    ).toMatchObject({ code: 'SCM19001' });
    await pass(change!, reader);
    await app.runDue();
    expect(await incomesOf(app, reader, made.doctorId)).toMatchObject([{ grossFen: 2_000, status: 'PENDING' }]);
    // The same bytes are refused by the importer itself.
    expect((await check(made, [{ ...row, itemCount: '3' }])).faults).toEqual(['凭证编号已导入过']);
  });
});

describe('the end of a programme', () => {
  it('comes by its day; it is closed when nobody waits, and the rest goes back', async () => {
    const made = await runningProgram(app, { endDate: plusDays(app.clock.today(), 2) });
    await recorded(app, made.doctorId);
    await app.advance(days(3), ['settlement', 'doctor']);
    await app.runDue();
    // The session of three days ago is over.
    reader = await keeper(app);
    const ended = await on(made.id);
    expect((await programOf(app, reader, made.id)).program.status).toBe('ENDED');
    expect(await app.refused(closeIncentiveProgram, ended, key(reader))).toMatchObject({
      code: 'SCM19033',
      message: '尚有1笔未结算激励，不能结清',
    });
    const [income] = await incomesOf(app, reader, made.doctorId);
    await app.ok(reverseIncome, { id: income!.id, version: income!.version, opinion }, key(reader));
    await app.runDue();
    expect(await app.ok(closeIncentiveProgram, await on(made.id), key(reader))).toMatchObject({ state: 'CLOSED' });
    expect(await fundOf(made.id)).toBe(0);
  });
});
