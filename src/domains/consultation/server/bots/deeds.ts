import { sql } from 'kysely';
import { minutes } from '#kernel/contract/time.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { systemDeed, type Deed } from '../deed.ts';
import { imEngine } from '../im/engine.ts';
import { answerInvite } from '../im/sockets/invites.ts';
import { endInquiry, wasAnswered } from '../inquiries/close.ts';
import { lockInquiry, type LockedInquiry } from '../inquiries/rows.ts';
import { acceptInquiry } from '../inquiries/serve.ts';
import { mayRate, rate } from '../participants/rate.ts';
import type { Scene } from './scenes.ts';
import { delayOf } from './script.ts';
import type { Voice } from './voice.ts';

const ACCEPT_MS = 20_000;
const NO_VIDEO = '现在不方便视频，请打开参与链接测试';
const RATE_MS = minutes(1);
const RATE_WITHIN_MS = minutes(30);

/** Acts on an inquiry in somebody's name. */
async function act(
  context: JobContext,
  serverId: string,
  name: (locked: LockedInquiry) => string,
  work: (ctx: Deed & { actorName: string }, locked: LockedInquiry) => Promise<unknown>,
): Promise<void> {
  await context.transaction(async (writing) => {
    const locked = await lockInquiry(writing.tx, serverId);
    await work({ ...systemDeed(writing, context), actorName: name(locked) }, locked);
  });
}
const since = (context: JobContext, at: string | null): number => (at === null ? 0 : Date.parse(context.now) - Date.parse(at));

/** A doctor accepts within the minute. */
export async function acceptAsDoctor(context: JobContext, { serverId, statusAt }: Scene): Promise<void> {
  if (serverId === null || since(context, statusAt) < ACCEPT_MS) return;
  await act(
    context,
    serverId,
    ({ inquiry }) => `${inquiry.doctorName}医生`,
    async (ctx, locked) => {
      const { serverStatus, acceptDueAt } = locked.inquiry;
      if (serverStatus === '1' && (acceptDueAt === null || acceptDueAt >= ctx.now)) await acceptInquiry(ctx, locked);
    },
  );
}

/** A patient agrees that it is over. */
export async function confirmEnd(context: JobContext, { serverId, statusAt, convId, lastSeq }: Scene): Promise<void> {
  if (serverId === null || since(context, statusAt) < delayOf(convId, lastSeq)) return;
  await act(
    context,
    serverId,
    ({ inquiry }) => inquiry.patientName,
    async (ctx, locked) => {
      if (locked.inquiry.serverStatus === '3' && wasAnswered(locked.inquiry)) await endInquiry(ctx, locked, 'confirmEnd', 'PATIENT');
    },
  );
}

/** And rates what ended while he was played. */
export async function rateAsPatient(context: JobContext, { unratedId, unratedSince }: Scene): Promise<void> {
  const passed = since(context, unratedSince);
  if (unratedId === null || passed < RATE_MS || passed > RATE_WITHIN_MS) return;
  await act(
    context,
    unratedId,
    ({ inquiry }) => inquiry.patientName,
    async (ctx, locked) => {
      if (mayRate(locked.inquiry, ctx.now))
        await rate(ctx, locked, {
          stars: Number(BigInt(unratedId) % 3n) === 0 ? 4 : 5,
          tags: ['PROMPT', 'CLEAR'],
          text: '回复及时，讲得很清楚',
        });
    },
  );
}

/** Bots take no calls. */
export async function refuseCalls(context: JobContext, voice: Voice, scenes: readonly Scene[]): Promise<void> {
  const byConv = new Map(scenes.map((scene) => [scene.convId, scene]));
  if (byConv.size === 0) return;
  const { rows } = await sql<{ inviteId: string; convId: string; invitees: string[]; answered: Record<string, string> }>`
    select invite_id, conv_id, invitees, answered
      from consultation_im_invite
      where state = 'OPEN' and conv_id = any(${[...byConv.keys()]}::bigint[])`.execute(context.db);
  for (const { inviteId, convId, invitees, answered } of rows) {
    const scene = byConv.get(convId)!;
    const played = [scene.patientReal ? null : scene.patientUser, scene.doctorReal ? null : scene.doctorUser].filter(
      (user) => user !== null,
    );
    for (const bot of invitees.filter((id) => played.includes(id) && answered[id] === undefined)) {
      await context.transaction((writing) => answerInvite(imEngine(context.kernel), writing, bot, inviteId, 'REJECTED', context.now));
      if (bot === scene.patientUser) await voice.say(scene, bot, `call:${inviteId}`, { payload: { text: NO_VIDEO } });
    }
  }
}
