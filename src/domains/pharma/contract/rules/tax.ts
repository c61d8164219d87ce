/** Tax codes of drugs on the anti-cancer and rare-disease list: only they may be taxed by the simple scheme at 3 %. */
const SIMPLE_PREFIXES = ['1070303', '1070307'];
/** Tax codes of goods at the lower general rate of 9 % (herbal decoction pieces, farm products). */
const LOW_RATE_PREFIXES = ['1070302', '1070304', '101'];

/** Tax codes of sales of services: most of them at 6 %. Goods begin with 1. */
const SERVICE_PREFIXES = ['3'];
const GOODS_PREFIXES = ['1'];

const startsWith = (taxCode: string, prefixes: readonly string[]) => prefixes.some((prefix) => taxCode.startsWith(prefix));

const TAX_CODE = /^\d{19}$/;

/**
 * Whether a rate may go with a tax code and a scheme (R2): GENERAL 13 %, or 9 % where the code says so, or 6 % for services;
 * SIMPLE 3 % for anti-cancer and rare-disease drugs only; EXEMPT 0.
 * @param taxRateBp basis points
 */
export function taxPairAllowed(taxCode: string, taxRateBp: number, taxScheme: string): boolean {
  if (!TAX_CODE.test(taxCode)) return false;
  if (taxScheme === 'EXEMPT') return taxRateBp === 0;
  if (taxScheme === 'SIMPLE') return taxRateBp === 300 && startsWith(taxCode, SIMPLE_PREFIXES);
  if (taxScheme !== 'GENERAL') return false;
  return (
    taxRateBp === 1300 ||
    (taxRateBp === 900 && startsWith(taxCode, LOW_RATE_PREFIXES)) ||
    (taxRateBp === 600 && startsWith(taxCode, SERVICE_PREFIXES))
  );
}

/** The same of a medicine: no service is one. */
export const medicineTaxAllowed = (taxCode: string, taxRateBp: number, taxScheme: string): boolean =>
  startsWith(taxCode, GOODS_PREFIXES) && taxPairAllowed(taxCode, taxRateBp, taxScheme);
