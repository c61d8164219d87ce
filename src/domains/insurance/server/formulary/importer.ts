import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { sql } from 'kysely';
import type { Db, Staff, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { ImportCell, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import { codeOf, fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { namedMedicines } from '#domains/pharma/server/index.ts';
import { socialCategories } from '../../contract/formulary/dictionaries.ts';
import { importFormularyLine, lineFacts, lineRow } from '../../contract/formulary/lineCalls.ts';
import { milliOf } from '../../contract/formulary/quantity.ts';
import { formularyPermissions } from '../../contract/permissions.ts';
import { own, ownTx } from '../database.ts';
import { openFormularyVersion } from './lineHandlers.ts';
import { factsOfLine, lineColumns, type LineFacts } from './lines.ts';

const versionOf = ({ formularyVersionId }: Readonly<Record<string, unknown>>): string =>
  typeof formularyVersionId === 'string' ? formularyVersionId : '0';
const keyOf = (row: Pick<ParsedRow, 'record'>) => `${textOf(row, 'medicineNo')}|${textOf(row, 'indicationCode')}`;
const PIECE = 5_000;

async function lookUp(db: Db | Tx, rows: readonly ParsedRow[], { params }: { params: Readonly<Record<string, unknown>> }) {
  const numbers = [...new Set(rows.map((row) => textOf(row, 'medicineNo')))];
  const medicines = new Map<string, Awaited<ReturnType<typeof namedMedicines>>[number]>();
  for (let from = 0; from < numbers.length; from += PIECE)
    for (const one of await namedMedicines(db, { numbers: numbers.slice(from, from + PIECE) })) medicines.set(one.medicineNo, one);
  const stored = await own(db)
    .selectFrom('insuranceFormularyLine')
    .selectAll()
    .where('formularyVersionId', '=', versionOf(params))
    .where(sql<boolean>`medicine_no = any(${numbers}::text[])`)
    .execute();
  return { medicines, lines: new Map(stored.map((row) => [`${row.medicineNo}|${row.indicationCode}`, row])), versionId: versionOf(params) };
}
type Known = Awaited<ReturnType<typeof lookUp>>;

const numberOrNull = (row: Pick<ParsedRow, 'record'>, key: string): number | null => {
  const value = row.record[key];
  return value === null || value === undefined || value === '' ? null : Number(value);
};
const milliOrNull = (row: Pick<ParsedRow, 'record'>, key: string): number | null => {
  const text = textOf(row, key);
  return text === '' ? null : milliOf(text);
};
const codesOf = (row: Pick<ParsedRow, 'record'>) =>
  textOf(row, 'icd10')
    .split(/[,，、\s]+/)
    .filter((code) => code !== '');

function factsOf(row: ParsedRow, known: Known): LineFacts {
  const stored = known.lines.get(keyOf(row));
  return {
    medicineId: known.medicines.get(textOf(row, 'medicineNo'))?.medicineId ?? '0',
    indicationCode: textOf(row, 'indicationCode'),
    indicationText: textOf(row, 'indicationText'),
    icd10Prefixes: codesOf(row),
    lineOfTherapy: textOf(row, 'lineOfTherapy'),
    geneRequirement: textOf(row, 'geneRequirement'),
    socialCategory: codeOf(row, 'socialCategory', socialCategories),
    maxUnitPriceFen: numberOrNull(row, 'maxUnitPrice'),
    // Prices agreed with chains have their own place on the line and are no column of the sheet.
    agreementPrices: stored ? factsOfLine(stored).agreementPrices : [],
    maxQtyPerClaimMilli: milliOrNull(row, 'maxQtyPerClaim'),
    maxQtyPerDaysMilli: milliOrNull(row, 'maxQtyPerDays'),
    maxQtyDays: numberOrNull(row, 'maxQtyDays'),
    minIntervalDays: numberOrNull(row, 'minIntervalDays'),
    dailyDoseMilli: milliOrNull(row, 'dailyDose'),
    charityPayMonths: stored?.charityPayMonths ?? null,
    charityFreeMonths: stored?.charityFreeMonths ?? null,
    directPay: textOf(row, 'directPay') !== '否',
  };
}

const quantityCheck = (label: string) => (value: ImportCell) => {
  if (value === null || value === '') return null;
  const milli = milliOf(String(value));
  return milli === null || milli === 0 ? `${label}须为大于0的数字，最多三位小数` : null;
};

export const lineImporter = upsertImporter({
  code: 'insurance.formularyLine',
  label: '目录药品',
  call: importFormularyLine,
  admit: (ctx, params) => openFormularyVersion(ctx, versionOf(params)),
  templateVersion: '1',
  permission: formularyPermissions['formulary.edit'].code,
  maxRows: 20_000,
  undoDays: 7,
  scopeKey: versionOf,
  columns: importColumns({ ...lineFacts.shape, medicineNo: lineRow.shape.medicineNo }, [
    { key: 'medicineNo', required: true, maxLength: 30, note: '药品管理中的药品编号' },
    { key: 'indicationCode', example: 'NSCLC-EGFR' },
    { key: 'indicationText', example: 'EGFR突变的非小细胞肺癌' },
    {
      key: 'icd10',
      from: 'icd10Prefixes',
      maxLength: 400,
      example: 'C34',
      note: 'ICD-10编码或其前缀，多个用逗号分隔；不填则不限',
    },
    { key: 'lineOfTherapy', example: '一线' },
    { key: 'geneRequirement', example: 'EGFR 19del/L858R' },
    { key: 'socialCategory', example: '国谈' },
    { key: 'maxUnitPrice', from: 'maxUnitPriceFen', example: '5500.00', note: '元，每销售单位；不填则不限价' },
    // Parts of a unit are written as such and kept in thousandths.
    { key: 'maxQtyPerClaim', from: 'maxQtyPerClaimMilli', type: 'text', maxLength: 12, example: '2', check: quantityCheck('每次最大数量') },
    { key: 'maxQtyPerDays', from: 'maxQtyPerDaysMilli', type: 'text', maxLength: 12, check: quantityCheck('周期最大数量') },
    { key: 'maxQtyDays', note: '与周期最大数量同时填写' },
    'minIntervalDays',
    { key: 'dailyDose', from: 'dailyDoseMilli', type: 'text', maxLength: 12, check: quantityCheck('日剂量') },
    {
      key: 'directPay',
      type: 'text',
      maxLength: 1,
      example: '是',
      note: '是或否，不填为是',
      check: (value) => (value === null || ['', '是', '否'].includes(String(value)) ? null : '请填写是或否'),
    },
  ]),
  validateRow(row) {
    const faults: ImportFault[] = [];
    if ((textOf(row, 'maxQtyPerDays') === '') !== (textOf(row, 'maxQtyDays') === ''))
      faults.push(fault(row, 'maxQtyDays', '周期最大数量与周期天数须同时填写'));
    if (codesOf(row).some((code) => !/^[A-Z][0-9A-Z.]{1,7}$/.test(code)))
      faults.push(fault(row, 'icd10', '疾病编码须为ICD-10编码或其前缀'));
    return faults;
  },
  lookUp,
  validate(rows, known) {
    const faults: ImportFault[] = repeated(rows, 'indicationCode', '同一药品同一适应症', keyOf);
    for (const row of rows)
      if (!known.medicines.has(textOf(row, 'medicineNo')))
        faults.push(fault(row, 'medicineNo', `药品编号“${textOf(row, 'medicineNo')}”不存在`));
    return faults;
  },
  match: (row, { lines }) => lines.get(keyOf(row)),
  facts: factsOf,
  same: (stored, facts) => JSON.stringify(factsOfLine(stored)) === JSON.stringify(facts),
  before: (stored) => ({
    medicineNo: stored.medicineNo,
    indicationCode: stored.indicationCode,
    indicationText: stored.indicationText,
    maxUnitPrice: stored.maxUnitPriceFen === null ? null : BigInt(stored.maxUnitPriceFen),
    maxQtyDays: stored.maxQtyDays,
    minIntervalDays: stored.minIntervalDays,
  }),
  async insert(rows, known, { tx, now, staff }) {
    await openFor(tx, staff, known.versionId);
    await noteWritten({ tx, now }, staff.userId, 'insurance.formularyVersion', [known.versionId]);
    const made = await ownTx(tx)
      .insertInto('insuranceFormularyLine')
      .values(
        rows.map(({ row, values }) => ({
          ...lineColumns(values, known.medicines.get(textOf(row, 'medicineNo'))!),
          formularyVersionId: known.versionId,
          ...createdColumns({ now, staff }),
        })),
      )
      .returning('id')
      .execute();
    return made.map(({ id }) => id);
  },
  async update({ row, values, stored }, known, { tx, now, staff }) {
    await openFor(tx, staff, known.versionId);
    await noteWritten({ tx, now }, staff.userId, 'insurance.formularyVersion', [known.versionId]);
    const changed = await ownTx(tx)
      .updateTable('insuranceFormularyLine')
      .set((eb) => ({
        ...lineColumns(values, known.medicines.get(textOf(row, 'medicineNo'))!),
        version: eb('version', '+', 1),
        ...updatedColumns({ now, staff }),
      }))
      .where('id', '=', stored.id)
      .where('version', '=', stored.version)
      .returning('id')
      .executeTakeFirst();
    return changed !== undefined;
  },
  async undo(rows, _batchNo, { tx, staff }) {
    const ids = rows.flatMap(({ action, targetId }) => (action === 'NEW' && targetId !== undefined ? [targetId] : []));
    const changed = rows.find(({ action }) => action === 'CHANGE');
    if (changed) return { rowNo: changed.rowNo, no: textOf(changed, 'medicineNo') };
    if (ids.length === 0) return null;
    const stored = await ownTx(tx)
      .selectFrom('insuranceFormularyLine')
      .select(['id', 'version', 'formularyVersionId'])
      .where('id', 'in', ids)
      .execute();
    // What somebody has worked on since stays, and so does what was handed in or published.
    const touched = rows.find(({ targetId }) => stored.some(({ id, version }) => id === targetId && version > 1));
    if (touched) return { rowNo: touched.rowNo, no: textOf(touched, 'medicineNo') };
    for (const versionId of new Set(stored.map(({ formularyVersionId }) => formularyVersionId))) await openFor(tx, staff, versionId);
    await ownTx(tx).deleteFrom('insuranceFormularyLine').where('id', 'in', ids).execute();
    return null;
  },
});

/** One import of a version at a time; nobody hands it in meanwhile. */
async function openFor(tx: Tx, staff: Staff, versionId: string): Promise<void> {
  await lockKeys(tx, 'insurance.formularyVersion', [versionId]);
  await openFormularyVersion({ tx, staff }, versionId);
}
