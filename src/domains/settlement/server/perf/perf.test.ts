import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { perfChanged } from '#events/settlement.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addPerfChange,
  auditPerfChange,
  modifyPerfChange,
  previewPerfChange,
  queryPerfChangeDetail,
  queryPerfChangeList,
  revokePerfChange,
  submitPerfChange,
  withdrawPerfChange,
} from '../../contract/calls/perfChanges.ts';
import {
  lockPerfPeriod,
  queryPerfPeriods,
  queryPerfRelationList,
  queryPerfStatisticsList,
  unlockPerfPeriod,
} from '../../contract/calls/perfRelations.ts';
import { queryIncomeDetailList } from '../../contract/calls/income.ts';
import { completed, goTo, keeper, makeRules, newDoctor, openBooks } from '../testing/fixtures.ts';
import {
  bindInput,
  changeDetail,
  draftChange,
  makeField,
  passed,
  passedChange,
  rebind,
  relationsOf,
  submittedChange,
} from '../testing/perf.ts';

let app: TestApp;
let reader: TestStaff;
beforeAll(async () => {
  app = await startTestApp({ connections: 60 });
  reader = await keeper(app);
  await openBooks(app);
  await makeRules(app);
});
afterAll(() => app.close());
const today = () => app.clock.today();

describe('what a request is refused for', () => {
  it('not before it names everything, and not for what is not there', async () => {
    const field = await makeField(app);
    const input = bindInput(app, field, await newDoctor(app));
    for (const wrong of [{ items: [] }, { toAgentId: null }, { changeType: 'REBIND' as const }, { effectiveDate: '2026-13-01' }])
      expect((await app.refused(addPerfChange, { ...input, ...wrong }, { as: reader })).code).toBe('SCM90020');
    const foreign = { ...input, items: [{ doctorId: '999999999', productLineId: field.productLineId }] };
    expect(await app.refused(addPerfChange, foreign, { as: reader })).toMatchObject({ code: 'SCM90040', message: '医生不存在或已删除' });
  });

  it('a representative who does not serve the line, or is not active', async () => {
    const [field, other] = [await makeField(app), await makeField(app)];
    const draft = await draftChange(app, { toAgentId: other.agents[0]!.id }, { field });
    expect(await app.refused(submitPerfChange, { id: draft.id, version: draft.version }, { as: draft.maker })).toMatchObject({
      code: 'SCM19063',
    });
  });

  it('a second one for the same doctor and line while the first waits', async () => {
    const first = await submittedChange(app);
    const { doctorId, field } = first;
    const second = await draftChange(app, {}, { doctorId, field });
    expect(await app.refused(submitPerfChange, { id: second.id, version: second.version }, { as: second.maker })).toMatchObject({
      code: 'SCM19061',
    });
    await app.ok(withdrawPerfChange, { id: first.id, version: first.version }, { as: first.maker });
    await app.ok(submitPerfChange, { id: second.id, version: second.version }, { as: second.maker });
  });

  it('what does not fit how the doctor stands', async () => {
    const bound = await passedChange(app);
    const { doctorId, field } = bound;
    const submitOf = async (change: object, on = doctorId) => {
      const draft = await draftChange(app, change, { doctorId: on, field });
      return app.refused(submitPerfChange, { id: draft.id, version: draft.version }, { as: draft.maker });
    };
    const tomorrow = plusDays(today(), 1);
    expect(await submitOf({ effectiveDate: tomorrow })).toMatchObject({ code: 'SCM19069' });
    expect(await submitOf({ toAgentId: field.agents[1]!.id, effectiveDate: tomorrow })).toMatchObject({ code: 'SCM19067' });
    expect(await submitOf(rebind(app, field, 0))).toMatchObject({ code: 'SCM19064' });
    expect(await submitOf(rebind(app, field, 1), await newDoctor(app))).toMatchObject({ code: 'SCM19068' });
  });

  it("its own maker, another person's withdrawal, an old version", async () => {
    const { id, version, maker, doctorId } = await submittedChange(app);
    expect(await app.refused(auditPerfChange, { id, version, ...passed }, { as: maker })).toMatchObject({ code: 'SCM19001' });
    expect(await app.refused(withdrawPerfChange, { id, version }, { as: reader })).toMatchObject({ code: 'SCM19070' });
    const offeredTo = async (as: TestStaff) => {
      const { rows } = await app.ok(queryPerfChangeList, { doctorId }, { as });
      const { change } = await app.ok(queryPerfChangeDetail, { id }, { as });
      expect(rows.map(({ allowedActions }) => allowedActions)).toEqual([change.allowedActions]);
      return change.allowedActions;
    };
    expect(await offeredTo(maker)).toContain('withdraw');
    expect(await offeredTo(reader)).not.toContain('withdraw');
    expect(await app.refused(auditPerfChange, { id, version: version - 1, ...passed }, { as: reader })).toMatchObject({ code: 'SCM90030' });
  });

  it('a draft that was changed meanwhile, with what it says now', async () => {
    const { id, version, maker, field, doctorId } = await draftChange(app);
    const input = bindInput(app, field, doctorId, { reason: '区域新增医生' });
    await app.ok(modifyPerfChange, { id, version, ...input }, { as: maker });
    const stale = await app.refused(modifyPerfChange, { id, version, ...input }, { as: reader });
    expect(stale).toMatchObject({
      code: 'SCM90030',
      data: {
        current: { reason: '区域新增医生', items: [{ doctorId, productLineId: field.productLineId, toAgentId: field.agents[0]!.id }] },
      },
    });
  });
});

describe('a change that was passed', () => {
  it('ends the old relation on its day and begins the new one, and tells of it', async () => {
    const bound = await passedChange(app, { effectiveDate: plusDays(today(), -20) });
    const { doctorId, field } = bound;
    const moved = await passedChange(app, rebind(app, field, -3), { doctorId, field });
    expect(moved.state).toBe('EFFECTIVE');
    const { rows: relations } = await app.ok(queryPerfRelationList, { doctorId }, { as: reader });
    const [latest, former] = relations.map(({ agentName }) => agentName);
    expect(await relationsOf(app, reader, doctorId)).toEqual([
      [former, plusDays(today(), -20), plusDays(today(), -3), 'ENDED'],
      [latest, plusDays(today(), -3), null, 'ACTIVE'],
    ]);
    const { rows } = await app.database.pool.query<{ payload: object }>(
      'select payload from kernel_outbox where name = $1 and aggregate_id = $2 order by id',
      [perfChanged.name, doctorId],
    );
    expect(rows.map(({ payload }) => payload)).toMatchObject([
      { fromAgentId: null, toAgentId: field.agents[0]!.id },
      { fromAgentId: field.agents[0]!.id, toAgentId: field.agents[1]!.id, effectiveDate: plusDays(today(), -3) },
    ]);
  });

  it('waits for its day where that is to come, and may be revoked by another person only', async () => {
    const { doctorId, field, ...bound } = await passedChange(app, { effectiveDate: plusDays(today(), -1) });
    const ahead = await passedChange(app, rebind(app, field, 5), { doctorId, field });
    expect(ahead.state).toBe('APPROVED');
    const opinion = '交接时间调整';
    expect(await app.refused(revokePerfChange, { id: ahead.id, version: ahead.version, opinion }, { as: ahead.maker })).toMatchObject({
      code: 'SCM19001',
    });
    expect(await app.refused(revokePerfChange, { id: bound.id, version: bound.version, opinion }, { as: reader })).toMatchObject({
      code: 'SCM19064',
    });
    await app.ok(revokePerfChange, { id: ahead.id, version: ahead.version, opinion }, { as: reader });
    const { rows } = await app.ok(queryPerfRelationList, { doctorId, state: 'ACTIVE' }, { as: reader });
    expect(rows).toMatchObject([{ agentId: field.agents[0]!.id, endDate: null }]);
    await app.ok(revokePerfChange, { id: bound.id, version: bound.version, opinion }, { as: reader });
    expect((await app.ok(queryPerfRelationList, { doctorId, state: 'ACTIVE' }, { as: reader })).rows).toEqual([]);
  });

  it('hands doctors over to several successors, and unbinds', async () => {
    const field = await makeField(app, 3);
    const [one, two] = [await newDoctor(app), await newDoctor(app)];
    const items = [one, two].map((doctorId) => ({ doctorId, productLineId: field.productLineId }));
    await passedChange(app, { items, effectiveDate: plusDays(today(), -9) }, { field, doctorId: one });
    const handed = items.map((item, at) => ({ ...item, toAgentId: field.agents[at + 1]!.id }));
    const wish = { changeType: 'TRANSFER' as const, fromAgentId: field.agents[0]!.id, toAgentId: null, items: handed };
    expect(await app.ok(previewPerfChange, { ...wish, items: handed.slice(0, 1), effectiveDate: today() }, { as: reader })).toMatchObject({
      leftCount: 1,
      rows: [{ fault: null }],
    });
    await passedChange(app, { ...wish, reasonCode: 'AGENT_LEFT' }, { field, doctorId: one });
    for (const [at, doctorId] of [one, two].entries())
      expect((await app.ok(queryPerfRelationList, { doctorId, state: 'ACTIVE' }, { as: reader })).rows).toMatchObject([
        { agentId: field.agents[at + 1]!.id },
      ]);
    const gone = { changeType: 'UNBIND' as const, fromAgentId: field.agents[1]!.id, toAgentId: null, effectiveDate: plusDays(today(), 1) };
    const unbound = await passedChange(app, gone, { field, doctorId: one });
    expect(unbound.state).toBe('APPROVED');
    await app.ok(revokePerfChange, { id: unbound.id, version: unbound.version, opinion: '继续合作' }, { as: reader });
    expect((await app.ok(queryPerfRelationList, { doctorId: one, state: 'ACTIVE' }, { as: reader })).rows).toMatchObject([
      { endDate: null },
    ]);
  });
});

describe('incomes', () => {
  it('count for whom the doctor had on their day, and follow a change of days that are over', async () => {
    const { doctorId, field } = await passedChange(app, { effectiveDate: plusDays(today(), -20) });
    const day = plusDays(today(), -10);
    // Ten minutes past midnight in Shanghai is the day before in London.
    const midnight = `${plusDays(day, -1)}T16:10:00.000Z`;
    const { orderNo } = await completed(app, doctorId, { productLineId: field.productLineId, at: midnight });
    const agentOf = async () =>
      (await app.ok(queryIncomeDetailList, { sourceNo: orderNo }, { as: reader })).rows.map(({ agentId }) => agentId);
    expect(await agentOf()).toEqual([field.agents[0]!.id]);
    const moved = await passedChange(app, { ...rebind(app, field, -10) }, { doctorId, field });
    expect((await changeDetail(app, reader, moved.id)).change).toMatchObject({ incomeCount: 1, doctorCount: 1 });
    expect(await agentOf()).toEqual([field.agents[1]!.id]);
    const { rows } = await app.ok(queryPerfStatisticsList, { period: day.slice(0, 7), agentId: field.agents[1]!.id }, { as: reader });
    expect(rows).toMatchObject([{ boundCount: 1, consultCount: 1, consultFen: 6_930, totalFen: 6_930 }]);
    await app.ok(revokePerfChange, { id: moved.id, version: moved.version, opinion: '登记有误' }, { as: reader });
    await app.runDue();
    expect(await agentOf()).toEqual([field.agents[0]!.id]);
    const nobody = await completed(app, await newDoctor(app), { productLineId: field.productLineId });
    expect((await app.ok(queryIncomeDetailList, { sourceNo: nobody.orderNo }, { as: reader })).rows).toMatchObject([{ agentId: null }]);
  });
});

describe('at once', () => {
  it('of two approvals one is effective', async () => {
    const { id, version, doctorId } = await submittedChange(app);
    const checkers = [await keeper(app), await keeper(app)];
    const answers = await Promise.all(checkers.map((as) => app.send(auditPerfChange, { id, version, ...passed }, { as })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90030']);
    expect((await app.ok(queryPerfRelationList, { doctorId }, { as: reader })).rows).toHaveLength(1);
  });

  it('of many requests for one doctor and line one waits', async () => {
    const field = await makeField(app);
    const doctorId = await newDoctor(app);
    const drafts = [];
    for (let n = 0; n < 5; n += 1) drafts.push(await draftChange(app, {}, { field, doctorId }));
    const answers = await Promise.all(drafts.map(({ id, version, maker }) => app.send(submitPerfChange, { id, version }, { as: maker })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', ...Array<string>(4).fill('SCM19061')]);
  });
});

describe('months', () => {
  it('are locked in their order when they are over and nothing waits, and unlocked from the last one', async () => {
    const month = today().slice(0, 7);
    const last = plusDays(`${month}-01`, -1).slice(0, 7);
    const before = plusDays(`${last}-01`, -1).slice(0, 7);
    const lock = (period: string, version = 1) => ({ period, version });
    expect(await app.refused(lockPerfPeriod, lock(month), { as: reader })).toMatchObject({ code: 'SCM19072' });
    const waiting = await submittedChange(app, { effectiveDate: `${before}-15` });
    expect(await app.refused(lockPerfPeriod, lock(before), { as: reader })).toMatchObject({
      code: 'SCM19065',
      message: '尚有1张变更单未处理',
    });
    await app.ok(withdrawPerfChange, { id: waiting.id, version: waiting.version }, { as: waiting.maker });
    const locked = await app.ok(lockPerfPeriod, lock(before), { as: reader });
    expect(await app.refused(lockPerfPeriod, lock(before, locked.version), { as: reader })).toMatchObject({ code: 'SCM90031' });
    const draft = await draftChange(app, { effectiveDate: `${before}-15` });
    expect(await app.refused(submitPerfChange, { id: draft.id, version: draft.version }, { as: draft.maker })).toMatchObject({
      code: 'SCM19062',
      message: `绩效月${before}已锁定，生效日期不能早于${last}-01`,
    });
    await app.ok(lockPerfPeriod, lock(last), { as: reader });
    expect(await app.refused(unlockPerfPeriod, { ...lock(before, locked.version), opinion: '补录变更' }, { as: reader })).toMatchObject({
      code: 'SCM19074',
    });
    await app.ok(unlockPerfPeriod, { ...lock(last, 2), opinion: '补录变更' }, { as: reader });
    await app.ok(unlockPerfPeriod, { ...lock(before, 2), opinion: '补录变更' }, { as: reader });
    expect((await app.ok(queryPerfPeriods, {}, { as: reader })).map(({ status }) => status)).not.toContain('LOCKED');
  });

  it('keep what counts in them, also where a request was revoked after', async () => {
    const last = plusDays(`${today().slice(0, 7)}-01`, -1).slice(0, 7);
    const { doctorId, field, ...bound } = await passedChange(app, { effectiveDate: `${last}-01` });
    const { orderNo } = await completed(app, doctorId, { productLineId: field.productLineId, at: `${last}-20T04:00:00.000Z` });
    const { version } = await app.ok(queryPerfPeriods, {}, { as: reader }).then((rows) => rows.find(({ period }) => period === last)!);
    const locked = await app.ok(lockPerfPeriod, { period: last, version }, { as: reader });
    const opinion = '登记有误';
    expect(await app.refused(revokePerfChange, { id: bound.id, version: bound.version, opinion }, { as: reader })).toMatchObject({
      code: 'SCM19062',
    });
    expect((await app.ok(queryIncomeDetailList, { sourceNo: orderNo }, { as: reader })).rows).toMatchObject([
      { agentId: field.agents[0]!.id },
    ]);
    await app.ok(unlockPerfPeriod, { period: last, version: locked.version, opinion }, { as: reader });
  });

  it('a change that was passed ahead takes effect on its day, at five past midnight', async () => {
    const { doctorId, field } = await passedChange(app);
    const ahead = await passedChange(app, rebind(app, field, 2), { doctorId, field });
    expect((await changeDetail(app, await keeper(app), ahead.id)).change.status).toBe('APPROVED');
    await goTo(app, `${plusDays(today(), 1)}T17:00:00.000Z`);
    const as = await keeper(app);
    expect((await changeDetail(app, as, ahead.id)).change.status).toBe('EFFECTIVE');
    expect((await app.ok(queryPerfRelationList, { doctorId, state: 'ACTIVE' }, { as })).rows).toMatchObject([
      { agentId: field.agents[1]!.id },
    ]);
  });
});
