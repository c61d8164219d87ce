import { query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { queryGetUserSign, queryImRuntime } from '../../contract/calls/runtime.ts';
import { imLimits, mediaRules } from '../../contract/im/limits.ts';
import { issueUserSig } from '../im/accounts/accounts.ts';
import { imEngine } from '../im/engine.ts';
import { meOf } from '../people/me.ts';
import { servingOf } from '../people/pool.ts';
import { imModeOf } from '../tencent/mode.ts';
import { iceServersFor } from '../videos/ice.ts';

const SOCKET_PATH = '/im';
const TEXT_LENGTH = 4_000;

/** The chat itself asks only who somebody is; everything that he may do there is judged by the store. */
export const userHandlers = (kernel: Kernel): readonly Handler[] => [
  // A sign dies with the session; who goes on working gets a new one before that.
  query(queryGetUserSign, async (_input, ctx) => issueUserSig(kernel, (await meOf(ctx.db, ctx)).imUserId, ctx.staff.sessionEndsAt)),
  query(queryImRuntime, async (_input, ctx) => {
    const me = await meOf(ctx.db, ctx);
    return {
      mode: imModeOf(kernel),
      socketPath: SOCKET_PATH,
      iceServers: iceServersFor(kernel, me.imUserId, ctx.now),
      recallSec: imEngine(kernel).limits.recallSec,
      limits: {
        messageBytes: imLimits.messageBytes,
        textLength: TEXT_LENGTH,
        imageBytes: mediaRules.image.bytes,
        fileBytes: mediaRules.file.bytes,
      },
      assistant: {
        assistantId: me.assistantId,
        operatorId: me.operatorId,
        name: me.name,
        duty: me.state,
        serving: await servingOf(ctx.db, me.assistantId),
        maxConcurrent: me.maxConcurrent,
        supervisor: me.supervisor,
      },
    };
  }),
];
