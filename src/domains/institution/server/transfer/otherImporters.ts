import type { Importer, ImportFault, ParsedRow, PlannedRow } from '../../../../kernel/server/importing/importer.ts';
import { nextNumbers } from '../../../../kernel/server/command/numbers.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import { dictionary } from '../../../../kernel/contract/dictionary.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import { departmentChanged } from '../../../../events/institution.ts';
import { capabilities, storeTags } from '../../contract/dictionaries.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { isPhone } from '../../contract/fields.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { json, ownDb, ownTx } from '../database.ts';
import { refreshQuality } from '../hospitals/save.ts';
import { grams, normName } from '../rules/normName.ts';
import { addressHash } from '../stores/unique.ts';
import { cell, wrongUscc } from './hospitalRows.ts';
import { regionBook } from './regionBook.ts';

const fault = (row: ParsedRow, columnKey: string, message: string): ImportFault => ({ rowNo: row.rowNo, columnKey, severity: 'ERROR', message });
const codesIn = (text: string) => text.split(/[,，、;；\s]+/).map((part) => part.trim()).filter(Boolean);
const yesNo = dictionary('institution.yesNo', { Y: '是', N: '否' });

function repeatedRows(rows: readonly ParsedRow[], column: string, keyOf: (row: ParsedRow) => string, message: string): ImportFault[] {
  const first = new Map<string, number>();
  return rows.flatMap((row) => {
    const key = keyOf(row);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, row.rowNo);
    return earlier === undefined ? [] : [fault(row, column, `${message}与第${earlier}行重复`)];
  });
}

const hospitalIds = async (db: Db | Tx, rows: readonly ParsedRow[]) =>
  new Map((await ownDb(db).selectFrom('institutionHospital').select(['id', 'hospitalNo']).where('hospitalNo', 'in', rows.map((row) => cell(row, 'hospitalNo'))).where('state', '<>', 'MERGED').execute()).map(({ id, hospitalNo }) => [hospitalNo, id]));

export const departmentImporter: Importer = {
  code: 'institution.department', label: '科室', templateVersion: '1', permission: institutionPermissions['hospital.import'].code, allowValidOnly: true,
  columns: [
    { key: 'hospitalNo', label: '医院编号', type: 'text', required: true, maxLength: 30 },
    { key: 'name', label: '科室名称', type: 'text', required: true, maxLength: 50, example: '心血管内科' },
    { key: 'standardDeptCode', label: '标准科室编码', type: 'text', maxLength: 5, example: '03.04' },
    { key: 'phone', label: '电话', type: 'text', maxLength: 30 },
  ],
  async validateAll(rows, { db }) {
    const faults = repeatedRows(rows, 'name', (row) => `${cell(row, 'hospitalNo')}|${cell(row, 'name')}`, '科室');
    if (rows.length === 0) return faults;
    const known = await hospitalIds(db, rows);
    const codes = new Set((await ownDb(db).selectFrom('institutionStandardDept').select('code').where('state', '=', 'ENABLED').execute()).map(({ code }) => code));
    for (const row of rows) {
      if (!known.has(cell(row, 'hospitalNo'))) faults.push(fault(row, 'hospitalNo', '医院编号不存在'));
      if (cell(row, 'standardDeptCode') && !codes.has(cell(row, 'standardDeptCode'))) faults.push(fault(row, 'standardDeptCode', '标准科室编码不存在'));
    }
    return faults;
  },
  async plan(rows, { db, params }) {
    const known = await hospitalIds(db, rows);
    const ids = [...new Set(known.values())];
    const stored = ids.length === 0 ? [] : await ownDb(db).selectFrom('institutionDepartment').select(['id', 'hospitalId', 'name', 'standardDeptCode', 'phone', 'version']).where('hospitalId', 'in', ids).where('state', '=', 'ENABLED').execute();
    const byName = new Map(stored.map((row) => [`${row.hospitalId}|${row.name}`, row]));
    return rows.map((row): PlannedRow => {
      const old = byName.get(`${known.get(cell(row, 'hospitalNo'))}|${cell(row, 'name')}`);
      if (!old) return { ...row, action: 'NEW' };
      const same = params['rowMode'] === 'ADD_ONLY' || ((old.standardDeptCode ?? '') === cell(row, 'standardDeptCode') && old.phone === cell(row, 'phone'));
      return { ...row, action: same ? 'SAME' : 'CHANGE', before: { ...row.record, standardDeptCode: old.standardDeptCode, phone: old.phone }, targetId: old.id, targetVersion: old.version };
    });
  },
  async commitChunk(rows, _batchNo, writing) {
    const tx = ownTx(writing.tx);
    const known = await hospitalIds(writing.tx, rows);
    const written = new Map<number, string>();
    for (const row of rows) {
      const values = { standardDeptCode: cell(row, 'standardDeptCode') || null, phone: cell(row, 'phone'), updatedAt: writing.now, updatedBy: writing.staff.userId };
      if (row.action === 'SAME') written.set(row.rowNo, row.targetId!);
      else if (row.action === 'CHANGE') {
        await tx.updateTable('institutionDepartment').set((eb) => ({ ...values, version: eb('version', '+', 1) })).where('id', '=', row.targetId!).where('version', '=', row.targetVersion!).execute();
        if ((row.before?.['standardDeptCode'] ?? null) !== values.standardDeptCode) {
          const departmentId = row.targetId!;
          await writing.publish(departmentChanged, departmentId, { departmentId, hospitalId: known.get(cell(row, 'hospitalNo'))!, name: cell(row, 'name'), standardDeptCode: values.standardDeptCode });
        }
        written.set(row.rowNo, row.targetId!);
      } else {
        const { id } = await tx.insertInto('institutionDepartment').values({ ...values, hospitalId: known.get(cell(row, 'hospitalNo'))!, name: cell(row, 'name'), state: 'ENABLED', createdAt: writing.now, createdBy: writing.staff.userId }).returning('id').executeTakeFirstOrThrow();
        written.set(row.rowNo, id);
      }
    }
    for (const id of new Set(known.values())) await refreshQuality(writing, id);
    return written;
  },
};

const tagOf = (text: string) => storeTags.options.find(({ value, label }) => label === text || value === text)?.value;
const capabilityOf = (text: string) => capabilities.options.find(({ value, label }) => label === text || value === text)?.value;

/** Drugstores arrive as drafts: licences, place and hours follow before they are submitted. */
export const storeImporter: Importer = {
  code: 'institution.drugstore', label: '药店', templateVersion: '1', permission: institutionPermissions['store.import'].code, allowValidOnly: true, checksBrokenRows: true,
  columns: [
    { key: 'name', label: '药店名称', type: 'text', required: true, maxLength: 100 },
    { key: 'chainNo', label: '连锁编号', type: 'text', maxLength: 30 },
    { key: 'chainStoreCode', label: '连锁店号', type: 'text', maxLength: 30 },
    { key: 'storeTags', label: '门店类型', type: 'text', required: true, maxLength: 100, example: '连锁门店、DTP药房' },
    { key: 'uscc', label: '统一社会信用代码', type: 'text', required: true, maxLength: 18 },
    { key: 'province', label: '省', type: 'text', required: true, maxLength: 30 },
    { key: 'city', label: '市', type: 'text', required: true, maxLength: 30 },
    { key: 'district', label: '区县', type: 'text', required: true, maxLength: 30 },
    { key: 'address', label: '地址', type: 'text', required: true, maxLength: 200 },
    { key: 'phone', label: '电话', type: 'text', maxLength: 20 },
    { key: 'managerName', label: '店长', type: 'text', maxLength: 50 },
    { key: 'pharmacistName', label: '执业药师', type: 'text', maxLength: 50 },
    { key: 'capabilities', label: '能力', type: 'text', maxLength: 100, example: '处方药、冷链' },
  ],
  validateRow(row) {
    const tags = codesIn(cell(row, 'storeTags'));
    const able = codesIn(cell(row, 'capabilities'));
    const faults = tags.filter((tag) => !tagOf(tag)).map((tag) => fault(row, 'storeTags', `门店类型“${tag}”不正确`));
    faults.push(...able.filter((one) => !capabilityOf(one)).map((one) => fault(row, 'capabilities', `能力“${one}”不正确`)));
    const codes = tags.map(tagOf);
    if (codes.includes('CHAIN') && codes.includes('SINGLE')) faults.push(fault(row, 'storeTags', '连锁门店与单体药店不能同时选择'));
    if (codes.includes('CHAIN') && !cell(row, 'chainNo')) faults.push(fault(row, 'chainNo', '连锁门店请选择连锁总部'));
    if (wrongUscc(row)) faults.push(fault(row, 'uscc', '统一社会信用代码校验不通过'));
    if (cell(row, 'phone') && !isPhone(cell(row, 'phone'))) faults.push(fault(row, 'phone', '电话格式不正确'));
    return faults;
  },
  async validateAll(rows, reading) {
    const { db } = reading;
    const book = await regionBook(reading, db);
    const faults = repeatedRows(rows, 'address', (row) => `${cell(row, 'uscc')}|${addressHash(cell(row, 'address'))}`, '门店');
    const chains = new Set((await ownDb(db).selectFrom('institutionChain').select('chainNo').execute()).map(({ chainNo }) => chainNo));
    for (const row of rows) {
      if (!book.find(cell(row, 'province'), cell(row, 'city'), cell(row, 'district'))) faults.push(fault(row, 'district', '没有这个地区'));
      if (cell(row, 'chainNo') && !chains.has(cell(row, 'chainNo'))) faults.push(fault(row, 'chainNo', '连锁编号不存在'));
    }
    return faults;
  },
  async plan(rows, { db }) {
    const stored = await ownDb(db).selectFrom('institutionDrugstore').select(['id', 'uscc', 'addressHash', 'version']).where('uscc', 'in', rows.map((row) => cell(row, 'uscc').toUpperCase())).where('state', '<>', 'CLOSED').execute();
    const byPlace = new Map(stored.map((row) => [`${row.uscc}|${row.addressHash}`, row]));
    return rows.map((row): PlannedRow => {
      const old = byPlace.get(`${cell(row, 'uscc').toUpperCase()}|${addressHash(cell(row, 'address'))}`);
      return old ? { ...row, action: 'SAME', targetId: old.id, targetVersion: old.version } : { ...row, action: 'NEW' };
    });
  },
  async commitChunk(rows, batchNo, writing) {
    const tx = ownTx(writing.tx);
    const book = await regionBook(writing, writing.tx);
    const chains = new Map((await tx.selectFrom('institutionChain').select(['id', 'chainNo']).execute()).map(({ id, chainNo }) => [chainNo, id]));
    const fresh = rows.filter(({ action }) => action === 'NEW');
    const numbers = await nextNumbers(writing.tx, 'YD', dayOf(writing.now), fresh.length);
    const written = new Map(rows.filter(({ action }) => action === 'SAME').map((row) => [row.rowNo, row.targetId!]));
    for (const [index, row] of fresh.entries()) {
      const place = book.find(cell(row, 'province'), cell(row, 'city'), cell(row, 'district'))!;
      const norm = normName(cell(row, 'name'), place);
      const { id } = await tx
        .insertInto('institutionDrugstore')
        .values({
          storeNo: numbers[index]!, name: cell(row, 'name'), normName: norm, nameGrams: grams(norm), chainId: chains.get(cell(row, 'chainNo')) ?? null, chainStoreCode: cell(row, 'chainStoreCode') || null,
          storeTags: codesIn(cell(row, 'storeTags')).flatMap((tag) => tagOf(tag) ?? []), capabilities: codesIn(cell(row, 'capabilities')).flatMap((one) => capabilityOf(one) ?? []), uscc: cell(row, 'uscc').toUpperCase(),
          adcode: place.adcode, cityAdcode: place.cityAdcode, provinceAdcode: place.provinceAdcode, address: cell(row, 'address'), addressHash: addressHash(cell(row, 'address')), phone: cell(row, 'phone'), managerName: cell(row, 'managerName'),
          pharmacistName: cell(row, 'pharmacistName'), weekHours: json({}), state: 'DRAFT', makerId: writing.staff.userId, importBatchNo: batchNo, createdAt: writing.now, createdBy: writing.staff.userId, updatedAt: writing.now, updatedBy: writing.staff.userId,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      written.set(row.rowNo, id);
    }
    return written;
  },
};

const storeIds = async (db: Db | Tx, rows: readonly ParsedRow[]) =>
  new Map((await ownDb(db).selectFrom('institutionDrugstore').select(['id', 'storeNo']).where('storeNo', 'in', rows.map((row) => cell(row, 'storeNo'))).execute()).map(({ id, storeNo }) => [storeNo, id]));

export const storeGoodsImporter: Importer = {
  code: 'institution.storeGoods', label: '门店商品价格', templateVersion: '1', permission: institutionPermissions['store.import'].code, allowValidOnly: true,
  columns: [
    { key: 'storeNo', label: '门店编号', type: 'text', required: true, maxLength: 30 },
    { key: 'goodsCode', label: '商品编码', type: 'text', required: true, maxLength: 40 },
    { key: 'price', label: '价格', type: 'money', required: true },
    { key: 'inStock', label: '是否有货', type: 'dict', required: true, dictionary: yesNo },
    { key: 'effectiveFrom', label: '生效日期', type: 'day', required: true },
  ],
  validateRow: (row) => (typeof row.record['price'] === 'bigint' && row.record['price'] <= 0n ? [fault(row, 'price', '价格须大于0')] : []),
  async validateAll(rows, { db }) {
    const faults = repeatedRows(rows, 'goodsCode', (row) => `${cell(row, 'storeNo')}|${cell(row, 'goodsCode')}|${cell(row, 'effectiveFrom')}`, '商品价格');
    if (rows.length === 0) return faults;
    const stores = await storeIds(db, rows);
    const goods = new Set((await ownDb(db).selectFrom('institutionGoodsCopy').select('goodsCode').where('goodsCode', 'in', rows.map((row) => cell(row, 'goodsCode'))).execute()).map(({ goodsCode }) => goodsCode));
    for (const row of rows) {
      if (!stores.has(cell(row, 'storeNo'))) faults.push(fault(row, 'storeNo', '门店编号不存在'));
      if (!goods.has(cell(row, 'goodsCode'))) faults.push(fault(row, 'goodsCode', institutionErrors.GOODS_UNKNOWN.text));
    }
    return faults;
  },
  async plan(rows, { db }) {
    const stores = await storeIds(db, rows);
    const stored = await ownDb(db).selectFrom('institutionStoreGoods').select(['id', 'storeId', 'goodsCode', 'effectiveFrom', 'priceFen', 'inStock']).where('goodsCode', 'in', rows.map((row) => cell(row, 'goodsCode'))).execute();
    const byKey = new Map(stored.map((row) => [`${row.storeId}|${row.goodsCode}|${row.effectiveFrom}`, row]));
    return rows.map((row): PlannedRow => {
      const old = byKey.get(`${stores.get(cell(row, 'storeNo'))}|${cell(row, 'goodsCode')}|${cell(row, 'effectiveFrom')}`);
      if (!old) return { ...row, action: 'NEW' };
      const same = old.priceFen === cell(row, 'price') && old.inStock === (cell(row, 'inStock') === 'Y');
      return { ...row, action: same ? 'SAME' : 'CHANGE', before: { ...row.record, price: BigInt(old.priceFen), inStock: old.inStock ? 'Y' : 'N' }, targetId: old.id };
    });
  },
  async commitChunk(rows, _batchNo, writing) {
    const tx = ownTx(writing.tx);
    const stores = await storeIds(writing.tx, rows);
    const goods = new Map((await tx.selectFrom('institutionGoodsCopy').selectAll().where('goodsCode', 'in', rows.map((row) => cell(row, 'goodsCode'))).execute()).map((row) => [row.goodsCode, row]));
    const written = new Map<number, string>();
    for (const row of rows) {
      const facts = goods.get(cell(row, 'goodsCode'))!;
      const values = { priceFen: cell(row, 'price'), inStock: cell(row, 'inStock') === 'Y', stockAt: writing.now, updatedAt: writing.now };
      const { id } = await tx
        .insertInto('institutionStoreGoods')
        .values({ ...values, storeId: stores.get(cell(row, 'storeNo'))!, goodsCode: facts.goodsCode, effectiveFrom: cell(row, 'effectiveFrom'), medicineId: facts.medicineId, goodsName: facts.goodsName, spec: facts.spec, createdAt: writing.now, createdBy: writing.staff.userId })
        .onConflict((conflict) => conflict.columns(['storeId', 'goodsCode', 'effectiveFrom']).doUpdateSet(values))
        .returning('id')
        .executeTakeFirstOrThrow();
      written.set(row.rowNo, id);
    }
    return written;
  },
};

