import { streamXlsxRows } from 'hucre';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import { unzipEntry, zipEntries } from '#kernel/server/documents/zipRead.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryFindingList, runCheck } from '../contract/calls/abnormal.ts';
import { auditInsuredBatch, exportBatchResult } from '../contract/calls/batches.ts';
import { addEndorsement } from '../contract/calls/endorsements.ts';
import { modifyPolicy, queryPolicyDetail, queryPolicyList } from '../contract/calls/policies.ts';
import {
  auditPremiumOrder,
  claimNextPremiumOrder,
  generateInstalments,
  modifyPremiumOrder,
  queryPremiumOrderDetail,
  queryPremiumOrderList,
  regeneratePremiumOrder,
} from '../contract/calls/premium.ts';
import { abnormalPermissions } from '../contract/permissions.ts';
import { keeper, passed, serial } from './testing/fixtures.ts';
import { cellsOf, handedIn, HEADERS, listPerson, parsed, setListScene, uploadList, type ListScene } from './testing/lists.ts';
import { addWish, aPolicy, coveredPerson, draftOrder } from './testing/orders.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let scene: ListScene;
beforeAll(async () => {
  app = await startTestApp();
  scene = await setListScene(app);
  ({ maker, checker } = scene);
});
afterAll(() => app.close());
const key = () => `policy-acceptance-${serial()}`;

describe('policy.md, what no other test of the domain tries', () => {
  it('2: the annotated file marks the wrong cell red, and shows a viewer no certificate, whatever column it stands in', async () => {
    const { id: policyId } = await scene.policy();
    const [good, bad] = [listPerson('张一'), listPerson('张3')];
    const rows = [[...HEADERS, '配偶证件'], [...cellsOf(good), good.idNo], [], [...cellsOf(bad), bad.idNo]];
    const batch = await parsed(app, maker, [], { templateId: scene.templateId, policyId, fileId: await uploadList(app, maker, rows) });
    const fileFor = async (as: TestStaff) => (await app.file(exportBatchResult, { batchId: batch.id, part: 'ALL' }, { as })).body;
    const whole = await fileFor(maker);
    const sheet = zipEntries(whole).find(({ name }) => name === 'xl/worksheets/sheet1.xml')!;
    const xml = (await unzipEntry(whole, sheet, 1_000_000)).toString();
    const styleAt = (cell: string) => new RegExp(`<c r="${cell}"([^>]*)>`).exec(xml)?.[1]?.match(/ s="(\d+)"/)?.[1];
    expect(styleAt('A4')).toBeDefined();
    expect([styleAt('A2'), styleAt('B4')]).not.toContain(styleAt('A4'));
    const viewer = await app.staff({ permissions: ['policy.batch.view'] });
    const cells: unknown[] = [];
    for await (const row of streamXlsxRows(await fileFor(viewer))) cells.push(...row.values);
    expect(cells).toContain('***');
    expect(cells).not.toContain(good.idNo);
    expect(cells).not.toContain(bad.idNo);
  });

  it('16: an order that was tampered with is not passed, and is found at night', async () => {
    const { policyId, orderId, version } = await coveredPerson(app);
    await app.ok(claimNextPremiumOrder, { id: orderId }, { as: checker });
    await sql`update policy_premium_order set amount_fen = amount_fen - 1 where id = ${orderId}`.execute(app.db);
    const approve = { id: orderId, version, action: 'approve' as const, opinion: '核对无误' };
    expect(await app.refused(auditPremiumOrder, approve, { as: checker, idempotencyKey: key() })).toMatchObject({
      code: 'SCM13045',
      message: '重算金额1200.00元与订单金额1199.99元不符，请驳回或重新生成',
    });
    const looking = await app.staff({ permissions: Object.values(abnormalPermissions).map(({ code }) => code) });
    await app.ok(runCheck, { checkCode: ['AB20'] }, { as: looking, idempotencyKey: key() });
    const { rows } = await app.ok(queryFindingList, { checkCode: ['AB20'] }, { as: looking });
    expect(rows.filter((row) => row.policyId === policyId)).toMatchObject([
      { state: 'OPEN', subjectType: 'premiumOrder', subjectId: orderId },
    ]);
  });

  it('25: who only looks has no button and changes nothing; a version that is over is refused with the difference', async () => {
    const { id: policyId } = await aPolicy(app);
    const viewer = await app.staff({ permissions: ['policy.policy.view'] });
    expect(await app.ok(queryPolicyDetail, { policyId }, { as: viewer })).toMatchObject({ allowedKinds: [] });
    const wish = { ...addWish(app, policyId), reason: '新员工入职' };
    expect(await app.refused(addEndorsement, wish, { as: viewer })).toMatchObject({ code: 'SCM90010' });
    const { version, declaredCount, channelName } = await app.ok(queryPolicyDetail, { policyId }, { as: maker });
    const change = { id: policyId, version, declaredCount: declaredCount + 5, holderContact: '13800138001', channelName };
    await app.ok(modifyPolicy, change, { as: maker });
    expect(await app.refused(modifyPolicy, { ...change, declaredCount: 1 }, { as: checker })).toMatchObject({
      code: 'SCM90030',
      data: { current: { declaredCount: declaredCount + 5 } },
    });
  });
});

describe('whoever checks wrote none of it', () => {
  it('a draft of a premium order goes on with its maker alone', async () => {
    const order = await draftOrder(app);
    const { makerId } = await app.ok(queryPremiumOrderDetail, { premiumOrderId: order.id }, { as: maker });
    const other = await keeper(app);
    expect(other.userId).not.toBe(makerId);
    const own = '只能由本人修改和提交';
    const told = { code: 'SCM90010', message: expect.stringContaining(own) };
    const write = { id: order.id, version: order.version };
    expect(await app.refused(regeneratePremiumOrder, write, { as: other, idempotencyKey: key() })).toMatchObject(told);
    const modify = { ...write, dueOn: app.clock.today(), statedFen: 1 };
    expect(await app.refused(modifyPremiumOrder, modify, { as: other })).toMatchObject(told);
    const submit = { ...write, action: 'submit' as const };
    expect(await app.refused(auditPremiumOrder, submit, { as: other, idempotencyKey: key() })).toMatchObject(told);
    const detail = await app.ok(queryPremiumOrderDetail, { premiumOrderId: order.id }, { as: other });
    expect(detail.allowedActions).toContain('void');
    expect(detail.allowedActions).not.toContain('submit');
  });

  it('a list is passed neither by who uploaded it nor by who handed it in', async () => {
    const { id: policyId } = await scene.policy();
    const batch = await parsed(app, checker, [listPerson('钱一')], { templateId: scene.templateId, policyId, mode: 'FULL' });
    const { state, version } = await handedIn(app, maker, batch);
    expect(state).toBe('PENDING_AUDIT');
    const approve = { batchId: batch.id, version, action: 'approve' as const, opinion: '同意' };
    for (const as of [maker, checker])
      for (const action of ['approve', 'reject'] as const)
        expect(await app.refused(auditInsuredBatch, { ...approve, action }, { as })).toMatchObject({ code: 'SCM13010' });
    expect(await app.ok(auditInsuredBatch, approve, { as: await keeper(app) })).toMatchObject({ state: 'APPLYING' });
    await app.runDue();
  });
});

it.each([
  ['SURRENDER', 30],
  ['CANCEL', 0],
] as const)('a policy that is paid in parts and ends by %s returns no more than it asked for', async (kind, days) => {
  const today = app.clock.today();
  const { policyId } = await coveredPerson(app, { payMode: 'QUARTER' });
  const on = plusDays(today, days);
  await passed(app, maker, checker, { policyId, kind, effectiveOn: on, reason: '投保人申请' });
  const { rows } = await app.ok(queryPremiumOrderList, { policyId }, { as: maker });
  const net = rows.reduce((sum, { direction, amountFen }) => sum + (direction === 'COLLECT' ? 1 : -1) * Number(amountFen), 0);
  // covered days alone are paid for: 31 of 365, or none
  expect(net).toBe(kind === 'CANCEL' ? 0 : Math.round((120_000 * 31) / 365));
  expect(rows.filter(({ kind: of }) => of === 'INSTALMENT')).toHaveLength(3);
  expect(await app.refused(generateInstalments, { policyId, until: plusDays(today, 364) }, { as: maker })).toMatchObject({
    code: 'SCM13053',
  });
  expect((await app.ok(queryPolicyList, { policyNo: rows[0]!.policyNo }, { as: maker })).rows).toMatchObject([{ waitingFen: String(net) }]);
});
