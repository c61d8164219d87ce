import { sql } from 'kysely';
import { plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import { LEGAL_DAYS, type OverviewFigures, type StatFilter } from '../../contract/statistics/calls.ts';
import { ratioBp } from '../../contract/statistics/earned.ts';
import { countInsured } from './insured.ts';
import { monthsOf, periodOf, rowsSeen, type Period } from './asked.ts';

export interface Asking {
  db: Db;
  staff: Viewer;
  today: Day;
  filter: StatFilter;
}

const begin = ({ from }: Period) => startOfDay(from);
const end = ({ to }: Period) => startOfDay(plusDays(to, 1));

/** An open claim without enough like it is reserved at so much of what is claimed. */
const USUAL_SHARE = '0.6';
const ENOUGH_CASES = 30;

/** Earned premium of each month, by cumulative days. */
export async function earnedByMonth({ db, staff, filter }: Asking, months: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ month: string; fen: string }>`
    with m as (select month, (month || '-01')::date as a, ((month || '-01')::date + interval '1 month')::date as b
      from unnest(${[...months]}::text[]) month),
    p as (select p.amount_fen as amount, p.coverage_start as s, p.coverage_end - p.coverage_start + 1 as total
      from insurance_stat_premium p where not p.reversed and ${rowsSeen('p', filter, staff)})
    select m.month, coalesce(sum(
      floor((2 * p.amount::numeric * least(greatest(m.b - p.s, 0), p.total) + p.total) / (2 * p.total))
      - floor((2 * p.amount::numeric * least(greatest(m.a - p.s, 0), p.total) + p.total) / (2 * p.total))), 0)::text as fen
    from m left join p on p.s < m.b and p.s + p.total > m.a group by 1`.execute(db);
  return new Map(rows.map(({ month, fen }) => [month, Number(fen)]));
}

/** Outstanding at the end of each day: approved and unpaid, and of open claims what is likely to be approved. */
export async function reservesAt({ db, staff, filter }: Asking, days: readonly Day[]): Promise<Map<Day, number>> {
  const { rows } = await sql<{ day: Day; fen: string }>`
    with d as (select day from unnest(${[...days]}::date[]) day),
    share as (
      select d.day, c.product_id, sum(c.approved_fen)::numeric / nullif(sum(c.claimed_fen), 0) as share
      from d join insurance_stat_claim c on c.decided_at >= (d.day + 1 - interval '12 months') at time zone 'Asia/Shanghai'
        and c.decided_at < (d.day + 1)::timestamp at time zone 'Asia/Shanghai'
      where not c.test_user group by 1, 2 having count(*) >= ${ENOUGH_CASES}),
    spans as (
      select x.claim_id, c.product_id, x.date, lead(x.date) over (partition by x.claim_id order by x.date) as until,
        x.open_fen, x.approved_fen - x.paid_fen as due
      from insurance_stat_claim_day x join insurance_stat_claim c on c.claim_id = x.claim_id
      where not c.test_user and ${rowsSeen('c', filter, staff)})
    select d.day::text, coalesce(sum(s.due + floor(s.open_fen * coalesce(share.share, ${USUAL_SHARE}::numeric) + 0.5)), 0)::text as fen
    from d left join spans s on s.date <= d.day and (s.until is null or s.until > d.day) and (s.due <> 0 or s.open_fen <> 0)
    left join share on share.day = d.day and share.product_id = s.product_id
    group by 1`.execute(db);
  return new Map(rows.map(({ day, fen }) => [day, Number(fen)]));
}

export async function paidByMonth({ db, staff, filter }: Asking): Promise<Map<string, number>> {
  const period = periodOf(filter.from, filter.to);
  const { rows } = await sql<{ month: string; fen: string }>`
    select to_char(c.paid_at at time zone 'Asia/Shanghai', 'YYYY-MM') as month, sum(c.paid_fen)::text as fen
    from insurance_stat_claim c where not c.test_user and c.paid_at >= ${begin(period)} and c.paid_at < ${end(period)}
      and ${rowsSeen('c', filter, staff)} group by 1`.execute(db);
  return new Map(rows.map(({ month, fen }) => [month, Number(fen)]));
}

/** Loss ratios month by month. */
export async function lossByMonth(asking: Asking) {
  const months = monthsOf(asking.filter.from, asking.filter.to);
  const ends = months.map((month) => periodOf(month, month).to);
  const [earned, paid, reserves] = await Promise.all([
    earnedByMonth(asking, months),
    paidByMonth(asking),
    reservesAt(asking, [plusDays(`${months[0]!}-01`, -1), ...ends]),
  ]);
  return months.map((month) => {
    const period = periodOf(month, month);
    const earnedFen = earned.get(month) ?? 0;
    const paidFen = paid.get(month) ?? 0;
    const reserveStartFen = reserves.get(plusDays(period.from, -1)) ?? 0;
    const reserveEndFen = reserves.get(period.to) ?? 0;
    return {
      month,
      earnedFen,
      paidFen,
      reserveStartFen,
      reserveEndFen,
      paidRatioBp: ratioBp(paidFen, earnedFen),
      incurredRatioBp: ratioBp(paidFen + reserveEndFen - reserveStartFen, earnedFen),
    };
  });
}

interface Counted {
  applies: number;
  passed: number;
  refused: number;
  claims: number;
  claimedFen: string;
  approvedFen: string;
  paidFen: string;
  workMinutes: number | null;
  openClaims: number;
  overdueClaims: number;
}

export async function overviewOf(asking: Asking): Promise<OverviewFigures> {
  const { db, staff, filter, today } = asking;
  const period = periodOf(filter.from, filter.to);
  const [from, to] = [begin(period), end(period)];
  const lastDay = period.to < today ? period.to : today;
  const { rows } = await sql<Counted>`
    with e as (select e.state from insurance_stat_enrolment e
      where not e.test_user and e.submitted_at >= ${from} and e.submitted_at < ${to} and ${rowsSeen('e', filter, staff)}),
    c as (select c.* from insurance_stat_claim c where not c.test_user and ${rowsSeen('c', filter, staff)})
    select (select count(*)::int from e) as applies,
      (select count(*)::int from e where state = 'APPROVED') as passed,
      (select count(*)::int from e where state = 'REJECTED') as refused,
      count(*) filter (where c.submitted_at >= ${from} and c.submitted_at < ${to})::int as claims,
      coalesce(sum(c.claimed_fen) filter (where c.submitted_at >= ${from} and c.submitted_at < ${to}), 0)::text as claimed_fen,
      coalesce(sum(c.approved_fen) filter (where c.decided_at >= ${from} and c.decided_at < ${to}), 0)::text as approved_fen,
      coalesce(sum(c.paid_fen) filter (where c.paid_at >= ${from} and c.paid_at < ${to}), 0)::text as paid_fen,
      round(avg(c.work_minutes) filter (where c.decided_at >= ${from} and c.decided_at < ${to}))::int as work_minutes,
      count(*) filter (where c.open)::int as open_claims,
      count(*) filter (where c.open and c.submitted_at < ${startOfDay(plusDays(today, -LEGAL_DAYS))})::int as overdue_claims
    from c`.execute(db);
  const counted = rows[0]!;
  const months = monthsOf(filter.from, filter.to);
  const byRegion = staff.scope.region !== null || (filter.adcodes ?? []).length > 0;
  const [earned, reserves, insured] = await Promise.all([
    earnedByMonth(asking, months),
    reservesAt(asking, [plusDays(period.from, -1), period.to]),
    countInsured(db, { day: lastDay, today, byRegion, seen: (alias) => rowsSeen(alias, filter, staff) }),
  ]);
  const earnedFen = [...earned.values()].reduce((sum, one) => sum + one, 0);
  const paidFen = Number(counted.paidFen);
  const incurred = paidFen + (reserves.get(period.to) ?? 0) - (reserves.get(plusDays(period.from, -1)) ?? 0);
  return {
    applies: counted.applies,
    passBp: ratioBp(counted.passed, counted.passed + counted.refused),
    insured,
    claims: counted.claims,
    claimedFen: Number(counted.claimedFen),
    approvedFen: Number(counted.approvedFen),
    paidFen,
    paidRatioBp: ratioBp(paidFen, earnedFen),
    incurredRatioBp: ratioBp(incurred, earnedFen),
    workMinutes: counted.workMinutes,
    openClaims: counted.openClaims,
    overdueClaims: counted.overdueClaims,
  };
}

interface MonthRow {
  month: string;
  applies: number;
  passed: number;
  refused: number;
  claims: number;
  claimedFen: string;
  approvedFen: string;
}

export async function trendOf({ db, staff, filter }: Asking) {
  const period = periodOf(filter.from, filter.to);
  const months = monthsOf(filter.from, filter.to);
  const month = (column: 'submitted_at' | 'decided_at') => sql`to_char(${sql.ref(column)} at time zone 'Asia/Shanghai', 'YYYY-MM')`;
  const { rows } = await sql<MonthRow>`
    with m as (select month from unnest(${months}::text[]) month),
    e as (
      select ${month('submitted_at')} as month, e.state
        from insurance_stat_enrolment e
        where not e.test_user and e.submitted_at >= ${begin(period)} and e.submitted_at < ${end(period)} and ${rowsSeen('e', filter, staff)}
    ),
    es as (
      select month, count(*)::int as applies, count(*) filter (where state = 'APPROVED')::int as passed,
          count(*) filter (where state = 'REJECTED')::int as refused
        from e
        group by 1
    ),
    cs as (
      select ${month('submitted_at')} as month, count(*)::int as claims, sum(claimed_fen) as claimed
        from insurance_stat_claim c
        where not c.test_user and c.submitted_at >= ${begin(period)} and c.submitted_at < ${end(period)} and ${rowsSeen('c', filter, staff)}
        group by 1
    ),
    cd as (
      select ${month('decided_at')} as month, sum(approved_fen) as approved
        from insurance_stat_claim c
        where not c.test_user and c.decided_at >= ${begin(period)} and c.decided_at < ${end(period)} and ${rowsSeen('c', filter, staff)}
        group by 1
    )
    select m.month, coalesce(es.applies, 0) as applies, coalesce(es.passed, 0) as passed, coalesce(es.refused, 0) as refused,
        coalesce(cs.claims, 0) as claims, coalesce(cs.claimed, 0)::text as claimed_fen, coalesce(cd.approved, 0)::text as approved_fen
      from m
      left join es using (month)
      left join cs using (month)
      left join cd using (month)
      order by 1`.execute(db);
  return rows.map((row) => ({ ...row, claimedFen: Number(row.claimedFen), approvedFen: Number(row.approvedFen) }));
}
