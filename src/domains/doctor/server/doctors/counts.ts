import { sql } from 'kysely';
import { plusDays, type Day, type Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Viewer } from '../../../../kernel/server/auth/viewer.ts';
import { seesDoctor } from '../access.ts';
import { WARNED_DAYS } from './list.ts';

interface Counts {
  all: number;
  audit: number;
  mine: number;
  recheck: number;
  returned: number;
  certs: number;
  frozen: number;
  recommend: number;
}

/** Numbers on the tabs, in one statement; a case whose lease ran out waits again, as in the queues. */
export async function doctorCounts(db: Db, viewer: Viewer, { now, today }: { now: Instant; today: Day }): Promise<Counts> {
  const { rows } = await sql<Counts>`
    with seen as materialized (select d.id, d.account_state from doctor_doctor d where ${seesDoctor(viewer)}),
    applies as (
      select q.state, q.lease_user_id, q.lease_until
        from doctor_qual_apply q
        join seen s on s.id = q.doctor_id
        where q.state in ('PENDING', 'REVIEWING', 'RECHECK', 'RETURNED')
    )
    select (select count(*)::int from seen) as all,
      (select count(*)::int from applies where state = 'PENDING' or (state = 'REVIEWING' and lease_until <= ${now}::timestamptz)) as audit,
      (
        select count(*)::int
          from applies
          where state = 'REVIEWING' and lease_user_id = ${viewer.userId} and lease_until > ${now}::timestamptz
      ) as mine,
      (select count(*)::int from applies where state = 'RECHECK') as recheck,
      (select count(*)::int from applies where state = 'RETURNED') as returned,
      (
        select count(*)::int
          from doctor_cert c
          join seen s on s.id = c.doctor_id
          where s.account_state <> 'CANCELLED' and c.state in ('VALID', 'EXPIRED') and c.valid_to <= ${plusDays(today, WARNED_DAYS)}
      ) as certs,
      (select count(*)::int from seen where account_state = 'FROZEN') as frozen,
      (
        select count(*)::int from doctor_recommendation r join seen s on s.id = r.doctor_id where r.state in ('WAITING', 'ON')
      ) as recommend`.execute(db);
  return rows[0]!;
}
