import * as z from 'zod/mini';
import { declareService, nothing } from '#kernel/contract/service.ts';
import { access } from '#kernel/contract/call.ts';
import { id, instant, opinion, textOrNull, personName, wholeText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { loginMethods, sessionEndReasons } from '../dictionaries.ts';
import { identityPermissions as may } from '../permissions.ts';
import { sessionStates } from '../states.ts';
import { at, atOrNull } from './shared.ts';

const service = declareService('UserSessionService');

export const querySessionList = service.list({
  operation: 'querySessionList',
  label: '查询在线会话',
  access: access.owner(may['session.view']),
  filter: {
    /** The caller's own sessions: needs no permission. */
    mine: field('只看本人', z.optional(z.boolean())),
    userId: field('用户', z.optional(id)),
    displayName: z.optional(personName('姓名', 20)),
    ip: z.optional(wholeText('IP', 64)),
    state: z.optional(sessionStates.dictionary.schema),
    from: field('开始时间', z.optional(instant)),
    to: field('结束时间', z.optional(instant)),
  },
  output: z.strictObject({
    id: z.string(),
    userId: z.string(),
    displayName: field('姓名', z.string()),
    opNo: z.string(),
    method: field('登录方式', loginMethods.schema),
    state: sessionStates.dictionary.schema,
    endReason: z.nullable(sessionEndReasons.schema),
    endedAt: atOrNull,
    issuedAt: field('登录时间', at),
    lastSeenAt: field('最近活动', at),
    expiresAt: at,
    ip: field('IP', textOrNull),
    deviceLabel: field('设备', textOrNull),
    current: z.boolean(),
  }),
});

export const removeSession = service.act({
  operation: 'removeSession',
  label: '强制下线',
  access: access.owner(may['session.kick']),
  log: 'AUTH',
  message: '下线成功!',
  input: { sessionId: field('会话', id), opinion: z.optional(opinion) },
  output: nothing,
});
