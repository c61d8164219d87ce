import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { yuan } from '#kernel/contract/money.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { json } from '#kernel/server/database/json.ts';
import type { MedicineNamed } from '#domains/pharma/server/index.ts';
import { socialCategories } from '../../contract/formulary/dictionaries.ts';
import { agreementPrice, type FormularyLineRow, type lineFacts } from '../../contract/formulary/lineCalls.ts';
import { quantityText } from '../../contract/formulary/quantity.ts';
import type { InsuranceFormularyLine } from '../tables.ts';
import type { Selectable } from 'kysely';
import { own } from '../database.ts';

export type StoredLine = Selectable<InsuranceFormularyLine>;
export type LineFacts = z.output<typeof lineFacts>;

const fen = (value: string | null): number | null => (value === null ? null : Number(value));
const stored = (value: number | null): string | null => (value === null ? null : String(value));

/** A stored line as the calls know it. */
export const factsOfLine = (row: StoredLine): LineFacts => ({
  medicineId: row.medicineId,
  indicationCode: row.indicationCode,
  indicationText: row.indicationText,
  icd10Prefixes: row.icd10Prefixes,
  lineOfTherapy: row.lineOfTherapy,
  geneRequirement: row.geneRequirement,
  socialCategory: row.socialCategory,
  maxUnitPriceFen: fen(row.maxUnitPriceFen),
  agreementPrices: z.parse(z.array(agreementPrice), row.agreementPrices),
  maxQtyPerClaimMilli: fen(row.maxQtyPerClaimMilli),
  maxQtyPerDaysMilli: fen(row.maxQtyPerDaysMilli),
  maxQtyDays: row.maxQtyDays,
  minIntervalDays: row.minIntervalDays,
  dailyDoseMilli: fen(row.dailyDoseMilli),
  charityPayMonths: row.charityPayMonths,
  charityFreeMonths: row.charityFreeMonths,
  directPay: row.directPay,
});

export const presentLine = (row: StoredLine): FormularyLineRow => ({
  id: row.id,
  medicineNo: row.medicineNo,
  genericName: row.genericName,
  brandName: row.brandName,
  spec: row.spec,
  manufacturer: row.manufacturer,
  ...factsOfLine(row),
  version: row.version,
});

/** Columns of a line: what is said of it, and what the medicine is called today. */
export const lineColumns = (facts: LineFacts, medicine: MedicineNamed) => ({
  ...facts,
  medicineNo: medicine.medicineNo,
  genericName: medicine.genericName,
  brandName: medicine.brandName ?? '',
  spec: medicine.spec ?? '',
  manufacturer: medicine.manufacturer ?? '',
  maxUnitPriceFen: stored(facts.maxUnitPriceFen),
  agreementPrices: json(facts.agreementPrices),
  maxQtyPerClaimMilli: stored(facts.maxQtyPerClaimMilli),
  maxQtyPerDaysMilli: stored(facts.maxQtyPerDaysMilli),
  dailyDoseMilli: stored(facts.dailyDoseMilli),
});

/** What keeps two values of a line apart from being right together; null: nothing. */
export function lineFault(
  facts: Pick<LineFacts, 'maxQtyPerDaysMilli' | 'maxQtyDays' | 'charityPayMonths' | 'charityFreeMonths' | 'agreementPrices'>,
) {
  if ((facts.maxQtyPerDaysMilli === null) !== (facts.maxQtyDays === null))
    return { path: 'maxQtyDays', message: '周期最大数量与周期天数须同时填写' } as const;
  if ((facts.charityPayMonths === null) !== (facts.charityFreeMonths === null))
    return { path: 'charityFreeMonths', message: '赠药的自费月数与赠送月数须同时填写' } as const;
  const prices = facts.agreementPrices;
  if (prices.some(({ from, to }) => to !== null && to < from))
    return { path: 'agreementPrices', message: '协议价的止日不能早于起日' } as const;
  const meets = prices.some((one, index) =>
    prices.some(
      (other, at) =>
        at > index &&
        one.chainId === other.chainId &&
        (one.to === null || one.to >= other.from) &&
        (other.to === null || other.to >= one.from),
    ),
  );
  return meets ? ({ path: 'agreementPrices', message: '同一连锁的协议价日期重叠' } as const) : null;
}

export const linesOf = (db: Db | Tx, formularyVersionId: string) =>
  own(db)
    .selectFrom('insuranceFormularyLine')
    .selectAll()
    .where('formularyVersionId', '=', formularyVersionId)
    .orderBy('medicineId')
    .orderBy('indicationCode')
    .execute();

/** Hash of a version of a list with its lines; its end is set later and does not count. */
export async function formularyHash(
  db: Db | Tx,
  {
    id,
    formularyId,
    versionNo,
    effectiveFrom,
    gapNote,
  }: { id: string; formularyId: string; versionNo: number; effectiveFrom: string; gapNote: string },
): Promise<string> {
  const lines = (await linesOf(db, id)).map(factsOfLine);
  return createHash('sha256').update(JSON.stringify({ formularyId, versionNo, effectiveFrom, gapNote, lines })).digest('hex');
}

/** What a line says, in words: for comparing. */
const agreementText = ({ chainId, priceFen }: LineFacts['agreementPrices'][number]) =>
  `${chainId === '*' ? '所有连锁' : `连锁${chainId}`}${yuan(priceFen, true)}元`;

export function lineWords(row: StoredLine): string {
  const facts = factsOfLine(row);
  return [
    socialCategories.label(facts.socialCategory),
    facts.maxUnitPriceFen === null ? '不限价' : `限价${yuan(facts.maxUnitPriceFen, true)}元`,
    ...(facts.maxQtyPerClaimMilli === null ? [] : [`每次最多${quantityText(facts.maxQtyPerClaimMilli)}`]),
    ...(facts.maxQtyPerDaysMilli === null ? [] : [`${facts.maxQtyDays}天最多${quantityText(facts.maxQtyPerDaysMilli)}`]),
    ...(facts.minIntervalDays === null ? [] : [`间隔至少${facts.minIntervalDays}天`]),
    ...(facts.icd10Prefixes.length === 0 ? [] : [`疾病${facts.icd10Prefixes.join('、')}`]),
    ...(facts.geneRequirement === '' ? [] : [`需${facts.geneRequirement}`]),
    ...(facts.lineOfTherapy === '' ? [] : [facts.lineOfTherapy]),
    ...(facts.agreementPrices.length === 0 ? [] : [`协议价${facts.agreementPrices.map(agreementText).join('、')}`]),
    ...(facts.charityPayMonths === null ? [] : [`自费${facts.charityPayMonths}个月后赠${facts.charityFreeMonths}个月`]),
    facts.directPay ? '可直付' : '不可直付',
  ].join('；');
}
export const lineName = ({ genericName, brandName, indicationText }: StoredLine): string =>
  `${genericName}${brandName === '' ? '' : `（${brandName}）`}·${indicationText}`;
