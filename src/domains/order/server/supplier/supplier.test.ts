import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, hours, plusDays, plusMs } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addSupplier,
  auditSupplier,
  disableSupplier,
  modifySupplier,
  pauseSupplier,
  querySupplierDetail,
  querySupplierList,
  resumeSupplier,
  revealSupplierMobile,
  submitSupplier,
  testSupplierEndpoint,
} from '../../contract/calls/supplier.ts';
import { addSupplierPause, delSupplierPause, modifySupplierRegions } from '../../contract/calls/supplierGoods.ts';
import { licenceOn } from './licence.ts';
import { keeper, makeEnabled, makeSubmitted, makeSupplier, NONE, refusedFields, supplierInput } from '../testing/fixtures.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await keeper(app);
});
afterAll(() => app.close());

const factsOf = (more: Parameters<typeof supplierInput>[1] = {}) => {
  const { supplierCode: _code, contactMobile: _mobile, ...facts } = supplierInput(app, more);
  return facts;
};
const detailOf = (id: string) => app.ok(querySupplierDetail, { id }, { as });
describe('a supplier', () => {
  it('has a code of its own, a licence that is valid, and what its connection needs', async () => {
    const told = async (more: Parameters<typeof supplierInput>[1]) =>
      refusedFields(await app.refused(addSupplier, supplierInput(app, more), { as }));
    expect(await told({ licenseExpireAt: app.clock.today() })).toEqual(['licenseExpireAt 许可证有效期须晚于今天']);
    expect(await told({ gspExpireAt: plusDays(app.clock.today(), -1) })).toEqual(['gspExpireAt GSP证书有效期须晚于今天']);
    expect(await told({ supplierCode: 'sup 1' })).toEqual(['supplierCode 供应商编码只能用大写字母、数字、-与_']);
    expect(await told({ contactMobile: '123' })).toEqual(['contactMobile 请输入11位手机号码']);
    expect(await told({ integration: 'API' })).toEqual(['endpoint 请输入接口地址', 'appKey 请输入接口账号']);
    expect(await told({ endpoint: 'http://oms.example.com' })).toEqual(['endpoint 请输入https开头的接口地址']);
    expect(await told({ drugstoreId: NONE })).toEqual(['drugstoreId 只有DTP药房与连锁药店可以关联药店']);
    expect(await told({ supplierType: 'DTP', drugstoreId: NONE })).toEqual(['drugstoreId 药店不存在，请重新选择']);
    expect(await told({ cutoffTime: '25:00' })).toEqual(['cutoffTime 截单时间格式应为HH:mm']);
    expect(await told({ dailyCapacity: 0 })).toEqual(['dailyCapacity 日产能须大于0']);
    expect(await told({ freightFirstFen: -1 })).toEqual(['freightFirstFen 首重运费不能小于0']);
    const { supplierCode } = await makeSupplier(app);
    expect(await told({ supplierCode })).toEqual(['supplierCode 供应商编码已存在']);
  });

  it('is one when ten people add the same code at once', async () => {
    const input = supplierInput(app);
    const people = await Promise.all(Array.from({ length: 10 }, () => keeper(app)));
    const answers = await Promise.all(people.map((person) => app.send(addSupplier, input, { as: person })));
    expect(answers.map(({ envelope: { code } }) => code).toSorted()).toEqual(['0000000', ...Array.from({ length: 9 }, () => 'SCM90020')]);
  });

  it('is audited by another person than who wrote and submitted it', async () => {
    const { id, version, author } = await makeSupplier(app);
    expect((await app.refused(auditSupplier, { id, version, decision: 'approve' }, { as })).code).toBe('SCM90031');
    const submitted = await app.ok(submitSupplier, { id, version }, { as: author });
    expect(submitted).toMatchObject({ state: 'PENDING_AUDIT', version: 2 });
    expect(await app.refused(auditSupplier, { id, version: 2, decision: 'approve' }, { as: author })).toMatchObject({
      code: 'SCM16013',
      message: '不能处理本人提交的单据',
    });
    expect(refusedFields(await app.refused(auditSupplier, { id, version: 2, decision: 'reject' }, { as }))).toEqual(['opinion 请填写意见']);
    expect((await app.refused(modifySupplier, { id, version: 2, ...factsOf() }, { as: author })).code).toBe('SCM90031');
    const rejected = await app.ok(auditSupplier, { id, version: 2, decision: 'reject', opinion: '许可证照片不清晰' }, { as });
    expect(rejected.state).toBe('REJECTED');
    const again = await app.ok(submitSupplier, { id, version: 3 }, { as: author });
    expect(await app.ok(auditSupplier, { id, version: again.version, decision: 'approve' }, { as: await keeper(app) })).toMatchObject({
      state: 'ENABLED',
    });
    const { trail } = await detailOf(id);
    expect(trail.map(({ label, opinion }) => [label, opinion])).toEqual([
      ['提交审核', null],
      ['驳回', '许可证照片不清晰'],
      ['提交审核', null],
      ['审核通过', null],
    ]);
  });

  it('is not submitted without its licence, nor audited when that has ended', async () => {
    const bare = await makeSupplier(app, { licenseFileIds: [] });
    expect(refusedFields(await app.refused(submitSupplier, { id: bare.id, version: 1 }, { as: bare.author }))).toEqual([
      'licenseFileIds 请先上传药品经营许可证文件',
    ]);
    const short = await makeSupplier(app, { licenseExpireAt: plusDays(app.clock.today(), 1) });
    const waiting = await makeSubmitted(app, { licenseExpireAt: plusDays(app.clock.today(), 1) });
    await app.advance(days(1), ['order']);
    as = await keeper(app);
    const refused = { code: 'SCM16022', message: '药品经营许可证已过期' };
    expect(await app.refused(submitSupplier, { id: short.id, version: 1 }, { as })).toMatchObject(refused);
    expect(await app.refused(auditSupplier, { id: waiting.id, version: 2, decision: 'approve' }, { as })).toMatchObject(refused);
    expect(await app.ok(auditSupplier, { id: waiting.id, version: 2, decision: 'reject', opinion: '证照过期' }, { as })).toMatchObject({
      state: 'REJECTED',
    });
  });

  it('takes orders, pauses, goes on and is disabled; then it is audited anew', async () => {
    const { id, version } = await makeEnabled(app);
    expect((await app.refused(resumeSupplier, { id, version }, { as })).code).toBe('SCM90031');
    const off = await app.ok(pauseSupplier, { id, version, opinion: '盘点' }, { as });
    expect(off).toMatchObject({ state: 'PAUSED', version: version + 1 });
    const on = await app.ok(resumeSupplier, { id, version: off.version }, { as });
    expect(on.state).toBe('ENABLED');
    expect(refusedFields(await app.refused(disableSupplier, { id, version: on.version, opinion: '' }, { as }))).toEqual([
      'opinion 意见至少2个字符',
    ]);
    const out = await app.ok(disableSupplier, { id, version: on.version, opinion: '合作到期' }, { as });
    expect(out.state).toBe('DISABLED');
    expect(await app.ok(submitSupplier, { id, version: out.version }, { as })).toMatchObject({ state: 'PENDING_AUDIT' });
  });

  it('changes its freight at once, and what was audited by another audit', async () => {
    const { id, version, author } = await makeEnabled(app);
    const { licenseFileIds } = await detailOf(id);
    const facts = { ...factsOf({ supplierCode: 'X1' }), licenseFileIds };
    const cheaper = await app.ok(modifySupplier, { id, version, ...facts, freightFirstFen: 1_000 }, { as: author });
    expect(cheaper).toMatchObject({ state: 'ENABLED', version: version + 1 });
    const cold = { ...facts, freightFirstFen: 1_000, coldChainCapable: false };
    const changed = await app.ok(modifySupplier, { id, version: cheaper.version, ...cold }, { as: author });
    expect(changed.state).toBe('PENDING_AUDIT');
    expect((await app.refused(auditSupplier, { id, version: changed.version, decision: 'approve' }, { as: author })).code).toBe('SCM16013');
    const { trail } = await detailOf(id);
    expect(trail.at(-1)).toMatchObject({ label: '变更资料', diff: [{ label: '冷链能力', before: true, after: false }] });
  });

  it('that changed meanwhile shows all fields of the form, but neither mobile nor secret', async () => {
    const { id, version, author } = await makeSupplier(app, {
      integration: 'API',
      endpoint: 'https://oms.example.com/api',
      appKey: 'KQ',
      secret: 'top-secret',
    });
    const facts = { ...factsOf(), supplierName: '康桥第二药房' };
    await app.ok(modifySupplier, { id, version, ...facts }, { as: author });
    const stale = await app.refused(modifySupplier, { id, version, ...facts }, { as });
    expect(stale).toMatchObject({ code: 'SCM90030', data: { current: { supplierName: '康桥第二药房', contactMobile: '139****5678' } } });
    const form = new Set(Object.keys(modifySupplier.input.shape));
    form.delete('secret');
    const { current } = stale.data as { current: object };
    expect(new Set(Object.keys(current))).toEqual(form);
    expect(JSON.stringify([stale, await detailOf(id)])).not.toMatch(/top-secret|13912345678/);
    expect((await detailOf(id)).hasSecret).toBe(true);
    expect(await app.ok(revealSupplierMobile, { id, reason: '联系供应商' }, { as })).toEqual({ value: '13912345678' });
  });

  it('is asked whether its interface answers', async () => {
    const api = { integration: 'API', endpoint: 'https://oms.example.com/api', appKey: 'KQ' } as const;
    const test = async (more: Parameters<typeof makeSupplier>[1]) =>
      app.ok(testSupplierEndpoint, { id: (await makeSupplier(app, { ...api, secret: 's', ...more })).id }, { as });
    const portal = await makeSupplier(app);
    expect(refusedFields(await app.refused(testSupplierEndpoint, { id: portal.id }, { as }))).toEqual([
      'integration 只有接口直连的供应商可以测试连接',
    ]);
    const without = await makeSupplier(app, api);
    expect(refusedFields(await app.refused(testSupplierEndpoint, { id: without.id }, { as }))).toEqual(['secret 请先填写接口密钥']);
    expect(await test({})).toEqual({ connected: true, told: '连接成功，供应商接口应答正常' });
    expect(await test({ supplierCode: 'PING91' })).toEqual({ connected: false, told: '连接失败，供应商拒绝了接口账号或接口密钥' });
    expect(await test({ supplierCode: 'PING93' })).toMatchObject({ connected: false });
  });

  it('is found by its licence and its state', async () => {
    const { supplierCode } = await makeSupplier(app, { licenseExpireAt: plusDays(app.clock.today(), 29) });
    const later = await makeSupplier(app, { licenseExpireAt: plusDays(app.clock.today(), 30) });
    const found = async (supplier: string) => (await app.ok(querySupplierList, { supplier }, { as })).rows[0];
    expect(await found(supplierCode)).toMatchObject({ licenceState: 'EXPIRING', status: 'DRAFT', regionCount: 0, goodsCount: 0 });
    expect(await found(later.supplierCode)).toMatchObject({ licenceState: 'VALID' });
    const expiring = await app.ok(querySupplierList, { licenceState: 'EXPIRING', pageSize: 100 }, { as });
    expect(expiring.rows.map((row) => row.supplierCode)).toContain(supplierCode);
    expect(expiring.rows.map((row) => row.supplierCode)).not.toContain(later.supplierCode);
    const today = app.clock.today();
    expect([today, plusDays(today, 1)].map((end) => licenceOn(end, today))).toEqual(['EXPIRED', 'EXPIRING']);
  });
});

describe('where a supplier delivers', () => {
  it('is made of regions that there are, less those within them', async () => {
    const { id, version } = await makeSupplier(app);
    const told = async (included: string[], excluded: string[]) =>
      refusedFields(await app.refused(modifySupplierRegions, { supplierId: id, version, included, excluded }, { as }));
    expect(await told(['999999'], [])).toEqual(['included 地区999999不存在，请重新选择']);
    expect(await told(['310000'], ['999999'])).toEqual(['excluded 地区999999不存在，请重新选择']);
    expect(await told(['310000'], ['320100'])).toEqual(['excluded 江苏省南京市不在覆盖地区之内，不需要排除']);
    expect(await told(['310000'], ['310000'])).toEqual(['excluded 上海市不在覆盖地区之内，不需要排除']);
    const regions = { included: ['310000', '320000'], excluded: ['320100'] };
    await app.ok(modifySupplierRegions, { supplierId: id, version, ...regions }, { as });
    expect(await detailOf(id)).toMatchObject({
      supplier: { regionCount: 2, version: 2 },
      included: [{ name: '上海市' }, { name: '江苏省' }],
      excluded: [{ adcode: '320100', name: '江苏省南京市' }],
    });
    expect(await app.refused(modifySupplierRegions, { supplierId: id, version, included: [], excluded: [] }, { as })).toMatchObject({
      code: 'SCM90030',
      data: { current: regions },
    });
  });
});

describe('a time in which a supplier takes no orders', () => {
  const from = (n: number) => plusMs(app.clock.now(), hours(n));
  const time = (a: number, b: number) => ({ fromAt: from(a), toAt: from(b), reason: '系统升级' });

  it('ends after it began, is not over, and touches no other', async () => {
    const { id: supplierId } = await makeSupplier(app);
    const told = async (a: number, b: number) => refusedFields(await app.refused(addSupplierPause, { supplierId, ...time(a, b) }, { as }));
    expect(await told(2, 2)).toEqual(['toAt 停接结束须晚于开始']);
    expect(await told(-3, -1)).toEqual(['toAt 停接结束须晚于现在']);
    const { id, version } = await app.ok(addSupplierPause, { supplierId, ...time(1, 4) }, { as });
    expect((await told(3, 6))?.[0]).toMatch(/^fromAt 与已有停接时段（.+）重叠$/);
    await app.ok(addSupplierPause, { supplierId, ...time(4, 6) }, { as });
    expect((await detailOf(supplierId)).pauses.map(({ state }) => state)).toEqual(['WAITING', 'WAITING']);
    await app.ok(delSupplierPause, { id, version }, { as });
    await app.advance(hours(7));
    as = await keeper(app);
    const [over] = (await detailOf(supplierId)).pauses;
    expect(over?.state).toBe('OVER');
    expect((await app.refused(delSupplierPause, { id: over!.id, version: 1 }, { as })).code).toBe('SCM90031');
  });

  it('is one when several people add it at once, and the database holds it whatever comes', async () => {
    const { id: supplierId } = await makeSupplier(app);
    const people = await Promise.all(Array.from({ length: 6 }, () => keeper(app)));
    const answers = await Promise.all(
      people.map((person, n) => app.send(addSupplierPause, { supplierId, ...time(1 + n, 9 + n) }, { as: person })),
    );
    expect(answers.map(({ envelope: { code } }) => code).toSorted()).toEqual(['0000000', ...Array.from({ length: 5 }, () => 'SCM90020')]);
    const again = (column: string) =>
      sql`
        insert into order_supplier_pause (supplier_id, from_at, to_at, reason, created_at)
          select supplier_id, ${sql.ref(column)}, to_at, reason, created_at
            from order_supplier_pause
            where supplier_id = ${supplierId}`.execute(app.db);
    await expect(again('from_at')).rejects.toMatchObject({ code: '23P01', constraint: 'order_supplier_pause_once' });
    await expect(again('to_at')).rejects.toMatchObject({ code: '23514' });
  });
});
