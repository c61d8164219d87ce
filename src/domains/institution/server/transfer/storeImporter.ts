import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { seesRegion } from '#kernel/server/auth/scope.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { ParsedRow } from '#kernel/server/importing/importer.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import { fault, repeated, textOf, textOrNull } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { capabilities, storeTags } from '../../contract/dictionaries.ts';
import { queryChainList } from '../../contract/licenceCalls.ts';
import { importDrugstore } from '../../contract/importCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { storeFacts } from '../../contract/storeFacts.ts';
import { json, own, ownTx } from '../database.ts';
import { grams, normName } from '../rules/normName.ts';
import { addressHash } from '../stores/guards.ts';
import { OUTSIDE } from '../regions.ts';
import { regionBook } from './regionBook.ts';

const codesIn = (text: string) =>
  text
    .split(/[,，、;；\s]+/)
    .map((part) => part.trim())
    .filter(Boolean);
const tagOf = (text: string) => storeTags.options.find(({ value, label }) => label === text || value === text)?.value;
const capabilityOf = (text: string) => capabilities.options.find(({ value, label }) => label === text || value === text)?.value;

/** What makes two rows the same shop. */
const placeKey = (row: ParsedRow) => `${textOf(row, 'uscc').toUpperCase()}|${addressHash(textOf(row, 'address'))}`;

async function lookUp(db: Db | Tx, rows: readonly ParsedRow[], reading: object) {
  const tables = own(db);
  const book = await regionBook(reading, db);
  const chains = await tables.selectFrom('institutionChain').select(['id', 'chainNo']).execute();
  const stored = await tables
    .selectFrom('institutionDrugstore')
    .select(['id', 'uscc', 'addressHash', 'version'])
    .where(
      'uscc',
      'in',
      rows.map((row) => textOf(row, 'uscc').toUpperCase()),
    )
    .where('state', '<>', 'CLOSED')
    .execute();
  return {
    chains: new Map(chains.map(({ id, chainNo }) => [chainNo, id])),
    stores: new Map(stored.map((row) => [`${row.uscc}|${row.addressHash}`, row])),
    placeOf: (row: ParsedRow) => book.find(textOf(row, 'province'), textOf(row, 'city'), textOf(row, 'district')),
  };
}
type Known = Awaited<ReturnType<typeof lookUp>>;

function factsOf(row: ParsedRow, { chains, placeOf }: Known) {
  const place = placeOf(row)!;
  const norm = normName(textOf(row, 'name'), place);
  return {
    name: textOf(row, 'name'),
    normName: norm,
    nameGrams: grams(norm),
    chainId: chains.get(textOf(row, 'chainNo')) ?? null,
    chainStoreCode: textOrNull(row, 'chainStoreCode'),
    storeTags: codesIn(textOf(row, 'storeTags')).flatMap((tag) => tagOf(tag) ?? []),
    capabilities: codesIn(textOf(row, 'capabilities')).flatMap((one) => capabilityOf(one) ?? []),
    uscc: textOf(row, 'uscc').toUpperCase(),
    adcode: place.adcode,
    cityAdcode: place.cityAdcode,
    provinceAdcode: place.provinceAdcode,
    address: textOf(row, 'address'),
    addressHash: addressHash(textOf(row, 'address')),
    phone: textOf(row, 'phone'),
    managerName: textOf(row, 'managerName'),
    pharmacistName: textOf(row, 'pharmacistName'),
  };
}

/** Drugstores arrive as drafts: licences, place and hours follow before they are submitted. */
export const storeImporter = upsertImporter({
  code: 'institution.drugstore',
  label: '药店',
  call: importDrugstore,
  templateVersion: '1',
  permission: institutionPermissions['store.import'].code,
  allowValidOnly: true,
  checksBrokenRows: true,
  columns: importColumns({ ...storeFacts, chainNo: queryChainList.output.shape.chainNo }, [
    'name',
    { key: 'chainNo', required: false, maxLength: 30 },
    'chainStoreCode',
    { key: 'storeTags', required: true, maxLength: 100, example: '连锁门店、DTP药房' },
    { key: 'uscc', required: true },
    { key: 'province', label: '省', type: 'text', required: true, maxLength: 30 },
    { key: 'city', label: '市', type: 'text', required: true, maxLength: 30 },
    { key: 'district', label: '区县', type: 'text', required: true, maxLength: 30 },
    'address',
    'phone',
    'managerName',
    'pharmacistName',
    { key: 'capabilities', required: false, maxLength: 100, example: '处方药、冷链' },
  ]),
  validateRow(row) {
    const tags = codesIn(textOf(row, 'storeTags'));
    const able = codesIn(textOf(row, 'capabilities'));
    const faults = tags.filter((tag) => !tagOf(tag)).map((tag) => fault(row, 'storeTags', `门店类型“${tag}”不正确`));
    faults.push(...able.filter((one) => !capabilityOf(one)).map((one) => fault(row, 'capabilities', `能力“${one}”不正确`)));
    const codes = tags.map(tagOf);
    if (codes.includes('CHAIN') && codes.includes('SINGLE')) faults.push(fault(row, 'storeTags', '连锁门店与单体药店不能同时选择'));
    if (codes.includes('CHAIN') && !textOf(row, 'chainNo')) faults.push(fault(row, 'chainNo', '连锁门店请选择连锁总部'));
    return faults;
  },
  lookUp,
  async validate(rows, { chains, placeOf }, { db, staff }) {
    const chainCode = (row: ParsedRow) =>
      textOf(row, 'chainNo') && textOf(row, 'chainStoreCode') ? `${textOf(row, 'chainNo')}|${textOf(row, 'chainStoreCode')}` : '';
    const faults = [...repeated(rows, 'address', '门店', placeKey), ...repeated(rows, 'chainStoreCode', '连锁店号', chainCode)];
    const numbers = new Map([...chains].map(([chainNo, id]) => [id, chainNo]));
    const codes = rows.flatMap((row) => textOrNull(row, 'chainStoreCode') ?? []);
    const taken =
      codes.length === 0
        ? []
        : await own(db)
            .selectFrom('institutionDrugstore')
            .select(['storeNo', 'uscc', 'addressHash', 'chainId', 'chainStoreCode'])
            .where('chainStoreCode', 'in', codes)
            .where('chainId', 'is not', null)
            .execute();
    const holders = new Map(taken.map((one) => [`${numbers.get(one.chainId!)}|${one.chainStoreCode}`, one]));
    for (const row of rows) {
      const place = placeOf(row);
      if (!place) faults.push(fault(row, 'district', '没有这个地区'));
      else if (!seesRegion(staff.scope, place.adcode)) faults.push(fault(row, 'district', OUTSIDE));
      if (textOf(row, 'chainNo') && !chains.has(textOf(row, 'chainNo'))) faults.push(fault(row, 'chainNo', '连锁编号不存在'));
      const holder = holders.get(chainCode(row));
      if (holder && `${holder.uscc}|${holder.addressHash}` !== placeKey(row))
        faults.push(fault(row, 'chainStoreCode', `连锁店号已被门店${holder.storeNo}使用`));
    }
    return faults;
  },
  match: (row, { stores }) => stores.get(placeKey(row)),
  facts: factsOf,
  // A known drugstore stays as it is.
  addOnly: () => true,
  before: () => ({}),
  update: () => Promise.resolve(false),
  async insert(rows, _known, { tx, now, staff, batchNo }) {
    const numbers = await nextNumbers(tx, 'YD', dayOf(now), rows.length);
    const ids: string[] = [];
    for (const [index, { values }] of rows.entries()) {
      const { id } = await ownTx(tx)
        .insertInto('institutionDrugstore')
        .values({
          ...values,
          storeNo: numbers[index]!,
          weekHours: json({}),
          state: 'DRAFT',
          makerId: staff.userId,
          importBatchNo: batchNo,
          ...createdColumns({ now, staff }),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      ids.push(id);
    }
    await noteWritten({ tx, now }, staff.userId, 'institution.drugstore', ids);
    return ids;
  },
});
