import { sql } from 'kysely';
import { containsPattern } from '#kernel/server/database/search.ts';
import type { AnswerOf, CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext, Db } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { offsetOf } from '#kernel/server/http/paging.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { noticePublished } from '#events/identity.ts';
import { addNotice, modifyNotice, publishNotice, queryNoticeList, revokeNotice } from '../../contract/calls/notices.ts';
import { noticeStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { json, own } from '../database.ts';

type Notice = AnswerOf<typeof publishNotice>;
type Body = Pick<CheckedInputOf<typeof addNotice>, 'publishAt' | 'expireAt'>;

const LABELS = {
  title: '标题',
  body: '内容',
  level: '级别',
  audience: '接收范围',
  link: '链接',
  publishAt: '发布时间',
  expireAt: '失效时间',
};

const select = sql`
  select n.id, n.notice_no, n.kind, n.title, n.body, n.level, n.audience, n.link, n.publish_at, n.expire_at, n.state,
    (select count(*)::int from identity_notice_read r where r.notice_id = n.id) as read_count, n.version,
    u.display_name as created_by_name, n.created_at
  from identity_notice n left join identity_staff_user u on u.id = n.created_by`;

/** No `recordOf`: a notice is read together with its readers and whoever wrote it. */
async function load(db: Db, id: string, lock = false): Promise<Notice & { updatedByName: string | null }> {
  if (lock) await sql`select 1 from identity_notice where id = ${id} for update`.execute(db);
  const { rows } = await sql<Notice & { updatedByName: string | null }>`
    select x.*, e.display_name as updated_by_name from (${select} where n.id = ${id} and n.kind = 'ANNOUNCE') x
    join identity_notice me on me.id = x.id left join identity_staff_user e on e.id = me.updated_by`.execute(db);
  const notice = rows[0];
  if (!notice) throw refuse(platformErrors.NOT_FOUND);
  return notice;
}

/** Loads a draft or notice for a change made on the version the caller saw. */
async function loadFresh(ctx: CommandContext, id: string, seen: number): Promise<Notice> {
  const { updatedByName, ...notice } = await load(ctx.tx, id, true);
  await requireVersion(ctx, 'notice', { ...notice, updatedByName }, seen, () => notice);
  return notice;
}

function requireFuture({ expireAt }: Body, now: string): void {
  if (expireAt && Date.parse(expireAt) <= Date.parse(now)) throw refuseField('expireAt', '失效时间须晚于当前时间');
}

const answer = async (ctx: CommandContext, id: string): Promise<Notice> => {
  const { updatedByName: _, ...notice } = await load(ctx.tx, id);
  return notice;
};

/** System announcements: written, changed as drafts, published now or at a time, taken back. */
export function announcementHandlers({ kernel }: IdentityCore): Handler[] {
  return [
    // No `listOf`: a notice is read as its detail reads it, some thousands at most, counted in the same statement.
    query(queryNoticeList, async (input, { db }) => {
      const { rows } = await sql<Notice & { total: number }>`
        select x.*, least(count(*) over (), 10001)::int as total from (${select}) x
        where x.kind = ${input.kind ?? 'ANNOUNCE'} and (${input.title ?? ''} = '' or x.title like ${containsPattern(input.title ?? '')})
          and (${input.state ?? null}::text is null or x.state = ${input.state ?? null})
          and (${input.level ?? null}::text is null or x.level = ${input.level ?? null})
        order by x.created_at desc, x.id desc limit ${input.pageSize} offset ${offsetOf(input)}`.execute(db);
      return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
    }),

    command(addNotice, async (input, ctx) => {
      requireFuture(input, ctx.now);
      const noticeNo = await nextNumber(ctx.tx, 'TZ', ctx.today);
      const { id } = await own(ctx.tx)
        .insertInto('identityNotice')
        .values({
          noticeNo,
          kind: 'ANNOUNCE',
          title: input.title,
          body: input.body,
          level: input.level,
          audience: json(input.audience),
          link: input.link || null,
          publishAt: input.publishAt ?? null,
          expireAt: input.expireAt ?? null,
          state: 'DRAFT',
          ...createdColumns(ctx),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      ctx.target({ type: 'notice', id, no: noticeNo });
      return answer(ctx, id);
    }),

    command(modifyNotice, async ({ id, version, ...input }, ctx) => {
      const before = await loadFresh(ctx, id, version);
      if (before.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: noticeStates.states[before.state].label });
      requireFuture(input, ctx.now);
      await own(ctx.tx)
        .updateTable('identityNotice')
        .set({
          title: input.title,
          body: input.body,
          level: input.level,
          audience: json(input.audience),
          link: input.link || null,
          publishAt: input.publishAt ?? null,
          expireAt: input.expireAt ?? null,
          version: version + 1,
          ...updatedColumns(ctx),
        })
        .where('id', '=', id)
        .execute();
      ctx.target({ type: 'notice', id, no: before.noticeNo });
      ctx.changed(differencesOf(before, input, LABELS));
      return answer(ctx, id);
    }),

    command(publishNotice, async ({ id, version }, ctx) => {
      const notice = await loadFresh(ctx, id, version);
      const state = await moveState(ctx, noticeStates, {
        targetType: 'notice',
        targetId: id,
        targetNo: notice.noticeNo,
        action: 'publish',
        from: notice.state,
      });
      const publishAt = notice.publishAt && notice.publishAt > ctx.now ? notice.publishAt : ctx.now;
      if (notice.expireAt && notice.expireAt <= publishAt) throw refuseField('expireAt', '失效时间须晚于发布时间');
      await own(ctx.tx)
        .updateTable('identityNotice')
        .set({ state, publishAt, version: version + 1, ...updatedColumns(ctx) })
        .where('id', '=', id)
        .execute();
      await ctx.publish(noticePublished, id, { noticeId: id, audience: notice.audience });
      ctx.afterCommit(() => kernel.realtime.toAll('notice', { kind: 'ANNOUNCE' }));
      return answer(ctx, id);
    }),

    command(revokeNotice, async ({ id, version, opinion }, ctx) => {
      const notice = await loadFresh(ctx, id, version);
      const state = await moveState(ctx, noticeStates, {
        targetType: 'notice',
        targetId: id,
        targetNo: notice.noticeNo,
        action: 'revoke',
        from: notice.state,
        opinion,
      });
      await own(ctx.tx)
        .updateTable('identityNotice')
        .set({ state, version: version + 1, ...updatedColumns(ctx) })
        .where('id', '=', id)
        .execute();
      ctx.afterCommit(() => kernel.realtime.toAll('notice', { kind: 'ANNOUNCE' }));
      return answer(ctx, id);
    }),
  ];
}
