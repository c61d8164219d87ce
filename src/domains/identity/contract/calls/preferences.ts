import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';

// In a file of its own: every page loads it with the shell, and nothing else of the system's services.
const service = declareService('SystemService');

const preferenceKey = field(
  '设置项',
  z.string('缺少设置项').check(z.regex(/^(theme|(table|views):[A-Za-z0-9_.:\-/]{1,80})$/, '设置项不正确')),
);

export const queryUserPreference = service.read({
  operation: 'queryUserPreference',
  label: '查询个人设置',
  access: access.session,
  input: { key: field('设置项', z.optional(preferenceKey)) },
  /** The value of the key, or all values by key. */
  output: z.strictObject({ value: z.unknown() }),
});

export const modifyUserPreference = service.act({
  operation: 'modifyUserPreference',
  label: '保存个人设置',
  access: access.session,
  input: { key: preferenceKey, value: field('设置值', z.unknown()) },
  output: z.strictObject({ value: z.unknown() }),
});
