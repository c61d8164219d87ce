import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { lockPerfPeriod, queryPerfPeriods, unlockPerfPeriod } from '../../contract/calls/perfRelations.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { perfPeriodMachine } from '../../contract/perfStates.ts';
import { perfPeriodRecords } from '../access.ts';
import { own } from '../database.ts';
import { attributeMonth } from './attribution.ts';

export const firstDayOf = (period: string): Day => `${period}-01`;
export const monthAfter = (period: string): string => plusDays(firstDayOf(period), 32).slice(0, 7);

/** Decisions about relations and about months wait for each other: what is true of a month stays so until the end. */
export const lockMonths = (tx: Tx): Promise<void> => lockKeys(tx, 'settlement.perfMonths');

/** Months are locked one after the other: up to this one nothing changes; null: none is locked. */
export async function lastLocked(db: Db | Tx): Promise<string | null> {
  const row = await own(db)
    .selectFrom('settlementPerfPeriod')
    .select((eb) => eb.fn.max('period').as('period'))
    .where('status', '=', 'LOCKED')
    .executeTakeFirst();
  return row?.period ?? null;
}

/** What a day in a locked month is refused with; null: it lies behind all of them. */
export function lockedFault(day: Day, locked: string | null) {
  if (locked === null || day >= firstDayOf(monthAfter(locked))) return null;
  const period = day.slice(0, 7) > locked ? locked : day.slice(0, 7);
  return refuse(settlementErrors.MONTH_LOCKED, { p: period, d: firstDayOf(monthAfter(locked)) });
}

/** @throws Refusal SCM19062 */
export async function requireOpenDay(tx: Tx, day: Day): Promise<void> {
  const fault = lockedFault(day, await lastLocked(tx));
  if (fault) throw fault;
}

const MONTHS_SHOWN = 12;
interface MonthCounts {
  period: string;
  incomeCount: number;
  attributedCount: number;
  pendingCount: number;
}

/** From the first month that was ever locked on, otherwise those of a year; the newest first. */
export const periods = query(queryPerfPeriods, async (_input, ctx) => {
  const now = ctx.today.slice(0, 7);
  const known = await own(ctx.db).selectFrom('settlementPerfPeriod').selectAll().orderBy('period').execute();
  const first = known[0]?.period ?? plusDays(firstDayOf(now), -30 * (MONTHS_SHOWN - 1)).slice(0, 7);
  const { rows } = await sql<MonthCounts>`
    select to_char(m, 'YYYY-MM') as period, count(i.id)::int as income_count, count(i.agent_id)::int as attributed_count, (
        select count(*)::int
          from settlement_perf_change c
          where c.status = 'PENDING_AUDIT' and c.effective_date >= m and c.effective_date < m + interval '1 month'
      ) as pending_count
      from generate_series(${firstDayOf(first)}::date, ${firstDayOf(now)}::date, '1 month') m
      left join settlement_income i
        on i.occurred_at >= m::timestamp at time zone 'Asia/Shanghai'
          and i.occurred_at < (m::timestamp + interval '1 month') at time zone 'Asia/Shanghai' and i.status <> 'REVERSED'
      group by m
      order by m desc`.execute(ctx.db);
  return rows.map((row) => {
    const stored = known.find(({ period }) => period === row.period);
    const status = stored?.status ?? 'OPEN';
    return {
      ...row,
      lockedByName: stored?.lockedByName ?? null,
      lockedAt: stored?.lockedAt ?? null,
      opinion: stored?.opinion ?? null,
      status,
      version: stored?.version ?? 1,
      allowedActions: perfPeriodMachine.allowed(status, ctx.has).filter((action) => action !== 'lock' || row.period < now),
    };
  });
});

async function lockPeriodRow(ctx: CommandContext, period: string, version: number) {
  await lockMonths(ctx.tx);
  await own(ctx.tx)
    .insertInto('settlementPerfPeriod')
    .values({ period, ...updatedColumns(ctx) })
    .onConflict((conflict) => conflict.column('period').doNothing())
    .execute();
  const { id } = await own(ctx.tx).selectFrom('settlementPerfPeriod').select('id').where('period', '=', period).executeTakeFirstOrThrow();
  return perfPeriodRecords.lockVersion(ctx, id, version);
}
type Period = Awaited<ReturnType<typeof lockPeriodRow>>;

async function move(ctx: CommandContext, row: Period, action: keyof typeof perfPeriodMachine.transitions, opinion: string) {
  const status = await moveState(ctx, perfPeriodMachine, {
    targetType: perfPeriodRecords.type,
    targetId: row.id,
    targetNo: row.period,
    action,
    from: row.status,
    opinion,
  });
  const locked = status === 'LOCKED';
  const { id, version } = await own(ctx.tx)
    .updateTable('settlementPerfPeriod')
    .set((eb) => ({
      status,
      lockedBy: locked ? ctx.staff.userId : null,
      lockedByName: locked ? ctx.staff.displayName : null,
      lockedAt: locked ? ctx.now : null,
      opinion: locked ? null : opinion,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', row.id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  return { ...actionAnswer(ctx, perfPeriodMachine, { id, state: status, version }), state: status };
}

/** @throws Refusal SCM19072 before it is over, SCM19073 out of turn, SCM19065 while something waits that would change it */
export const lockPeriod = command(lockPerfPeriod, async ({ period, version }, ctx) => {
  if (period >= ctx.today.slice(0, 7)) throw refuse(settlementErrors.PERF_MONTH_RUNNING, { p: period });
  const row = await lockPeriodRow(ctx, period, version);
  const locked = await lastLocked(ctx.tx);
  if (row.status === 'OPEN' && locked !== null && period !== monthAfter(locked))
    throw refuse(settlementErrors.MONTH_ORDER, { p: monthAfter(locked) });
  const end = firstDayOf(monthAfter(period));
  const { n } = await own(ctx.tx)
    .selectFrom('settlementPerfChange')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('status', '=', 'PENDING_AUDIT')
    .where('effectiveDate', '<', end)
    .executeTakeFirstOrThrow();
  if (n !== '0') throw refuse(settlementErrors.MONTH_BUSY, { n });
  await attributeMonth(ctx.tx, ctx.now, firstDayOf(period), end);
  return move(ctx, row, 'lock', '');
});

/** @throws Refusal SCM19074 for any but the latest one */
export const unlockPeriod = command(unlockPerfPeriod, async ({ period, version, opinion }, ctx) => {
  const row = await lockPeriodRow(ctx, period, version);
  const locked = await lastLocked(ctx.tx);
  if (row.status === 'LOCKED' && locked !== null && period !== locked) throw refuse(settlementErrors.NOT_LAST_MONTH, { p: locked });
  return move(ctx, row, 'unlock', opinion);
});
