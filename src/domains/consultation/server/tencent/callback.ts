import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { refuse } from '#kernel/contract/errors.ts';
import { refusalOf } from '#kernel/server/http/answer.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { textOfRefusal, vendorRefusal } from '../../contract/im/vendor.ts';
import { afterCommands } from './after.ts';
import { judgeBefore } from './before.ts';
import { vendorOf } from './mode.ts';

/** The vendor signs a time; an older one was overheard. */
const FRESH_SECONDS = 300;

const query = z.looseObject({ SdkAppid: z.string(), Sign: z.string(), RequestTime: z.string().check(z.regex(/^\d{9,11}$/)) });
const body = z.looseObject({ CallbackCommand: z.string() });

/** `Sign` is the SHA-256 of the token and the time, as the vendor's console offers it. */
export function isSigned(kernel: Kernel, queryString: unknown): boolean {
  const vendor = vendorOf(kernel);
  const facts = query.safeParse(queryString);
  if (!vendor || !facts.success || facts.data.SdkAppid !== String(vendor.sdkAppId)) return false;
  const { Sign, RequestTime } = facts.data;
  if (Math.abs(Date.parse(kernel.clock.now()) / 1000 - Number(RequestTime)) > FRESH_SECONDS) return false;
  const right = Buffer.from(createHash('sha256').update(`${vendor.callbackToken}${RequestTime}`).digest('hex'));
  const given = Buffer.from(Sign.toLowerCase());
  return right.length === given.length && timingSafeEqual(right, given);
}

const acknowledged = (code = 0, info = '') => ({ ActionStatus: 'OK', ErrorInfo: info, ErrorCode: code });

async function answerTo(kernel: Kernel, notification: z.output<typeof body>): Promise<object> {
  const before =
    notification.CallbackCommand === 'Group.CallbackBeforeSendMsg'
      ? 'GROUP'
      : notification.CallbackCommand === 'C2C.CallbackBeforeSendMsg'
        ? 'C2C'
        : null;
  if (before === null) {
    await afterCommands[notification.CallbackCommand]?.(kernel, notification);
    return acknowledged();
  }
  try {
    const refused = await judgeBefore(kernel, before, notification);
    return refused ? acknowledged(vendorRefusal(refused.refused, before), refused.message) : acknowledged();
  } catch (error) {
    // Without a judgement nothing may pass.
    kernel.log.error({ error }, 'a message at the chat vendor could not be judged');
    return acknowledged(vendorRefusal('STORE_FAILED', before), textOfRefusal('STORE_FAILED'));
  }
}

/**
 * `POST {gateway}/ImCallbackService/notify`: what the vendor asks before a message is sent and tells after it. No session and no
 * envelope; it counts by its signature.
 */
export function registerCallback(app: FastifyInstance, kernel: Kernel): void {
  app.post(`${kernel.config.prefixes.gateway}/ImCallbackService/notify`, async (request, reply) => {
    const notification = body.safeParse(request.body);
    if (!isSigned(kernel, request.query) || !notification.success)
      return reply.status(403).send(refusalOf(refuse(errors.CALLBACK_SIGNATURE), ''));
    return reply.header('Cache-Control', 'no-store').send(await answerTo(kernel, notification.data));
  });
}
