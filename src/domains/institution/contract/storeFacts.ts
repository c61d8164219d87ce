import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { fen, id, optionalText, text } from '#kernel/contract/fields.ts';
import { field, keysOf } from '#kernel/contract/field.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { accountOwners, capabilities, locateSources, storeTags } from './dictionaries.ts';
import { account, adcode, latE6, lngE6, mobile, phone, storeNhsa, usccOrNull } from './fields.ts';

const set = <T extends z.ZodMiniType<string>>(item: T, label: string) =>
  z.array(item, `${label}不正确`).check(
    z.maxLength(20, `${label}重复`),
    z.refine((values) => new Set(values).size === values.length, `${label}重复`),
  );

/** What a drugstore is entered with; one place for form and import. */
export const storeFacts = {
  name: text('药店名称', 100, 2),
  chainId: field('连锁总部', z._default(z.nullable(id), null)),
  chainStoreCode: z._default(z.nullable(text('连锁店号', 30)), null),
  storeTags: field('门店类型', set(storeTags.schema, '门店类型')),
  uscc: usccOrNull,
  nhsaCode: storeNhsa,
  adcode,
  address: text('地址', 200, 2),
  lngE6: z._default(lngE6, null),
  latE6: z._default(latE6, null),
  locateSource: field('坐标来源', z._default(z.nullable(locateSources.schema), null)),
  phone,
  managerName: optionalText('店长', 50),
  /** Absent: stays as it is, because the page knows only the masked one. */
  managerMobile: field('店长手机', z.optional(mobile)),
  pharmacistName: optionalText('执业药师', 50),
  pharmacistCertNo: optionalText('执业药师证号', 40),
  accountOf: field('收款账户归属', z._default(accountOwners.schema, 'NONE')),
  /** Absent: stays as it is. */
  account: z.optional(account),
  capabilities: field('能力', set(capabilities.schema, '能力')),
  deliveryRadiusM: field(
    '配送半径',
    z._default(
      z.nullable(
        z.int('配送半径须为100至50000米').check(z.minimum(100, '配送半径须为100至50000米'), z.maximum(50_000, '配送半径须为100至50000米')),
      ),
      null,
    ),
  ),
  deliveryFeeFen: field(
    '配送费',
    z._default(z.nullable(fen.check(z.minimum(0, '配送费不能为负'), z.maximum(100_000, '配送费过大'))), null),
  ),
  freeOverFen: field(
    '免配送费金额',
    z._default(z.nullable(fen.check(z.minimum(0, '免配送费金额不能为负'), z.maximum(100_000_000, '免配送费金额过大'))), null),
  ),
};

export type StoreFacts = z.output<z.ZodMiniObject<typeof storeFacts>>;

const rule = (reads: readonly (keyof StoreFacts)[], holds: (facts: StoreFacts) => boolean, message: string) =>
  between<StoreFacts>(reads, holds, message);
/** What holds between the facts. */
export const storeRules = [
  rule(['storeTags'], ({ storeTags: tags }) => !tags.includes('CHAIN') || !tags.includes('SINGLE'), '连锁门店与单体药店不能同时选择'),
  rule(['storeTags', 'chainId'], ({ storeTags: tags, chainId }) => !tags.includes('CHAIN') || !!chainId, '连锁门店请选择连锁总部'),
  rule(
    ['storeTags', 'capabilities'],
    ({ storeTags: tags, capabilities: able }) => !tags.includes('DTP') || able.includes('COLD'),
    'DTP药房须具备冷链能力',
  ),
  rule(
    ['capabilities', 'pharmacistName'],
    ({ capabilities: able, pharmacistName }) => !able.includes('RX') || pharmacistName !== '',
    '销售处方药须填写执业药师',
  ),
  rule(
    ['capabilities', 'deliveryRadiusM'],
    ({ capabilities: able, deliveryRadiusM }) => !able.includes('DELIVERY') || deliveryRadiusM !== null,
    '配送半径须为100至50000米',
  ),
  rule(['chainId', 'accountOf'], ({ chainId, accountOf }) => accountOf !== 'CHAIN' || !!chainId, '使用总部账户请先选择连锁总部'),
  rule(
    ['storeTags', 'accountOf'],
    ({ storeTags: tags, accountOf }) => !tags.includes('DIRECT') || accountOf !== 'NONE',
    '直付门店须设置收款账户',
  ),
  rule(['latE6', 'lngE6'], ({ latE6, lngE6 }) => (lngE6 === null) === (latE6 === null), '经纬度须同时填写'),
];
export const storeFactsInput = z.strictObject(storeFacts).check(...storeRules);

export const storeLabels = labelsOf(storeFacts);
const { account: _account, managerMobile: _mobile, ...plainFacts } = storeFacts;
/** Without what is shown masked. */
export const storeFactKeys = keysOf(plainFacts);
