import { idNumberFault } from '#kernel/contract/idNumber.ts';
import { withoutMarks } from '#kernel/contract/plainText.ts';

/** Certificates are compared in capitals, without blanks. */
export const tidyCertificate = (value: string): string => withoutMarks(value).replaceAll(/\s/g, '').toUpperCase();

/** Why it is no certificate's number; null: it may be one. Long ones of digits are residents', others are passports and permits. */
export function certificateFault(value: string): string | null {
  if (/^\d{11,}[\dX]?$/.test(value) || value.length === 18) {
    const fault = idNumberFault(value);
    return fault === null ? null : `证件号${fault}`;
  }
  return /^[A-Z0-9()（）]{5,20}$/.test(value) ? null : '证件号格式不正确';
}
