import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { allOf } from '#kernel/contract/field.ts';
import { routeKeyOf } from '#kernel/contract/route.ts';
import { daysBetween } from '#kernel/contract/time.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '#kernel/server/http/paging.ts';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  downloadLogAnchor,
  queryLogAnchorList,
  queryOperationLogDetail,
  queryTargetLog,
  queryVerifyRunList,
  verifyOperationLog,
} from '../../contract/calls/logs.ts';
import { identityErrors } from '../../contract/errors.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { isAnchorValid } from './anchor.ts';
import { logList, logs, logView, logViewColumns } from './list.ts';
import { verifyJob } from './verify.ts';

const verifyRunList = listOf(queryVerifyRunList)
  .from(({ db }) => own(db).selectFrom('identityLogVerifyRun as r'))
  .with({
    where: { from: from('r.createdAt'), to: (eb, to) => eb('r.createdAt', '<', to) },
    id: 'r.id',
    unsorted: 'runs of the check in a drawer, the newest first',
    select: (query) => query.selectAll('r'),
    present: (rows) =>
      rows.map(({ userId: _userId, checked, total, ...row }) => ({ ...row, checked: Number(checked), total: Number(total) })),
  });

const anchorList = (core: IdentityCore) =>
  listOf(queryLogAnchorList)
    .from(({ db }) => own(db).selectFrom('identityOperationLogAnchor as a'))
    .with({
      where: { from: from('a.day'), to: upTo('a.day') },
      id: 'a.id',
      unsorted: 'a chain of days in a drawer, the newest first',
      order: [['a.day', 'desc']],
      select: (query) => query.selectAll('a'),
      present: (rows) =>
        rows.map((anchor) => ({
          ...allOf(anchor, ['id', 'day', 'firstSeq', 'lastSeq', 'chainHash', 'fileId']),
          count: Number(anchor.count),
          signatureValid: isAnchorValid(core.kernel, anchor),
        })),
    });

export const logHandlers = (core: IdentityCore): Handler[] => [
  logList.handler,

  query(queryOperationLogDetail, async ({ id }, { db }) => {
    const row = await logs(db)
      .leftJoin('identityOperationLogSeal as s', 's.logId', 'l.id')
      .select(logViewColumns)
      .select(['l.input', 'l.userAgent', 'l.targetIds', 'l.idempotencyKey', 's.seq', 's.rowHash', 's.chainHash'])
      .where('l.id', '=', id)
      .executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    const neighbours = await own(db)
      .selectFrom('identityOperationLog')
      .select(['id', 'at', 'label', 'resultCode'])
      .where('traceId', '=', row.traceId)
      .where('id', '!=', id)
      .orderBy('id')
      .limit(20)
      .execute();
    return { ...row, ...logView(row), targetIds: Array.isArray(row.targetIds) ? row.targetIds.map(String) : [], neighbours };
  }),

  // No `listOf`: which calls a page may show follows from the route that asks, and a trace is asked for one record.
  query(queryTargetLog, async ({ pageNo, pageSize, targetType, targetId, routeKey }, ctx) => {
    let found = logs(ctx.db).where('l.targetType', '=', targetType).where('l.targetId', '=', targetId);
    if (!ctx.has(identityPermissions['log.view'])) {
      const route = core.kernel.registry.routes.find(({ path }) => routeKeyOf(path) === routeKey);
      if (route?.permission === undefined) ctx.requirePermission(identityPermissions['log.view']);
      else if (route.permission !== 'session') ctx.requirePermission(route.permission);
      // A page shows the traces of its own domain's calls, of no other's.
      const module = core.kernel.registry.modules.find(({ domain }) => domain === route?.domain);
      const calls = module?.handlers.map(({ call }) => call.path) ?? [];
      found = found.where('l.call', 'in', calls.length > 0 ? calls : ['']);
    }
    const rows = await found
      .select(logViewColumns)
      .orderBy('l.at', 'desc')
      .orderBy('l.id', 'desc')
      .limit(pageSize)
      .offset(offsetOf({ pageNo, pageSize }))
      .execute();
    return { rows: rows.map(logView), total: await totalUpTo(ctx.db, found) };
  }),

  command(verifyOperationLog, async ({ from, to }, ctx) => {
    if (from > to) throw refuseField('from', '开始日期不能晚于结束日期');
    if (daysBetween(from, to) > 1100) throw refuseField('to', '一次最多校验三年');
    const run = await own(ctx.tx)
      .insertInto('identityLogVerifyRun')
      .values({
        fromDay: from,
        toDay: to,
        state: 'RUNNING',
        userId: ctx.staff.userId,
        displayName: ctx.staff.displayName,
        createdAt: ctx.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!run) throw refuse(identityErrors.VERIFY_RUNNING);
    await ctx.enqueue(verifyJob, { runId: run.id });
    ctx.target({ type: 'logVerifyRun', id: run.id, no: `${from}~${to}` });
    return { runId: run.id };
  }),

  verifyRunList.handler,

  anchorList(core).handler,

  command(downloadLogAnchor, async ({ id }, ctx) => {
    const anchor = await own(ctx.tx)
      .selectFrom('identityOperationLogAnchor')
      .select(['id', 'day', 'fileId'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!anchor?.fileId) throw refuse(platformErrors.NOT_FOUND);
    const file = await core.kernel.ports.files.openRead(ctx.tx, anchor.fileId);
    ctx.target({ type: 'logAnchor', id, no: anchor.day });
    // As a file to keep, not as JSON that the browser would read as an answer.
    return new FileAnswer({ name: file.fileName, contentType: 'application/octet-stream', body: file.body });
  }),
];
