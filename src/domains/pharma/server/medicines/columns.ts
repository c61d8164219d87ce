import type { CommandContext } from '#kernel/server/context.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import type { MedicineInput } from '../../contract/calls/medicines.ts';
import { medicineFieldKeys, type MedicineField } from '../../contract/rules/medicineFields.ts';
import { requireApproval, requireCodes, requireCompanies, requireLeaf } from './checks.ts';

const orNull = <T>(value: T | null | undefined): T | null => (value === undefined || value === null || value === '' ? null : value);

type Kept = {
  [Key in keyof MedicineInput]-?: undefined extends MedicineInput[Key] ? Exclude<MedicineInput[Key], undefined> | null : MedicineInput[Key];
};
/** Every field; what is left out or emptied is null. */
const kept = (input: MedicineInput) => Object.fromEntries(medicineFieldKeys.map((key) => [key, orNull(input[key])])) as Kept;

/** The fields as they are kept: checked by themselves and against what they point at. */
export async function medicineColumns(ctx: Pick<CommandContext, 'tx'>, input: MedicineInput) {
  const { approvalNo, approvalKind } = requireApproval(input.approvalNo, input.medicineKind);
  requireCodes(input);
  await requireCompanies(ctx.tx, { holderId: input.holderId, makerId: input.makerId, importerId: input.importerId });
  if (input.categoryId) await requireLeaf(ctx.tx, input.categoryId);
  const brandName = orNull(input.brandName);
  return {
    ...kept(input),
    genericPinyin: orNull(input.genericPinyin) ?? pinyinText(input.genericName),
    brandPinyin: orNull(input.brandPinyin) ?? (brandName === null ? '' : pinyinText(brandName)),
    approvalNo,
    approvalKind,
  } satisfies Record<MedicineField, unknown>;
}

export type MedicineColumns = Awaited<ReturnType<typeof medicineColumns>>;

/** For insert and update: jsonb columns take text. */
export const storable = (columns: MedicineColumns) => ({
  ...columns,
  indications: JSON.stringify(columns.indications),
  defaultDose: columns.defaultDose === null ? null : JSON.stringify(columns.defaultDose),
});
