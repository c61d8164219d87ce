import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusDays } from '#kernel/contract/time.ts';
import { commitImportTask, queryImportResult, queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addShieldGoods,
  delShieldGoods,
  disableShieldGoods,
  enableShieldGoods,
  importShieldGoods,
  modifyShieldGoods,
  queryShieldGoodsDetail,
  queryShieldGoodsList,
  SHIELD_IMPORTER,
  testShieldGoods,
} from '../../contract/calls/shield.ts';
import { isCity, cityOf } from '../../contract/rules/city.ts';
import { importerOf, keeper, makeChannel, makeGoods, makeProductCode, makeShield, shieldInput } from '../testing/fixtures.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await keeper(app);
});
afterAll(() => app.close());

const today = () => app.clock.today();
const hides = async (goodsCode: string, more: { productCode?: string; cityCode?: string; channelId?: string } = {}) =>
  app.ok(testShieldGoods, { goodsCode, ...more }, { as });

describe('a city', () => {
  it.each([
    ['320102', '320100', false],
    ['320100', '320100', true],
    ['310115', '310000', false],
    ['310000', '310000', true],
    ['429004', '429004', true],
    ['320000', '320000', false],
    ['429000', '429000', false],
  ])('of %s is %s', (adcode, city, is) => {
    expect([cityOf(adcode), isCity(adcode)]).toEqual([city, is]);
  });
});

describe('a setting of hidden goods', () => {
  it('names goods and values that there are, and days in their order', async () => {
    const goods = await makeGoods(app);
    const told = async (more: Parameters<typeof shieldInput>[2]) =>
      (await app.refused(addShieldGoods, shieldInput(app, goods, more), { as })).fields?.map(({ message }) => message);
    expect(await told({ goodsCodes: [] })).toEqual(['请选择药品']);
    expect(await told({ goodsCodes: ['NONE'] })).toEqual(['商品NONE不存在，请重新选择']);
    expect((await app.refused(addShieldGoods, { ...shieldInput(app, goods), scope: undefined }, { as })).fields).toMatchObject([
      { path: 'scope', message: '请选择适用范围' },
    ]);
    expect(await told({ scope: 'PRODUCT' })).toEqual(['请选择范围值']);
    expect(await told({ scope: 'PRODUCT', scopeValues: ['NONE'] })).toEqual(['产品NONE不存在，请重新选择']);
    expect(await told({ scope: 'REGION', scopeValues: ['320000'] })).toEqual(['城市320000不存在，请重新选择']);
    expect(await told({ scope: 'CHANNEL', scopeValues: ['x'] })).toEqual(['渠道x不存在，请重新选择']);
    expect(await told({ effectiveTo: plusDays(today(), -1) })).toEqual(['失效日期不能早于生效日期']);
    expect(await told({ displayText: '字'.repeat(21) })).toEqual(['替代文案最多20个字符']);
  });

  it('for a product hides the button for that product alone, and is named when it is tried out', async () => {
    const [mine, other] = [await makeProductCode(app), await makeProductCode(app)];
    const { id, goodsCode } = await makeShield(app, { scope: 'PRODUCT', scopeValues: [mine, mine], displayText: '请使用权益购药' });
    expect(await hides(goodsCode, { productCode: mine })).toEqual({
      hidden: true,
      displayText: '请使用权益购药',
      shieldId: id,
      why: '对指定产品（特药险）隐藏，原因：厂家要求线下购买',
    });
    expect(await hides(goodsCode, { productCode: other })).toMatchObject({ hidden: false, shieldId: null });
    expect(await hides(goodsCode)).toMatchObject({ hidden: false, why: '该商品有1条生效中的设置，均不适用于所填条件' });
    expect(await hides(await makeGoods(app))).toMatchObject({ hidden: false, why: '该商品没有生效中的设置' });
  });

  it('for a product goes before one for a channel, a city and everybody', async () => {
    const productCode = await makeProductCode(app);
    const channel = await makeChannel(app);
    const goodsCode = await makeGoods(app);
    const one = (more: object) => makeShield(app, { goodsCodes: [goodsCode], ...more });
    const ids = [
      (await one({})).id,
      (await one({ scope: 'REGION', scopeValues: ['320100'] })).id,
      (await one({ scope: 'CHANNEL', scopeValues: [channel.id] })).id,
      (await one({ scope: 'PRODUCT', scopeValues: [productCode] })).id,
    ];
    const asked = [{}, { cityCode: '320102' }, { cityCode: '320100', channelId: channel.id }, { channelId: channel.id, productCode }];
    const found = [];
    for (const more of asked) found.push((await hides(goodsCode, more)).shieldId);
    expect(found).toEqual(ids);
  });

  it('is refused where an enabled one hides the same on the same days', async () => {
    const goodsCode = await makeGoods(app);
    const from = plusDays(today(), 10);
    const to = plusDays(today(), 20);
    await makeShield(app, {
      goodsCodes: [goodsCode],
      scope: 'REGION',
      scopeValues: ['320100', '330100'],
      effectiveFrom: from,
      effectiveTo: to,
    });
    const input = (more: object) => shieldInput(app, goodsCode, { scope: 'REGION', scopeValues: ['330100'], ...more });
    for (const days of [{}, { effectiveFrom: to }, { effectiveTo: from }])
      expect(await app.refused(addShieldGoods, input(days), { as })).toMatchObject({
        code: 'SCM16070',
        message: '相同商品与范围已有生效配置',
      });
    await app.ok(addShieldGoods, input({ effectiveTo: plusDays(from, -1) }), { as });
    await app.ok(addShieldGoods, input({ effectiveFrom: plusDays(to, 1) }), { as });
    await app.ok(addShieldGoods, input({ scopeValues: ['310000'], effectiveFrom: from }), { as });
  });

  it('that is disabled hides nothing, lets another in, and is not enabled beside it', async () => {
    const { id, goodsCode, version } = await makeShield(app);
    expect((await app.refused(enableShieldGoods, { id, version }, { as })).code).toBe('SCM90031');
    const off = await app.ok(disableShieldGoods, { id, version }, { as });
    expect(off).toEqual({ id, version: 2, status: 'DISABLED' });
    expect((await hides(goodsCode)).hidden).toBe(false);
    const other = await makeShield(app, { goodsCodes: [goodsCode] });
    expect((await app.refused(enableShieldGoods, { id }, { as })).code).toBe('SCM16070');
    await app.ok(delShieldGoods, { id: other.id, version: 1 }, { as });
    expect(await app.ok(enableShieldGoods, { id }, { as })).toMatchObject({ status: 'EFFECTIVE' });
    expect((await app.refused(queryShieldGoodsDetail, { id: other.id }, { as })).code).toBe('SCM90040');
  });

  it('is changed under the same rule, and a stale change shows what stands there now', async () => {
    const { id, goodsCode, version } = await makeShield(app, { effectiveTo: plusDays(today(), 3) });
    await makeShield(app, { goodsCodes: [goodsCode], effectiveFrom: plusDays(today(), 4) });
    const facts = { scope: 'ALL' as const, reason: '供应商缺货', displayText: '暂时缺货', effectiveFrom: today() };
    expect((await app.refused(modifyShieldGoods, { id, version, ...facts }, { as })).code).toBe('SCM16070');
    const effectiveTo = plusDays(today(), 2);
    expect(await app.ok(modifyShieldGoods, { id, version, ...facts, effectiveTo }, { as })).toEqual({
      id,
      version: 2,
      status: 'EFFECTIVE',
    });
    expect(await app.refused(modifyShieldGoods, { id, version, ...facts, effectiveTo }, { as })).toMatchObject({
      code: 'SCM90030',
      data: { current: { scopeValues: [], ...facts, effectiveTo } },
    });
    expect((await hides(goodsCode)).displayText).toBe('暂时缺货');
  });

  it('is known by its switch and its days', async () => {
    const goodsCode = await makeGoods(app);
    const one = (effectiveFrom: string, effectiveTo: string) => makeShield(app, { goodsCodes: [goodsCode], effectiveFrom, effectiveTo });
    const at = (n: number) => plusDays(today(), n);
    await one(at(-9), at(-1));
    await one(at(0), at(0));
    await one(at(1), at(2));
    const off = await one(at(3), at(4));
    await app.ok(disableShieldGoods, { id: off.id }, { as });
    const { rows } = await app.ok(queryShieldGoodsList, { goods: goodsCode }, { as });
    expect(rows.map(({ status }) => status)).toEqual(['WAITING', 'EFFECTIVE', 'DISABLED', 'EXPIRED']);
    for (const { status } of rows)
      expect((await app.ok(queryShieldGoodsList, { goods: goodsCode, status }, { as })).rows.map((row) => row.status)).toEqual([status]);
    await app.advance(days(1), ['order']);
    as = await keeper(app);
    const later = await app.ok(queryShieldGoodsList, { goods: goodsCode }, { as });
    expect(later.rows.map(({ status }) => status)).toEqual(['EFFECTIVE', 'DISABLED', 'EXPIRED', 'EXPIRED']);
  });

  it('is one when ten people add it at once, and the database holds it whatever comes', async () => {
    const goodsCode = await makeGoods(app);
    const people = await Promise.all(Array.from({ length: 10 }, () => keeper(app)));
    const answers = await Promise.all(people.map((person) => app.send(addShieldGoods, shieldInput(app, goodsCode), { as: person })));
    expect(answers.map(({ envelope: { code } }) => code).toSorted()).toEqual(['0000000', ...Array.from({ length: 9 }, () => 'SCM16070')]);
    await expect(
      sql`
        insert into order_shield
          (goods_code, goods_name, scope, scope_words, display_text, reason, effective_from, created_at, updated_at)
          select goods_code, goods_name, scope, scope_words, display_text, reason, effective_from, created_at, updated_at
            from order_shield
            where goods_code = ${goodsCode}`.execute(app.db),
    ).rejects.toMatchObject({ code: '23P01', constraint: 'order_shield_value_once' });
  });
});

describe('a table of hidden goods', () => {
  const run = async (rows: readonly Record<string, string>[]) => {
    const fileId = await uploadRows(app, as, importerOf(app, SHIELD_IMPORTER), rows);
    const { importTaskId } = await app.ok(importShieldGoods, { fileId }, { as });
    await app.runDue();
    return { importTaskId, checked: await app.ok(queryImportResult, { importTaskId }, { as }) };
  };
  const commit = async ({ importTaskId, checked }: Awaited<ReturnType<typeof run>>) => {
    await app.ok(commitImportTask, { importTaskId, version: checked.version }, { as, idempotencyKey: `shields-${importTaskId}` });
    await app.runDue();
    return app.ok(queryImportResult, { importTaskId }, { as });
  };
  const row = (goodsCode: string, more: object = {}) => ({
    goodsCode,
    scope: '全部',
    reason: '厂家要求线下购买',
    effectiveFrom: today(),
    ...more,
  });

  it('is refused where goods or values are unknown, or the same is hidden twice', async () => {
    const [goods, taken] = [await makeGoods(app), (await makeShield(app, { effectiveFrom: plusDays(today(), 5) })).goodsCode];
    const { importTaskId } = await run([
      row('NONE'),
      row(goods, { scope: '指定城市', scopeValues: '南京市、无此市' }),
      row(goods, { scope: '指定城市' }),
      row(goods, { scopeValues: '南京市' }),
      row(goods, { effectiveTo: plusDays(today(), -1) }),
      row(goods, { scope: '指定城市', scopeValues: '江苏省南京市' }),
      row(goods, { scope: '指定城市', scopeValues: '320100，杭州市' }),
      row(taken),
    ]);
    const { rows: faulty } = await app.ok(queryImportRowList, { importTaskId, hasError: true, pageSize: 20 }, { as });
    expect(faulty.map(({ rowNo, errors }) => `${rowNo} ${errors[0]?.message}`)).toEqual([
      '2 商品编码不存在',
      '3 城市无此市不存在',
      '4 请填写范围值',
      '5 范围为全部时不填范围值',
      '6 失效日期不能早于生效日期',
      '8 与第7行的商品、范围与日期重叠',
      '9 相同商品与范围已有生效配置',
    ]);
  });

  it('adds what is new and changes text, reason and last day of what is there', async () => {
    const [goods, product] = [await makeGoods(app), await makeProductCode(app)];
    const channel = await makeChannel(app);
    const rows = [
      row(goods, { scope: '指定城市', scopeValues: '南京市、上海市', displayText: '本市暂不配送' }),
      row(goods, { scope: '指定产品', scopeValues: product }),
      row(goods, { scope: '指定渠道', scopeValues: channel.no }),
    ];
    await commit(await run(rows));
    expect(await hides(goods, { cityCode: '310115' })).toMatchObject({ hidden: true, displayText: '本市暂不配送' });
    expect(await hides(goods, { productCode: product })).toMatchObject({ hidden: true, displayText: '请咨询药师' });
    expect(await hides(goods, { channelId: channel.id })).toMatchObject({ hidden: true });
    const effectiveTo = plusDays(today(), 30);
    await commit(await run([{ ...rows[0]!, displayText: '请到门店购买', effectiveTo }]));
    const { rows: stored } = await app.ok(queryShieldGoodsList, { goods, scope: 'REGION' }, { as });
    expect(stored).toMatchObject([{ displayText: '请到门店购买', effectiveTo, scopeWords: '江苏省南京市、上海市', version: 2 }]);
  });
});
