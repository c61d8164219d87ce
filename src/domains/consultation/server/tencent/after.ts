import * as z from 'zod/mini';
import { instantOf } from '../../../../kernel/contract/time.ts';
import type { Writing } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { groupConversation, roleOf, singleConversation, SYSTEM_USER, USER_ID } from '../../contract/im/ids.ts';
import { unseal } from '../../contract/im/vendor.ts';
import { ownTx } from '../database.ts';
import { imEngine } from '../im/engine.ts';
import { addMembers, ensureSingleChat, removeMembers } from '../im/groups.ts';
import { recallMessage } from '../im/changing.ts';
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

type Hear = (kernel: Kernel, said: unknown) => Promise<void>;
const write = <T>(kernel: Kernel, work: (writing: Writing) => Promise<T>): Promise<T> => kernel.transactions.run('im', work);
const senderOf = (kernel: Kernel, from: string): string => (from === vendorOf(kernel)?.admin ? SYSTEM_USER : from);
const groupOf = (kernel: Kernel, groupId: string) => imEngine(kernel).names.find(kernel.db, SYSTEM_USER, groupConversation(groupId));
const laterOf = (kernel: Kernel) => instantOf(Date.parse(kernel.clock.now()) + PATIENCE_MS);

/** A hole may be filled by a callback that is on its way; the comparison waits for it. */
const lookAgain = (kernel: Kernel, writing: Writing, place: { convId: string; groupId: string }) =>
  writing.enqueue(compareGroupJob, { ...place }, { startAfter: laterOf(kernel) });

const groupMessage: Hear = async (kernel, body) => {
  const said = sent.parse(body);
  const { GroupId: groupId = '', MsgSeq: seq } = said;
  const conv = await groupOf(kernel, groupId);
  if (!conv || seq === undefined || said.OnlineOnlyFlag === 1) return;
  await write(kernel, async (writing) => {
    const { lastSeq } = await ownTx(writing.tx)
      .selectFrom('consultationImConversation')
      .select('lastSeq')
      .where('convId', '=', conv.convId)
      .executeTakeFirstOrThrow();
    await recordMessages(kernel, writing, conv.convId, [
      {
        seq,
        senderId: senderOf(kernel, said.From_Account),
        vendorId: said.MsgId ?? `${seq}-${said.MsgTime}-${said.Random ?? 0}`,
        ...messageOf(said.MsgBody),
        sealed: unseal(said.CloudCustomData),
        time: said.MsgTime,
      },
    ]);
    if (seq > Number(lastSeq) + 1) await lookAgain(kernel, writing, { convId: conv.convId, groupId });
  });
};

const singleMessage: Hear = async (kernel, body) => {
  const said = sent.parse(body);
  const { From_Account: from, To_Account: to = '' } = said;
  if (said.OnlineOnlyFlag === 1 || (said.SendMsgResult ?? 0) !== 0) return;
  const [assistant, patient] = roleOf(from) === 'ASSISTANT' ? [from, to] : [to, from];
  if (roleOf(assistant) !== 'ASSISTANT' || roleOf(patient) !== 'PATIENT') return;
  await write(kernel, async (writing) => {
    const convId = await ensureSingleChat(kernel, writing, assistant, patient, kernel.clock.now());
    await recordMessages(kernel, writing, convId, [
      {
        seq: null,
        senderId: from,
        vendorId: said.MsgKey ?? said.MsgId ?? '',
        ...messageOf(said.MsgBody),
        sealed: unseal(said.CloudCustomData),
        time: said.MsgTime,
      },
    ]);
  });
};

const groupRecall: Hear = async (kernel, body) => {
  const said = recalled.parse(body);
  const conv = await groupOf(kernel, said.GroupId);
  if (!conv) return;
  const place = { convId: conv.convId, groupId: said.GroupId };
  await write(kernel, async (writing) => {
    for (const { MsgSeq } of said.MsgSeqList) {
      const by = senderOf(kernel, said.Operator_Account ?? '');
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
    const said = list === 'join' ? joined.parse(body) : left.parse(body);
    const accounts = (
      'NewMemberList' in said ? (said.NewMemberList as z.output<typeof account>) : (said.ExitMemberList as z.output<typeof account>)
    ).map(({ Member_Account }) => Member_Account);
    const conv = said.Operator_Account === vendorOf(kernel)?.admin ? null : await groupOf(kernel, said.GroupId);
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
