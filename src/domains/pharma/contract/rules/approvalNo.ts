/** What an approval number says by its letters. */
export interface ApprovalFacts {
  approvalNo: string;
  approvalKind: 'DOMESTIC' | 'IMPORT' | 'HMT' | 'REPACK' | 'DEVICE';
  /** Class of the medicine where the letter fixes it. */
  medicineKind: 'CHEM' | 'BIO' | 'TCM' | 'DEVICE' | null;
}

const kindOf = (letter: string | undefined): ApprovalFacts['medicineKind'] =>
  letter === 'H' ? 'CHEM' : letter === 'S' ? 'BIO' : letter === 'Z' ? 'TCM' : null;

/** Spaces removed, upper case. */
export const normaliseApprovalNo = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase();

/** Forms of the numbers, old and new; the first group is the letter that tells the class. */
const FORMS: readonly (readonly [RegExp, ApprovalFacts['approvalKind']])[] = [
  [/^国药准字([HZSBTF])\d{8}$/, 'DOMESTIC'],
  [/^国药准字([HZS])J\d{8}$/, 'IMPORT'],
  [/^国药准字([HZS])C\d{8}$/, 'HMT'],
  [/^([HZS])\d{8}$/, 'IMPORT'],
  [/^([HZS])C\d{8}$/, 'HMT'],
  [/^国药准字J\d{8}$/, 'REPACK'],
  [/^B([HZS])C?\d{8}$/, 'REPACK'],
  [/^.{1,3}械(?:注准|注进|注许|备)\d{8,14}号?$/, 'DEVICE'],
];

/** Reads an approval number; null when it has none of the known forms. */
export function readApprovalNo(text: string): ApprovalFacts | null {
  const approvalNo = normaliseApprovalNo(text);
  for (const [form, approvalKind] of FORMS) {
    const match = form.exec(approvalNo);
    if (match) return { approvalNo, approvalKind, medicineKind: approvalKind === 'DEVICE' ? 'DEVICE' : kindOf(match[1]) };
  }
  return null;
}

/** Whether a number of this form may stand on a medicine of this class. */
export const approvalFits = (facts: ApprovalFacts, medicineKind: string): boolean =>
  facts.medicineKind === null ? medicineKind !== 'DEVICE' : facts.medicineKind === medicineKind;
