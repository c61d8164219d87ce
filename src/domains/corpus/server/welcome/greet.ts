import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import type { PayloadOf } from '#kernel/contract/event.ts';
import type { Tx } from '#kernel/server/context.ts';
import { codeScanned } from '#events/channel.ts';
import type { conversationOpened } from '#events/consultation.ts';
import { scansOf } from '#domains/channel/server/index.ts';
import type { WelcomeTrigger } from '../../contract/welcome/dictionaries.ts';
import { anyUnits } from '../facts/units.ts';
import { planMessage } from './plan.ts';

/** Who came longer ago than this is not greeted any more, such as where events were held up. */
const STALE = hours(1);

interface Reacting {
  tx: Tx;
  now: Instant;
}

const isStale = (at: Instant, now: Instant) => plusMs(at, STALE) < now;
/** Once per act, conversation and patient (R13). */
const keyOf = (trigger: WelcomeTrigger, conversationId: string, patientId: string) => `FW:${trigger}:${conversationId}:${patientId}`;

/** A conversation began: its patient is greeted in it, the first time. */
export async function greetOpened(ctx: Reacting, opened: PayloadOf<typeof conversationOpened>): Promise<void> {
  if (!opened.first || isStale(opened.at, ctx.now)) return;
  const triggerType = opened.kind === 'C2C' ? 'SINGLE_OPEN' : 'GROUP_CREATED';
  const { conversationId, patientId, doctorId } = opened;
  // The channel is that of the code which brought him.
  const [scan] = await scansOf(ctx.tx, { patientId });
  await planMessage(ctx, {
    triggerType,
    patientId,
    conversationId,
    doctorId,
    channelId: scan?.channelId ?? null,
    dedupeKey: keyOf(triggerType, conversationId, patientId),
  });
}

/**
 * Somebody who has a conversation scanned a code: he is greeted where the code leads, with its doctor, else where he is written to.
 * Who has none yet is greeted when it opens.
 */
async function greetScanned(ctx: Reacting, scan: PayloadOf<typeof codeScanned>): Promise<void> {
  const { patientId, doctorId } = scan;
  if (patientId === null || isStale(scan.at, ctx.now)) return;
  const units = (await anyUnits(ctx.tx, [patientId])).get(patientId) ?? [];
  const unit =
    units.find((one) => doctorId !== null && one.doctorId === doctorId) ??
    units.find(({ groupId, desk }) => groupId === null && !desk) ??
    units.find(({ desk }) => !desk) ??
    units[0];
  if (!unit) return;
  await planMessage(ctx, {
    triggerType: 'CHANNEL_SCAN',
    patientId,
    conversationId: unit.conversationId,
    channelId: scan.channelId,
    doctorId,
    serviceItemId: scan.itemId,
    diseaseId: scan.diseaseId,
    dedupeKey: keyOf('CHANNEL_SCAN', unit.conversationId, patientId),
  });
}

export const scanConsumer = consumer('corpus', codeScanned, ({ payload }, ctx) => greetScanned(ctx, payload));
