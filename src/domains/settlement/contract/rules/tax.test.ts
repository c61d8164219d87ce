import { describe, expect, it } from 'vitest';
import { taxOf, type TaxedPayment } from './tax.ts';

const MONTH = '2026-11';
const paid = (taxMonth: string, grossFen: number, taxFen: number): TaxedPayment => ({
  taxMonth,
  grossFen: BigInt(grossFen),
  taxFen: BigInt(taxFen),
});

describe('tax by occurrence', () => {
  it.each([
    [80_000, 80_000, 0, 0],
    [300_000, 80_000, 220_000, 44_000],
    [400_000, 80_000, 320_000, 64_000],
    [400_001, 80_000, 320_001, 64_000],
    [2_500_000, 500_000, 2_000_000, 400_000],
    [3_000_000, 600_000, 2_400_000, 520_000],
    [6_250_000, 1_250_000, 5_000_000, 1_300_000],
    [8_000_000, 1_600_000, 6_400_000, 1_860_000],
  ])('of %d: expense %d, taxable %d, tax %d', (gross, expense, taxable, tax) => {
    expect(taxOf('PER_OCCURRENCE', MONTH, BigInt(gross), [])).toMatchObject({
      expenseFen: BigInt(expense),
      taxableFen: BigInt(taxable),
      taxFen: BigInt(tax),
    });
  });

  it('takes all of a month together, and nothing of another month', () => {
    const first = [paid(MONTH, 300_000, 44_000)];
    expect(taxOf('PER_OCCURRENCE', MONTH, 200_000n, first)).toMatchObject({ taxableFen: 400_000n, cumTaxFen: 80_000n, taxFen: 36_000n });
    expect(taxOf('PER_OCCURRENCE', '2026-12', 200_000n, first)).toMatchObject({ taxFen: 24_000n });
  });

  it('is never negative after a payment came back', () => {
    const back = [paid(MONTH, 2_500_000, 400_000), paid(MONTH, -2_500_000, -400_000)];
    expect(taxOf('PER_OCCURRENCE', MONTH, 300_000n, back)).toMatchObject({ cumIncomeFen: 300_000n, taxFen: 44_000n });
  });
});

describe('tax over the year', () => {
  it('deducts 20 % and 5,000 yuan for each month of the run', () => {
    expect(taxOf('CUMULATIVE', '2026-01', 1_000_000n, [])).toMatchObject({ months: 1, taxableFen: 300_000n, taxFen: 9_000n });
    expect(taxOf('CUMULATIVE', '2026-02', 1_000_000n, [paid('2026-01', 1_000_000, 9_000)])).toMatchObject({
      runFrom: '2026-01',
      months: 2,
      taxableFen: 600_000n,
      cumTaxFen: 18_000n,
      taxFen: 9_000n,
    });
  });

  it('begins anew after a month without payment, and in a new year', () => {
    const gap = [paid('2026-01', 1_000_000, 9_000), paid('2026-02', 1_000_000, 9_000)];
    expect(taxOf('CUMULATIVE', '2026-04', 1_000_000n, gap)).toMatchObject({ runFrom: '2026-04', months: 1, taxFen: 9_000n });
    expect(taxOf('CUMULATIVE', '2027-01', 1_000_000n, [paid('2026-12', 1_000_000, 9_000)])).toMatchObject({
      runFrom: '2027-01',
      taxFen: 9_000n,
    });
  });

  it('climbs the table to the fen', () => {
    const year = (n: number) => Array.from({ length: n }, (_, at) => paid(`2026-${String(at + 1).padStart(2, '0')}`, 2_000_000, 0));
    // 4 months of 20,000: 8,000,000 - 1,600,000 - 2,000,000 = 4,400,000, in the second step.
    expect(taxOf('CUMULATIVE', '2026-04', 2_000_000n, year(3))).toMatchObject({
      taxableFen: 4_400_000n,
      rateBp: 1_000,
      cumTaxFen: 188_000n,
    });
    expect(taxOf('CUMULATIVE', '2026-01', 3_600_000n * 2n, [])).toMatchObject({ taxableFen: 5_260_000n, cumTaxFen: 274_000n });
  });

  it('reckons a month in which all came back as one without payment, and adds up over the year', () => {
    const back = [paid('2026-01', 1_000_000, 9_000), paid('2026-02', 1_000_000, 9_000), paid('2026-02', -1_000_000, -9_000)];
    expect(taxOf('CUMULATIVE', '2026-03', 1_000_000n, back)).toMatchObject({ runFrom: '2026-03', taxFen: 9_000n });
    // A payment of an earlier month that is taken back leaves less to be withheld, never a negative tax.
    const less = [paid('2026-01', 1_000_000, 9_000), paid('2026-01', -400_000, 0), paid('2026-02', 1_000_000, 9_000)];
    const now = taxOf('CUMULATIVE', '2026-03', 500_000n, less);
    expect(now).toMatchObject({ months: 3, cumIncomeFen: 2_100_000n, taxableFen: 180_000n, cumTaxFen: 5_400n, taxFen: 0n });
  });
});
