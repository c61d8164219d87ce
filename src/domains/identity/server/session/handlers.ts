import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '#kernel/server/http/paging.ts';
import { querySessionList, removeSession } from '../../contract/calls/sessions.ts';
import { identityErrors } from '../../contract/errors.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import { sessionStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';

export const sessionHandlers = (core: IdentityCore): Handler[] => [
  // No `listOf`: which row is the session that asks is known to the request alone.
  query(querySessionList, async ({ pageNo, pageSize, mine, userId, displayName, ip, state, from, to }, ctx) => {
    const ownOnly = mine === true || (userId !== undefined && userId === ctx.staff.userId);
    // One's own sessions need no permission.
    if (!ownOnly) ctx.requirePermission(identityPermissions['session.view']);
    const live = sql<SqlBool>`(s.ended_at is null and s.idle_expires_at > ${ctx.now} and s.absolute_expires_at > ${ctx.now})`;
    let found = own(ctx.db).selectFrom('identitySession as s').innerJoin('identityStaffUser as u', 'u.id', 's.userId');
    const of = mine === true ? ctx.staff.userId : userId;
    if (of !== undefined) found = found.where('s.userId', '=', of);
    if (displayName) found = found.where('u.displayName', 'like', containsPattern(displayName));
    if (ip) found = found.where('s.ip', '=', ip);
    if (state) found = found.where(state === 'ACTIVE' ? live : sql<SqlBool>`not ${live}`);
    if (from) found = found.where('s.issuedAt', '>=', from);
    if (to) found = found.where('s.issuedAt', '<', to);
    const rows = await found
      .select([
        's.id',
        's.userId',
        'u.displayName',
        'u.opNo',
        's.method',
        's.endReason',
        's.endedAt',
        's.issuedAt',
        's.lastSeenAt',
        's.ip',
        's.deviceLabel',
      ])
      .select([live.as('live'), sql<string>`least(s.idle_expires_at, s.absolute_expires_at)`.as('expiresAt')])
      .orderBy('s.lastSeenAt', 'desc')
      .orderBy('s.id', 'desc')
      .limit(pageSize)
      .offset(offsetOf({ pageNo, pageSize }))
      .execute();
    return {
      rows: rows.map(({ live: active, endReason, ...row }) => ({
        ...row,
        state: active ? ('ACTIVE' as const) : ('ENDED' as const),
        endReason: active ? null : (endReason ?? 'EXPIRED'),
        current: row.id === ctx.staff.sessionId,
      })),
      total: await totalUpTo(ctx.db, found),
    };
  }),

  command(removeSession, async ({ sessionId, opinion }, ctx) => {
    const session = await own(ctx.tx)
      .selectFrom('identitySession as s')
      .innerJoin('identityStaffUser as u', 'u.id', 's.userId')
      .select(['s.id', 's.userId', 's.endedAt', 'u.opNo'])
      .where('s.id', '=', sessionId)
      .forUpdate('s')
      .executeTakeFirst();
    const mine = session?.userId === ctx.staff.userId;
    if (!mine) ctx.requirePermission(identityPermissions['session.kick']);
    if (!session) throw refuse(platformErrors.NOT_FOUND);
    // This very session ends by logging out; another one of his own he may end himself.
    if (session.id === ctx.staff.sessionId) throw refuse(identityErrors.SELF);
    if (!mine && !opinion) throw refuseField('opinion', '请填写意见');
    await moveState(ctx, sessionStates, {
      targetType: 'session',
      targetId: session.id,
      targetNo: session.opNo,
      action: mine ? 'end' : 'kick',
      from: session.endedAt === null ? 'ACTIVE' : 'ENDED',
      opinion,
    });
    await core.ends.end(ctx, { userId: session.userId, sessionId: session.id }, mine ? 'LOGOUT' : 'KICKED', ctx.now);
    return {};
  }),
];
