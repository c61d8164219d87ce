const USCC_LETTERS = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const USCC_WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/** Check character of the first 17 of a unified social credit code (GB 32100); null when they are no such characters. */
export function usccCheck(first17: string): string | null {
  if (first17.length !== 17) return null;
  let sum = 0;
  for (const [index, weight] of USCC_WEIGHTS.entries()) {
    const value = USCC_LETTERS.indexOf(first17[index]!);
    if (value < 0) return null;
    sum += value * weight;
  }
  return USCC_LETTERS[(31 - (sum % 31)) % 31]!;
}

export const isUscc = (text: string): boolean => text.length === 18 && usccCheck(text.slice(0, 17)) === text[17];

/** Last digit of 12 or 13 digits by EAN-13's weights 1 and 3. */
export function eanCheck(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

/** A barcode of 13 digits whose check digit is right. */
export const isEan13 = (text: string): boolean => /^\d{13}$/.test(text) && eanCheck(text.slice(0, 12)) === text[12];

/** 药品本位码: `86` and 12 digits; the last one is a check digit with the same weights. */
export const isBaseCode = (text: string): boolean => /^86\d{12}$/.test(text) && eanCheck(text.slice(0, 13)) === text[13];
