import { sql } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { AnswerOf, CheckedInputOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/context.ts';
import type { queryScanStat } from '../../contract/calls/codes.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { dailySeries, requirePeriod } from '../channels/stat.ts';

type Stat = AnswerOf<typeof queryScanStat>;

/** Numbers of some codes, or of all codes of a channel, over a period. Visitors are counted from scans, never summed by days. */
export async function scanStat(db: Db, viewer: Viewer, input: CheckedInputOf<typeof queryScanStat>): Promise<Stat> {
  requirePeriod(input);
  const { from, to } = input;
  const { rows: codes } = await sql<{ id: string; name: string }>`
    select q.id, q.name from channel_qr_code q join channel_channel c on c.id = q.channel_id
    where ${seesChannel(viewer)}
      and (${input.codeIds ?? null}::bigint[] is null or q.id = any(${input.codeIds ?? null}::bigint[]))
      and (${input.channelId ?? null}::bigint is null or q.channel_id = ${input.channelId ?? null}::bigint)
    order by q.pv desc, q.id`.execute(db);
  const ids = codes.map(({ id }) => id);
  const begin = startOfDay(from);
  const end = startOfDay(plusDays(to, 1));
  const inPeriod = sql`code_id = any(${ids}::bigint[]) and at >= ${begin}::timestamptz and at < ${end}::timestamptz`;
  const local = sql`at at time zone 'Asia/Shanghai'`;
  const { rows: totals } = await sql<Pick<Stat, 'pv' | 'uv' | 'newUv'>>`
    select count(*)::int as pv, count(distinct visitor_id)::int as uv, count(distinct visitor_id) filter (where is_new)::int as new_uv
      from channel_qr_scan
      where ${inPeriod} and counted`.execute(db);
  const { rows: won } = await sql<Pick<Stat, 'registered' | 'contacts' | 'orders' | 'payFen'>>`
    select count(*) filter (where kind in ('REGISTER_DOCTOR', 'REGISTER_PATIENT'))::int as registered,
        count(*) filter (where kind = 'ADD_CONTACT')::int as contacts, count(*) filter (where kind = 'ORDER')::int as orders,
        coalesce(sum(amount_fen) filter (where kind = 'ORDER'), 0)::text as pay_fen
      from channel_scan_conversion
      where ${inPeriod}`.execute(db);
  const { rows: hours } = await sql<Stat['hours'][number]>`
    select extract(isodow from ${local})::int as weekday, extract(hour from ${local})::int as hour, count(*)::int as pv
      from channel_qr_scan
      where ${inPeriod} and counted
      group by 1, 2`.execute(db);
  const shares = async (column: 'client' | 'result') =>
    (
      await sql<{
        key: string;
        value: number;
      }>`
        select ${sql.ref(column)} as key, count(*)::int as value from channel_qr_scan where ${inPeriod} group by 1 order by 2 desc`.execute(
        db,
      )
    ).rows;
  const compared = input.codeIds && input.codeIds.length > 1 ? codes.slice(0, 5) : [];
  return {
    ...totals[0]!,
    ...won[0]!,
    days: await dailySeries(db, 'code', ids, { from, to }),
    byCode: await Promise.all(
      compared.map(async ({ id, name }) => ({ codeId: id, name, days: await dailySeries(db, 'code', [id], { from, to }) })),
    ),
    hours,
    clients: await shares('client'),
    results: await shares('result'),
  };
}
