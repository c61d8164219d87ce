import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { several, text, textOrNull } from '#kernel/contract/fields.ts';

const service = 'SystemService';

export const queryIcd10List = call({
  host: 'admin',
  service,
  operation: 'queryIcd10List',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({
    /** Beginning of a code, part of a name, or pinyin initials. */
    keyword: z.optional(text('关键字', 50)),
    codes: z.optional(several(text('编码', 12, 1), 200)),
  }),
  output: z.array(z.strictObject({ code: z.string(), name: z.string(), parentCode: textOrNull })),
  access: access.session,
  label: '查询疾病编码',
});
