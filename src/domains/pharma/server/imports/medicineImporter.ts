import { nextNumber } from '../../../../kernel/server/command/numbers.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import type { ImportFault, ParsedRow } from '../../../../kernel/server/importing/importer.ts';
import { codeOf, fault, repeated, textOf, textOrNull } from '../../../../kernel/server/importing/rows.ts';
import { upsertImporter } from '../../../../kernel/server/importing/upsertImporter.ts';
import { pinyinText } from '../../../../kernel/server/text/pinyin.ts';
import { dosageForms, medicineKinds, rxClasses, storages } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { approvalFits, normaliseApprovalNo, readApprovalNo } from '../../contract/rules/approvalNo.ts';
import { medicineLabels } from '../../contract/rules/medicineFields.ts';
import { pharmaDb, pharmaTx, type PharmaDb } from '../database.ts';

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
    genericName: textOf(row, 'genericName'),
    brandName: textOrNull(row, 'brandName'),
    medicineKind: codeOf(row, 'medicineKind', medicineKinds),
    rxClass: codeOf(row, 'rxClass', rxClasses),
    dosageForm: codeOf(row, 'dosageForm', dosageForms),
    strength: textOf(row, 'strength'),
    approvalNo: facts.approvalNo,
    approvalKind: facts.approvalKind,
    approvalValidTo: textOrNull(row, 'approvalValidTo'),
    holderId: known.companies.get(textOf(row, 'holder')) ?? null,
    makerId: known.companies.get(textOf(row, 'maker')) ?? null,
    categoryId: known.categories.get(textOf(row, 'categoryCode'))?.id ?? null,
    storage: codeOf(row, 'storage', storages),
    usageText: textOrNull(row, 'usageText'),
  };
}

const same = (stored: Record<string, unknown>, values: Record<string, unknown>) =>
  Object.entries(values).every(([field, value]) => (stored[field] ?? null) === (value ?? null));

/** New numbers become drafts; drafts are replaced; audited medicines change on their page, by an apply. */
export const medicineImporter = upsertImporter({
  code: 'pharma.medicine',
  label: '药品',
  templateVersion: '1',
  permission: pharmaPermissions['medicine.import'].code,
  columns: [
    { key: 'approvalNo', label: medicineLabels.approvalNo, type: 'text', required: true, maxLength: 40, example: '国药准字H20170001' },
    { key: 'genericName', label: medicineLabels.genericName, type: 'text', required: true, maxLength: 100, example: '盐酸二甲双胍片' },
    { key: 'brandName', label: medicineLabels.brandName, type: 'text', maxLength: 100 },
    { key: 'medicineKind', label: medicineLabels.medicineKind, type: 'dict', required: true, dictionary: medicineKinds, example: '化学药' },
    { key: 'rxClass', label: medicineLabels.rxClass, type: 'dict', required: true, dictionary: rxClasses, example: '处方药' },
    { key: 'dosageForm', label: medicineLabels.dosageForm, type: 'dict', required: true, dictionary: dosageForms, example: '片剂' },
    { key: 'strength', label: medicineLabels.strength, type: 'text', required: true, maxLength: 60, example: '0.5g' },
    { key: 'approvalValidTo', label: medicineLabels.approvalValidTo, type: 'day', required: true, example: '2030-06-30' },
    { key: 'holder', label: '上市许可持有人', type: 'text', required: true, maxLength: 100, note: '药企管理中的药企名称' },
    { key: 'maker', label: '生产企业', type: 'text', required: true, maxLength: 100, note: '药企管理中的药企名称' },
    { key: 'categoryCode', label: '分类编码', type: 'text', required: true, maxLength: 20, note: '末级分类的编码' },
    { key: 'storage', label: medicineLabels.storage, type: 'dict', required: true, dictionary: storages, example: '常温 10–30℃' },
    { key: 'usageText', label: medicineLabels.usageText, type: 'text', maxLength: 1000 },
  ],

  validateRow(row) {
    const facts = readApprovalNo(textOf(row, 'approvalNo'));
    return facts && approvalFits(facts, textOf(row, 'medicineKind')) ? [] : [fault(row, 'approvalNo', '批准文号格式不正确')];
  },

  lookUp: (db, rows) => lookUp(pharmaDb(db), rows),

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
  before: ({ approvalNo, genericName, brandName, strength, approvalValidTo }) => ({
    approvalNo,
    genericName,
    brandName,
    strength,
    approvalValidTo,
  }),

  async insert(rows, _known, { tx, now, staff }) {
    const made: string[] = [];
    for (const { values } of rows) {
      const { id } = await pharmaTx(tx)
        .insertInto('pharmaMedicine')
        .values({
          ...values,
          medicineNo: await nextNumber(tx, 'YP', dayOf(now)),
          genericPinyin: pinyinText(values.genericName),
          brandPinyin: values.brandName ? pinyinText(values.brandName) : '',
          controlClass: 'NONE',
          state: 'DRAFT',
          createdAt: now,
          createdBy: staff.userId,
          updatedAt: now,
          updatedBy: staff.userId,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      made.push(id);
    }
    return made;
  },

  async update({ values, stored }, _known, { tx, now, staff }) {
    // A pinyin that somebody corrected stays with its name.
    const pinyin = {
      ...(stored.genericName === values.genericName ? {} : { genericPinyin: pinyinText(values.genericName) }),
      ...(stored.brandName === values.brandName ? {} : { brandPinyin: values.brandName ? pinyinText(values.brandName) : '' }),
    };
    const changed = await pharmaTx(tx)
      .updateTable('pharmaMedicine')
      .set((eb) => ({ ...values, ...pinyin, version: eb('version', '+', 1), updatedAt: now, updatedBy: staff.userId }))
      .where('id', '=', stored.id)
      .where('version', '=', stored.version)
      .returning('id')
      .executeTakeFirst();
    return changed !== undefined;
  },
});
