import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { id, instant, opinion, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { apiKeyStates, apiParties } from '../dictionaries.ts';
import { identityPermissions as may } from '../permissions.ts';
import { apiClientStates } from '../states.ts';
import { atOrNull, at, scopeIn, scopeOut } from './shared.ts';

const service = declareService('ApiClientService');

const row = z.strictObject({
  id: z.string(),
  clientId: field('clientId', z.string()),
  name: field('名称', z.string()),
  party: field('类型', apiParties.schema),
  partyId: textOrNull,
  /** Name of the insurer or chain; null for parties without one. */
  partyName: field('对应单位', textOrNull),
  keys: field('密钥', z.array(z.strictObject({ keyId: z.string(), state: apiKeyStates.schema, expiresAt: atOrNull, createdAt: at }))),
  permissions: field('权限', z.array(z.string())),
  scope: scopeOut,
  ipAllow: field('IP白名单', z.array(z.string())),
  ratePerMin: field('每分钟上限', z.number()),
  state: apiClientStates.dictionary.schema,
  version: z.number(),
  todayCalls: field('今日调用', z.number()),
  todayFailed: field('失败', z.number()),
  lastUsedAt: field('最近调用', atOrNull),
  createdAt: at,
});
/** The secret is shown once. */
const withSecret = z.strictObject({ client: row, keyId: z.string(), secret: z.string() });

export const queryApiClientList = service.list({
  operation: 'queryApiClientList',
  label: '查询系统调用方',
  access: may['apiClient.view'],
  filter: {
    name: z.optional(text('名称', 50)),
    party: field('类型', z.optional(apiParties.schema)),
    state: z.optional(apiClientStates.dictionary.schema),
  },
  output: row,
});
export type ApiClient = OutputOf<typeof queryApiClientList>;

/** What may be given to machine callers, with the calls that it opens. */
export const queryApiRightList = service.read({
  operation: 'queryApiRightList',
  label: '查询系统调用权限',
  access: may['apiClient.view'],
  input: {},
  output: z.array(
    z.strictObject({
      permission: z.string(),
      label: z.string(),
      parties: z.array(apiParties.schema),
      calls: z.array(z.strictObject({ path: z.string(), label: z.string() })),
    }),
  ),
});

const address = z
  .string()
  .check(z.trim(), z.regex(/^[0-9a-fA-F.:]{2,45}(\/\d{1,3})?$/, { error: ({ input }) => `IP白名单格式不正确：${String(input)}` }));
/** A machine has no rows of its own person. */
const machineScope = scopeIn.check(between(['own'], ({ own }) => !own, '系统调用方不能限制为仅本人数据'));
const body = {
  name: text('名称', 50, 1),
  party: field('类型', apiParties.schema),
  /** The insurer or chain whose rows it reaches. */
  partyId: field('对应单位', z.optional(z.nullable(id))),
  permissions: z.array(text('权限编码', 100, 1)).check(z.maxLength(200, '最多选择200个权限')),
  scope: z._default(machineScope, { own: false, region: null, insurer: null, channel: null }),
  ipAllow: field('IP白名单', z.array(address).check(z.maxLength(50, '最多填写50个IP白名单'))),
  ratePerMin: field(
    '每分钟调用上限',
    z.int('每分钟调用上限须为整数').check(z.minimum(1, '每分钟调用上限至少为1'), z.maximum(100_000, '每分钟调用上限最大为100000')),
  ),
};

export const addApiClient = service.act({
  operation: 'addApiClient',
  label: '新增系统调用方',
  access: may['apiClient.edit'],
  message: '新增成功!',
  secretOutput: true,
  input: body,
  output: withSecret,
});

export const modifyApiClient = service.act({
  operation: 'modifyApiClient',
  label: '修改系统调用方',
  access: may['apiClient.edit'],
  message: '修改成功!',
  input: {
    id,
    version,
    name: z.optional(body.name),
    party: field('类型', z.optional(body.party)),
    partyId: body.partyId,
    permissions: z.optional(body.permissions),
    scope: z.optional(machineScope),
    ipAllow: field('IP白名单', z.optional(body.ipAllow)),
    ratePerMin: field('每分钟调用上限', z.optional(body.ratePerMin)),
    action: field('操作', z.optional(z.enum(['disable', 'enable'], '操作不正确'))),
    opinion: z.optional(opinion),
  },
  output: row,
});

/** Adds a key; the older one works until the chosen time, seven days at most. */
export const rotateApiKey = service.act({
  operation: 'rotateApiKey',
  label: '轮换系统调用方密钥',
  access: may['apiClient.edit'],
  log: 'AUTH',
  input: { id, version, oldKeyExpiresAt: field('旧密钥失效时间', instant) },
  output: withSecret,
});
