import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { dayOf } from '#kernel/contract/time.ts';
import type { ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import { fieldColumns, rowValues } from '#kernel/server/importing/rowFacts.ts';
import { codeOf, fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { medicineKinds } from '../../contract/dictionaries.ts';
import { importMedicine } from '../../contract/calls/medicines.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { approvalFits, normaliseApprovalNo, readApprovalNo } from '../../contract/rules/approvalNo.ts';
import { medicineFieldKeys, medicineFields } from '../../contract/rules/medicineFields.ts';
import { own, ownTx, type PharmaDb } from '../database.ts';

/**
 * The template; what stands under the key of an entered field is read, compared and written by that alone. A draft asks for more than the
 * form.
 */
const columns = importColumns(medicineFields, [
  'approvalNo',
  'genericName',
  'brandName',
  { key: 'medicineKind', example: '化学药' },
  { key: 'rxClass', required: true, example: '处方药' },
  { key: 'dosageForm', required: true, example: '片剂' },
  { key: 'strength', required: true, example: '0.5g' },
  { key: 'approvalValidTo', required: true, example: '2030-06-30' },
  { key: 'holder', label: '上市许可持有人', type: 'text', required: true, maxLength: 100, note: '药企管理中的药企名称' },
  { key: 'maker', label: '生产企业', type: 'text', required: true, maxLength: 100, note: '药企管理中的药企名称' },
  { key: 'categoryCode', label: '分类编码', type: 'text', required: true, maxLength: 20, note: '末级分类的编码' },
  { key: 'storage', required: true, example: '常温 10–30℃' },
  'usageText',
]);
const imported = fieldColumns(columns, medicineFieldKeys);

const approvalOf = (row: Pick<ParsedRow, 'record'>) => normaliseApprovalNo(textOf(row, 'approvalNo'));

async function lookUp(db: PharmaDb, rows: readonly ParsedRow[]) {
  const numbers = rows.map(approvalOf);
  const companyNames = [...new Set(rows.flatMap((row) => [textOf(row, 'holder'), textOf(row, 'maker')]).filter(Boolean))];
  const codes = [...new Set(rows.map((row) => textOf(row, 'categoryCode')).filter(Boolean))];
  const medicines = await db
    .selectFrom('pharmaMedicine')
    .selectAll()
    .where('approvalNo', 'in', numbers)
    .where('state', '<>', 'VOID')
    .execute();
  const companies =
    companyNames.length === 0
      ? []
      : await db.selectFrom('pharmaCompany').select(['id', 'name']).where('name', 'in', companyNames).execute();
  const categories =
    codes.length === 0
      ? []
      : await db
          .selectFrom('pharmaCategory as c')
          .select((eb) => [
            'c.id',
            'c.code',
            'c.state',
            eb.exists(eb.selectFrom('pharmaCategory as k').whereRef('k.parentId', '=', 'c.id').select('k.id')).as('branch'),
          ])
          .where('c.code', 'in', codes)
          .execute();
  return {
    medicines: new Map(medicines.map((row) => [row.approvalNo, row])),
    companies: new Map(companies.map((row) => [row.name, row.id])),
    categories: new Map(categories.map((row) => [row.code, row])),
  };
}
type Known = Awaited<ReturnType<typeof lookUp>>;

function valuesOf(row: Pick<ParsedRow, 'record'>, known: Known) {
  const facts = readApprovalNo(textOf(row, 'approvalNo'))!;
  return {
    ...rowValues(medicineFields, imported, row),
    genericName: textOf(row, 'genericName'),
    medicineKind: codeOf(row, 'medicineKind', medicineKinds),
    approvalNo: facts.approvalNo,
    approvalKind: facts.approvalKind,
    holderId: known.companies.get(textOf(row, 'holder')) ?? null,
    makerId: known.companies.get(textOf(row, 'maker')) ?? null,
    categoryId: known.categories.get(textOf(row, 'categoryCode'))?.id ?? null,
  };
}

const same = (stored: Record<string, unknown>, values: Record<string, unknown>) =>
  Object.entries(values).every(([field, value]) => (stored[field] ?? null) === (value ?? null));

/** New numbers become drafts; drafts are replaced; audited medicines change on their page, by an apply. */
export const medicineImporter = upsertImporter({
  code: 'pharma.medicine',
  label: '药品',
  call: importMedicine,
  templateVersion: '1',
  permission: pharmaPermissions['medicine.import'].code,
  columns,

  validateRow(row) {
    const facts = readApprovalNo(textOf(row, 'approvalNo'));
    return facts && approvalFits(facts, textOf(row, 'medicineKind')) ? [] : [fault(row, 'approvalNo', '批准文号格式不正确')];
  },

  lookUp: (db, rows) => lookUp(own(db), rows),

  validate(rows, known) {
    const faults: ImportFault[] = repeated(rows, 'approvalNo', '批准文号', approvalOf);
    for (const row of rows) {
      for (const [column, label] of [
        ['holder', '上市许可持有人'],
        ['maker', '生产企业'],
      ] as const) {
        if (!known.companies.has(textOf(row, column))) faults.push(fault(row, column, `${label}“${textOf(row, column)}”不在药企管理中`));
      }
      const category = known.categories.get(textOf(row, 'categoryCode'));
      if (!category || category.branch) faults.push(fault(row, 'categoryCode', '请填写末级分类的编码'));
      else if (category.state !== 'ENABLED') faults.push(fault(row, 'categoryCode', '该分类已停用，请选择其他分类'));
      const stored = known.medicines.get(approvalOf(row));
      if (stored && stored.state !== 'DRAFT' && !same(stored, valuesOf(row, known)))
        faults.push(fault(row, 'approvalNo', `药品${stored.medicineNo}已审核，请在页面提交变更`));
    }
    return faults;
  },

  match: (row, { medicines }) => medicines.get(approvalOf(row)),
  facts: valuesOf,

  async insert(rows, _known, { tx, now, staff }) {
    const made: string[] = [];
    for (const { values } of rows) {
      const { id } = await ownTx(tx)
        .insertInto('pharmaMedicine')
        .values({
          ...values,
          medicineNo: await nextNumber(tx, 'YP', dayOf(now)),
          genericPinyin: pinyinText(values.genericName),
          brandPinyin: values.brandName ? pinyinText(values.brandName) : '',
          controlClass: 'NONE',
          state: 'DRAFT',
          ...createdColumns({ now, staff }),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      made.push(id);
    }
    await noteWritten({ tx, now }, staff.userId, 'pharma.medicine', made);
    return made;
  },

  async update({ values, stored }, _known, { tx, now, staff }) {
    // A pinyin that somebody corrected stays with its name.
    const pinyin = {
      ...(stored.genericName === values.genericName ? {} : { genericPinyin: pinyinText(values.genericName) }),
      ...(stored.brandName === values.brandName ? {} : { brandPinyin: values.brandName ? pinyinText(values.brandName) : '' }),
    };
    const changed = await ownTx(tx)
      .updateTable('pharmaMedicine')
      .set((eb) => ({ ...values, ...pinyin, version: eb('version', '+', 1), ...updatedColumns({ now, staff }) }))
      .where('id', '=', stored.id)
      .where('version', '=', stored.version)
      .returning('id')
      .executeTakeFirst();
    if (changed) await noteWritten({ tx, now }, staff.userId, 'pharma.medicine', [changed.id]);
    return changed !== undefined;
  },
});
