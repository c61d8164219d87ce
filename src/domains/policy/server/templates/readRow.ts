import { birthOfIdNumber, genderOfIdNumber, idNumberFault } from '#kernel/contract/idNumber.ts';
import { characters, mobileForm, nameForm } from '#kernel/contract/plainText.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { brokenBy, halfWidth } from '#kernel/server/importing/normalise.ts';
import { dayOfText } from '#kernel/server/importing/parseCell.ts';
import { dayOfSerial } from '#kernel/server/importing/sheetNumbers.ts';
import { rowOps, type ListTarget } from '../../contract/batchDictionaries.ts';
import {
  genders,
  idTypes,
  payModes,
  policyTypes,
  relations,
  type IdType,
  type PayMode,
  type PolicyType,
} from '../../contract/dictionaries.ts';
import { normalIdNo } from '../sensitive.ts';
import type { Layout, Places, TemplateColumn } from '../../contract/rules/template.ts';

/** What a row says of the policy that it belongs to; null: nothing. */
export interface PolicyColumns {
  productCode: string | null;
  holderName: string | null;
  coverageStart: Day | null;
  coverageEnd: Day | null;
  policyType: PolicyType | null;
  payMode: PayMode | null;
}
export const NOTHING_OF_POLICY: PolicyColumns = {
  productCode: null,
  holderName: null,
  coverageStart: null,
  coverageEnd: null,
  policyType: null,
  payMode: null,
};

/** What a row says; null: nothing. */
export interface RowFacts {
  policyNo: string | null;
  op: 'ADD' | 'REMOVE' | 'MODIFY' | null;
  name: string | null;
  idType: IdType;
  idNo: string | null;
  gender: 'M' | 'F' | null;
  birthDate: Day | null;
  mobile: string | null;
  employeeNo: string | null;
  department: string | null;
  relation: 'SELF' | 'SPOUSE' | 'CHILD' | 'PARENT' | null;
  mainIdNo: string | null;
  planCode: string | null;
  effectiveOn: Day | null;
  leaveOn: Day | null;
  hasSocial: boolean | null;
  socialAdcode: string | null;
  adcode: string | null;
  preExisting: string[];
  ofPolicy: PolicyColumns;
}
export interface RowFault {
  code: string;
  column: ListTarget | null;
  header: string;
  value: string;
  message: string;
}
export type RawCells = Partial<Record<ListTarget, string>>;

export const rawOf = ({ at }: Pick<Places, 'at'>, cells: readonly string[]): RawCells =>
  Object.fromEntries([...at].map(([target, place]) => [target, cells[place] ?? '']));

const OPS: Readonly<Record<string, RowFacts['op']>> = {
  增: 'ADD',
  增员: 'ADD',
  新增: 'ADD',
  减: 'REMOVE',
  减员: 'REMOVE',
  改: 'MODIFY',
  变更: 'MODIFY',
};
const YES_NO: Readonly<Record<string, boolean>> = { 是: true, 有: true, Y: true, '1': true, 否: false, 无: false, N: false, '0': false };

/** What the columns hold at most. */
const MOST_SIGNS: readonly (readonly [ListTarget, number])[] = [
  ['policyNo', 40],
  ['productCode', 40],
  ['holderName', 60],
  ['idNo', 30],
  ['mainIdNo', 30],
  ['employeeNo', 40],
  ['department', 60],
  ['preExisting', 200],
];

function transformed(column: TemplateColumn, raw: string): string {
  let value = column.dict[raw.trim()] ?? raw;
  if (column.transforms.includes('HALF')) value = halfWidth(value);
  if (column.transforms.includes('UPPER')) value = value.toUpperCase();
  return value.trim();
}
const byLabel = <Code extends string>(options: readonly { value: Code; label: string }[], text: string): Code | null =>
  options.find(({ value, label }) => value === text || label === text)?.value ?? null;

/**
 * Reads the cells of a row: what can be said of each of them alone, and of certificate, birth date and gender together.
 * @param today nobody is born after it
 */
export function readRow(layout: Layout, raw: RawCells, today: Day): { facts: RowFacts; faults: RowFault[] } {
  const faults: RowFault[] = [];
  const columns = new Map(layout.columns.map((column) => [column.target, column]));
  const broken = new Set<ListTarget>();
  const text = (target: ListTarget): string | null => {
    const column = columns.get(target);
    if (!column || raw[target] === undefined || broken.has(target)) return null;
    return transformed(column, raw[target]) || null;
  };
  const fault = (code: string, column: ListTarget, message: string) => {
    faults.push({ code, column, header: columns.get(column)?.headerAliases[0] ?? '', value: raw[column] ?? '', message });
    return null;
  };
  for (const { target, required, headerAliases } of layout.columns) {
    const value = text(target);
    const why = value === null ? null : brokenBy(value);
    if (required && value === null) fault('E16', target, `${headerAliases[0]}不能为空`);
    if (why === null) continue;
    fault('E17', target, `${headerAliases[0]}${why}`);
    broken.add(target);
  }
  const dayAt = (target: ListTarget): Day | null => {
    const value = text(target);
    if (value === null) return null;
    const day = dayOfText(columns.get(target)?.format === 'SERIAL' ? dayOfSerial(value) : halfWidth(value));
    return day ?? fault('E05', target, `“${value}”不是有效日期，应为${columns.get(target)?.format ?? 'yyyy-MM-dd'}`);
  };
  const coded = <Code extends string>(
    target: ListTarget,
    options: readonly { value: Code; label: string }[],
    fallback: Code | null,
  ): Code | null => {
    const value = text(target);
    if (value === null) return fallback;
    return byLabel(options, value) ?? fault('E16', target, `“${value}”不在可选范围内`);
  };
  const name = nameForm(text('name') ?? '') || null;
  if (name !== null && !/^\D{2,50}$/u.test(name)) fault('E03', 'name', '姓名须为2-50个字符且不含数字');
  const idType = coded('idType', idTypes.options, 'ID_CARD') ?? 'ID_CARD';
  const idNo = text('idNo') === null ? null : normalIdNo(text('idNo') ?? '');
  if (idNo === null && text('employeeNo') === null && !broken.has('idNo')) fault('E16', 'idNo', '证件号不能为空');
  const wrong = idNo !== null && idType === 'ID_CARD' ? idNumberFault(idNo, today) : null;
  if (wrong !== null) fault('E01', 'idNo', `身份证号${wrong}`);
  const known = idNo !== null && idType === 'ID_CARD' && wrong === null;
  const birthDate = dayAt('birthDate') ?? (known ? birthOfIdNumber(idNo) : null);
  const gender = coded('gender', genders.options, null) ?? (known ? (genderOfIdNumber(idNo) === 1 ? 'M' : 'F') : null);
  if (known && birthDate !== birthOfIdNumber(idNo)) fault('E02', 'birthDate', '证件号与出生日期不一致');
  if (known && gender !== (genderOfIdNumber(idNo) === 1 ? 'M' : 'F')) fault('E02', 'gender', '证件号与性别不一致');
  if (birthDate !== null && birthDate > today) fault('E05', 'birthDate', '出生日期不能晚于今天');
  const mobile = text('mobile') === null ? null : mobileForm(text('mobile') ?? '');
  if (mobile !== null && !/^1[3-9]\d{9}$/.test(mobile)) fault('E04', 'mobile', '手机号格式不正确');
  const opText = text('op');
  const op = opText === null ? null : (OPS[opText] ?? byLabel(rowOps.options, opText));
  if (opText !== null && op === null) fault('E16', 'op', `“${opText}”不在可选范围内`);
  const social = text('hasSocial');
  if (social !== null && !(social in YES_NO)) fault('E16', 'hasSocial', `“${social}”不在可选范围内`);
  for (const [target, most] of MOST_SIGNS) {
    const value = text(target);
    if (value !== null && characters(value).length > most) fault('E16', target, `最多${most}个字符`);
  }
  for (const target of ['adcode', 'socialAdcode'] as const)
    if (text(target) !== null && !/^\d{6}$/.test(text(target)!)) fault('E16', target, '须为6位行政区划代码');
  const leave = dayAt('leaveOn');
  return {
    faults,
    facts: {
      policyNo: text('policyNo'),
      op,
      name,
      idType,
      idNo,
      gender,
      birthDate,
      mobile,
      employeeNo: text('employeeNo'),
      department: text('department'),
      relation: coded('relation', relations.options, null),
      mainIdNo: text('mainIdNo') === null ? null : normalIdNo(text('mainIdNo') ?? ''),
      planCode: text('planCode') === null ? null : halfWidth(text('planCode') ?? '').toUpperCase(),
      effectiveOn: dayAt('effectiveOn'),
      leaveOn: leave !== null && layout.leaveMeans === 'FIRST_UNCOVERED' ? plusDays(leave, -1) : leave,
      hasSocial: social === null ? null : (YES_NO[social] ?? null),
      socialAdcode: text('socialAdcode'),
      adcode: text('adcode'),
      preExisting: (text('preExisting') ?? '').split(/[,，、;；\s]+/).filter((one) => one !== ''),
      ofPolicy: {
        productCode: text('productCode'),
        holderName: nameForm(text('holderName') ?? '') || null,
        coverageStart: dayAt('coverageStart'),
        coverageEnd: dayAt('coverageEnd'),
        policyType: coded('policyType', policyTypes.options, null),
        payMode: coded('payMode', payModes.options, null),
      },
    },
  };
}
