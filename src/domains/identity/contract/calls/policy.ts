import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { opinion, textOrNull, version, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { identityPermissions as may } from '../permissions.ts';
import { policyDefaults, policyFields } from '../policy.ts';
import { at } from './shared.ts';

const service = 'SecurityPolicyService';
type Key = keyof typeof policyDefaults;

const numberOrFlag = z.union([z.int(), z.boolean()]);
// Ranges are refused by the server with SCM01060 naming the field, so the schema fixes the types alone.
const fields = Object.fromEntries(
  (Object.keys(policyDefaults) as Key[]).map((key) => [
    key,
    field(policyFields[key].label, typeof policyDefaults[key] === 'boolean' ? z.boolean() : int4()),
  ]),
) as { [K in Key]: (typeof policyDefaults)[K] extends boolean ? z.ZodMiniBoolean<boolean> : ReturnType<typeof int4> };

const view = z.strictObject({
  ...fields,
  version: z.number(),
  updatedAt: at,
  updatedByName: textOrNull,
  defaults: z.record(z.string(), numberOrFlag),
});

export const querySecurityPolicy = call({
  host: 'admin',
  service,
  operation: 'querySecurityPolicy',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({}),
  output: view,
  access: access.permission(may['policy.view']),
  label: '查询安全策略',
});

export const modifySecurityPolicy = call({
  host: 'admin',
  service,
  operation: 'modifySecurityPolicy',
  shape: 'data',
  kind: 'command',
  message: '修改成功!',
  input: z.strictObject({ version, opinion, ...z.partial(z.strictObject(fields)).shape }),
  output: view,
  access: access.permission(may['policy.edit']),
  label: '修改安全策略',
});
