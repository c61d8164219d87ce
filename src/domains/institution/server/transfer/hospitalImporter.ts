import type { Importer, ImportFault, ParsedRow, PlannedRow } from '../../../../kernel/server/importing/importer.ts';
import { hospitalChanged } from '../../../../events/institution.ts';
import { insertRecords } from '../../../../kernel/server/database/insertRecords.ts';
import { nextNumbers } from '../../../../kernel/server/command/numbers.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import { regionPrefix } from '../../../../kernel/server/auth/scope.ts';
import { hospitalKinds, hospitalLevels, ownerships } from '../../contract/dictionaries.ts';
import { isPhone } from '../../contract/fields.ts';
import type { HospitalFacts } from '../../contract/hospitalCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { ownTx, type InstitutionTx } from '../database.ts';
import { derive, factsOf } from '../hospitals/facts.ts';
import { eventOf } from '../hospitals/save.ts';
import { scoreBatchJob } from '../jobs.ts';
import { normName } from '../rules/normName.ts';
import { cell, placeIn, readHospital, storedFor, suspects, wrongUscc, type ReadHospital } from './hospitalRows.ts';
import { regionBook, type RegionBook } from './regionBook.ts';

const AT_ONCE = 1000;
const blank: HospitalFacts = {
  name: '', shortName: '', level: 'L0', kind: 'GENERAL', ownership: 'PUBLIC', adcode: '', address: '', lngE6: null, latE6: null, uscc: null, licenceNo: null, licenceValidTo: null, nhsaCode: null,
  phone: '', website: '', introduction: '', parentId: null, campusName: '', logoFileId: null,
};
const fault = (rowNo: number, columnKey: string, message: string, severity: 'ERROR' | 'WARN' = 'ERROR'): ImportFault => ({ rowNo, columnKey, severity, message });
const known = (rows: readonly ParsedRow[], book: RegionBook): ReadHospital[] => rows.flatMap((row) => readHospital(row, book) ?? []);

/** Rows of the file that mean the same hospital; `first` remembers where each was met. */
function repeated(rows: readonly ReadHospital[], first: Map<string, number>): ImportFault[] {
  return rows.flatMap((row) => {
    const keys: [string, string, string][] = [[`n:${row.place.cityAdcode}:${row.norm}`, 'name', '医院名称'], [row.uscc ? `u:${row.uscc}` : '', 'uscc', '统一社会信用代码'], [row.nhsaCode ? `c:${row.nhsaCode}` : '', 'nhsaCode', '医保编码']];
    return keys.flatMap(([key, column, label]) => {
      if (key === '') return [];
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, row.rowNo);
      return earlier === undefined ? [] : [fault(row.rowNo, column, `${label}与第${earlier}行重复`)];
    });
  });
}

async function putAliases(tx: InstitutionTx, rows: readonly { id: string; former: readonly string[]; place: ReadHospital['place'] }[], stamp: { now: string; userId: string }): Promise<void> {
  const values = rows.flatMap(({ id, former, place }) =>
    former.map((name) => ({ hospitalId: id, name, normName: normName(name, place), kind: 'FORMER', createdAt: stamp.now, createdBy: stamp.userId, updatedAt: stamp.now })));
  if (values.length > 0) await tx.insertInto('institutionHospitalAlias').values(values).onConflict((conflict) => conflict.columns(['hospitalId', 'normName']).doNothing()).execute();
}

/** Hospitals by name: matched by 医保编码, 信用代码, then name in the city; an unchanged row writes nothing. */
export const hospitalImporter: Importer = {
  code: 'institution.hospital',
  label: '医院',
  templateVersion: '1',
  permission: institutionPermissions['hospital.import'].code,
  maxRows: 20_000,
  allowValidOnly: true,
  checksBrokenRows: true,
  columns: [
    { key: 'name', label: '医院名称', type: 'text', required: true, maxLength: 100, example: '杭州市第一人民医院' },
    { key: 'level', label: '等级', type: 'dict', required: true, dictionary: hospitalLevels, example: '三级甲等' },
    { key: 'kind', label: '类型', type: 'dict', dictionary: hospitalKinds, example: '综合医院' },
    { key: 'ownership', label: '性质', type: 'dict', dictionary: ownerships, example: '公立' },
    { key: 'province', label: '省', type: 'text', required: true, maxLength: 30, example: '浙江省' },
    { key: 'city', label: '市', type: 'text', required: true, maxLength: 30, example: '杭州市' },
    { key: 'district', label: '区县', type: 'text', required: true, maxLength: 30, example: '上城区', note: '名称或6位行政区划代码' },
    { key: 'address', label: '地址', type: 'text', maxLength: 200 },
    { key: 'uscc', label: '统一社会信用代码', type: 'text', maxLength: 18 },
    { key: 'licenceNo', label: '许可证号', type: 'text', maxLength: 22 },
    { key: 'nhsaCode', label: '医保编码', type: 'text', maxLength: 12, example: 'H33010000001' },
    { key: 'phone', label: '电话', type: 'text', maxLength: 20 },
    { key: 'former', label: '曾用名', type: 'text', maxLength: 300, note: '多个用顿号分隔' },
  ],

  validateRow: (row) => [
    ...(cell(row, 'name').length < 2 ? [fault(row.rowNo, 'name', '医院名称至少2个字符')] : []),
    ...(wrongUscc(row) ? [fault(row.rowNo, 'uscc', '统一社会信用代码校验不通过')] : []),
    ...(cell(row, 'nhsaCode') && !/^H\d{11}$/i.test(cell(row, 'nhsaCode')) ? [fault(row.rowNo, 'nhsaCode', '医保编码格式应为H加11位数字')] : []),
    ...(cell(row, 'licenceNo') && !/^[0-9A-Z]{15,22}$/i.test(cell(row, 'licenceNo')) ? [fault(row.rowNo, 'licenceNo', '许可证号应为15至22位数字或大写字母')] : []),
    ...(cell(row, 'phone') && !isPhone(cell(row, 'phone')) ? [fault(row.rowNo, 'phone', '电话格式不正确')] : []),
  ],

  async validateAll(rows, reading) {
    const { db, staff } = reading;
    const book = await regionBook(reading, db);
    const faults: ImportFault[] = [];
    const seen = staff.scope.region;
    for (const row of rows) {
      const place = placeIn(book, row);
      if (!place) faults.push(fault(row.rowNo, 'district', `没有“${cell(row, 'province')}${cell(row, 'city')}${cell(row, 'district')}”这个地区`));
      else if (seen !== null && !seen.some((adcode) => place.adcode.startsWith(regionPrefix(adcode)))) faults.push(fault(row.rowNo, 'district', '该地区不在您的数据范围内'));
    }
    const first = new Map<string, number>();
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const chunk = known(rows.slice(at, at + AT_ONCE), book);
      if (chunk.length === 0) continue;
      faults.push(...repeated(chunk, first));
      const stored = await storedFor(db, chunk);
      const likely = await suspects(db, chunk);
      for (const row of chunk) {
        const { match, torn } = stored(row);
        if (torn.length > 0) faults.push(fault(row.rowNo, 'name', `名称与编码对应不同的医院（${[...new Set(torn.map((one) => `${one.hospitalNo} ${one.name}`))].join('，')}）`));
        const suspect = likely.get(row.rowNo);
        if (!match && suspect) faults.push(fault(row.rowNo, 'name', `疑似重复：${suspect.hospitalNo} ${suspect.name}，${suspect.why}`, 'WARN'));
      }
    }
    return faults;
  },

  async plan(rows, reading) {
    const { db, params } = reading;
    const read = new Map(known(rows, await regionBook(reading, db)).map((row) => [row.rowNo, row]));
    const stored = await storedFor(db, [...read.values()]);
    return rows.map((row): PlannedRow => {
      const own = read.get(row.rowNo)!;
      const { match } = stored(own);
      if (!match) return { ...row, action: 'NEW' };
      const same = params['rowMode'] === 'ADD_ONLY' || match.rowHash === own.hash || Object.entries(own.facts).every(([key, value]) => match[key as keyof typeof match] === value);
      const before = { ...row.record, name: match.name, level: match.level, kind: match.kind, ownership: match.ownership, address: match.address, phone: match.phone, uscc: match.uscc, licenceNo: match.licenceNo, nhsaCode: match.nhsaCode };
      return { ...row, action: same ? 'SAME' : 'CHANGE', before, targetId: match.id, targetVersion: match.version };
    });
  },

  async commitChunk(rows, batchNo, writing) {
    const tx = ownTx(writing.tx);
    const book = await regionBook(writing, writing.tx);
    const stamp = { updatedAt: writing.now, updatedBy: writing.staff.userId, updatedByName: writing.staff.displayName };
    const written = new Map<number, string>();
    const saved: { id: string; name: string; level: string; levelRank: number; adcode: string; state: string }[] = [];
    const aliased: { id: string; former: string[]; place: ReadHospital['place'] }[] = [];
    const fresh = rows.filter(({ action }) => action === 'NEW').map((row) => readHospital(row, book)!);
    const numbers = await nextNumbers(writing.tx, 'YY', dayOf(writing.now), fresh.length);
    if (fresh.length > 0) {
      const made = fresh.map((row, index) => ({
        ...derive({ ...blank, ...row.facts }, row.place, 0), hospitalNo: numbers[index]!, source: 'IMPORT', state: 'ENABLED', rowHash: row.hash, importBatchNo: batchNo, createdAt: writing.now, createdBy: writing.staff.userId, ...stamp,
      }));
      const inserted = await insertRecords(writing.tx, 'institution_hospital', made, ['id', 'hospitalNo']);
      const byNo = new Map(made.map((row) => [row.hospitalNo, row]));
      saved.push(...inserted.map(({ id, hospitalNo }) => ({ id, ...byNo.get(hospitalNo)! })));
      const ids = new Map(inserted.map(({ id, hospitalNo }) => [hospitalNo, id]));
      for (const [index, row] of fresh.entries()) {
        const id = ids.get(numbers[index]!)!;
        written.set(row.rowNo, id);
        aliased.push({ id, former: row.former, place: row.place });
      }
    }
    for (const row of rows.filter(({ action }) => action === 'CHANGE')) {
      const read = readHospital(row, book)!;
      const before = await tx.selectFrom('institutionHospital').selectAll().where('id', '=', row.targetId!).forUpdate().executeTakeFirstOrThrow();
      const { n } = await tx.selectFrom('institutionDepartment').select((eb) => eb.fn.countAll<string>().as('n')).where('hospitalId', '=', before.id).where('state', '=', 'ENABLED').executeTakeFirstOrThrow();
      const after = await tx
        .updateTable('institutionHospital')
        .set((eb) => ({ ...derive({ ...factsOf(before), ...read.facts }, read.place, Number(n)), rowHash: read.hash, importBatchNo: batchNo, version: eb('version', '+', 1), ...stamp }))
        .where('id', '=', before.id)
        .where('version', '=', row.targetVersion!)
        .returningAll()
        .executeTakeFirstOrThrow();
      written.set(row.rowNo, after.id);
      aliased.push({ id: after.id, former: read.former, place: read.place });
      saved.push(after);
    }
    for (const row of rows.filter(({ action }) => action === 'SAME')) written.set(row.rowNo, row.targetId!);
    await putAliases(tx, aliased, { now: writing.now, userId: writing.staff.userId });
    await writing.publishMany(hospitalChanged, saved.map((row) => ({ aggregateId: row.id, payload: eventOf(row) })));
    if (saved.length > 0) await writing.enqueue(scoreBatchJob, { batchNo }, { singletonKey: batchNo });
    return written;
  },
};
