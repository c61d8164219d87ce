import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { audience, impersonal, type PageViewer } from '../../contract/delivery/audience.ts';
import { positionsOf, type Position } from '../../contract/delivery/positions.ts';
import { budgetGives, whatShows, type Chosen } from '../../contract/delivery/select.ts';
import type { PageCode } from '../../contract/floors/clientPages.ts';
import { own } from '../database.ts';
import { offeredOf, thingOf } from '../delivery/offered.ts';

interface Looking {
  viewer: PageViewer;
  /** Whose views count towards the caps; null: nobody's, it is looked at only. */
  viewerKey: string | null;
  at: Instant;
  now: Instant;
}

const DICE = 1_000_000;
const dice = () => randomInt(DICE) / DICE;

/** What is approved on a page and not over. */
const approved = (db: Db, pageCode: PageCode, at: Instant) =>
  own(db)
    .selectFrom('contentDelivery as d')
    .leftJoin('contentAdvert as a', 'a.deliveryId', 'd.id')
    .select(['d.id', 'd.kind', 'd.deliveryNo', 'd.name', 'd.positionCode', 'd.imageFileId', 'd.altText', 'd.linkType', 'd.linkValue'])
    .select([
      'd.linkParams',
      'd.linkObjectId',
      'd.startAt',
      'd.endAt',
      'd.weekdays',
      'd.dailyFrom',
      'd.dailyTo',
      'd.audience',
      'd.priority',
    ])
    .select(['a.sponsorType', 'a.sponsorName', 'a.approvalUntil', 'a.disclaimer', 'a.capPerPersonDay', 'a.capPerPersonTotal', 'a.closable'])
    .select(['a.showSeconds', 'a.budgetType', 'a.budgetCount', 'a.impressions', 'a.clicks'])
    .where('d.pageCode', '=', pageCode)
    .where('d.state', '=', 'APPROVED')
    .where('d.endAt', '>', at)
    .execute();
type Row = Awaited<ReturnType<typeof approved>>[number];

/** How often a viewer saw each of some deliveries, on the day and in all. */
async function seenBy(db: Db, viewerKey: string | null, ids: readonly string[], at: Instant) {
  const { rows } =
    viewerKey === null || ids.length === 0
      ? { rows: [] }
      : await sql<{ id: string; today: number; total: number }>`
        select v.delivery_id::text as id, coalesce(sum(v.shows) filter (where v.day = ${dayOf(at)}::date), 0)::int as today,
            sum(v.shows)::int as total
          from content_viewing v
          where v.viewer = ${viewerKey} and v.delivery_id = any(${[...ids]}::bigint[])
          group by v.delivery_id`.execute(db);
  const known = new Map(rows.map((row) => [row.id, row]));
  return (id: string) => known.get(id) ?? { today: 0, total: 0 };
}

function budgetLeft({ budgetType, budgetCount, impressions, clicks }: Row, counts: boolean): number | null {
  if (budgetCount === null || budgetType === null || budgetType === 'NONE') return null;
  const [budget, used] = [Number(budgetCount), Number(budgetType === 'IMPRESSION' ? impressions : clicks)];
  const left = budget - used;
  return left > 0 && counts && budgetType === 'IMPRESSION' && !budgetGives(left, budget, dice()) ? 0 : left;
}

export type Placed = ReturnType<typeof candidateOf>;
const candidateOf = (row: Row, counts: boolean) => ({
  ...row,
  audience: audience.parse(row.audience),
  capDay: row.capPerPersonDay,
  capTotal: row.capPerPersonTotal,
  budgetLeft: budgetLeft(row, counts),
});

/** What the places of a page show to a viewer, and what they leave out. */
export async function placesFor(
  kernel: Kernel,
  db: Db,
  pageCode: PageCode,
  { viewer, viewerKey, at, now }: Looking,
): Promise<{ position: Position; chosen: Chosen<Placed>[] }[]> {
  const rows = (await approved(db, pageCode, at)).map((row) => candidateOf(row, viewerKey !== null));
  const isOffered = await offeredOf(
    kernel,
    db,
    rows.flatMap((row) => thingOf(row) ?? []),
    now,
  );
  const seen = await seenBy(
    db,
    viewerKey,
    rows.filter(({ capDay }) => capDay !== null).map(({ id }) => id),
    at,
  );
  return positionsOf(pageCode).map((position) => ({
    position,
    chosen: whatShows(
      rows.filter(({ positionCode }) => positionCode === position.positionCode),
      {
        at,
        // Without his consent a patient is shown a sponsor's content by region and time alone.
        viewerOf: ({ sponsorType }) =>
          sponsorType !== null && sponsorType !== 'SELF' && position.clientType === 'PATIENT' && !viewer.agrees
            ? impersonal(viewer)
            : viewer,
        isOffered: (row) => {
          const thing = thingOf(row);
          return thing === null || isOffered(thing);
        },
        seen: ({ id }) => seen(id),
        maxItems: position.maxItems,
      },
    ),
  }));
}
