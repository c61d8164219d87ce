import type { CommandContext } from '../../../../kernel/server/context.ts';
import { pinyinText } from '../../../../kernel/server/text/pinyin.ts';
import type { MedicineInput } from '../../contract/calls/medicines.ts';
import type { MedicineField } from '../../contract/rules/medicineFields.ts';
import { requireApproval, requireCodes, requireCompanies, requireLeaf } from './checks.ts';

const orNull = <T>(value: T | null | undefined): T | null => (value === undefined || value === null || value === '' ? null : value);

/** The fields as they are kept: checked by themselves and against what they point at. */
export async function medicineColumns(ctx: Pick<CommandContext, 'tx'>, input: MedicineInput) {
  const { approvalNo, approvalKind } = requireApproval(input.approvalNo, input.medicineKind);
  requireCodes(input);
  await requireCompanies(ctx.tx, { holderId: input.holderId, makerId: input.makerId, importerId: input.importerId });
  if (input.categoryId) await requireLeaf(ctx.tx, input.categoryId);
  const brandName = orNull(input.brandName);
  return {
    genericName: input.genericName,
    brandName,
    englishName: orNull(input.englishName),
    genericPinyin: orNull(input.genericPinyin) ?? pinyinText(input.genericName),
    brandPinyin: orNull(input.brandPinyin) ?? (brandName === null ? '' : pinyinText(brandName)),
    medicineKind: input.medicineKind,
    rxClass: orNull(input.rxClass),
    dosageForm: orNull(input.dosageForm),
    strength: orNull(input.strength),
    approvalNo,
    approvalKind,
    approvalValidTo: orNull(input.approvalValidTo),
    baseCode: orNull(input.baseCode),
    nhsaCode: orNull(input.nhsaCode),
    holderId: orNull(input.holderId),
    makerId: orNull(input.makerId),
    importerId: orNull(input.importerId),
    categoryId: orNull(input.categoryId),
    atcCode: orNull(input.atcCode),
    indications: input.indications,
    usageText: orNull(input.usageText),
    defaultDose: orNull(input.defaultDose),
    contraindication: orNull(input.contraindication),
    adverseReaction: orNull(input.adverseReaction),
    labelFileId: orNull(input.labelFileId),
    imageFileIds: input.imageFileIds,
    storage: orNull(input.storage),
    lightproof: input.lightproof,
    controlClass: input.controlClass,
    taxCode: orNull(input.taxCode),
    taxRateBp: orNull(input.taxRateBp),
    taxScheme: orNull(input.taxScheme),
    sort: input.sort,
  } satisfies Record<MedicineField, unknown>;
}

export type MedicineColumns = Awaited<ReturnType<typeof medicineColumns>>;

/** For insert and update: jsonb columns take text. */
export const storable = (columns: MedicineColumns) => ({
  ...columns,
  indications: JSON.stringify(columns.indications),
  defaultDose: columns.defaultDose === null ? null : JSON.stringify(columns.defaultDose),
});
