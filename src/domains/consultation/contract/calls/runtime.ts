import * as z from 'zod/mini';
import { declareService } from '#kernel/contract/service.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { assistantBrief } from './shared.ts';
import { iceServers } from './rooms.ts';

const service = declareService('ImUserService');
const gateway = declareService('ImUserService', 'gateway');
const send = may['chat.send'];

/** Sign of the assistant's chat account; exactly these fields. Source: the specification. */
export const queryGetUserSign = gateway.read({
  operation: 'queryGetUserSign',
  label: '登录医助工作台',
  access: send,
  input: {},
  output: z.strictObject({ userID: z.string(), userSig: z.string(), sdkAppID: z.int() }),
});
export const queryImRuntime = service.read({
  operation: 'queryImRuntime',
  label: '查看工作台配置',
  access: send,
  input: {},
  output: z.strictObject({
    mode: z.enum(['EMBEDDED', 'TENCENT']),
    socketPath: z.string(),
    iceServers,
    recallSec: z.int(),
    limits: z.strictObject({ messageBytes: z.int(), textLength: z.int(), imageBytes: z.int(), fileBytes: z.int() }),
    assistant: assistantBrief,
  }),
});
