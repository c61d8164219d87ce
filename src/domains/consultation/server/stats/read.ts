import { sql, type RawBuilder } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { queryConsultStat, StatRow } from '../../contract/calls/stats.ts';
import { mean, median, percentile, shareBp } from './figures.ts';

export type StatFilter = CheckedInputOf<typeof queryConsultStat>;
const MOST_DAYS = 92;
const P90 = 9_000;

interface Counted {
  key: string;
  label: string;
  assistantId: string | null;
  taken: number;
  waits: number[];
  replies: number;
  late: number;
  transferred: number;
  handled: number[];
  ended: number;
  rated: number;
  good: number;
}

/** @throws Refusal SCM90020 for a span that is turned round or too long. */
export function requireSpan({ from, to }: Pick<StatFilter, 'from' | 'to'>): void {
  if (to < from) throw refuseField('to', '结束日期不能早于开始日期');
  if (plusDays(from, MOST_DAYS) <= to) throw refuseField('to', `统计区间最多${MOST_DAYS}天`);
}

/** What a fact is counted under: its day, whoever did it, or the desk of its group. */
const KEYS: Record<StatFilter['groupBy'], { key: RawBuilder<string>; label: RawBuilder<string>; assistant: RawBuilder<string | null> }> = {
  day: {
    key: sql`to_char(f.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`,
    label: sql`to_char(f.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`,
    assistant: sql`null::bigint`,
  },
  assistant: {
    key: sql`coalesce(f.assistant_id::text, '')`,
    label: sql`coalesce(max(d.name), '未分配')`,
    assistant: sql`max(f.assistant_id)`,
  },
  desk: { key: sql`coalesce(g.desk_id::text, '')`, label: sql`coalesce(max(k.desk_name), '医患群')`, assistant: sql`null::bigint` },
};

/** Figures of the reception, from the log of the groups' work and from the inquiries that ended or were rated. */
export async function readStats(db: Db, filter: StatFilter): Promise<StatRow[]> {
  requireSpan(filter);
  const from = startOfDay(filter.from);
  const to = startOfDay(plusDays(filter.to, 1));
  const { key, label, assistant } = KEYS[filter.groupBy];
  const within = (column: RawBuilder<unknown>) => sql`${column} >= ${from}::timestamptz and ${column} < ${to}::timestamptz`;
  const takes = sql`('ASSIGNED', 'TAKEN', 'TRANSFERRED', 'TAKEN_OVER')`;
  const { rows } = await sql<Counted>`
    with facts as (
      select b.group_id, b.to_assistant_id as assistant_id, b.at, 'TAKEN' as kind, null::int as sec, false as mark
        from consultation_group_board b
        where ${within(sql`b.at`)} and b.action in ${takes} and b.to_assistant_id is not null
      union all
      select b.group_id, b.to_assistant_id, b.at, 'REPLY', b.wait_sec, b.over_sla
        from consultation_group_board b
        where ${within(sql`b.at`)} and b.action = 'FIRST_REPLY'
      union all
      select b.group_id, b.from_assistant_id, b.at, 'TRANSFER', null, false
        from consultation_group_board b
        where ${within(sql`b.at`)} and b.action = 'TRANSFERRED'
      union all
      select b.group_id, b.from_assistant_id, b.at, 'DONE',
          extract(
            epoch from b.at - (
              select max(t.at) from consultation_group_board t where t.group_id = b.group_id and t.at <= b.at and t.action in ${takes}
            )
          )::int,
          false
        from consultation_group_board b
        where ${within(sql`b.at`)} and b.action = 'DONE'
      union all
      select i.group_id, coalesce(h.owner_assistant_id, h.last_assistant_id), i.ended_at, 'ENDED', null, false
        from consultation_inquiry i
        join consultation_medical_group h on h.group_id = i.group_id
        where ${within(sql`i.ended_at`)}
      union all
      select i.group_id, coalesce(h.owner_assistant_id, h.last_assistant_id), i.rated_at, 'RATED', null, i.stars >= 4
        from consultation_inquiry i
        join consultation_medical_group h on h.group_id = i.group_id
        where ${within(sql`i.rated_at`)}
    )
    select ${key} as key, ${label} as label, ${assistant} as assistant_id, (count(*) filter (where f.kind = 'TAKEN'))::int as taken,
        coalesce(array_agg(f.sec) filter (where f.kind = 'REPLY' and f.sec is not null), '{}') as waits,
        (count(*) filter (where f.kind = 'REPLY'))::int as replies, (count(*) filter (where f.kind = 'REPLY' and f.mark))::int as late,
        (count(*) filter (where f.kind = 'TRANSFER'))::int as transferred,
        coalesce(array_agg(f.sec) filter (where f.kind = 'DONE' and f.sec is not null), '{}') as handled,
        (count(*) filter (where f.kind = 'ENDED'))::int as ended, (count(*) filter (where f.kind = 'RATED'))::int as rated,
        (count(*) filter (where f.kind = 'RATED' and f.mark))::int as good
      from facts f
      join consultation_medical_group g on g.group_id = f.group_id
      left join consultation_assistant_duty d on d.assistant_id = f.assistant_id
      left join consultation_guidance_desk k on k.id = g.desk_id
      where ${filter.assistantId === undefined ? sql`true` : sql`f.assistant_id = ${filter.assistantId}::bigint`}
        and ${filter.deskId === undefined ? sql`true` : sql`g.desk_id = ${filter.deskId}::bigint`}
      group by 1
      order by 1`.execute(db);
  return rows.map(({ waits, replies, late, transferred, handled, rated, good, ...row }) => ({
    ...row,
    firstReplyMedianSec: median(waits),
    firstReplyP90Sec: percentile(waits, P90),
    overSlaBp: shareBp(late, replies),
    handleAverageSec: mean(handled),
    transferBp: shareBp(transferred, row.taken),
    goodRateBp: shareBp(good, rated),
  }));
}
