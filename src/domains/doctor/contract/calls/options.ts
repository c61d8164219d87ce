import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { id, idOut, several, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';

const service = declareService('DoctorInfoService');

/** What pickers ask, apart from the calls of doctors: lists whose filters pick a record would load all of those. */
export const querySelectOptions = service.read({
  operation: 'querySelectOptions',
  label: '查询医生选项',
  method: 'GET',
  access: access.session,
  input: {
    type: field('选项类型', z.enum(['DOCTOR', 'ASSISTANT', 'ITEM', 'CATEGORY', 'DISEASE'], '选项类型不正确')),
    keyword: z.optional(text('关键字', 50)),
    ids: field('选项', z.optional(several(id, 50))),
    limit: field(
      '条数',
      z._default(
        z.pipe(
          z.union([z.number(), z.string()]),
          z.pipe(z.transform(Number), z.int('条数不正确').check(z.minimum(1, '条数不正确'), z.maximum(50, '最多50条'))),
        ),
        20,
      ),
    ),
  },
  output: z.array(z.strictObject({ value: idOut, label: z.string(), extra: z.record(z.string(), z.unknown()) })),
});
