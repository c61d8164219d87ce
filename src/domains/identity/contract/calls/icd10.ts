import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { several, text, textOrNull } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';

const service = declareService('SystemService');

export const queryIcd10List = service.read({
  operation: 'queryIcd10List',
  label: '查询疾病编码',
  access: access.session,
  input: {
    /** Beginning of a code, part of a name, or pinyin initials. */
    keyword: z.optional(text('关键字', 50)),
    codes: z.optional(several(text('编码', 12, 1), 200)),
  },
  output: z.array(z.strictObject({ code: z.string(), name: z.string(), parentCode: textOrNull })),
});
