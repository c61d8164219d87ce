import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { CommandContext, Db, Writing } from '#kernel/server/context.ts';
import type { ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { userBrief, usersByMobile } from '#domains/identity/server/index.ts';
import { autoBindMember, bindMember, unbindMember, exportMemberList, queryMemberList } from '../../contract/calls/wecom.ts';
import { channelErrors } from '../../contract/errors.ts';
import { bindStates } from '../../contract/states.ts';
import { members, seesMember, type Viewer } from '../access.ts';
import { own, ownTx, holds } from '../database.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';

const memberList = listOf(queryMemberList)
  .from(({ db, staff }) =>
    own(db).selectFrom('channelWecomMember as m').innerJoin('channelWecomCorp as k', 'k.id', 'm.corpRowId').where(seesMember(staff)),
  )
  .with({
    where: { corpId: 'm.corpRowId', name: holds('m.name'), bindState: 'm.bindState', status: 'm.status' },
    id: 'm.id',
    sorts: { wecomUserId: 'm.wecomUserId', boundAt: 'm.boundAt' },
    bounded: 'members are employees: some thousands',
    order: [['m.id', 'asc']],
    select: (query) =>
      query
        .select([
          'm.id',
          'm.corpRowId',
          'k.name as corpName',
          'm.wecomUserId',
          'm.name',
          'm.mobileMasked as mobile',
          'm.departmentNames',
          'm.status',
          'm.canContact',
          'm.staffUserId',
          'm.bindState',
          'm.boundAt',
          'm.version',
        ])
        .select([
          sql<number>`(select count(*)::int from channel_wecom_contact t where t.member_id = m.id and t.status = 'ACTIVE')`.as(
            'contactCount',
          ),
          sql<string | null>`(select r.name from channel_ref_copy r where r.kind = 'ASSISTANT' and r.ref_id = m.assistant_id)`.as(
            'assistantName',
          ),
        ]),
    async present(rows, { db }) {
      const bound = await userBrief(
        db,
        rows.flatMap(({ staffUserId }) => staffUserId ?? []),
      );
      const names = new Map(bound.map(({ userId, displayName }) => [userId, displayName]));
      return rows.map((row) => ({
        ...row,
        staffName: names.get(row.staffUserId ?? '') ?? null,
      }));
    },
  });

export const memberExport = listExport(memberList, {
  call: exportMemberList,
  title: '企业微信成员',
  routeKey: 'weChatWorkManagement',
  columns: [
    'name',
    'wecomUserId',
    'corpName',
    'departmentNames',
    'mobile',
    'status',
    'canContact',
    'staffName',
    'assistantName',
    'bindState',
    'boundAt',
    'contactCount',
  ],
});

const MEMBER_TARGET = members.type;
const ACTIVATED = 1;

async function bindOne(ctx: CommandContext, member: Awaited<ReturnType<typeof members.lock>>, staffUserId: string) {
  if (member.bindState === 'BOUND')
    throw refuse(channelErrors.MEMBER_BOUND, { name: (await userBrief(ctx.tx, [member.staffUserId!]))[0]?.displayName ?? '' });
  const other = await ownTx(ctx.tx)
    .selectFrom('channelWecomMember')
    .select('name')
    .where('corpRowId', '=', member.corpRowId)
    .where('staffUserId', '=', staffUserId)
    .where('bindState', '=', 'BOUND')
    .executeTakeFirst();
  if (other) throw refuse(channelErrors.STAFF_BOUND, { name: other.name });
  if (member.status !== ACTIVATED) throw refuse(channelErrors.MEMBER_INACTIVE);
  const state = await moveState(ctx, bindStates, {
    targetType: MEMBER_TARGET,
    targetId: member.id,
    targetNo: member.wecomUserId,
    action: 'bind',
    from: member.bindState,
  });
  const assistant = await ownTx(ctx.tx)
    .selectFrom('channelRefCopy')
    .select('refId')
    .where('kind', '=', 'ASSISTANT')
    .where(sql<SqlBool>`facts->>'userId' = ${staffUserId}`)
    .executeTakeFirst();
  await ownTx(ctx.tx)
    .updateTable('channelWecomMember')
    .set((eb) => ({
      bindState: state,
      staffUserId,
      assistantId: assistant?.refId ?? null,
      boundAt: ctx.now,
      version: eb('version', '+', 1),
      updatedAt: ctx.now,
    }))
    .where('id', '=', member.id)
    .execute();
  return actionAnswer(ctx, bindStates, { id: member.id, state, version: member.version + 1 });
}

/** Whoever is gone is no longer spoken for by his members. */
export async function loseStaff(ctx: Pick<ConsumerContext, 'tx' | 'now' | 'traceId'> & Writing, staffUserId: string): Promise<void> {
  const rows = await ownTx(ctx.tx)
    .selectFrom('channelWecomMember')
    .select(['id', 'wecomUserId'])
    .where('staffUserId', '=', staffUserId)
    .where('bindState', '=', 'BOUND')
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, wecomUserId } of rows) {
    const state = await moveState(asSystem(ctx, ctx), bindStates, {
      targetType: MEMBER_TARGET,
      targetId: id,
      targetNo: wecomUserId,
      action: 'invalidate',
      from: 'BOUND',
    });
    await ownTx(ctx.tx)
      .updateTable('channelWecomMember')
      .set((eb) => ({ bindState: state, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', id)
      .execute();
  }
}

/** Who would be bound to whom by equal mobile: free, activated members and enabled staff that no member of the company has. */
async function matches(db: Db, viewer: Viewer, corpRowId: string) {
  const free = await own(db)
    .selectFrom('channelWecomMember as m')
    .where(seesMember(viewer))
    .select(['id', 'name', 'mobileHash'])
    .where('corpRowId', '=', corpRowId)
    .where('bindState', '<>', 'BOUND')
    .where('status', '=', ACTIVATED)
    .where('mobileHash', 'is not', null)
    .orderBy('id')
    .execute();
  const staff = new Map(
    (
      await usersByMobile(
        db,
        free.map(({ mobileHash }) => mobileHash!),
      )
    ).map((user) => [user.mobileHash, user]),
  );
  const taken = new Set(
    (
      await own(db)
        .selectFrom('channelWecomMember')
        .select('staffUserId')
        .where('corpRowId', '=', corpRowId)
        .where('bindState', '=', 'BOUND')
        .execute()
    ).map(({ staffUserId }) => staffUserId),
  );
  return free.flatMap(({ id, name, mobileHash }) => {
    const user = staff.get(mobileHash!);
    if (!user || taken.has(user.userId)) return [];
    taken.add(user.userId);
    return [{ memberId: id, memberName: name, staffUserId: user.userId, staffName: user.displayName }];
  });
}

export const memberHandlers = [
  memberList.handler,
  command(bindMember, async ({ memberId, staffUserId }, ctx) => {
    const member = await members.lock(ctx.tx, ctx.staff, memberId);
    const [user] = await userBrief(ctx.tx, [staffUserId]);
    if (!user || user.state !== 'ENABLED') throw refuse(platformErrors.NOT_FOUND);
    return bindOne(ctx, member, staffUserId);
  }),
  command(unbindMember, async ({ memberId }, ctx) => {
    const member = await members.lock(ctx.tx, ctx.staff, memberId);
    const state = await moveState(ctx, bindStates, {
      targetType: MEMBER_TARGET,
      targetId: memberId,
      targetNo: member.wecomUserId,
      action: 'unbind',
      from: member.bindState,
    });
    await ownTx(ctx.tx)
      .updateTable('channelWecomMember')
      .set((eb) => ({
        bindState: state,
        staffUserId: null,
        assistantId: null,
        boundAt: null,
        version: eb('version', '+', 1),
        updatedAt: ctx.now,
      }))
      .where('id', '=', memberId)
      .execute();
    return actionAnswer(ctx, bindStates, { id: memberId, state, version: member.version + 1 });
  }),
  command(autoBindMember, async ({ corpRowId, dryRun }, ctx) => {
    const corp = await ownTx(ctx.tx).selectFrom('channelWecomCorp').select('id').where('id', '=', corpRowId).forUpdate().executeTakeFirst();
    if (!corp) throw refuse(platformErrors.NOT_FOUND);
    const found = await matches(ctx.tx, ctx.staff, corpRowId);
    if (!dryRun)
      for (const { memberId, staffUserId } of found) await bindOne(ctx, await members.lock(ctx.tx, ctx.staff, memberId), staffUserId);
    return found;
  }),
];
