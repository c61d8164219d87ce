import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Importer } from '#kernel/server/importing/importer.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { commitImportTask, queryImportResult, queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import { addHospitalAlias, queryHospitalList } from '../../contract/hospitalCalls.ts';
import { queryChainList, queryStoreGoodsList } from '../../contract/licenceCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { freshName, freshUscc, keeper, makeChain, makeHospital, makeStore } from '../testing/fixtures.ts';
import { uploadRows } from '#testing/uploads.ts';
import { departmentImporter } from './departmentImporter.ts';
import { hospitalImporter } from './hospitalImporter.ts';
import { storeGoodsImporter } from './storeGoodsImporter.ts';
import { storeImporter } from './storeImporter.ts';
import { importDepartment, importHospital, importDrugstore, importStoreGoods } from '../../contract/importCalls.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('imports', () => {
  const rowOf = (name: string, more: object = {}) => ({
    name,
    level: '三级甲等',
    province: '浙江省',
    city: '杭州市',
    district: '西湖区',
    ...more,
  });
  const run = async (rows: readonly Record<string, string>[]) => {
    const as = await keeper(app);
    const { importTaskId } = await app.ok(importHospital, { fileId: await uploadRows(app, as, hospitalImporter, rows) }, { as });
    await app.runDue();
    return { as, importTaskId, checked: await app.ok(queryImportResult, { importTaskId }, { as }) };
  };

  const commit = async ({ as, importTaskId, checked }: Awaited<ReturnType<typeof run>>) => {
    await app.ok(commitImportTask, { importTaskId, version: checked.version }, { as, idempotencyKey: `commit-of-import-${importTaskId}` });
    await app.runDue();
  };
  const written = async () =>
    (
      await sql<{
        n: number;
        versions: number;
      }>`select count(*)::int as n, sum(version)::int as versions from institution_hospital`.execute(app.db)
    ).rows[0]!;

  it('writes nothing with two bad cells, what is new when they are mended, and nothing again', async () => {
    const known = Array.from({ length: 20 }, () => freshName());
    const phone = (index: number) => `0571-8700${1000 + index}`;
    await commit(await run(known.map((name, index) => rowOf(name, index < 6 ? { phone: phone(index) } : {}))));
    const as = await keeper(app);
    const aliases = known.slice(0, 6).map(() => freshName());
    for (const [index, name] of aliases.entries()) {
      const { rows: found } = await app.ok(queryHospitalList, { keyword: known[index]! }, { as });
      await app.ok(addHospitalAlias, { hospitalId: found[0]!.id, name, kind: 'SHORT' }, { as });
    }
    const before = await written();
    const good = [
      ...known.slice(6, 18).map((name) => rowOf(name)),
      ...aliases.map((name, index) => rowOf(name, { phone: phone(index) })),
      ...Array.from({ length: 180 }, () => rowOf(freshName())),
    ];
    const bad = await run([...good, rowOf(known[18]!, { uscc: '91330106MA2AX12340' }), rowOf(known[19]!, { district: '不存在区' })]);
    expect(bad.checked).toMatchObject({ state: 'INVALID', errorRows: 2, errorCells: 2, newRows: 180, sameRows: 18, warnRows: 6 });
    expect(await written()).toEqual(before);

    const mended = [...good, rowOf(known[18]!), rowOf(known[19]!)];
    const task = await run(mended);
    expect(task.checked).toMatchObject({ state: 'READY', errorRows: 0, newRows: 180, sameRows: 20, warnRows: 6 });
    const { rows: warned } = await app.ok(queryImportRowList, { importTaskId: task.importTaskId, hasError: true }, { as: task.as });
    expect(warned.map(({ errors }) => errors[0]!.message)).toEqual(
      aliases.map((_, index) => expect.stringMatching(new RegExp(`^疑似重复：YY\\d+ ${known[index]}，与其别名一致、电话相同；本行不导入`))),
    );
    await commit(task);
    const after = await written();
    expect(after).toEqual({ n: before.n + 180, versions: before.versions + 180 });

    const again = await run(mended.toReversed());
    expect(again.checked).toMatchObject({ newRows: 0, changedRows: 0, sameRows: 200, warnRows: 6 });
    await commit(again);
    expect(await written()).toEqual(after);
  });

  it('tells of a level that there is not together with what else is wrong with the row', async () => {
    const { checked } = await run([rowOf(freshName(), { level: '四级', phone: '不知道' }), rowOf(freshName(), { level: '' })]);
    expect(checked).toMatchObject({ state: 'INVALID', errorRows: 2, errorCells: 3 });
  });

  it('refuses a licence that another hospital holds, and takes a row that has it under another name for that hospital', async () => {
    const licenceNo = 'PDY330106000001A1001';
    const [holder, other] = [await makeHospital(app, { licenceNo }), await makeHospital(app)];
    const { as, importTaskId, checked } = await run([rowOf(other.name, { licenceNo }), rowOf(freshName(), { licenceNo })]);
    expect(checked).toMatchObject({ errorRows: 2 });
    const { rows } = await app.ok(queryImportRowList, { importTaskId, hasError: true }, { as });
    expect(rows.map(({ errors }) => errors.map(({ message }) => message))).toEqual([
      [`名称与编码对应不同的医院（${other.hospitalNo} ${other.name}，${holder.hospitalNo} ${holder.name}）`],
      expect.arrayContaining(['许可证号与第2行重复']),
    ]);
    expect((await run([rowOf(freshName(), { licenceNo })])).checked).toMatchObject({
      state: 'READY',
      newRows: 0,
      sameRows: 1,
      warnRows: 1,
    });
  });

  it('takes rows of other tables only for what the importing person sees, and shop numbers of a chain once', async () => {
    const [hospital, store] = [await makeHospital(app), await makeStore(app)];
    const elsewhere = await app.staff({
      permissions: Object.values(institutionPermissions).map(({ code }) => code),
      scope: { region: ['310000'] },
    });
    const faults = async (call: typeof importHospital, importer: Importer, rows: Record<string, string>[], as = elsewhere) => {
      const { importTaskId } = await app.ok(call, { fileId: await uploadRows(app, as, importer, rows) }, { as });
      await app.runDue();
      return (await app.ok(queryImportRowList, { importTaskId, hasError: true }, { as })).rows.flatMap(({ errors }) =>
        errors.map(({ message }) => message),
      );
    };
    expect(await faults(importDepartment, departmentImporter, [{ hospitalNo: hospital.hospitalNo, name: '内科' }])).toEqual([
      '医院编号不存在',
    ]);
    expect(
      await faults(importStoreGoods, storeGoodsImporter, [
        { storeNo: store.storeNo, goodsCode: 'G99999999', price: '1.00', inStock: '是', effectiveFrom: '2026-12-01' },
      ]),
    ).toEqual(['门店编号不存在', '商品编码不存在']);
    const shop = { storeTags: '单体药店', province: '浙江省', city: '杭州市', district: '西湖区', address: '文三路9号' };
    expect(await faults(importDrugstore, storeImporter, [{ ...shop, name: freshName('药店'), uscc: freshUscc() }])).toEqual([
      '该地区不在您的数据范围内',
    ]);
    const chain = await makeChain(app);
    const { rows: chains } = await app.ok(queryChainList, { ids: [chain.id] }, { as: store.maker });
    const taken = await makeStore(app, { chainId: chain.id, chainStoreCode: 'S001', storeTags: ['CHAIN'] });
    const numbered = (chainStoreCode: string) => ({
      ...shop,
      storeTags: '连锁门店',
      chainNo: chains[0]!.chainNo,
      chainStoreCode,
      name: freshName('药店'),
      uscc: freshUscc(),
    });
    expect(await faults(importDrugstore, storeImporter, [numbered('S001'), numbered('S002'), numbered('S002')], store.maker)).toEqual([
      `连锁店号已被门店${taken.storeNo}使用`,
      '连锁店号与第3行重复',
    ]);
  });

  it('keeps the price of goods that was told last, from its first day on', async () => {
    const { storeNo, maker: as } = await makeStore(app);
    await sql`
      insert into institution_goods_copy (goods_code, medicine_id, goods_name, spec, state, updated_at)
      values ('G00000901', '901', '二甲双胍片', '0.5g*20片', 'ON', ${app.clock.now()})`.execute(app.db);
    const priced = (price: string, inStock: string, effectiveFrom = '2026-12-01') => ({
      storeNo,
      goodsCode: 'G00000901',
      price,
      inStock,
      effectiveFrom,
    });
    const tell = async (...rows: ReturnType<typeof priced>[]) => {
      const { importTaskId } = await app.ok(importStoreGoods, { fileId: await uploadRows(app, as, storeGoodsImporter, rows) }, { as });
      await app.runDue();
      const checked = await app.ok(queryImportResult, { importTaskId }, { as });
      if (checked.state === 'READY') await commit({ as, importTaskId, checked });
      const { newRows, changedRows, sameRows, errorRows } = checked;
      return { newRows, changedRows, sameRows, errorRows };
    };
    const none = { newRows: 0, changedRows: 0, sameRows: 0, errorRows: 0 };
    expect(await tell(priced('12.50', '是', ''))).toEqual({ ...none, errorRows: 1 });
    expect(await tell(priced('12.50', '是'))).toEqual({ ...none, newRows: 1 });
    expect(await tell(priced('11.80', '否'))).toEqual({ ...none, changedRows: 1 });
    expect(await tell(priced('11.80', '否'), priced('10.00', '是', '2027-01-01'))).toEqual({ ...none, newRows: 1, sameRows: 1 });
    expect((await app.ok(queryStoreGoodsList, { goodsCode: 'G00000901' }, { as })).rows).toEqual([
      expect.objectContaining({ effectiveFrom: '2027-01-01', priceFen: '1000', inStock: true, goodsName: '二甲双胍片' }),
      expect.objectContaining({ effectiveFrom: '2026-12-01', priceFen: '1180', inStock: false }),
    ]);
  });

  it('stores a retired region as its successor', async () => {
    await sql`
      insert into identity_region (adcode, name, level, parent_adcode, pinyin, retired_on, replaced_by)
        values ('330199', '旧西湖区', 3, '330100', 'jxhq', '2020-01-01', '330106')`.execute(app.db);
    const name = freshName();
    const { as, importTaskId, checked } = await run([rowOf(name, { district: '330199' })]);
    await app.ok(commitImportTask, { importTaskId, version: checked.version }, { as, idempotencyKey: 'commit-of-the-retired-region' });
    await app.runDue();
    expect((await app.ok(queryHospitalList, { keyword: name }, { as })).rows).toMatchObject([{ adcode: '330106' }]);
  });
});
