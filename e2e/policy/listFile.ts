import { checkCharacter } from '#domains/patient/contract/idNumber.ts';

export interface Listed {
  name: string;
  idNo: string;
}

/** Somebody of a list: a man born in 1990, with a certificate of his own (`order` is odd for men). */
export function listed(name: string, order: number): Listed {
  const digits = `11010119900512${String(order).padStart(3, '0')}`;
  return { name, idNo: `${digits}${checkCharacter(digits)}` };
}

/** A table as a csv file. */
export const csvFile = (fileName: string, rows: readonly (readonly string[])[]) => ({
  name: fileName,
  mimeType: 'text/csv',
  buffer: Buffer.from(`\uFEFF${rows.map((cells) => cells.join(',')).join('\r\n')}\r\n`),
});

/** A list as an employer sends it, under the headers of the template for everybody. */
export const listFile = (fileName: string, people: readonly Listed[], planCode: string, effectiveOn: string) =>
  csvFile(fileName, [['姓名', '证件号码', '计划', '生效日期'], ...people.map(({ name, idNo }) => [name, idNo, planCode, effectiveOn])]);
