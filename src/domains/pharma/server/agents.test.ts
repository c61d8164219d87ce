import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, hours } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { corpusAdverseEventReported } from '#events/corpus.ts';
import { agentChanged, agentLeft } from '#events/pharma.ts';
import { perfChanged } from '#events/settlement.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { closeAdverseReport, forwardAdverseReport, invalidAdverseReport, queryAdverseReportList } from '../contract/calls/adverse.ts';
import {
  addAgent,
  addAgentLines,
  changeAgentParent,
  changeAgentState,
  importAgent,
  queryAgentDetail,
  queryAgentList,
  queryAgentTree,
  revealAgentField,
} from '../contract/calls/agents.ts';
import { addDrugCategory, delDrugCategory, moveDrugCategory, queryDrugCategoryTree } from '../contract/calls/categories.ts';
import { addAgentHandover, auditAgentHandover, previewAgentHandover, queryAgentHandoverList } from '../contract/calls/handovers.ts';
import { delMedicine } from '../contract/calls/medicines.ts';
import { bindLineMedicine, changeProductLineState, renewProductLine } from '../contract/calls/lines.ts';
import { addPharmaCompany, changePharmaCompanyState, delPharmaCompany } from '../contract/calls/companies.ts';
import { queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import { addHospital } from '#domains/institution/contract/hospitalCalls.ts';
import { applyChannel } from './channelCopies.ts';
import { agentImporter } from './imports/agentImporter.ts';
import { findFaults } from './invariants.ts';
import {
  agentInput,
  companyInput,
  giveChannel,
  giveDoctors,
  handedOverEvents,
  makeAgent,
  makeCategory,
  makeCompany,
  makeDraft,
  makeLine,
  makeMedicine,
  makeReport,
  operator,
} from './testing/fixtures.ts';
import { uploadTable } from '#testing/uploads.ts';
import { tableOf } from './testing/upload.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
const maker = () => operator(app);

describe('companies and lines', () => {
  it('checks the credit code, tells doubles apart, and keeps what is in use', async () => {
    const as = await maker();
    const input = companyInput();
    expect((await app.refused(addPharmaCompany, { ...input, uscc: '913100001000000019' }, { as })).code).toBe('SCM05013');
    const company = await app.ok(addPharmaCompany, input, { as });
    expect(
      await app.refused(addPharmaCompany, { ...companyInput(), name: ` ${input.name.replace('有限公司', '（有限公司）')}` }, { as }),
    ).toMatchObject({ code: 'SCM05014', message: `该药企已存在（${company.companyNo}）` });
    const line = await makeLine(app, company.id);
    expect(
      (await app.refused(changePharmaCompanyState, { id: company.id, version: 1, action: 'disable', opinion: '停止合作' }, { as })).message,
    ).toBe('该药企有1条合作中的产品线，请先停用');
    expect((await app.refused(delPharmaCompany, { id: company.id, version: 1 }, { as })).code).toBe('SCM05015');

    const agent = await makeAgent(app, company.id, line.id);
    expect(agent.lines).toHaveLength(1);
    expect(
      (await app.refused(changeProductLineState, { id: line.id, version: 1, action: 'stop', opinion: '终止合作' }, { as })).message,
    ).toBe('有1名代表仍服务于该产品线，请先调整');
    expect(await app.refused(renewProductLine, { id: line.id, version: 1, endDate: '2027-12-31' }, { as })).toMatchObject({
      code: 'SCM05012',
      message: '请上传续约协议',
    });
  });

  it('lets a medicine be in one line at a time', async () => {
    const as = await maker();
    const company = await makeCompany(app);
    const medicine = await makeDraft(app);
    const [first, second] = [await makeLine(app, company.id), await makeLine(app, company.id)];
    const bound = await app.ok(bindLineMedicine, { id: first.id, version: first.version, medicineIds: [medicine.id] }, { as });
    const refused = await app.refused(bindLineMedicine, { id: second.id, version: second.version, medicineIds: [medicine.id] }, { as });
    expect(refused).toMatchObject({ code: 'SCM05016', message: `药品${medicine.genericName}已属于产品线${first.name}` });
    await app.ok(changeProductLineState, { id: first.id, version: bound.version, action: 'stop', opinion: '终止合作' }, { as });
    expect(
      (await app.ok(bindLineMedicine, { id: second.id, version: second.version, medicineIds: [medicine.id] }, { as })).medicineCount,
    ).toBe(1);
  });
});

describe('categories', () => {
  it('guards depth, names, moves and deletion', async () => {
    const as = await maker();
    const chain = [await makeCategory(app)];
    for (let level = 2; level <= 4; level += 1) chain.push(await makeCategory(app, { parentId: chain.at(-1)!.id }));
    const [top, second, third, leaf] = chain as [(typeof chain)[0], (typeof chain)[0], (typeof chain)[0], (typeof chain)[0]];
    expect(await app.refused(addDrugCategory, { kind: 'THERAPY', parentId: leaf!.id, name: '第五级' }, { as })).toMatchObject({
      code: 'SCM05060',
      message: '分类层级不能超过4级',
    });
    expect((await app.refused(moveDrugCategory, { id: top!.id, version: top!.version, parentId: third!.id, index: 0 }, { as })).code).toBe(
      'SCM05063',
    );
    expect((await app.refused(addDrugCategory, { kind: 'THERAPY', parentId: top!.id, name: second!.name }, { as })).code).toBe('SCM05062');
    expect((await app.refused(delDrugCategory, { id: third!.id, version: third!.version }, { as })).code).toBe('SCM05061');
    const medicine = await makeDraft(app, { categoryId: leaf!.id });
    const filled = (await app.ok(queryDrugCategoryTree, { kind: 'THERAPY' }, { as })).find((node) => node.id === leaf!.id)!;
    expect(filled.medicineCount).toBe(1);
    expect(await app.refused(delDrugCategory, { id: filled.id, version: filled.version }, { as })).toMatchObject({
      code: 'SCM05061',
      message: '分类下有药品或子分类，不能删除',
    });
    await app.ok(delMedicine, { id: medicine.id, version: medicine.version }, { as });
    const moved = await app.ok(moveDrugCategory, { id: third!.id, version: third!.version, parentId: null, index: 0 }, { as });
    expect(moved).toMatchObject({ depth: 1, sort: 1, parentId: null });
    const tree = await app.ok(queryDrugCategoryTree, { kind: 'THERAPY' }, { as });
    expect(tree.find((node) => node.id === leaf!.id)).toMatchObject({ depth: 2 });
    const fresh = tree.find((node) => node.id === leaf!.id)!;
    const { envelope } = await app.send(delDrugCategory, { id: leaf!.id, version: fresh.version }, { as });
    expect(envelope).toMatchObject({ code: '0000000', message: '删除成功!' });
  });

  it('lets one of two people who move siblings at once win', async () => {
    const parent = await makeCategory(app);
    const [a, b] = [await makeCategory(app, { parentId: parent.id }), await makeCategory(app, { parentId: parent.id })];
    const [as, other] = [await maker(), await operator(app, 'other')];
    const codes = (
      await Promise.all([
        app.send(moveDrugCategory, { id: a.id, version: a.version, parentId: parent.id, index: 1 }, { as }),
        app.send(moveDrugCategory, { id: b.id, version: b.version, parentId: parent.id, index: 0 }, { as: other }),
      ])
    )
      .map(({ envelope }) => envelope.code)
      .sort();
    expect(codes).toEqual(['0000000', 'SCM90030']);
  });
});

describe('representatives', () => {
  it('guards the hierarchy and rewrites all paths of a branch', async () => {
    const as = await maker();
    const company = await makeCompany(app);
    const line = await makeLine(app, company.id);
    const make = (rank: string, parentId?: string) => makeAgent(app, company.id, line.id, { rank, ...(parentId ? { parentId } : {}) });
    const bu = await make('BU');
    const rm = await make('RM', bu.id);
    const otherRm = await make('RM', bu.id);
    const dm = await make('DM', rm.id);
    const mr = await make('MR', dm.id);
    const stranger = await makeAgent(app, (await makeCompany(app)).id, null, { rank: 'BU' });
    const move = (person: typeof bu, parentId: string) =>
      app.refused(changeAgentParent, { id: person.id, version: person.version, parentId }, { as });
    expect(await move(rm, dm.id)).toMatchObject({ code: 'SCM05042', message: '不能将上级设为自己的下属' });
    expect(await move(otherRm, rm.id)).toMatchObject({ code: 'SCM05043', message: '上级职级须高于本人' });
    expect(await move(dm, stranger.id)).toMatchObject({ code: 'SCM05044', message: '上级须属于同一药企' });
    expect(await app.ok(changeAgentParent, { id: dm.id, version: dm.version, parentId: otherRm.id }, { as })).toMatchObject({ moved: 2 });
    const { upline } = await app.ok(queryAgentDetail, { agentId: mr.id }, { as });
    expect(upline.map((person) => person.id)).toEqual([bu.id, otherRm.id, dm.id]);
    expect(await app.ok(queryAgentTree, { companyId: company.id }, { as })).toMatchObject([{ id: bu.id, headCount: 5, childCount: 2 }]);
    expect((await app.ok(queryAgentList, { parentId: otherRm.id }, { as })).total).toBe(3);
    expect(await findFaults(app.db, '2026-11-21')).toEqual([]);
  });

  it('refuses a second live person with one mobile, hides it and logs who looks', async () => {
    const as = await maker();
    const company = await makeCompany(app);
    const input = agentInput(company.id);
    const agent = await app.ok(addAgent, input, { as });
    expect(agent.mobile).toBe(`${input.mobile.slice(0, 3)}****${input.mobile.slice(-4)}`);
    const line = await makeLine(app, company.id);
    const served = await app.ok(addAgentLines, { id: agent.id, version: agent.version, lineIds: [line.id] }, { as });
    await app.ok(changeAgentState, { id: agent.id, version: served.version, action: 'activate' }, { as });
    expect(await app.refused(addAgent, { ...agentInput(company.id), mobile: input.mobile }, { as })).toMatchObject({
      code: 'SCM05049',
      message: `手机号已被代表${agent.agentNo}使用`,
    });
    expect((await app.ok(queryAgentList, { mobile: input.mobile }, { as })).rows).toHaveLength(1);
    expect(await app.ok(revealAgentField, { id: agent.id, field: 'mobile', reason: '联系代表' }, { as })).toEqual({ value: input.mobile });
    const { rows } = await app.database.pool.query('select kind from identity_operation_log where call = $1', [revealAgentField.path]);
    expect(rows).toMatchObject([{ kind: 'REVEAL' }]);
  });

  it('imports people whose company numbers are theirs alone', async () => {
    const as = await maker();
    const company = await makeCompany(app);
    const taken = await makeAgent(app, company.id, null, { companyAgentCode: 'E1' });
    const importer = agentImporter(app.kernel.secrets);
    const person = (name: string, code: string) => [company.name, name, agentInput(company.id).mobile, '医药代表', '', code];
    const { importTaskId } = await app.ok(
      importAgent,
      { fileId: await uploadTable(app, as, tableOf(importer, person('周敏', 'E1'), person('吴伟', 'E2'), person('黄平', 'E2'))) },
      { as },
    );
    await app.runDue();
    const { rows } = await app.ok(queryImportRowList, { importTaskId, hasError: true }, { as });
    expect(rows.map(({ errors }) => errors[0]!.message)).toEqual([`该工号已被代表${taken.agentNo}使用`, '药企内部工号与第3行重复']);
  });

  it('answers people of other regions like missing ones', async () => {
    const company = await makeCompany(app);
    const name = '上海市代表服务医院';
    const hospital = await app.ok(
      addHospital,
      { name, level: 'L3A', kind: 'GENERAL', ownership: 'PUBLIC', adcode: '310104', address: '宜山路600号' },
      { as: await app.staff({ permissions: ['institution.hospital.edit'] }) },
    );
    const agent = await makeAgent(app, company.id, null, { adcodes: ['310000'], hospitalIds: [hospital.id] });
    const elsewhere = await app.staff({ permissions: ['pharma.agent.view'], scope: { region: ['330000'] } });
    const here = await app.staff({ permissions: ['pharma.agent.view'], scope: { region: ['310104'] } });
    expect((await app.refused(queryAgentDetail, { agentId: agent.id }, { as: elsewhere })).code).toBe('SCM90040');
    expect(await app.ok(queryAgentDetail, { agentId: agent.id }, { as: here })).toMatchObject({
      agent: { regionNames: ['上海市'] },
      hospitals: [{ hospitalId: hospital.id, name }],
    });
  });
});

describe('hand-over', () => {
  let keys = 0;
  const key = () => `handover-test-${(keys += 1)}`;

  async function branch() {
    const company = await makeCompany(app);
    const line = await makeLine(app, company.id);
    const chief = await makeAgent(app, company.id, line.id, { rank: 'RM' });
    const mobile = agentInput(company.id).mobile;
    const leaver = await makeAgent(app, company.id, line.id, { rank: 'DM', parentId: chief.id, mobile });
    const member = await makeAgent(app, company.id, line.id, { rank: 'MR', parentId: leaver.id });
    const [a, b] = [
      await makeAgent(app, company.id, line.id, { rank: 'DM', parentId: chief.id }),
      await makeAgent(app, company.id, line.id, { rank: 'DM', parentId: chief.id }),
    ];
    const base = Number(leaver.id) * 1000;
    const doctors = [
      [18, '第一医院'],
      [12, '第二医院'],
      [10, '第三医院'],
    ].flatMap(([count, hospitalName], hospital) =>
      Array.from({ length: Number(count) }, (_, index) => ({
        doctorId: String(base + hospital * 100 + index + 1),
        hospitalName: String(hospitalName),
      })),
    );
    await giveDoctors(app, leaver.id, line.id, doctors);
    await giveChannel(app, leaver.id, String(base));
    return { company, line, chief, leaver, mobile, member, a, b, doctors, channelId: String(base) };
  }
  const fields = { reason: 'LEAVE' as const, effectiveOn: '2026-11-25', remark: '个人原因离职', submit: true };

  it('refuses incomplete plans, then moves everything on the day, once', async () => {
    const as = await maker();
    const { line, leaver, mobile, member, a, b, doctors, channelId, company } = await branch();
    const add = (plan: object, more: object = {}) =>
      app.refused(addAgentHandover, { fromAgentId: leaver.id, ...fields, ...more, plan }, { as, idempotencyKey: key() });
    const shared = await app.ok(previewAgentHandover, { fromAgentId: leaver.id, plan: {}, shareOver: [a.id, b.id] }, { as });
    expect(shared.successors).toMatchObject([{ doctorsAfter: 18 }, { doctorsAfter: 22 }]);
    const plan = {
      ...(shared.plan as { doctors: { doctorId: string; productLineId: string; toAgentId: string }[] }),
      channels: [{ channelId, toAgentId: a.id }],
      teamToAgentId: b.id,
    };

    expect(await add(plan, { effectiveOn: '2026-11-21' })).toMatchObject({ code: 'SCM05038', message: '生效日期须晚于今天' });
    expect(await add({ ...plan, doctors: plan.doctors.slice(1) })).toMatchObject({
      code: 'SCM05045',
      message: '请为全部医生和渠道指定接收人（剩余1）',
    });
    expect((await add({ ...plan, teamToAgentId: null })).code).toBe('SCM05048');
    const idle = await makeAgent(app, company.id, null);
    expect((await add({ ...plan, rest: { toAgentId: idle.id }, doctors: [] })).code).toBe('SCM05046');
    const lineless = await makeAgent(app, company.id, (await makeLine(app, company.id)).id);
    expect(
      (await add({ ...plan, doctors: plan.doctors.map((row, index) => (index === 0 ? { ...row, toAgentId: lineless.id } : row)) })).message,
    ).toBe(`${lineless.name}未负责产品线${line.name}`);

    const handover = await app.ok(addAgentHandover, { fromAgentId: leaver.id, ...fields, plan }, { as, idempotencyKey: key() });
    expect((await add(plan)).message).toBe(`该代表已有进行中的交接单（${handover.handoverNo}）`);
    expect(
      (
        await app.refused(
          auditAgentHandover,
          { id: handover.id, version: handover.version, action: 'approve' },
          { as, idempotencyKey: key() },
        )
      ).code,
    ).toBe('SCM05024');
    await app.ok(
      auditAgentHandover,
      { id: handover.id, version: handover.version, action: 'approve' },
      { as: await operator(app, 'checker'), idempotencyKey: key() },
    );
    const told = await handedOverEvents(app, handover.id);
    expect(told.map((payload) => [payload.toAgentId, payload.doctorIds.length])).toEqual([
      [a.id, 18],
      [b.id, 22],
    ]);
    const state = async () => (await app.ok(queryAgentDetail, { agentId: leaver.id }, { as: await maker() })).agent.state;
    const superior = async () => (await app.ok(queryAgentDetail, { agentId: member.id }, { as: await maker() })).agent.parentId;
    await app.runDue();
    expect(await superior()).toBe(leaver.id);
    // The evening before its day.
    await app.advance(days(3) + hours(12), ['pharma']);
    expect(await superior()).toBe(leaver.id);

    await app.advance(hours(3));
    expect(await superior()).toBe(b.id);
    const started = async () =>
      (
        await app.database.pool.query<{ at: string }>(
          `select at from kernel_audit_trail where target_type = 'pharma.agentHandover' and target_id = $1 and action = 'start'`,
          [handover.id],
        )
      ).rowCount;
    const heard = async () =>
      (await app.database.pool.query('select 1 from kernel_outbox where name = $1 and aggregate_id = $2', [agentChanged.name, member.id]))
        .rowCount;
    const [movedOnce, toldOnce] = [await started(), await heard()];
    expect(movedOnce).toBe(1);
    await app.advance(hours(1));
    expect([await started(), await heard(), await superior()]).toEqual([1, toldOnce, b.id]);
    expect(await state()).toBe('HANDOVER');
    await app.advance(hours(25), ['pharma']);
    const { rows: todos } = await app.database.pool.query<{ body: string }>('select body from identity_notice where business_key = $1', [
      `pharma.handover:${handover.id}:missing`,
    ]);
    expect(todos).toHaveLength(1);
    // Twenty are named, the channel with them is one of forty-one.
    expect(todos[0]!.body).toContain(
      doctors
        .slice(0, 20)
        .map(({ doctorId }) => `医生${doctorId}`)
        .join('、'),
    );
    expect(todos[0]!.body).toContain('等41项');

    await app.kernel.transactions.run('test', async (writing) => {
      for (const { doctorId } of doctors) {
        const { toAgentId } = plan.doctors.find((row) => row.doctorId === doctorId)!;
        await writing.publish(perfChanged, doctorId, {
          doctorId,
          productLineId: line.id,
          fromAgentId: leaver.id,
          toAgentId,
          effectiveDate: '2026-11-26',
        });
      }
    });
    await app.runDue();
    expect(await state()).toBe('HANDOVER');
    const hired = { ...agentInput(company.id), mobile };
    expect((await app.refused(addAgent, hired, { as: await maker() })).code).toBe('SCM05049');
    await app.kernel.transactions.run('test', (writing) =>
      applyChannel(
        asSystem(writing, { now: app.clock.now(), traceId: 'test' }),
        { channelId, channelNo: 'QD1', name: '渠道', channelType: 'AGENT', agentId: a.id, state: 'ENABLED', scans30: 0 },
        2,
      ),
    );
    expect(await state()).toBe('LEFT');
    // Who left no longer holds the mobile.
    await app.ok(addAgent, hired, { as: await maker() });
    const { rows } = await app.ok(queryAgentHandoverList, { handoverId: handover.id }, { as: await maker() });
    expect(rows).toMatchObject([
      { state: 'DONE', progress: { team: { total: 1, done: 1 }, doctors: { total: 40, done: 40 }, channels: { total: 1, done: 1 } } },
    ]);
    expect(
      (await app.database.pool.query('select 1 from kernel_outbox where name = $1 and aggregate_id = $2', [agentLeft.name, leaver.id]))
        .rowCount,
    ).toBe(1);
    expect(await findFaults(app.db, '2026-11-26')).toEqual([]);
  });
});

describe('adverse reactions', () => {
  it('makes one report of a task, due by its seriousness, forwards it as a paper and keeps the receipt', async () => {
    const company = await makeCompany(app);
    const medicine = await makeMedicine(app, { holderId: company.id });
    const reaction = {
      taskId: 'T-1',
      patientId: '10001',
      medicineId: medicine.id,
      symptom: '皮疹',
      onsetOn: '2026-11-20',
      seriousness: 'SERIOUS' as const,
      outcome: '好转',
      at: app.clock.now(),
    };
    const received = app.clock.now();
    for (let times = 0; times < 2; times += 1)
      await app.kernel.transactions.run('test', (writing) => writing.publish(corpusAdverseEventReported, 'T-1', reaction));
    await app.runDue();
    const as = await maker();
    const { rows } = await app.ok(queryAdverseReportList, { companyId: company.id }, { as });
    expect(rows).toHaveLength(1);
    expect(Date.parse(rows[0]!.dueAt) - Date.parse(received)).toBe(days(15));
    expect(rows[0]!.description).toBe('****');
    const { id, version } = rows[0]!;
    expect(await app.refused(forwardAdverseReport, { id, version }, { as })).toMatchObject({
      code: 'SCM05050',
      message: '药企未维护药物警戒联系人',
    });
    await app.database.pool.query('update pharma_company set pv_email = $1 where id = $2', ['pv@example.com', company.id]);
    const forwarded = await app.ok(forwardAdverseReport, { id, version }, { as });
    expect(forwarded.state).toBe('FORWARDED');
    await app.runDue();
    const { rows: mails } = await app.database.pool.query('select recipient, state, cardinality(file_ids) as files from pharma_mail');
    expect(mails).toMatchObject([{ recipient: 'pv@example.com', state: 'SENT', files: 1 }]);
    expect((await app.ok(closeAdverseReport, { id, version: forwarded.version, receiptNo: 'HZ-9' }, { as })).state).toBe('CLOSED');
  });

  it('takes two persons to call a report invalid', async () => {
    const id = await makeReport(app, (await makeDraft(app)).id);
    const as = await maker();
    const proposed = await app.ok(invalidAdverseReport, { id, version: 1, opinion: '重复上报' }, { as });
    expect(proposed.state).toBe('RECEIVED');
    expect((await app.refused(invalidAdverseReport, { id, version: proposed.version, opinion: '重复上报' }, { as })).code).toBe('SCM05024');
    expect(
      (await app.ok(invalidAdverseReport, { id, version: proposed.version, opinion: '确认重复' }, { as: await operator(app, 'checker') }))
        .state,
    ).toBe('INVALID');
  });
});
