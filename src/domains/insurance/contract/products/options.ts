import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { id, several, text } from '#kernel/contract/fields.ts';
import { declareService, optionOut } from '#kernel/contract/service.ts';
import { productLines, productTypes } from '../businessLines.ts';

export const productService = declareService('InsuranceProductService', 'product');

/** Choices for the selects of other pages; plans and benefits are those of a product's version in force, or of the named one. */
export const queryProductOptions = productService.read({
  operation: 'querySelectOptions',
  label: '查询保险产品选项',
  method: 'GET',
  access: access.session,
  input: {
    type: field(
      '选项类型',
      z._default(
        z.enum(['INSURER', 'PRODUCT', 'PLAN', 'BENEFIT', 'REASON', 'FORMULARY', 'ENTITLEMENT', 'DRUGSTORE'], '选项类型不正确'),
        'PRODUCT',
      ),
    ),
    productCode: z.optional(text('产品编码', 32)),
    productType: field('产品类型', z.optional(productTypes.schema)),
    productLine: field('业务线', z.optional(several(productLines.schema))),
    productVersionId: field('产品版本', z.optional(id)),
    keyword: z.optional(text('关键字', 60)),
    ids: field('选项', z.optional(several(id))),
  },
  output: z.array(optionOut),
});
