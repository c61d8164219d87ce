import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { text } from '#kernel/contract/fields.ts';
import { dateFormats, dedupeKeys, leaveMeanings, listTargets, transforms, type BatchMode, type ListTarget } from '../batchDictionaries.ts';

const alias = text('列名', 60, 1);
export const templateColumn = z.strictObject({
  target: field('字段', listTargets.schema),
  headerAliases: field('列名', z.array(alias).check(z.minLength(1, '请填写列名'), z.maxLength(10, '最多10个列名'))),
  required: field('必填', z._default(z.boolean(), false)),
  format: field('日期格式', z._default(dateFormats.schema, 'yyyy-MM-dd')),
  dict: field('取值对照', z._default(z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(40))), {})),
  transforms: field('处理', z._default(z.array(transforms.schema).check(z.maxLength(3, '最多3项')), ['TRIM'])),
});
export type TemplateColumn = z.output<typeof templateColumn>;

/** How a list is read. */
export const layout = z.strictObject({
  sheet: z._default(text('工作表', 40), ''),
  headerRow: field('表头行', z._default(z.int('表头行须为整数').check(z.minimum(1, '表头行从1开始'), z.maximum(50, '表头行最大为50')), 1)),
  columns: field('列', z.array(templateColumn).check(z.minLength(1, '请至少设置一列'), z.maxLength(40, '最多40列'))),
  leaveMeans: field('减员日期含义', z._default(leaveMeanings.schema, 'LAST_COVERED')),
  dedupeKey: field('人员识别', z._default(dedupeKeys.schema, 'PERSON')),
});
export type Layout = z.output<typeof layout>;

/** A header as it is compared: without marks of required columns, blanks, case and width. */
export const headerKey = (text: string): string =>
  text
    .replaceAll(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\s\u3000*]/g, '')
    .toLowerCase();

/** A column name that two fields claim; null: none. */
export function doubledAlias(columns: readonly TemplateColumn[]): string | null {
  const seen = new Set<string>();
  const targets = new Set<string>();
  for (const { target, headerAliases } of columns) {
    if (targets.has(target)) return listTargets.label(target);
    targets.add(target);
    for (const one of headerAliases) {
      if (seen.has(headerKey(one))) return one;
      seen.add(headerKey(one));
    }
  }
  return null;
}

/** Fields without which no person is known. */
export const NEEDED: readonly ListTarget[] = ['name'];
export const missingTargets = (columns: readonly TemplateColumn[]): string[] => {
  const has = new Set(columns.map(({ target }) => target));
  const missing = NEEDED.filter((target) => !has.has(target)).map((target) => listTargets.label(target));
  return has.has('idNo') || has.has('employeeNo') ? missing : [...missing, '证件号或工号'];
};

/** Without which no policy is made of a list. */
const POLICY_TARGETS: readonly ListTarget[] = ['policyNo', 'productCode', 'holderName', 'coverageStart', 'coverageEnd'];
/** Whether a list says enough of its policies to make those that are not there: a first one whose template has their columns. */
export const makesPolicies = (mode: BatchMode, columns: readonly TemplateColumn[]): boolean =>
  mode === 'INITIAL' && POLICY_TARGETS.every((wanted) => columns.some(({ target }) => target === wanted));

export interface Places {
  /** Place in the row of each field. */
  at: ReadonlyMap<ListTarget, number>;
  headers: readonly string[];
  missing: string[];
  unknown: string[];
}

/** Where the fields stand in a header row. */
export function placesOf({ columns }: Pick<Layout, 'columns'>, headers: readonly string[]): Places {
  const keys = headers.map(headerKey);
  const at = new Map<ListTarget, number>();
  for (const { target, headerAliases } of columns) {
    const place = keys.findIndex((key) => key !== '' && headerAliases.some((one) => headerKey(one) === key));
    if (place >= 0) at.set(target, place);
  }
  const used = new Set(at.values());
  return {
    at,
    headers,
    missing: columns.filter(({ target, required }) => required && !at.has(target)).map(({ headerAliases }) => headerAliases[0]!),
    unknown: headers.filter((header, place) => header.trim() !== '' && !used.has(place)),
  };
}

/** What a row is meant to do where the list does not say; null: it says how the person is to stand. */
export const opOfMode = (mode: BatchMode): 'ADD' | 'REMOVE' | null =>
  mode === 'REMOVE' ? 'REMOVE' : mode === 'MIXED' || mode === 'FULL' ? null : 'ADD';
