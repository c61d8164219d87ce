import { sql } from 'kysely';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow, PlannedRow } from '#kernel/server/importing/importer.ts';
import { codeOf, fault, repeated, textOf, textOrNull } from '#kernel/server/importing/rows.ts';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { importReimburse, saveReimburse } from '../../contract/calls/skus.ts';
import { reimburseClasses } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { provinces } from '../../contract/provinces.ts';
import { medicineFields } from '../../contract/rules/medicineFields.ts';
import { normaliseApprovalNo } from '../../contract/rules/approvalNo.ts';
import { own, ownTx, type PharmaDb } from '../database.ts';
import { writeReimburse } from '../skus/reimburse.ts';

const provinceChoice = dictionary('pharma.province', Object.fromEntries(provinces));
const numberOf = (row: Pick<ParsedRow, 'record'>) => normaliseApprovalNo(textOf(row, 'approvalNo'));

async function lookUp(db: PharmaDb, rows: readonly ParsedRow[]) {
  const medicines = await db
    .selectFrom('pharmaMedicine')
    .select(['id', 'approvalNo'])
    .where('approvalNo', 'in', rows.map(numberOf))
    .where('state', '<>', 'VOID')
    .execute();
  const ids = medicines.map((row) => row.id);
  const stored = ids.length === 0 ? [] : await db.selectFrom('pharmaReimburse').selectAll().where('medicineId', 'in', ids).execute();
  return {
    medicines: new Map(medicines.map((row) => [row.approvalNo, row.id])),
    stored: Map.groupBy(stored, (row) => `${row.medicineId}|${row.provinceAdcode}`),
  };
}

interface Range {
  effectiveFrom: string;
  effectiveTo: string | null;
}
const overlap = (a: Range, b: Range) =>
  (a.effectiveTo === null || b.effectiveFrom <= a.effectiveTo) && (b.effectiveTo === null || a.effectiveFrom <= b.effectiveTo);

const valuesOf = (row: ParsedRow, medicineId: string) => ({
  medicineId,
  provinceAdcode: textOf(row, 'province'),
  reimburseClass: codeOf(row, 'reimburseClass', reimburseClasses),
  selfPayBp: Number(row.record['selfPay'] ?? 0),
  restriction: textOrNull(row, 'restriction'),
  effectiveFrom: textOf(row, 'effectiveFrom'),
  effectiveTo: textOrNull(row, 'effectiveTo'),
  sourceFileId: null,
});

/** Rows of the reimbursement lists, by approval number and province. */
// No `upsertImporter`: medicines are locked before anything is written, and what is shortened makes room for what is new.
export const reimburseImporter: Importer = {
  code: 'pharma.reimburse',
  label: '医保目录',
  call: importReimburse,
  templateVersion: '1',
  permission: pharmaPermissions['medicine.edit'].code,
  columns: importColumns({ ...saveReimburse.input.shape, approvalNo: medicineFields.approvalNo }, [
    { key: 'approvalNo', example: '国药准字HJ20170167' },
    { key: 'province', from: 'provinceAdcode', type: 'dict', dictionary: provinceChoice, example: '浙江省' },
    { key: 'reimburseClass', example: '双通道' },
    { key: 'selfPay', from: 'selfPayBp', type: 'bp', example: '10%' },
    'restriction',
    { key: 'effectiveFrom', example: '2027-01-01' },
    'effectiveTo',
  ]),

  async validateAll(rows, { db }) {
    const known = await lookUp(own(db), rows);
    const faults: ImportFault[] = repeated(
      rows,
      'approvalNo',
      '批准文号、省份和生效日期',
      (row) => `${numberOf(row)}|${textOf(row, 'province')}|${textOf(row, 'effectiveFrom')}`,
    );
    const met = new Map<string, { rowNo: number; value: ReturnType<typeof valuesOf> }[]>();
    const written = new Set(
      rows.map((row) => `${known.medicines.get(numberOf(row))}|${textOf(row, 'province')}|${textOf(row, 'effectiveFrom')}`),
    );
    for (const row of rows) {
      const medicineId = known.medicines.get(numberOf(row));
      if (!medicineId) {
        faults.push(fault(row, 'approvalNo', `批准文号${numberOf(row)}不存在`));
        continue;
      }
      const value = valuesOf(row, medicineId);
      if (value.effectiveTo !== null && value.effectiveTo < value.effectiveFrom)
        faults.push(fault(row, 'effectiveTo', '失效日期不能早于生效日期'));
      const key = `${medicineId}|${value.provinceAdcode}`;
      const before = met.get(key) ?? [];
      // A row of the file takes the place of the stored one of the same day.
      const stays = (known.stored.get(key) ?? []).filter((stored) => !written.has(`${key}|${stored.effectiveFrom}`));
      if (stays.some((stored) => overlap(stored, value))) faults.push(fault(row, 'effectiveFrom', '有效期与已有记录重叠'));
      const earlier = before.find((other) => overlap(other.value, value));
      if (earlier) faults.push(fault(row, 'effectiveFrom', `有效期与第${earlier.rowNo}行重叠`));
      met.set(key, [...before, { rowNo: row.rowNo, value }]);
    }
    return faults;
  },

  async plan(rows, { db }) {
    const known = await lookUp(own(db), rows);
    return rows.map((row): PlannedRow => {
      const value = valuesOf(row, known.medicines.get(numberOf(row)) ?? '0');
      const old = known.stored
        .get(`${value.medicineId}|${value.provinceAdcode}`)
        ?.find((stored) => stored.effectiveFrom === value.effectiveFrom);
      if (!old) return { ...row, action: 'NEW' };
      const same =
        old.reimburseClass === value.reimburseClass &&
        old.selfPayBp === value.selfPayBp &&
        old.restriction === value.restriction &&
        old.effectiveTo === value.effectiveTo;
      return {
        ...row,
        action: same ? 'SAME' : 'CHANGE',
        targetId: old.id,
        before: { reimburseClass: old.reimburseClass, selfPay: old.selfPayBp, effectiveTo: old.effectiveTo },
      };
    });
  },

  async commitChunk(rows, _batchNo, writing) {
    const tx = ownTx(writing.tx);
    const known = await lookUp(tx, rows);
    await sql`
      select 1 from pharma_medicine where id = any(${[...new Set(known.medicines.values())]}::bigint[]) order by id for update`.execute(tx);
    const written = new Map<number, string>();
    // What is shortened makes room for what is new.
    for (const row of rows.toSorted((a, b) => Number(a.action === 'NEW') - Number(b.action === 'NEW'))) {
      const value = valuesOf(row, known.medicines.get(numberOf(row))!);
      const id =
        row.action === 'SAME'
          ? row.targetId!
          : await writeReimburse(tx, value, { userId: writing.staff.userId, now: writing.now }, row.targetId);
      written.set(row.rowNo, id);
    }
    return written;
  },
};
