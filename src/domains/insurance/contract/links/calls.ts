import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, dayOut, id, idOut, instantOut, several, version } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { productPermissions as may } from '../permissions.ts';
import { productService } from '../products/options.ts';
import { productStates } from '../products/states.ts';
import { attachModes, linkStatuses, linkTypes } from './dictionaries.ts';
import { shareGroups } from './shareGroups.ts';

const saved = z.strictObject({ linkId: idOut, version: z.int() });
const dates = { effectiveFrom: field('生效日', day), effectiveTo: field('失效日', z._default(z.nullable(day), null)) };

/** How a rider hangs on its main product. */
export const appendedFacts = z.strictObject({
  otherProductId: field('附加产品', id),
  attachMode: field('附加方式', attachModes.schema),
  ...dates,
  payOrder: field(
    '赔付顺序',
    z._default(z.int('赔付顺序须为整数').check(z.minimum(1, '赔付顺序从1开始'), z.maximum(99, '赔付顺序最大99')), 1),
  ),
  overflow: field('续赔', z._default(z.boolean(), false)),
  shareGroups: z._default(shareGroups, []),
  waiveWaiting: field('豁免等待期', z._default(z.boolean(), false)),
});
const appended = appendedFacts.shape;

const productSeen = z.strictObject({
  id: idOut,
  productCode: z.string(),
  productName: z.string(),
  status: productStates.dictionary.schema,
});
/** A group of limits of the version that counts now, as the mapping offers it. */
const groupSeen = z.strictObject({ groupCode: z.string(), groupName: z.string(), text: z.string() });

export const queryAppendedProductList = productService.read({
  operation: 'queryAppendedProductList',
  label: '查询附加产品',
  access: may['product.view'],
  input: { mainProductId: field('主产品', id) },
  output: z.strictObject({
    main: z.strictObject({ ...productSeen.shape, payerName: z.string(), currentText: z.string(), groups: z.array(groupSeen) }),
    links: z.array(
      z.strictObject({
        ...appended,
        linkId: idOut,
        otherProductId: idOut,
        other: productSeen,
        otherGroups: z.array(groupSeen),
        status: linkStatuses.schema,
        version: z.int(),
      }),
    ),
  }),
});
/** Products that may hang on a main product: other ones of the same payer, themselves without riders, and their groups. */
export const queryAppendableProducts = productService.read({
  operation: 'queryAppendableProducts',
  label: '查询可附加的产品',
  access: may['product.view'],
  input: { mainProductId: field('主产品', id) },
  output: z.array(z.strictObject({ ...productSeen.shape, groups: z.array(groupSeen) })),
});
export const addAppendedProduct = productService.act({
  operation: 'addAppendedProduct',
  label: '新增附加产品',
  access: may['product.edit'],
  ...ADDED,
  input: { mainProductId: field('主产品', id), ...appended },
  output: saved,
});
export const modifyAppendedProduct = productService.act({
  operation: 'modifyAppendedProduct',
  label: '修改附加产品',
  access: may['product.edit'],
  ...CHANGED,
  input: { linkId: field('附加关系', id), version, ...appended },
  output: saved,
});
export const removeAppendedProduct = productService.act({
  operation: 'removeAppendedProduct',
  label: '解除附加产品',
  access: may['product.edit'],
  ...CHANGED,
  input: { linkId: field('附加关系', id), version },
  output: saved,
});

/** Every other relation between two products. */
export const associatedTypes = linkTypes.codes.filter((code) => code !== 'APPENDED');
export const associatedFacts = z.strictObject({
  otherProductId: field('关联产品', id),
  linkType: field('关联类型', z.enum(['RENEWAL_OF', 'UPGRADE_OF', 'EXCLUSIVE', 'BUNDLE', 'SUBSTITUTE'], '请选择关联类型')),
  ...dates,
  waiveWaiting: field('豁免等待期', z._default(z.boolean(), false)),
  maxGapDays: field(
    '最长间隔（天）',
    z._default(z.nullable(z.int('最长间隔须为整数').check(z.minimum(0, '最长间隔不能小于0'), z.maximum(365, '最长间隔最多365天'))), null),
  ),
});
const associated = associatedFacts.shape;

const associatedRow = z.strictObject({
  id: idOut,
  mainProductId: idOut,
  mainProductName: field('主产品', z.string(), { width: 220 }),
  linkType: field('关联类型', linkTypes.schema, { width: 100 }),
  otherProductId: idOut,
  otherProductName: field('关联产品', z.string(), { width: 220 }),
  summary: field('参数摘要', z.string(), { width: 220 }),
  effectiveFrom: field('生效日', dayOut),
  effectiveTo: field('失效日', z.nullable(dayOut)),
  waiveWaiting: z.boolean(),
  maxGapDays: z.nullable(z.int()),
  status: field('状态', linkStatuses.schema),
  updatedByName: field('更新人', z.nullable(z.string()), { width: 90 }),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
});
export type AssociatedRow = z.output<typeof associatedRow>;

export const queryAssociatedProductList = productService.list({
  operation: 'queryAssociatedProductList',
  label: '查询关联产品',
  access: may['product.view'],
  filter: {
    ...sortedBy('effectiveFrom', 'effectiveTo', 'updatedAt'),
    productId: field('产品', z.optional(id)),
    linkType: field('关联类型', z.optional(several(linkTypes.schema))),
    status: field('状态', z.optional(several(linkStatuses.schema))),
  },
  output: associatedRow,
});
export const exportAssociatedProduct = exportOf(queryAssociatedProductList, {
  operation: 'exportAssociatedProduct',
  label: '导出关联产品',
  access: may['product.view'],
});
export const addAssociatedProduct = productService.act({
  operation: 'addAssociatedProduct',
  label: '新增关联产品',
  access: may['product.edit'],
  ...ADDED,
  input: { mainProductId: field('主产品', id), ...associated },
  output: saved,
});
export const modifyAssociatedProduct = productService.act({
  operation: 'modifyAssociatedProduct',
  label: '修改关联产品',
  access: may['product.edit'],
  ...CHANGED,
  input: { linkId: field('关联关系', id), version, ...associated },
  output: saved,
});
export const removeAssociatedProduct = productService.act({
  operation: 'removeAssociatedProduct',
  label: '解除关联产品',
  access: may['product.edit'],
  ...CHANGED,
  input: { linkId: field('关联关系', id), version },
  output: saved,
});

export const queryProductGraph = productService.read({
  operation: 'queryProductGraph',
  label: '查询产品关系图',
  access: may['product.view'],
  input: { productId: field('产品', id) },
  output: z.strictObject({
    nodes: z.array(productSeen),
    edges: z.array(
      z.strictObject({ linkId: idOut, linkType: linkTypes.schema, mainProductId: idOut, otherProductId: idOut, summary: z.string() }),
    ),
  }),
});
