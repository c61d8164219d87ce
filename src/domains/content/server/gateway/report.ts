import { sql } from 'kysely';
import { dayOf, days, minutes, plusMs, showInstant, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { reportContentEvent } from '../../contract/delivery/calls.ts';
import { readTrack } from './tracks.ts';

/** What is reported later than this does not count. */
export const LATEST = days(1);
/** Clocks of clients differ a little. */
const AHEAD = minutes(5);

interface ReportedEvent {
  eventId: string;
  /** The part of the track that no other one has. */
  track: string;
  type: 'SHOW' | 'CLICK' | 'CLOSE';
  deliveryId: string;
  viewer: string;
  day: string;
  hour: number;
  region: string;
}

/** Those that were not reported before; of what was shown once each kind counts once. */
async function fresh(tx: Tx, reported: readonly ReportedEvent[], now: Instant): Promise<ReportedEvent[]> {
  const { rows } = await sql<{ eventId: string }>`
    insert into content_event (event_id, track, type, at)
      select e."eventId", e.track, e.type, ${now}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as e("eventId" text, track text, type text)
        order by e."eventId"
        on conflict do nothing
        returning event_id`.execute(tx);
  const taken = new Set(rows.map(({ eventId }) => eventId));
  // The same number twice in one report is one event.
  return reported.filter(({ eventId }) => taken.delete(eventId));
}

/** Counts views of persons; answers those who had not seen it before on that day. */
async function countViewings(tx: Tx, shows: readonly ReportedEvent[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ deliveryId: string; viewer: string; day: string }>`
    insert into content_viewing as v (delivery_id, viewer, day, shows)
      select e."deliveryId", e.viewer, e.day, count(*)
        from jsonb_to_recordset(${JSON.stringify(shows)}::jsonb) as e("deliveryId" bigint, viewer text, day date)
        group by 1, 2, 3
        order by 1, 2, 3
        on conflict (delivery_id, viewer, day) do update
        set shows = v.shows + excluded.shows
        returning v.delivery_id::text as delivery_id, v.viewer, case when v.xmax = 0 then v.day::text else '' end as day`.execute(tx);
  return new Set(rows.filter(({ day }) => day !== '').map(({ deliveryId, viewer, day }) => `${deliveryId}:${viewer}:${day}`));
}

async function count(tx: Tx, reported: readonly ReportedEvent[]): Promise<void> {
  const newcomers = new Set(
    await countViewings(
      tx,
      reported.filter(({ type }) => type === 'SHOW'),
    ),
  );
  const rows = reported.map(({ deliveryId, viewer, day, hour, region, type }) => ({
    deliveryId,
    day,
    hour,
    region,
    type,
    first: type === 'SHOW' && newcomers.delete(`${deliveryId}:${viewer}:${day}`),
  }));
  await sql`
    insert into content_stat as s (delivery_id, day, hour, region, impressions, viewers, clicks, closes)
    select e."deliveryId", e.day, e.hour, e.region, count(*) filter (where e.type = 'SHOW'), count(*) filter (where e.first),
           count(*) filter (where e.type = 'CLICK'), count(*) filter (where e.type = 'CLOSE')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(
        "deliveryId" bigint, day date, hour int, region text, type text, first boolean
      )
     group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (delivery_id, day, hour, region) do update set impressions = s.impressions + excluded.impressions,
      viewers = s.viewers + excluded.viewers, clicks = s.clicks + excluded.clicks, closes = s.closes + excluded.closes`.execute(tx);
  // Locked in the order of their ids, so that reports of several advertisements do not wait for each other in a ring.
  await sql`
    with e as (
      select x."deliveryId" as id, count(*) filter (where x.type = 'SHOW') as shows, count(*) filter (where x.type = 'CLICK') as clicks
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x("deliveryId" bigint, type text)
        group by 1
    ),
    held as (
      select a.delivery_id from content_advert a where a.delivery_id in (select id from e) order by a.delivery_id for update
    ) update content_advert a
    set impressions = a.impressions + e.shows, clicks = a.clicks + e.clicks
    from e
    join held on held.delivery_id = e.id
    where a.delivery_id = e.id`.execute(tx);
}

export const report = (kernel: Kernel) =>
  command(reportContentEvent, async ({ events }, { tx, now }) => {
    const [oldest, newest] = [Date.parse(plusMs(now, -LATEST)), Date.parse(plusMs(now, AHEAD))];
    const reported = events.flatMap(({ eventId, trackId, type, at }): ReportedEvent[] => {
      const shown = readTrack(kernel, trackId);
      const time = Date.parse(at);
      if (shown === null || Date.parse(shown.at) < oldest || time < oldest || time > newest) return [];
      const then = time > Date.parse(now) ? now : at;
      const { deliveryId, viewer, region } = shown;
      return [
        {
          eventId,
          track: trackId.slice(-64),
          type,
          deliveryId,
          viewer,
          region,
          day: dayOf(then),
          hour: Number(showInstant(then).slice(11, 13)),
        },
      ];
    });
    const counted = reported.length === 0 ? [] : await fresh(tx, reported, now);
    if (counted.length > 0) await count(tx, counted);
    return { accepted: counted.length };
  });
