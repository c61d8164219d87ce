import { sql } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { visitorsOf } from '#domains/channel/server/index.ts';
import { funnelSteps, type FunnelRow, type queryChannelFunnel } from '../../contract/calls/attribution.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { seesAttribution } from './access.ts';
import { stepReached } from './list.ts';
import { nameOf } from './names.ts';

const MOST_CHANNELS = 10;
const BP = 10_000;

interface Counted {
  channelId: string | null;
  channelName: string | null;
  registered: number;
  verified: number;
  first: number;
  repeat: number;
}

const rowOf = (channelId: string | null, channelName: string, values: readonly number[], knowsScans: boolean): FunnelRow => ({
  channelId,
  channelName,
  steps: funnelSteps.map((step, index) => {
    const before = index === 0 || (index === 1 && !knowsScans) ? 0 : values[index - 1]!;
    return { step, n: values[index]!, rateBp: before === 0 ? null : Math.round((values[index]! * BP) / before) };
  }),
});

/** Who was brought in a period and how far they got since: all together, then the channels with the most people. */
export async function channelFunnel(db: Db, viewer: Viewer, input: CheckedInputOf<typeof queryChannelFunnel>): Promise<FunnelRow[]> {
  const { subjectType, from, to, channelIds } = input;
  const only = channelIds === undefined ? sql`true` : sql`t.channel_id = any(${[...channelIds]}::bigint[])`;
  const { rows } = await sql<Counted>`
    select t.channel_id, ${nameOf('CHANNEL', 't.channel_id')} as channel_name, count(*)::int as registered,
        (count(*) filter (where ${stepReached(subjectType, 'VERIFIED')}))::int as verified,
        (count(*) filter (where ${stepReached(subjectType, 'FIRST_ORDER')}))::int as first,
        (count(*) filter (where ${stepReached(subjectType, 'REPEAT')}))::int as repeat
      from doctor_attribution t
      where t.subject_type = ${subjectType}
        and t.ended_at is null
        and t.started_at >= ${startOfDay(from)}
        and t.started_at < ${startOfDay(plusDays(to, 1))}
        and ${only}
        and ${seesAttribution(viewer)}
      group by t.channel_id
      order by 2 desc, 1`.execute(db);
  const scope = { from, to, viewer, ...(channelIds === undefined ? {} : { channelIds }) };
  const visitors = new Map((await visitorsOf(db, scope)).map(({ channelId, n }) => [channelId, n]));
  const valuesOf = ({ channelId, registered, verified, first, repeat }: Counted) => [
    channelId === null ? 0 : (visitors.get(channelId) ?? 0),
    registered,
    verified,
    first,
    repeat,
  ];
  const top = rows.filter(({ channelId }) => channelId !== null).slice(0, MOST_CHANNELS);
  const all = rows.map(valuesOf).reduce((sum, values) => sum.map((value, index) => value + values[index]!), [0, 0, 0, 0, 0]);
  all[0] = [...visitors.values()].reduce((sum, n) => sum + n, 0);
  const organic = rows.find(({ channelId }) => channelId === null);
  return [
    rowOf(null, '全部', all, all[0] > 0),
    ...top.map((row) => rowOf(row.channelId, row.channelName ?? '已删除的渠道', valuesOf(row), visitors.has(row.channelId!))),
    ...(organic ? [rowOf('0', '自然流量', valuesOf(organic), false)] : []),
  ];
}
