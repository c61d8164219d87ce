import * as z from 'zod/mini';
import { between, ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  id,
  idOut,
  instantOut,
  optionalDay,
  optionalId,
  optionalText,
  text,
  textOrNull,
  version,
} from '#kernel/contract/fields.ts';
import { ADDED, CHANGED, declareService, DELETED } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { shieldScopes, shieldStatuses } from '../dictionaries.ts';
import { orderPermissions as may } from '../permissions.ts';

const service = declareService('ShieldGoodsService');
const view = may['shield.view'];
const edit = may['shield.edit'];
export const SHIELD_IMPORTER = 'order.shieldGoods';
/** What the app shows instead of the button, where nobody writes anything else. */
export const DEFAULT_DISPLAY = '请咨询药师';

const goodsCode = text('商品编码', 32, 1);
const shieldRow = z.strictObject({
  id: idOut,
  goodsCode: field('商品编码', z.string(), { width: 130 }),
  goodsName: field('商品名称', z.string(), { width: 220 }),
  scope: field('范围', shieldScopes.schema, { width: 90 }),
  scopeWords: field('范围值', z.string(), { width: 220 }),
  scopeValues: z.array(z.string()),
  displayText: field('替代文案', z.string(), { width: 130 }),
  reason: field('原因', z.string(), { width: 200 }),
  effectiveFrom: field('生效日期', dayOut, { width: 110 }),
  effectiveTo: field('失效日期', z.nullable(dayOut), { width: 110 }),
  status: field('状态', shieldStatuses.schema, { width: 90 }),
  updatedBy: field('修改人', textOrNull, { width: 90 }),
  updatedAt: field('修改时间', instantOut),
  version: z.int(),
});
export type ShieldRow = z.output<typeof shieldRow>;
export const queryShieldGoodsList = service.list({
  operation: 'queryShieldGoodsList',
  label: '查询隐藏加购设置',
  access: view,
  filter: {
    goods: z.optional(text('商品', 60)),
    scope: field('范围', z.optional(shieldScopes.schema)),
    status: field('状态', z.optional(shieldStatuses.schema)),
    ...sortedBy('goodsCode', 'effectiveFrom', 'updatedAt'),
  },
  output: shieldRow,
});
export const exportShieldGoodsList = exportOf(queryShieldGoodsList, {
  operation: 'exportShieldGoodsList',
  label: '导出隐藏加购设置',
  access: view,
});
const shieldDetail = z.strictObject({
  ...shieldRow.shape,
  /** The values of its scope as they are called now. */
  scopeNames: z.array(z.strictObject({ value: z.string(), label: z.string() })),
});
export type ShieldDetail = z.output<typeof shieldDetail>;
/** One row, for the window that changes it. */
export const queryShieldGoodsDetail = service.read({
  operation: 'queryShieldGoodsDetail',
  label: '查看隐藏加购设置',
  access: view,
  input: { id: field('设置', id) },
  output: shieldDetail,
});

const fields = {
  scope: field('适用范围', shieldScopes.schema),
  scopeValues: field('范围值', z._default(z.array(text('范围值', 32, 1)).check(z.maxLength(200, '范围值最多200个')), [])),
  displayText: field('替代文案', z._default(text('替代文案', 20, 1), DEFAULT_DISPLAY)),
  reason: text('原因', 100, 2),
  effectiveFrom: field('生效日期', day),
  effectiveTo: field('失效日期', optionalDay),
};
interface Scoped {
  scope: string;
  scopeValues: readonly string[];
}
const complete = [
  ordered('effectiveFrom', 'effectiveTo', '失效日期不能早于生效日期'),
  between<Scoped>(['scope', 'scopeValues'], ({ scope, scopeValues }) => scope === 'ALL' || scopeValues.length > 0, '请选择范围值'),
] as const;

/** Several goods become a row each, enabled from the beginning. */
const addInput = z
  .strictObject({
    goodsCodes: field('药品', z.array(goodsCode, '请选择药品').check(z.minLength(1, '请选择药品'), z.maxLength(50, '药品最多50个'))),
    ...fields,
  })
  .check(...complete);
export const addShieldGoods = service.act({
  operation: 'addShieldGoods',
  label: '新增隐藏加购设置',
  access: edit,
  ...ADDED,
  input: addInput,
  output: z.strictObject({ ids: z.array(idOut) }),
});
const modifyInput = z.strictObject({ id: field('设置', id), version, ...fields }).check(...complete);
const changed = z.strictObject({ id: idOut, version: z.int(), status: shieldStatuses.schema });
export const modifyShieldGoods = service.act({
  operation: 'modifyShieldGoods',
  label: '修改隐藏加购设置',
  access: edit,
  ...CHANGED,
  input: modifyInput,
  output: changed,
});
export const delShieldGoods = service.act({
  operation: 'delShieldGoods',
  label: '删除隐藏加购设置',
  access: edit,
  ...DELETED,
  input: { id: field('设置', id), version },
  output: z.strictObject({ id: idOut }),
});
/** Of a batch nobody names versions: each row is switched as it is. */
const switched = { id: field('设置', id), version: z.optional(version) };
export const enableShieldGoods = service.act({
  operation: 'enableShieldGoods',
  label: '启用隐藏加购设置',
  access: edit,
  message: '启用成功!',
  input: switched,
  output: changed,
});
export const disableShieldGoods = service.act({
  operation: 'disableShieldGoods',
  label: '停用隐藏加购设置',
  access: edit,
  message: '停用成功!',
  input: switched,
  output: changed,
});

/** A row of the table that is imported: the values of its scope stand in one cell. */
export const importedShield = z.strictObject({ goodsCode, ...fields });
export const importShieldGoods = service.imports({ operation: 'importShieldGoods', label: '导入隐藏加购设置', access: edit });

/** Whether the app hides the button today for somebody, and by which row. */
export const testShieldGoods = service.read({
  operation: 'testShieldGoods',
  label: '试算隐藏加购',
  access: view,
  input: {
    goodsCode: field('药品', text('药品', 32, 1)),
    productCode: optionalText('产品', 32),
    cityCode: optionalText('城市', 6),
    channelId: field('渠道', optionalId),
  },
  output: z.strictObject({
    hidden: z.boolean(),
    displayText: textOrNull,
    shieldId: z.nullable(idOut),
    /** In one sentence, which row hides it or why none does. */
    why: z.string(),
  }),
});
