/** Last digit of 12 or 13 digits by EAN-13's weights 1 and 3. */
export function eanCheck(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

/** A barcode of 13 digits whose check digit is right. */
export const isEan13 = (text: string): boolean => /^\d{13}$/.test(text) && eanCheck(text.slice(0, 12)) === text[12];

/** 药品本位码: `86` and 12 digits; the last one is a check digit with the same weights. */
export const isBaseCode = (text: string): boolean => /^86\d{12}$/.test(text) && eanCheck(text.slice(0, 13)) === text[13];
