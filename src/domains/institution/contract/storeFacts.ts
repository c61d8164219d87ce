import * as z from 'zod/mini';
import { fen, id, text } from '../../../kernel/contract/fields.ts';
import { field, keysOf } from '../../../kernel/contract/field.ts';
import { labelsOf } from '../../../kernel/contract/labels.ts';
import { accountOwners, capabilities, locateSources, storeTags } from './dictionaries.ts';
import { account, adcode, latE6, lngE6, mobile, phone, storeNhsa, textOr, usccOrNull } from './fields.ts';

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
  managerName: textOr('店长', 50),
  /** Absent: stays as it is, because the page knows only the masked one. */
  managerMobile: field('店长手机', z.optional(mobile)),
  pharmacistName: textOr('执业药师', 50),
  pharmacistCertNo: textOr('执业药师证号', 40),
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

export const storeFactsInput = z.strictObject(storeFacts);
export type StoreFacts = z.output<typeof storeFactsInput>;

/** Facts that are wrong together; path and text of the first. */
export function storeFault(facts: StoreFacts): { path: string; message: string } | null {
  const { storeTags: tags, capabilities: able } = facts;
  if (tags.includes('CHAIN') && tags.includes('SINGLE')) return { path: 'storeTags', message: '连锁门店与单体药店不能同时选择' };
  if (tags.includes('CHAIN') && !facts.chainId) return { path: 'chainId', message: '连锁门店请选择连锁总部' };
  if (tags.includes('DTP') && !able.includes('COLD')) return { path: 'capabilities', message: 'DTP药房须具备冷链能力' };
  if (able.includes('RX') && facts.pharmacistName === '') return { path: 'pharmacistName', message: '销售处方药须填写执业药师' };
  if (able.includes('DELIVERY') && facts.deliveryRadiusM === null) return { path: 'deliveryRadiusM', message: '配送半径须为100至50000米' };
  if (facts.accountOf === 'CHAIN' && !facts.chainId) return { path: 'accountOf', message: '使用总部账户请先选择连锁总部' };
  if ((facts.lngE6 === null) !== (facts.latE6 === null)) return { path: 'lngE6', message: '经纬度须同时填写' };
  return null;
}

export const storeLabels = labelsOf(storeFacts);
const { account: _account, managerMobile: _mobile, ...plainFacts } = storeFacts;
/** Without what is shown masked. */
export const storeFactKeys = keysOf(plainFacts);
