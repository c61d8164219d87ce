import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { assistantBrief, gateway, host } from './shared.ts';
import { iceServers } from './videos.ts';

const service = 'ImUserService';
const send = access.permission(may['chat.send']);

/** Sign of the assistant's chat account; exactly these fields. Source: the specification. */
export const queryGetUserSign = call({
  host: gateway,
  service,
  operation: 'queryGetUserSign',
  kind: 'query',
  shape: 'data',
  label: '登录医助工作台',
  access: send,
  input: z.strictObject({}),
  output: z.strictObject({ userID: z.string(), userSig: z.string(), sdkAppID: z.int() }),
});
export const queryImRuntime = call({
  host,
  service,
  operation: 'queryImRuntime',
  kind: 'query',
  shape: 'data',
  label: '查看工作台配置',
  access: send,
  input: z.strictObject({}),
  output: z.strictObject({
    mode: z.enum(['EMBEDDED', 'TENCENT']),
    socketPath: z.string(),
    iceServers,
    recallSec: z.int(),
    limits: z.strictObject({ messageBytes: z.int(), textLength: z.int(), imageBytes: z.int(), fileBytes: z.int() }),
    assistant: assistantBrief,
  }),
});
