import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Writing } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { SYSTEM_USER } from '../../contract/im/ids.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { unseal } from '../../contract/im/vendor.ts';
import { imEngine } from '../im/engine.ts';
import { modifyMessage, recallMessage } from '../im/messages/changing.ts';
import { elements, messageOf } from './elements.ts';
import { vendorOf } from './mode.ts';
import { recordMessages, type VendorMessage } from './record.ts';
import { callVendor, VendorError } from './rest.ts';

const PAGE = 20;
/** The vendor keeps a week; a day more makes up for clocks. */
const DAYS = 8;
const NO_GROUP = 10_010;

const pulled = z.looseObject({
  IsFinished: z.optional(z.int()),
  RspMsgList: z.array(
    z.looseObject({
      From_Account: z.optional(z.string()),
      IsPlaceMsg: z.optional(z.int()),
      IsSystemMsg: z.optional(z.int()),
      MsgBody: z.optional(z.unknown()),
      MsgSeq: z.int(),
      MsgRandom: z.optional(z.int()),
      MsgTimeStamp: z.int(),
      CloudCustomData: z.optional(z.string()),
    }),
  ),
});
type Pulled = z.output<typeof pulled>['RspMsgList'][number];

interface Place {
  convId: string;
  groupId: string;
}

/**
 * What he pulled as a message of ours; a hole in his numbers, or a line of his own, becomes an empty line of ours, so that no number is
 * missing.
 */
export function vendorMessage(kernel: Kernel, found: Pulled): VendorMessage {
  const body = elements.safeParse(found.MsgBody);
  const admin = vendorOf(kernel)?.admin;
  const from = found.From_Account ?? '';
  const silent = found.IsPlaceMsg === 1 || found.IsSystemMsg === 1 || !body.success || body.data.length === 0;
  const sealed = silent ? null : unseal(found.CloudCustomData);
  return {
    seq: found.MsgSeq,
    senderId: silent || from === admin || from === '' ? SYSTEM_USER : from,
    vendorId: `${found.MsgSeq}-${found.MsgTimeStamp}-${found.MsgRandom ?? 0}`,
    ...(silent ? { type: messageTypes.TIP, payload: { text: '' } } : messageOf(body.data)),
    sealed,
    time: found.MsgTimeStamp,
  };
}

const pull = async (kernel: Kernel, groupId: string, upTo?: number): Promise<Pulled[]> =>
  (
    await callVendor(
      kernel,
      'group_open_http_svc/group_msg_get_simple',
      { GroupId: groupId, ReqMsgNumber: PAGE, ...(upTo === undefined ? {} : { ReqMsgSeq: upTo }), WithRecalledMsg: 1 },
      pulled,
    )
  ).RspMsgList;

/** Numbers up to this one that our record lacks, highest first. */
async function gaps(kernel: Kernel, convId: string, highest: number): Promise<number[]> {
  const { rows } = await sql<{ seq: string }>`
    select s.seq::text as seq
      from generate_series(1, ${highest}::bigint) s (seq)
      where not exists (select 1 from consultation_im_message m where m.conv_id = ${convId}::bigint and m.seq = s.seq)
      order by s.seq desc`.execute(kernel.db);
  return rows.map(({ seq }) => Number(seq));
}

/** Cards changed and messages recalled while we did not hear: what the newest page shows anew. */
async function showChanges(kernel: Kernel, writing: Writing, { convId, groupId }: Place, found: readonly Pulled[]): Promise<void> {
  const now = kernel.clock.now();
  const conv = { convId, groupId, userLow: null, userHigh: null };
  for (const one of found) {
    const { sealed, payload, type } = vendorMessage(kernel, one);
    const { rows } = await sql<{
      modifyVersion: number;
      revokedAt: string | null;
    }>`select modify_version, revoked_at from consultation_im_message where conv_id = ${convId}::bigint and seq = ${one.MsgSeq}`.execute(
      writing.tx,
    );
    const row = rows[0];
    if (!row || row.revokedAt !== null) continue;
    if (sealed && type === messageTypes.CUSTOM && sealed.modifyVersion > row.modifyVersion) {
      await modifyMessage(
        writing,
        imEngine(kernel),
        conv,
        { seq: one.MsgSeq, payload, cloudCustomData: sealed.custom, modifyVersion: row.modifyVersion },
        SYSTEM_USER,
        now,
      );
    }
  }
}

/** Takes from the vendor what our record of a group lacks. @returns how many messages were new. */
export async function compareGroup(kernel: Kernel, place: Place): Promise<number> {
  const write = <T>(work: (writing: Writing) => Promise<T>) => kernel.transactions.run('im', work);
  const newest = await pull(kernel, place.groupId).catch((error: unknown) => {
    if (error instanceof VendorError && error.code === NO_GROUP) return [];
    throw error;
  });
  const highest = Math.max(0, ...newest.map(({ MsgSeq }) => MsgSeq));
  const missing = new Set(await gaps(kernel, place.convId, highest));
  let count = 0;
  const keep = async (found: readonly Pulled[]) => {
    const wanted = found.filter(({ MsgSeq }) => missing.has(MsgSeq)).toSorted((a, b) => a.MsgSeq - b.MsgSeq);
    for (const { MsgSeq } of wanted) missing.delete(MsgSeq);
    if (wanted.length > 0)
      count += (
        await write((writing) =>
          recordMessages(
            kernel,
            writing,
            place.convId,
            wanted.map((one) => vendorMessage(kernel, one)),
          ),
        )
      ).length;
  };
  await keep(newest);
  await write((writing) => showChanges(kernel, writing, place, newest));
  while (missing.size > 0) {
    const top = Math.max(...missing);
    const found = await pull(kernel, place.groupId, top);
    await keep(found);
    // What he does not keep any more is gone for good; its number stays as an empty line.
    const lowest = Math.min(top, ...found.map(({ MsgSeq }) => MsgSeq));
    const time = found.at(-1)?.MsgTimeStamp ?? Math.floor(Date.parse(kernel.clock.now()) / 1000);
    const gone = [...missing].filter((seq) => found.length === 0 || seq >= lowest);
    await keep(gone.map((MsgSeq) => ({ MsgSeq, MsgTimeStamp: time, IsPlaceMsg: 1 })));
  }
  if (count > 0) kernel.count('im_messages_pulled');
  return count;
}

/** Recall that the vendor told of. */
export async function recallRecorded(kernel: Kernel, writing: Writing, place: Place, seq: number, by: string): Promise<boolean> {
  const outcome = await recallMessage(
    writing,
    imEngine(kernel),
    { ...place, userLow: null, userHigh: null },
    seq,
    { imUserId: by, reason: '' },
    kernel.clock.now(),
  );
  return !('refused' in outcome);
}

export const compareGroupJob = job<Place & Record<string, unknown>>({
  name: 'consultation.vendorCompareGroup',
  label: '核对会话消息（腾讯云）',
  subject: ({ groupId }) => groupId,
  run: async ({ convId, groupId }, { kernel }) => void (await compareGroup(kernel, { convId, groupId })),
});

/** Every group that spoke in the days that the vendor keeps, and those of which we heard nothing at all. */
export async function enqueueComparison(kernel: Kernel, writing: Writing): Promise<void> {
  if (!vendorOf(kernel)) return;
  const now = kernel.clock.now();
  const { rows } = await sql<Place>`
    select conv_id, group_id from consultation_im_conversation
     where group_id is not null
       and dissolved_at is null
       and (coalesce(last_message_at, created_at) > ${now}::timestamptz - make_interval(days => ${DAYS}))`.execute(writing.tx);
  for (const { convId, groupId } of rows) await writing.enqueue(compareGroupJob, { convId, groupId });
}

export const compareJob = job({
  name: 'consultation.vendorCompare',
  label: '核对全部会话消息（腾讯云）',
  cron: '20 3 * * *',
  run: (_data, { kernel, transaction }) => transaction((writing) => enqueueComparison(kernel, writing)),
});
