import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, text } from '#kernel/contract/fields.ts';
import { productLines, productTypes } from '../businessLines.ts';

/** What a product is, apart from its versions. */
export const productFacts = z.strictObject({
  productCode: field(
    '产品编码',
    z.string('请输入产品编码').check(z.trim(), z.regex(/^[A-Z0-9_-]{4,32}$/, '产品编码须为4-32位大写字母、数字、下划线或连字符')),
  ),
  productName: text('产品名称', 60, 1),
  shortName: text('产品简称', 20, 1),
  productLine: field('业务线', productLines.schema),
  productType: field('产品类型', productTypes.schema),
  insurerId: field('保司', z.nullable(id)),
  sponsorName: field('出资企业', z.nullable(text('出资企业', 60, 1))),
  pharmaCompanyId: field('药企', z.nullable(id)),
  adcodes: field('销售地区', z.array(z.string().check(z.regex(/^\d{6}$/, '销售地区不正确'))).check(z.maxLength(400))),
  ownerUserId: field('产品经理', z.nullable(id)),
});
export type ProductFacts = z.output<typeof productFacts>;
