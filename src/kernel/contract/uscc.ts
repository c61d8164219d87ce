const SIGNS = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/** Unified social credit code (GB 32100-2015): 18 characters whose last one checks the others. */
export function isUscc(code: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{18}$/.test(code)) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + SIGNS.indexOf(code[index]!) * weight, 0);
  return SIGNS[(31 - (sum % 31)) % 31] === code[17];
}

/** Appends the check character to 17 characters. */
export function usccOf(first17: string): string {
  const sum = WEIGHTS.reduce((total, weight, index) => total + SIGNS.indexOf(first17[index]!) * weight, 0);
  return first17 + SIGNS[(31 - (sum % 31)) % 31];
}
