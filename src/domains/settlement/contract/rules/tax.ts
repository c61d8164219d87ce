import { roundHalfUp } from './share.ts';
import type { TaxMethod } from '../dictionaries.ts';

/** A step of a table: up to this taxable amount (null: above all others) this rate, less this. */
interface Bracket {
  upToFen: bigint | null;
  rateBp: number;
  quickFen: bigint;
}
const bracket = (upToFen: number | null, rateBp: number, quickFen: number): Bracket => ({
  upToFen: upToFen === null ? null : BigInt(upToFen),
  rateBp,
  quickFen: BigInt(quickFen),
});

/** State Taxation Administration, bulletin 2018 no. 61: labour remuneration of residents, by occurrence. */
const OCCURRENCE_TABLE: readonly Bracket[] = [
  bracket(2_000_000, 2_000, 0),
  bracket(5_000_000, 3_000, 200_000),
  bracket(null, 4_000, 700_000),
];
/** Table of yearly comprehensive income; by bulletin 2025 no. 16 of those who earn through internet platforms. */
const CUMULATIVE_TABLE: readonly Bracket[] = [
  bracket(3_600_000, 300, 0),
  bracket(14_400_000, 1_000, 252_000),
  bracket(30_000_000, 2_000, 1_692_000),
  bracket(42_000_000, 2_500, 3_192_000),
  bracket(66_000_000, 3_000, 5_292_000),
  bracket(96_000_000, 3_500, 8_592_000),
  bracket(null, 4_500, 18_192_000),
];
/** Deducted for each month of the run. */
const MONTHLY_DEDUCTION = 500_000n;
/** Up to this the expense is a sum, above it a share. */
const SMALL_INCOME = 400_000n;
const SMALL_EXPENSE = 80_000n;

const bracketOf = (table: readonly Bracket[], taxable: bigint): Bracket =>
  table.find(({ upToFen }) => upToFen === null || taxable <= upToFen)!;
const fifth = (fen: bigint): bigint => roundHalfUp(fen * 20n, 100n);
const atLeast = (least: bigint, fen: bigint): bigint => (fen < least ? least : fen);

/** What was paid to somebody and withheld by the same payer; what came back is negative. */
export interface TaxedPayment {
  /** 税款所属期, `YYYY-MM`. */
  taxMonth: string;
  grossFen: bigint;
  taxFen: bigint;
}

/** How the tax of a payment came about. */
export interface TaxResult {
  method: TaxMethod;
  /** First month of the unbroken run; of an occurrence its own month. */
  runFrom: string;
  months: number;
  cumIncomeFen: bigint;
  expenseFen: bigint;
  deductionFen: bigint;
  taxableFen: bigint;
  rateBp: number;
  quickFen: bigint;
  cumTaxFen: bigint;
  previousTaxFen: bigint;
  taxFen: bigint;
}

const monthBefore = (month: string): string => {
  const [year = 0, of = 1] = month.split('-').map(Number);
  return of === 1 ? `${year - 1}-12` : `${year}-${String(of - 1).padStart(2, '0')}`;
};

const sum = (payments: readonly TaxedPayment[], of: 'grossFen' | 'taxFen'): bigint => payments.reduce((all, one) => all + one[of], 0n);

function result(
  method: TaxMethod,
  table: readonly Bracket[],
  facts: Pick<TaxResult, 'runFrom' | 'months' | 'cumIncomeFen' | 'expenseFen' | 'deductionFen' | 'previousTaxFen'>,
): TaxResult {
  const taxableFen = atLeast(0n, facts.cumIncomeFen - facts.expenseFen - facts.deductionFen);
  const { rateBp, quickFen } = bracketOf(table, taxableFen);
  const cumTaxFen = roundHalfUp(taxableFen * BigInt(rateBp), 10_000n) - quickFen;
  return { method, ...facts, taxableFen, rateBp, quickFen, cumTaxFen, taxFen: atLeast(0n, cumTaxFen - facts.previousTaxFen) };
}

/** By occurrence: all that one payer pays in a month is one. */
function perOccurrence(taxMonth: string, grossFen: bigint, payments: readonly TaxedPayment[]): TaxResult {
  const before = payments.filter((one) => one.taxMonth === taxMonth);
  const cumIncomeFen = sum(before, 'grossFen') + grossFen;
  return result('PER_OCCURRENCE', OCCURRENCE_TABLE, {
    runFrom: taxMonth,
    months: 1,
    cumIncomeFen,
    expenseFen: cumIncomeFen <= SMALL_INCOME ? (cumIncomeFen < SMALL_EXPENSE ? cumIncomeFen : SMALL_EXPENSE) : fifth(cumIncomeFen),
    deductionFen: 0n,
    previousTaxFen: sum(before, 'taxFen'),
  });
}

/** Over the year: income, deductions and tax of the unbroken run of months in which the payer paid; after a gap all begins anew. */
function cumulative(taxMonth: string, grossFen: bigint, payments: readonly TaxedPayment[]): TaxResult {
  const paidIn = (month: string) =>
    sum(
      payments.filter((one) => one.taxMonth === month),
      'grossFen',
    );
  let runFrom = taxMonth;
  let months = 1;
  for (let month = monthBefore(taxMonth); month.slice(0, 4) === taxMonth.slice(0, 4) && paidIn(month) > 0n; month = monthBefore(month)) {
    runFrom = month;
    months += 1;
  }
  const before = payments.filter((one) => one.taxMonth >= runFrom && one.taxMonth <= taxMonth);
  const cumIncomeFen = sum(before, 'grossFen') + grossFen;
  return result('CUMULATIVE', CUMULATIVE_TABLE, {
    runFrom,
    months,
    cumIncomeFen,
    expenseFen: fifth(cumIncomeFen),
    deductionFen: MONTHLY_DEDUCTION * BigInt(months),
    previousTaxFen: sum(before, 'taxFen'),
  });
}

/**
 * What is withheld of a payment to a resident.
 * @param payments all that the payer paid him in that year, whatever their order
 */
export const taxOf = (method: TaxMethod, taxMonth: string, grossFen: bigint, payments: readonly TaxedPayment[]): TaxResult =>
  method === 'CUMULATIVE' ? cumulative(taxMonth, grossFen, payments) : perOccurrence(taxMonth, grossFen, payments);

/** By law: who runs an internet platform reckons over the year (bulletin 2025 no. 16), others by each payment. */
export const taxMethodOf = ({ isPlatform }: { isPlatform: boolean }): TaxMethod => (isPlatform ? 'CUMULATIVE' : 'PER_OCCURRENCE');
