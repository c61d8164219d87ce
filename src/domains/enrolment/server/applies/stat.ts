import { sql } from 'kysely';
import { query } from '#kernel/server/handler.ts';
import { querySignReviewStat } from '../../contract/calls/applies.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { applyScope } from './records.ts';

interface Row {
  userName: string;
  done: number;
  medianSeconds: number;
  passed: number;
  supplemented: number;
  overturned: number;
}
const bp = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part * 10_000) / whole));

/** What each reviewer did in a time, and how often a later level decided otherwise; test users are left out. */
export const reviewStat = query(querySignReviewStat, async ({ from, to, productLine }, { db, staff }) => {
  const { rows } = await sql<Row>`
    select min(d.user_name) as user_name, count(*)::int as done,
        (percentile_disc(0.5) within group (order by d.seconds))::int as median_seconds,
        (count(*) filter (where d.verdict in ('PASS', 'ACCEPT')))::int as passed,
        (count(*) filter (where d.verdict = 'SUPPLEMENT'))::int as supplemented,
        (count(*) filter (where exists (
          select from enrolment_decision l
            where l.apply_id = d.apply_id and l.round = d.round and l.level > d.level
              and (l.verdict in ('PASS', 'ACCEPT')) <> (d.verdict in ('PASS', 'ACCEPT')))))::int as overturned
      from enrolment_decision d
      join enrolment_apply a on a.id = d.apply_id
      where d.user_id is not null and d.level < 3 and not a.test_user and d.at between ${from} and ${to}
        and (${productLine ?? null}::text is null or a.product_line = ${productLine ?? null})
        and ${scopeFilter(applyScope, staff)}
      group by d.user_id
      order by done desc, d.user_id
      limit 100
  `.execute(db);
  return rows.map(({ userName, done, medianSeconds, passed, supplemented, overturned }) => ({
    userName,
    done,
    medianSeconds,
    passBp: bp(passed, done),
    supplementBp: bp(supplemented, done),
    overturnedBp: bp(overturned, done),
  }));
});
