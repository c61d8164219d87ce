import * as z from 'zod/mini';
import { opinion, textOrNull, version, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { identityPermissions as may } from '../permissions.ts';
import { policyDefaults, policyFields } from '../policy.ts';
import { at } from './shared.ts';

const service = declareService('SecurityPolicyService');
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

export const querySecurityPolicy = service.read({
  operation: 'querySecurityPolicy',
  label: '查询安全策略',
  access: may['policy.view'],
  input: {},
  output: view,
});

export const modifySecurityPolicy = service.act({
  operation: 'modifySecurityPolicy',
  label: '修改安全策略',
  access: may['policy.edit'],
  message: '修改成功!',
  input: { version, opinion, ...z.partial(z.strictObject(fields)).shape },
  output: view,
});
