import { describe, expect, it } from 'vitest';
import { medicineTaxAllowed, taxPairAllowed } from './tax.ts';

const CANCER = '1070303010000000000';
const DRUG = '1070399000000000000';
const HERB = '1070302010000000000';
const SERVICE = '3040602000000000000';

describe('rate, tax code and scheme', () => {
  it.each([
    [CANCER, 900, 'GENERAL'],
    [DRUG, 600, 'GENERAL'],
    [HERB, 600, 'GENERAL'],
    [SERVICE, 900, 'GENERAL'],
    [SERVICE, 600, 'SIMPLE'],
    [SERVICE, 300, 'SIMPLE'],
    [SERVICE, 600, 'EXEMPT'],
    [DRUG, 300, 'SIMPLE'],
    ['304060200000000000', 600, 'GENERAL'],
    [SERVICE, 600, 'OTHER'],
  ])('are refused together: %s at %i by %s', (taxCode, taxRateBp, taxScheme) => {
    expect(taxPairAllowed(taxCode, taxRateBp, taxScheme)).toBe(false);
  });

  it.each([
    [DRUG, 1300, 'GENERAL'],
    [HERB, 900, 'GENERAL'],
    [SERVICE, 600, 'GENERAL'],
    [SERVICE, 0, 'EXEMPT'],
    [CANCER, 300, 'SIMPLE'],
  ])('go together: %s at %i by %s', (taxCode, taxRateBp, taxScheme) => {
    expect(taxPairAllowed(taxCode, taxRateBp, taxScheme)).toBe(true);
  });

  it('of a medicine are those of goods alone', () => {
    expect([medicineTaxAllowed(SERVICE, 600, 'GENERAL'), medicineTaxAllowed(SERVICE, 1300, 'GENERAL')]).toEqual([false, false]);
    expect(medicineTaxAllowed(DRUG, 1300, 'GENERAL')).toBe(true);
  });
});
