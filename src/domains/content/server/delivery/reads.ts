import { sql, type SqlBool } from 'kysely';
import { dayOf, plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { ADVERT_TARGET, APPROVAL_FILE } from '../../contract/delivery/files.ts';
import { queryAdvertiseDetail } from '../../contract/adverts/calls.ts';
import {
  queryAudienceEstimate,
  queryBannerConflict,
  queryBannerDetail,
  queryDeliveryCalendar,
  queryDeliveryCounts,
} from '../../contract/banners/calls.ts';
import { audience, everybody, marksOf, mayMeet } from '../../contract/delivery/audience.ts';
import type { ShownState } from '../../contract/delivery/dictionaries.ts';
import { positionOf, positions } from '../../contract/delivery/positions.ts';
import { firstOverfull, outOfSchedule, slotText } from '../../contract/delivery/schedule.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';
import { presentAdvert, selectAdverts } from '../adverts/rows.ts';
import { own } from '../database.ts';
import { typeOf } from '../marks/objects.ts';
import { personOf, requireMarks } from './checks.ts';
import { imageUrl } from './files.ts';
import { linksOff } from './offered.ts';
import { actionsOf, deliveries, presentDelivery, records, selectDeliveries, shownAt } from './rows.ts';

const MOST_BESIDE = 200;

export const bannerDetail = (kernel: Kernel) =>
  query(queryBannerDetail, async ({ id }, ctx) => {
    const [row] = await selectDeliveries(deliveries(ctx.db, 'BANNER').where('d.id', '=', id), ctx).execute();
    if (!row) throw records.BANNER.missing();
    const isOff = await linksOff(kernel, ctx.db, [row], ctx.now);
    return {
      banner: { ...presentDelivery(kernel, row, ctx, isOff(row)), bannerNo: row.deliveryNo, bannerName: row.name },
      imageUrl: imageUrl(kernel, row.imageFileId, ctx.now),
      timeline: await trailOf(ctx.db, records.BANNER.type, id),
    };
  });

export const advertDetail = (kernel: Kernel) =>
  query(queryAdvertiseDetail, async ({ id }, ctx) => {
    const [row] = await selectAdverts(selectDeliveries(deliveries(ctx.db, 'AD').where('d.id', '=', id), ctx)).execute();
    if (!row) throw records.AD.missing();
    const [file] =
      row.approvalFileId === null
        ? []
        : await fileBriefs(ctx.db, [row.approvalFileId], { purpose: APPROVAL_FILE, ownerType: ADVERT_TARGET });
    const isOff = await linksOff(kernel, ctx.db, [row], ctx.now);
    return {
      advert: presentAdvert(kernel, row, ctx, isOff(row)),
      imageUrl: imageUrl(kernel, row.imageFileId, ctx.now),
      approvalFile: file ?? null,
      timeline: await trailOf(ctx.db, records.AD.type, id),
    };
  });

/** What is or will be delivered in places during a time. */
const during = (db: Db, from: string, to: string) =>
  own(db)
    .selectFrom('contentDelivery as d')
    .leftJoin('contentAdvert as a', 'a.deliveryId', 'd.id')
    .where('d.state', 'in', ['AUDITING', 'APPROVED'])
    .where('d.startAt', '<', to)
    .where('d.endAt', '>', from);

export const conflict = query(queryBannerConflict, async ({ id, positionCode, audience: wanted, ...schedule }, ctx) => {
  const { maxItems } = positionOf(positionCode);
  const rows = await during(ctx.db, schedule.startAt, schedule.endAt)
    .select([
      'd.id',
      'd.deliveryNo',
      'd.name',
      'd.startAt',
      'd.endAt',
      'd.weekdays',
      'd.dailyFrom',
      'd.dailyTo',
      'd.priority',
      'd.audience',
    ])
    .where('d.positionCode', '=', positionCode)
    .where((eb) => (id === undefined ? eb.lit(true) : eb('d.id', '<>', id)))
    .orderBy('d.priority', 'desc')
    .orderBy('d.startAt', 'desc')
    .limit(MOST_BESIDE)
    .execute();
  const beside = rows.filter((row) => mayMeet(audience.parse(row.audience), { ...everybody, ...wanted }));
  return {
    maxItems,
    overAt: firstOverfull(schedule, beside, maxItems),
    overlapping: beside.map(({ id: otherId, deliveryNo, name, startAt, endAt, priority }) => ({
      id: otherId,
      no: deliveryNo,
      name,
      startAt,
      endAt,
      priority,
    })),
  };
});

/** People by the marks that they carry; where people are and whether they are logged in is known of nobody before he comes. */
export const audienceEstimate = (kernel: Kernel) =>
  query(queryAudienceEstimate, async ({ clientType, audience: wanted }, ctx) => {
    const person = personOf[clientType];
    await requireMarks(ctx, wanted, person);
    const all = await typeOf(kernel, person).count(ctx.db, ctx.now);
    if (marksOf(wanted).length === 0) return { people: all, all };
    const carries = (ids: readonly string[]) => sql`select b.object_id from content_mark_binding b
      where b.object_type = ${person} and b.ended_at is null and b.mark_id = any(${[...ids]}::bigint[])`;
    const { marksAny, marksAll, marksNone } = wanted;
    const chosen =
      marksAny.length + marksAll.length === 0
        ? null
        : sql`
          select distinct b.object_id
            from content_mark_binding b
            where b.object_type = ${person}
              and b.ended_at is null
              and (${marksAny.length === 0}::boolean or b.object_id in (${carries(marksAny)}))
              and (
                ${marksAll.length === 0}::boolean
                or b.object_id in (${carries(marksAll)} group by b.object_id having count(distinct b.mark_id) = ${new Set(marksAll).size})
              )
              and (${marksNone.length === 0}::boolean or b.object_id not in (${carries(marksNone)}))`;
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from (${chosen ?? sql`select distinct x.object_id from (${carries(marksNone)}) x`}) y`.execute(ctx.db);
    const n = rows[0]?.n ?? 0;
    return { people: Math.max(0, chosen === null ? all - n : n), all };
  });

export const deliveryCounts = query(queryDeliveryCounts, async ({ kind }, ctx) => {
  const shown = shownAt(ctx.now);
  const rows = await deliveries(ctx.db, kind)
    .select(({ fn }) => ['d.pageCode', shown.as('shownState'), fn.countAll<number>().as('n')])
    .groupBy(['d.pageCode', sql`2`])
    .execute();
  return rows.map(({ pageCode, shownState, n }) => ({ pageCode: pageCodes.schema.parse(pageCode), shownState, n: Number(n) }));
});

const daysBetween = (from: Day, to: Day): Day[] => {
  const all: Day[] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) all.push(day);
  return all;
};

export const calendar = query(queryDeliveryCalendar, async ({ pageCode, from, to }, ctx) => {
  const rows = await during(ctx.db, startOfDay(from), startOfDay(plusDays(to, 1)))
    .select([
      'd.id',
      'd.kind',
      'd.deliveryNo',
      'd.name',
      'd.positionCode',
      'd.startAt',
      'd.endAt',
      'd.weekdays',
      'd.dailyFrom',
      'd.dailyTo',
    ])
    .select(['d.priority', 'd.state', 'd.version', 'd.submittedBy', 'd.createdBy', shownAt(ctx.now).as('shownState')])
    .where((eb) => (pageCode === undefined ? sql<SqlBool>`true` : eb('d.pageCode', '=', pageCode)))
    .orderBy('d.startAt')
    .orderBy('d.id')
    .execute();
  const days = daysBetween(from, to);
  // A day is covered by what is approved and delivered at some time of it.
  const covers = (row: (typeof rows)[number], day: Day) => {
    const begin = row.dailyFrom !== null ? startOfDay(day, row.dailyFrom) : startOfDay(day);
    const at = Date.parse(begin) < Date.parse(row.startAt) && dayOf(row.startAt) === day ? row.startAt : begin;
    return row.state === 'APPROVED' && outOfSchedule(row, at) === null;
  };
  return positions
    .filter((position) => pageCode === undefined || position.pageCode === pageCode)
    .map(({ positionCode, pageCode: page, kind }) => {
      const bars = rows.filter((row) => row.positionCode === positionCode);
      return {
        positionCode,
        pageCode: page,
        bars: bars.map(({ kind: of, state, submittedBy, createdBy, deliveryNo, positionCode: _place, ...bar }) => ({
          ...bar,
          kind: of,
          no: deliveryNo,
          slot: slotText(bar),
          shownState: bar.shownState satisfies ShownState,
          adjustable: actionsOf(of, { state, submittedBy, createdBy }, ctx).includes('adjust'),
        })),
        gaps: kind === 'BANNER' ? days.filter((day) => !bars.some((bar) => covers(bar, day))) : [],
      };
    });
});
