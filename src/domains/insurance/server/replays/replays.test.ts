import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { claimDecided } from '#events/claim.ts';
import { addControlRule, auditControlRule, modifyControlRule } from '../../contract/controls/rules.ts';
import {
  addReplay,
  cancelReplay,
  judgeReplayCase,
  queryReplayCaseList,
  queryReplayDetail,
  queryReplayList,
  type Replay,
} from '../../contract/replays/calls.ts';
import { json } from '#kernel/server/database/json.ts';
import { boxes, claimOf } from '../../contract/testing/specs.ts';
import { adjudicateOn } from '../adjudication/adjudicate.ts';
import { specOf } from '../adjudication/specOf.ts';
import { own } from '../database.ts';
import { controller, makeModule, makeRule, ruleInput } from '../testing/controls.ts';
import { keeper, makeDraft, type Draft } from '../testing/products.ts';
import { decideClaims } from '../testing/snapshots.ts';
import { ReplayRun } from './batch.ts';
import { lastMonth } from './handlers.ts';

let app: TestApp;
let maker: TestStaff;
let draft: Draft;
let moduleId: string;
beforeAll(async () => {
  app = await startTestApp();
  maker = await controller(app);
  draft = await makeDraft(app, await keeper(app), plusDays(app.clock.today(), 5));
  ({ moduleId } = await makeModule(app, maker));
});
afterAll(() => app.close());

/** A rule that cuts every claim of more than two boxes to two. */
const capRule = () => makeRule(app, maker, moduleId, { mode: 'CAP', cap: { target: 'QTY', value: 2000, variable: null, factorBp: null } });
const replayOf = (ownerId: string) => ({ ownerType: 'CONTROL_RULE_VERSION' as const, ownerId });
const sums = ({ state, total, done, changed, failed, paidBeforeFen, paidAfterFen }: Replay) => ({
  state,
  total,
  done,
  changed,
  failed,
  paidBeforeFen,
  paidAfterFen,
});
const runOf = () => new ReplayRun(app.kernel.db, (work) => app.kernel.transactions.run('test', work));
const running = (id: string) => own(app.db).updateTable('insuranceRuleReplay').set({ state: 'RUNNING' }).where('id', '=', id).execute();

describe('a replay', () => {
  it('needs decided claims, runs once at a time, and stops where it is cancelled (acceptance 17)', async () => {
    const rule = await capRule();
    const ask = replayOf(rule.versionId);
    expect(await app.refused(addReplay, ask, { as: maker })).toMatchObject({ code: 'SCM12050', message: '所选范围没有已结案的理赔' });
    const { from } = lastMonth(app.clock.today());
    // Two whole batches and a part of a third.
    await decideClaims(
      app,
      draft,
      plusDays(from, 3),
      Array.from({ length: 1_100 }, (_, n) => 1 + (n % 4)),
    );
    const first = await app.ok(addReplay, ask, { as: maker });
    expect(first).toMatchObject({ total: 1_100, replayNo: expect.stringMatching(/^HF\d{14}$/) });
    expect(await app.refused(addReplay, ask, { as: maker })).toMatchObject({ code: 'SCM12051' });
    const other = await controller(app);
    expect(await app.refused(cancelReplay, { id: first.id, version: 1 }, { as: other })).toMatchObject({ code: 'SCM90010' });
    await running(first.id);
    expect(await runOf().next(first.id, app.clock.now())).toBe(true);
    await app.ok(cancelReplay, { id: first.id, version: 1 }, { as: maker });
    expect(await runOf().next(first.id, app.clock.now())).toBe(false);
    const stopped = await app.ok(queryReplayDetail, { id: first.id }, { as: maker });
    expect(sums(stopped)).toMatchObject({ state: 'CANCELLED', done: 500, changed: 250 });
    expect((await app.ok(queryReplayCaseList, { replayId: first.id }, { as: maker })).total).toBe(250);
    expect(stopped.counts).toBe(false);
    expect(await app.refused(cancelReplay, { id: first.id, version: 1 }, { as: maker })).toMatchObject({ code: 'SCM90031' });
  });

  it('reads a claim that engine 1.0 decided: its accounts carried no product', async () => {
    const spec = await specOf(app.db, draft.productVersionId);
    const day = '2026-03-05';
    const whole = { ...claimOf([boxes(1, '1', 1, 10_000)]), at: startOfDay(day) };
    // Of 200,000.00 a year 10.00 are left.
    const input = { ...whole, balances: { [`PAY:${draft.productId}:OUT_DRUG@2026-01-01`]: 19_999_000 } };
    const result = adjudicateOn(spec!, [], input);
    expect(result.payableFen).toBe(1000);
    const { countedDays: _, ...stored } = { ...input, balances: { 'PAY:OUT_DRUG@2026-01-01': 19_999_000 } };
    const { productId, productVersionId } = draft;
    await own(app.db)
      .insertInto('insuranceClaimSnapshot')
      .values({
        claimId: '499000',
        round: 1,
        claimNo: 'LP499000',
        insurerId: null,
        productId,
        productVersionId,
        paidFen: '1000',
        input: json(stored),
        result: json({ ...result, engineVersion: '1.0' }),
        decidedAt: startOfDay(day),
      })
      .execute();
    const rule = await capRule();
    const { id } = await app.ok(addReplay, { ...replayOf(rule.versionId), fromDate: day, toDate: day }, { as: maker });
    await app.runDue();
    expect(sums(await app.ok(queryReplayDetail, { id }, { as: maker }))).toEqual({
      state: 'DONE',
      total: 1,
      done: 1,
      changed: 0,
      failed: 0,
      paidBeforeFen: 1000,
      paidAfterFen: 1000,
    });
  });

  it('goes on after a killed worker as if nothing had been (acceptance 18), and counts while the draft stays as it was', async () => {
    const hold = await makeRule(app, maker, moduleId, { mode: 'HOLD' });
    const whole = await app.ok(addReplay, replayOf(hold.versionId), { as: maker });
    await app.runDue();
    const uninterrupted = await app.ok(queryReplayDetail, { id: whole.id }, { as: maker });
    expect(sums(uninterrupted)).toMatchObject({ state: 'DONE', total: 1_100, done: 1_100, changed: 550, failed: 0 });
    expect(uninterrupted).toMatchObject({ counts: true, paidAfterFen: uninterrupted.paidBeforeFen });

    const again = await app.ok(addReplay, replayOf(hold.versionId), { as: maker });
    await running(again.id);
    // The first worker dies with its second batch worked out and not written.
    const killed = new ReplayRun(app.kernel.db, (work) => app.kernel.transactions.run('test', work));
    await killed.next(again.id, app.clock.now());
    const dying = new ReplayRun(app.kernel.db, () => Promise.reject(new Error('killed')));
    await expect(dying.next(again.id, app.clock.now())).rejects.toThrow('killed');
    await app.runDue();
    const resumed = await app.ok(queryReplayDetail, { id: again.id }, { as: maker });
    expect(sums(resumed)).toEqual(sums(uninterrupted));

    const submit = { id: hold.versionId, action: 'submit' as const, opinion: '上线' };
    const { rows } = await app.ok(queryReplayCaseList, { replayId: again.id, pageSize: 1 }, { as: maker });
    const [one] = rows;
    expect(one).toMatchObject({ outcomeBefore: 'PARTIAL', outcomeAfter: 'HOLD', diffFen: 0 });
    expect(one!.sides.before[0]!.steps).toHaveLength(14);
    await app.ok(judgeReplayCase, { id: one!.id, verdict: 'UNEXPECTED', note: '正常用量' }, { as: maker });
    // A case that is not expected and not explained does not count.
    const { rows: earlier } = await app.ok(queryReplayCaseList, { replayId: whole.id, pageSize: 1 }, { as: maker });
    await app.ok(judgeReplayCase, { id: earlier[0]!.id, verdict: 'UNEXPECTED' }, { as: maker });
    expect(
      (await app.ok(queryReplayList, replayOf(hold.versionId), { as: maker })).map(({ unnoted, counts }) => [unnoted, counts]),
    ).toEqual([
      [0, true],
      [1, true],
    ]);
    const { moduleId: _, ruleCode: __, ...content } = ruleInput(app, moduleId, { mode: 'HOLD', ruleName: '改过的名称' });
    const changed = await app.ok(modifyControlRule, { versionId: hold.versionId, version: 1, ...content }, { as: maker });
    expect((await app.ok(queryReplayDetail, { id: again.id }, { as: maker })).counts).toBe(false);
    expect(await app.refused(auditControlRule, { ...submit, version: changed.version }, { as: maker })).toMatchObject({ code: 'SCM12024' });
    const back = await app.ok(
      modifyControlRule,
      { versionId: hold.versionId, version: changed.version, ...content, ruleName: '单次数量过多' },
      { as: maker },
    );
    expect(await app.ok(auditControlRule, { ...submit, version: back.version }, { as: maker })).toMatchObject({ state: 'PENDING_AUDIT' });
  });

  it('of another product or a stage without amounts is refused', async () => {
    const enrol = await makeModule(app, maker, { stage: 'ENROL' });
    const young = ruleInput(app, enrol.moduleId, {
      expression: { op: 'AND', items: [{ variable: 'person.age', operator: '<', value: '3' }] },
    });
    const rule = await app.ok(addControlRule, young, { as: maker });
    expect(await app.refused(addReplay, replayOf(rule.versionId), { as: maker })).toMatchObject({ fields: [{ path: 'ownerId' }] });
    expect(await app.refused(addReplay, replayOf('999999999'), { as: maker })).toMatchObject({ code: 'SCM90040' });
  });
});

it('keeps a decided claim once per round, and no test user’s', async () => {
  const stored = await own(app.db).selectFrom('insuranceClaimSnapshot').select(['input', 'result']).limit(1).executeTakeFirstOrThrow();
  const facts = (claimId: string, testUser: boolean) => ({
    claimId,
    claimNo: `LP${claimId}`,
    round: 1,
    seq: 1,
    contractId: null,
    patientId: '1',
    productId: draft.productId,
    productVersionId: draft.productVersionId,
    insurerId: null,
    productLine: 'STANDARD',
    adcode: '310000',
    state: 'DECIDED',
    purchasedFrom: null,
    purchasedTo: null,
    submittedAt: app.clock.now(),
    decidedAt: app.clock.now(),
    paidAt: null,
    claimedFen: 10_000,
    approvedFen: 8_000,
    paidFen: 0,
    reasonCodes: ['L11'],
    testUser,
    input: stored.input,
    result: stored.result,
  });
  await app.kernel.transactions.run('test', async ({ publish }) => {
    await publish(claimDecided, '1', facts('1', false));
    await publish(claimDecided, '1', facts('1', false));
    await publish(claimDecided, '2', facts('2', true));
  });
  await app.runDue();
  const kept = await own(app.db).selectFrom('insuranceClaimSnapshot').select('claimId').where('claimId', 'in', ['1', '2']).execute();
  expect(kept).toEqual([{ claimId: '1' }]);
});
