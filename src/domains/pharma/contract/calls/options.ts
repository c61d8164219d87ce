import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { id, several, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { optionOut } from './declare.ts';
import { agentService, drugService } from './services.ts';

const limit = field(
  '条数',
  z._default(
    z.pipe(
      z.union([z.number(), z.string()]),
      z.pipe(z.transform(Number), z.int('条数须为整数').check(z.minimum(1, '条数从1开始'), z.maximum(50, '最多50条'))),
    ),
    20,
  ),
);
const asked = { keyword: z.optional(text('关键字', 60)), ids: field('选项', z.optional(several(id))), limit };

/** Choices for the selects of other pages. */
export const queryDrugSelectOptions = drugService.read({
  operation: 'querySelectOptions',
  label: '查询药品选项',
  method: 'GET',
  access: access.session,
  input: {
    type: field('选项类型', z.enum(['COMPANY', 'LINE', 'MEDICINE', 'SKU', 'CATEGORY', 'DISEASE'], '选项类型不正确')),
    companyId: field('药企', z.optional(id)),
    ...asked,
  },
  output: z.array(optionOut),
});
export const queryAgentSelectOptions = agentService.read({
  operation: 'querySelectOptions',
  label: '查询代表选项',
  method: 'GET',
  access: access.session,
  input: {
    type: field('选项类型', z.enum(['AGENT'], '选项类型不正确')),
    companyId: field('药企', z.optional(id)),
    ...asked,
  },
  output: z.array(optionOut),
});
