import * as z from 'zod/mini';
import { instantOf } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { groupConversation, roleOf, singleConversation, SYSTEM_USER, USER_ID } from '../../contract/im/ids.ts';
import { unseal } from '../../contract/im/vendor.ts';
import { ownTx } from '../database.ts';
import { imEngine } from '../im/engine.ts';
import { addMembers, ensureSingleChat, removeMembers } from '../im/conversations/groups.ts';
import { recallMessage } from '../im/messages/changing.ts';
import { wish } from './before.ts';
import { compareGroupJob, recallRecorded } from './compare.ts';
import { messageOf } from './elements.ts';
import { vendorOf } from './mode.ts';
import { recordMessages } from './record.ts';

const PATIENCE_MS = 5_000;
const sent = z.extend(wish, {
  MsgSeq: z.optional(z.int()),
  MsgTime: z.int(),
  MsgId: z.optional(z.string()),
  MsgKey: z.optional(z.string()),
  Random: z.optional(z.int()),
  SendMsgResult: z.optional(z.int()),
});
const recalled = z.looseObject({
  GroupId: z.string(),
  Operator_Account: z.optional(z.string()),
  MsgSeqList: z.array(z.looseObject({ MsgSeq: z.int() })),
});
const withdrawn = z.looseObject({ From_Account: z.string(), To_Account: z.string(), MsgKey: z.string() });
const account = z.array(z.looseObject({ Member_Account: z.string() }));
const joined = z.looseObject({ GroupId: z.string(), Operator_Account: z.optional(z.string()), NewMemberList: account });
const left = z.looseObject({ GroupId: z.string(), Operator_Account: z.optional(z.string()), ExitMemberList: account });

type Hear = (kernel: Kernel, body: unknown) => Promise<void>;
const write = <T>(kernel: Kernel, work: (writing: Writing) => Promise<T>): Promise<T> => kernel.transactions.run('im', work);
const senderOf = (kernel: Kernel, from: string): string => (from === vendorOf(kernel)?.admin ? SYSTEM_USER : from);
const groupOf = (kernel: Kernel, groupId: string) => imEngine(kernel).names.find(kernel.db, SYSTEM_USER, groupConversation(groupId));
const laterOf = (kernel: Kernel) => instantOf(Date.parse(kernel.clock.now()) + PATIENCE_MS);

/** A hole may be filled by a callback that is on its way; the comparison waits for it. */
const lookAgain = (kernel: Kernel, writing: Writing, place: { convId: string; groupId: string }) =>
  writing.enqueue(compareGroupJob, { ...place }, { startAfter: laterOf(kernel) });

const groupMessage: Hear = async (kernel, body) => {
  const message = sent.parse(body);
  const { GroupId: groupId = '', MsgSeq: seq } = message;
  const conv = await groupOf(kernel, groupId);
  if (!conv || seq === undefined || message.OnlineOnlyFlag === 1) return;
  await write(kernel, async (writing) => {
    const { lastSeq } = await ownTx(writing.tx)
      .selectFrom('consultationImConversation')
      .select('lastSeq')
      .where('convId', '=', conv.convId)
      .executeTakeFirstOrThrow();
    await recordMessages(kernel, writing, conv.convId, [
      {
        seq,
        senderId: senderOf(kernel, message.From_Account),
        vendorId: message.MsgId ?? `${seq}-${message.MsgTime}-${message.Random ?? 0}`,
        ...messageOf(message.MsgBody),
        sealed: unseal(message.CloudCustomData),
        time: message.MsgTime,
      },
    ]);
    if (seq > Number(lastSeq) + 1) await lookAgain(kernel, writing, { convId: conv.convId, groupId });
  });
};

const singleMessage: Hear = async (kernel, body) => {
  const message = sent.parse(body);
  const { From_Account: from, To_Account: to = '' } = message;
  if (message.OnlineOnlyFlag === 1 || (message.SendMsgResult ?? 0) !== 0) return;
  const [assistant, patient] = roleOf(from) === 'ASSISTANT' ? [from, to] : [to, from];
  if (roleOf(assistant) !== 'ASSISTANT' || roleOf(patient) !== 'PATIENT') return;
  await write(kernel, async (writing) => {
    const convId = await ensureSingleChat(kernel, writing, assistant, patient, kernel.clock.now());
    await recordMessages(kernel, writing, convId, [
      {
        seq: null,
        senderId: from,
        vendorId: message.MsgKey ?? message.MsgId ?? '',
        ...messageOf(message.MsgBody),
        sealed: unseal(message.CloudCustomData),
        time: message.MsgTime,
      },
    ]);
  });
};

const groupRecall: Hear = async (kernel, body) => {
  const recall = recalled.parse(body);
  const conv = await groupOf(kernel, recall.GroupId);
  if (!conv) return;
  const place = { convId: conv.convId, groupId: recall.GroupId };
  await write(kernel, async (writing) => {
    for (const { MsgSeq } of recall.MsgSeqList) {
      const by = senderOf(kernel, recall.Operator_Account ?? '');
      if (!(await recallRecorded(kernel, writing, place, MsgSeq, by || SYSTEM_USER))) await lookAgain(kernel, writing, place);
    }
  });
};

const singleRecall: Hear = async (kernel, body) => {
  const { From_Account: from, To_Account: to, MsgKey } = withdrawn.parse(body);
  const conv = await imEngine(kernel).names.find(kernel.db, from, singleConversation(to));
  if (!conv) return;
  await write(kernel, async (writing) => {
    const row = await ownTx(writing.tx)
      .selectFrom('consultationImMessage')
      .select('seq')
      .where('convId', '=', conv.convId)
      .where('vendorId', '=', MsgKey)
      .executeTakeFirst();
    if (row) await recallMessage(writing, imEngine(kernel), conv, Number(row.seq), { imUserId: from, reason: '' }, kernel.clock.now());
  });
};

/** Members that somebody changed at the vendor himself; what we changed there we know. */
const members =
  (list: 'join' | 'leave'): Hear =>
  async (kernel, body) => {
    const membership = list === 'join' ? joined.parse(body) : left.parse(body);
    const accounts = (
      'NewMemberList' in membership
        ? (membership.NewMemberList as z.output<typeof account>)
        : (membership.ExitMemberList as z.output<typeof account>)
    ).map(({ Member_Account }) => Member_Account);
    const conv = membership.Operator_Account === vendorOf(kernel)?.admin ? null : await groupOf(kernel, membership.GroupId);
    const wanted = accounts.filter((id) => USER_ID.test(id) && roleOf(id) === 'ASSISTANT');
    if (!conv || wanted.length === 0) return;
    await write(kernel, async (writing) => {
      const known = await ownTx(writing.tx).selectFrom('consultationImUser').select('imUserId').where('imUserId', 'in', wanted).execute();
      const ids = known.map(({ imUserId }) => imUserId);
      if (list === 'join') await addMembers(kernel, writing, conv.convId, ids, {}, kernel.clock.now());
      else await removeMembers(kernel, writing, conv.convId, ids, kernel.clock.now());
    });
  };

/** What the vendor tells afterwards, by his commands; each may come twice, late, or not at all. */
export const afterCommands: Readonly<Record<string, Hear>> = {
  'Group.CallbackAfterSendMsg': groupMessage,
  'C2C.CallbackAfterSendMsg': singleMessage,
  'Group.CallbackAfterRecallMsg': groupRecall,
  'C2C.CallbackAfterMsgWithDraw': singleRecall,
  'Group.CallbackAfterNewMemberJoin': members('join'),
  'Group.CallbackAfterMemberExit': members('leave'),
};
