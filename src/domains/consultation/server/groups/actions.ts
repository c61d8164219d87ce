import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import * as calls from '../../contract/calls/groups.ts';
import type { UserRole } from '../../contract/dictionaries.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { operatorIdOf, roleOf } from '../../contract/im/ids.ts';
import { groupConversation } from '../../contract/im/ids.ts';
import { ownTx } from '../database.ts';
import { deedOf, type Deed } from '../deed.ts';
import { muteMember as muteInChat } from '../im/conversations/groups.ts';
import { changeSetting } from '../im/conversations/reading.ts';
import { imEngine } from '../im/engine.ts';
import { lockGroup, type GroupRow } from '../inquiries/rows.ts';
import { requireMember } from '../people/access.ts';
import { meOf, type Me } from '../people/me.ts';
import { publishQueue } from '../queue/signals.ts';
import { assistantsIn, joinAssistants, leaveAssistants } from './chat.ts';

interface Held {
  me: Me;
  group: GroupRow;
}
/** A group whose owner acts, or a supervisor. @throws Refusal SCM90040 for others, SCM90030 on a stale version. */
async function held(ctx: Deed & CommandContext, groupId: string, version: number | null): Promise<Held> {
  const me = await meOf(ctx.tx, ctx);
  const { group } = await lockGroup(ctx.tx, groupId);
  if (group.ownerAssistantId !== me.assistantId && !me.supervisor) throw refuse(platformErrors.NOT_FOUND);
  await requireVersion(ctx, 'consultation.medicalGroup', { id: group.groupId, version: group.version }, version, () => ({
    tags: group.tags,
    priority: group.priority,
  }));
  ctx.target({ type: 'consultation.medicalGroup', id: groupId, no: group.name });
  return { me, group };
}

interface MemberRaw {
  imUserId: string;
  userRole: UserRole;
  nick: string;
  avatar: string | null;
  muteUntil: string | null;
  joinTime: string;
  collaborate: boolean;
}
async function membersAnswer(ctx: Deed, group: GroupRow) {
  const { rows } = await sql<MemberRaw & { owner: boolean }>`
    select m.im_user_id, m.user_role, u.nick, u.avatar, m.mute_until, m.join_time, m.collaborate,
        coalesce(m.im_user_id = 'A' || d.operator_id, false) as owner
      from consultation_im_member m
      join consultation_im_user u on u.im_user_id = m.im_user_id
      left join consultation_assistant_duty d on d.assistant_id = ${group.ownerAssistantId}
      where m.conv_id = ${group.convId} and m.left_at is null
      order by m.join_time, m.im_user_id`.execute(ctx.tx);
  return {
    groupId: group.groupId,
    version: group.version,
    members: rows.map(({ collaborate, ...row }) => ({ ...row, helper: collaborate })),
  };
}

const change = async (ctx: Deed, group: GroupRow, changes: Partial<Pick<GroupRow, 'tags' | 'priority' | 'sendPolicy'>>) => {
  const after = await ownTx(ctx.tx)
    .updateTable('consultationMedicalGroup')
    .set({ ...changes, version: group.version + 1, updatedAt: ctx.now })
    .where('groupId', '=', group.groupId)
    .returning(['groupId', 'version'])
    .executeTakeFirstOrThrow();
  publishQueue(ctx.kernel, ctx);
  return after;
};

const invite = (kernel: Kernel): Handler =>
  command(calls.addGroupAssistant, async ({ groupId, assistantId }, asked) => {
    const ctx = deedOf(kernel, asked);
    const { group } = await held(ctx, groupId, null);
    const colleague = await ownTx(ctx.tx)
      .selectFrom('consultationAssistantDuty')
      .select(['name', 'personState'])
      .where('assistantId', '=', assistantId)
      .executeTakeFirst();
    if (!colleague) throw refuse(platformErrors.NOT_FOUND);
    if (colleague.personState === 'DISABLED') throw refuse(errors.COLLEAGUE_OFF, { name: colleague.name });
    await joinAssistants(ctx, group, [assistantId], { collaborate: assistantId !== group.ownerAssistantId });
    return membersAnswer(ctx, group);
  });

const takeOut = (kernel: Kernel): Handler =>
  command(calls.delGroupMember, async ({ groupId, imUserId }, asked) => {
    const ctx = deedOf(kernel, asked);
    const { group } = await held(ctx, groupId, null);
    if (roleOf(imUserId) !== 'ASSISTANT') throw refuse(errors.FIXED_MEMBER);
    const leaving = await ownTx(ctx.tx)
      .selectFrom('consultationAssistantDuty')
      .select('assistantId')
      .where('operatorId', '=', operatorIdOf(imUserId))
      .executeTakeFirst();
    const present = await assistantsIn(ctx, group);
    if (!leaving || !present.some(({ assistantId }) => assistantId === leaving.assistantId)) throw refuse(platformErrors.NOT_FOUND);
    if (present.length === 1 || leaving.assistantId === group.ownerAssistantId) throw refuse(errors.LAST_ASSISTANT);
    await leaveAssistants(ctx, group, [leaving.assistantId]);
    return membersAnswer(ctx, group);
  });

const tags = (kernel: Kernel): Handler =>
  command(calls.modifyGroupTags, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const { group } = await held(ctx, input.groupId, input.version);
    const wanted = [...new Set(input.tags)];
    ctx.changed([{ path: 'tags', label: '标签', before: group.tags, after: wanted }]);
    return change(ctx, group, { tags: wanted });
  });
const priority = (kernel: Kernel): Handler =>
  command(calls.modifyGroupPriority, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const { group } = await held(ctx, input.groupId, input.version);
    ctx.changed([{ path: 'priority', label: '优先级', before: group.priority, after: input.priority }]);
    return change(ctx, group, { priority: input.priority });
  });
const policy = (kernel: Kernel): Handler =>
  command(calls.modifySendPolicy, async (input, asked) => {
    const ctx = deedOf(kernel, asked);
    const { group } = await held(ctx, input.groupId, input.version);
    ctx.changed([{ path: 'sendPolicy', label: '患者发言规则', before: group.sendPolicy, after: input.sendPolicy }]);
    return change(ctx, group, { sendPolicy: input.sendPolicy });
  });
const mute = (kernel: Kernel): Handler =>
  command(calls.muteMember, async ({ groupId, imUserId, until, reason }, asked) => {
    const ctx = deedOf(kernel, asked);
    const { group } = await held(ctx, groupId, null);
    if (roleOf(imUserId) !== 'PATIENT' || operatorIdOf(imUserId) !== group.suffererOperatorId) throw refuse(platformErrors.NOT_FOUND);
    const end = until === null ? null : new Date(until).toISOString();
    await muteInChat(kernel, ctx, group.convId, imUserId, end, ctx.now);
    ctx.changed([{ path: 'muteUntil', label: `限制发言（${reason}）`, before: null, after: end }]);
    return membersAnswer(ctx, group);
  });
const unread = (kernel: Kernel): Handler =>
  command(calls.markGroupUnread, async ({ groupId, unread: marked }, ctx) => {
    const { me } = await requireMember(ctx.tx, ctx, groupId);
    const engine = imEngine(kernel);
    const conv = await engine.names.find(ctx.tx, me.imUserId, groupConversation(groupId));
    if (!conv) throw refuse(platformErrors.NOT_FOUND);
    await changeSetting(ctx, engine.hub, conv, me.imUserId, { isMarked: marked }, ctx.now);
    return { groupId, unread: marked };
  });

export const groupActions = (kernel: Kernel): readonly Handler[] =>
  [invite, takeOut, tags, priority, policy, mute, unread].map((make) => make(kernel));
