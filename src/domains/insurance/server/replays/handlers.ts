import { sql, type Selectable } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext, QueryContext } from '#kernel/server/context.ts';
import { json } from '#kernel/server/database/json.ts';
import { command, query } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import {
  addReplay,
  cancelReplay,
  judgeReplayCase,
  MOST_CASES,
  queryReplayDetail,
  queryReplayList,
  type Replay,
} from '../../contract/replays/calls.ts';
import { replayStates } from '../../contract/replays/states.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { insurerScope } from '../access.ts';
import { own, ownTx } from '../database.ts';
import type { InsuranceRuleReplay } from '../tables.ts';
import { limitsOf, within } from './batch.ts';
import { replayJob } from './job.ts';
import { hashNow, ownerOf } from './owners.ts';

const TYPE = 'insurance.ruleReplay';

/** First and last day of the calendar month before a day. */
export function lastMonth(today: Day): { from: Day; to: Day } {
  const to = plusDays(`${today.slice(0, 7)}-01`, -1);
  return { from: `${to.slice(0, 7)}-01`, to };
}

const add = command(addReplay, async ({ ownerType, ownerId, fromDate, toDate, filter }, ctx) => {
  const owner = await ownerOf(ctx.tx, ctx.staff, ownerType, ownerId);
  const month = lastMonth(ctx.today);
  const from = fromDate ?? month.from;
  const to = toDate ?? month.to;
  if (to < from) throw refuseField('toDate', '结束日期不能早于开始日期');
  await lockKeys(ctx.tx, 'insurance.replay', [`${ownerType}:${ownerId}`]);
  const tx = ownTx(ctx.tx);
  const running = await tx
    .selectFrom('insuranceRuleReplay')
    .select('id')
    .where('ownerType', '=', ownerType)
    .where('ownerId', '=', ownerId)
    .where('state', 'in', ['QUEUED', 'RUNNING'])
    .executeTakeFirst();
  if (running) throw refuse(insuranceErrors.REPLAY_RUNNING);
  const limits = limitsOf(owner.content, filter ?? {}, from, to);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (select from insurance_claim_snapshot s
    where ${within(limits)} and ${scopeFilter(insurerScope('s.insurerId'), ctx.staff)} limit ${MOST_CASES + 1}) x`.execute(ctx.tx);
  const total = rows[0]!.n;
  if (total === 0) throw refuse(insuranceErrors.NOTHING_DECIDED);
  if (total > MOST_CASES) throw refuse(insuranceErrors.REPLAY_TOO_LARGE);
  const replayNo = await nextNumber(ctx.tx, 'HF', ctx.today);
  const { id } = await tx
    .insertInto('insuranceRuleReplay')
    .values({
      replayNo,
      ownerType,
      ownerId,
      ownerName: owner.name,
      contentHash: owner.contentHash,
      content: json(owner.content),
      fromDate: from,
      toDate: to,
      filter: json(filter ?? {}),
      state: 'QUEUED',
      total,
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.enqueue(replayJob, { replayId: id }, { singletonKey: id });
  ctx.target({ type: TYPE, id, no: replayNo });
  return { id, replayNo, total };
});

/** The row, seen by who sees its version. @throws Refusal SCM90040 */
async function replayRow(ctx: QueryContext | CommandContext, id: string): Promise<Selectable<InsuranceRuleReplay>> {
  const db = 'tx' in ctx ? ctx.tx : ctx.db;
  const row = await own(db).selectFrom('insuranceRuleReplay').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  await ownerOf(db, ctx.staff, row.ownerType, row.ownerId);
  return row;
}

const cancel = command(cancelReplay, async ({ id, version }, ctx) => {
  await replayRow(ctx, id);
  const row = await ownTx(ctx.tx).selectFrom('insuranceRuleReplay').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
  // Progress writes the row all the time: only who cancelled before is refused.
  await requireVersion(ctx, TYPE, { ...row, version: Math.max(version, 1) }, version, () => ({ state: row.state }));
  if (row.createdBy !== ctx.staff.userId) throw refuse(platformErrors.NO_PERMISSION, { permission: '取消他人发起的回放' });
  const state = await moveState(ctx, replayStates, {
    targetType: TYPE,
    targetId: id,
    targetNo: row.replayNo,
    action: 'cancel',
    from: row.state,
  });
  await ownTx(ctx.tx)
    .updateTable('insuranceRuleReplay')
    .set({ state, endedAt: ctx.now, version: row.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  return { id, state };
});

async function shown(ctx: QueryContext, row: Selectable<InsuranceRuleReplay>, now: string | null): Promise<Replay> {
  const { rows } = await sql<{ judged: number; unexpected: number; unnoted: number }>`select count(c.verdict)::int as judged,
      count(*) filter (where c.verdict = 'UNEXPECTED')::int as unexpected,
      count(*) filter (where c.verdict = 'UNEXPECTED' and c.note = '')::int as unnoted
    from insurance_rule_replay_case c where c.replay_id = ${row.id}`.execute(ctx.db);
  return {
    id: row.id,
    replayNo: row.replayNo,
    ownerType: row.ownerType,
    ownerId: row.ownerId,
    ownerName: row.ownerName,
    fromDate: row.fromDate,
    toDate: row.toDate,
    state: row.state,
    total: row.total,
    done: row.done,
    changed: row.changed,
    failed: row.failed,
    paidBeforeFen: Number(row.paidBeforeFen),
    paidAfterFen: Number(row.paidAfterFen),
    counts: row.state === 'DONE' && row.contentHash === now,
    ...rows[0]!,
    fault: row.fault,
    createdAt: row.createdAt,
    createdByName: row.createdBy === null ? null : await ctx.nameOf(row.createdBy),
    endedAt: row.endedAt,
    version: row.version,
    mayCancel: replayStates.canStart('cancel', row.state) && row.createdBy === ctx.staff.userId,
  };
}

const LATEST = 20;
const list = query(queryReplayList, async ({ ownerType, ownerId }, ctx) => {
  await ownerOf(ctx.db, ctx.staff, ownerType, ownerId);
  const rows = await own(ctx.db)
    .selectFrom('insuranceRuleReplay')
    .selectAll()
    .where('ownerType', '=', ownerType)
    .where('ownerId', '=', ownerId)
    .orderBy('id', 'desc')
    .limit(LATEST)
    .execute();
  const now = await hashNow(ctx.db, ownerType, ownerId);
  return Promise.all(rows.map((row) => shown(ctx, row, now)));
});

const detail = query(queryReplayDetail, async ({ id }, ctx) => {
  const row = await replayRow(ctx, id);
  return shown(ctx, row, await hashNow(ctx.db, row.ownerType, row.ownerId));
});

const judge = command(judgeReplayCase, async ({ id, verdict, note }, ctx) => {
  const known = await own(ctx.tx)
    .selectFrom('insuranceRuleReplayCase')
    .select(['replayId', 'claimNo'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!known) throw refuse(platformErrors.NOT_FOUND);
  const replay = await replayRow(ctx, known.replayId);
  if (replay.state !== 'DONE') throw refuse(platformErrors.WRONG_STATE, { state: replayStates.dictionary.label(replay.state) });
  await ownTx(ctx.tx)
    .updateTable('insuranceRuleReplayCase')
    .set({ verdict, note, judgedBy: ctx.staff.userId, judgedByName: ctx.staff.displayName, judgedAt: ctx.now })
    .where('id', '=', id)
    .execute();
  ctx.target({ type: TYPE, id: replay.id, no: `${replay.replayNo} ${known.claimNo}` });
  return { id, verdict };
});

export const replayHandlers = [add, cancel, list, detail, judge];
