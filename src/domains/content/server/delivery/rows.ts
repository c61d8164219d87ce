import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { dayOf, plusDays } from '#kernel/contract/time.ts';
import type { Context, Db, Staff, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { audience, audienceText } from '../../contract/delivery/audience.ts';
import type { DeliveryKind, ShownState } from '../../contract/delivery/dictionaries.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';
import { positionCodes } from '../../contract/delivery/positions.ts';
import { momentOf, slotText, type StoredState } from '../../contract/delivery/schedule.ts';
import { machines, type DeliveryAction } from '../../contract/delivery/states.ts';
import { markPermissions } from '../../contract/marks/permissions.ts';
import { ctrOf } from '../../contract/stats/calls.ts';
import { own } from '../database.ts';
import { imageUrl, targetOf } from './files.ts';

const STAT_DAYS = 7;

export const deliveries = (db: Db | Tx, kind: DeliveryKind) =>
  own(db).selectFrom('contentDelivery as d').leftJoin('contentAdvert as a', 'a.deliveryId', 'd.id').where('d.kind', '=', kind);

const guardsOf = (kind: DeliveryKind) =>
  recordOf((db) => own(db).selectFrom('contentDelivery as d').selectAll('d')).with({
    noun: kind === 'BANNER' ? 'Banner' : '广告',
    type: targetOf(kind),
    id: 'd.id',
    // All of them are the platform's; a banner is no advertisement.
    scope: () => sql`d.kind = ${kind}`,
  });
export const records = { BANNER: guardsOf('BANNER'), AD: guardsOf('AD') } as const;
export type Delivery = Awaited<ReturnType<(typeof records)['BANNER']['get']>>;

/** Whether an advertisement's budget is used up. */
export const spentOut = sql<boolean>`
  coalesce(case a.budget_type when 'IMPRESSION' then a.impressions when 'CLICK' then a.clicks end >= a.budget_count, false)`;

/** Where a delivery stands at an instant; the same as `shownStateOf` of the contract. */
export function shownAt(now: Instant) {
  const { weekday, time } = momentOf(now);
  return sql<ShownState>`case when d.state <> 'APPROVED' then d.state
    when d.end_at <= ${now}::timestamptz or ${spentOut} then 'ENDED'
    when d.start_at > ${now}::timestamptz then 'WAITING'
    when (cardinality(d.weekdays) = 0 or ${weekday}::int = any(d.weekdays))
      and (d.daily_from is null or (${time}::text >= d.daily_from and ${time}::text < d.daily_to)) then 'LIVE'
    else 'PAUSED_SLOT' end`;
}

export const staffName = (column: string) =>
  sql<string | null>`(select u.display_name from identity_staff_user u where u.id = ${sql.ref(column)})`;

type Ask = Pick<Context, 'now' | 'has'> & { staff: Pick<Staff, 'userId'> };

/** Names of the regions and marks of an audience; medical marks of patients by name only for who may see them. */
const names = (seesMedical: boolean) => sql<Record<string, string>>`(select coalesce(jsonb_object_agg(x.key, x.name), '{}') from (
    select 'r' || r.adcode as key, r.name from identity_region r where d.audience->'adcodes' ? r.adcode
    union all
    select 'm' || m.id, case when g.sensitive and g.object_type = 'PATIENT' and not ${seesMedical}::boolean then '医疗标签' else m.mark_name end
      from content_mark m join content_tag_group g on g.id = m.group_id
     where (d.audience->'marksAny') || (d.audience->'marksAll') || (d.audience->'marksNone') ? m.id::text) x)`;

const statSince = (column: 'impressions' | 'clicks', now: Instant) =>
  sql<number>`coalesce((select sum(s.${sql.raw(column)})::int from content_stat s
    where s.delivery_id = d.id and s.day > ${plusDays(dayOf(now), -STAT_DAYS)}::date), 0)`;

export const selectDeliveries = (query: ReturnType<typeof deliveries>, { now, has }: Pick<Ask, 'now' | 'has'>) =>
  query
    .select(['d.id', 'd.kind', 'd.deliveryNo', 'd.name', 'd.pageCode', 'd.positionCode', 'd.imageFileId', 'd.altText', 'd.linkType'])
    .select([
      'd.linkValue',
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
    .select(['d.state', 'd.submittedBy', 'd.createdBy', 'd.opinion', 'd.offlineReason', 'd.version'])
    .select([staffName('d.created_by').as('createdByName'), staffName('d.audited_by').as('auditedByName')])
    .select([shownAt(now).as('shownState'), statSince('impressions', now).as('shows'), statSince('clicks', now).as('clicked')])
    .select(names(has(markPermissions['mark.sensitive'])).as('names'));
type Stored = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['executeTakeFirstOrThrow']>>;

/** What one may do with a delivery now. Nobody judges his own; whoever made it ends it, the auditor ends what others made. */
export function actionsOf(
  kind: DeliveryKind,
  row: Pick<Stored, 'submittedBy' | 'createdBy'> & { state: StoredState },
  { has, staff }: Pick<Ask, 'has' | 'staff'>,
) {
  const allowed = machines[kind].allowed(row.state, (permission) => has(permission));
  const submitted = row.submittedBy === staff.userId;
  const isOwn = submitted || row.createdBy === staff.userId;
  return allowed.filter((action) => {
    if (action === 'withdraw') return submitted;
    if (action === 'approve' || action === 'reject') return !submitted;
    if (action === 'offline') return isOwn;
    return action !== 'takeDown' || !(isOwn && allowed.includes('offline'));
  });
}
/** Whether an act on it is one's own to take. */
export const isOwnAction = (row: Pick<Stored, 'submittedBy' | 'createdBy'>, action: DeliveryAction, userId: string): boolean =>
  action === 'withdraw' ? row.submittedBy === userId : row.submittedBy === userId || row.createdBy === userId;

/** Rows as the contract shows them; names of their kind are the caller's. */
export function presentDelivery(
  kernel: Kernel,
  { audience: stored, names: known, shows, clicked, ...row }: Stored,
  ask: Ask,
  linkOff: boolean,
) {
  const wanted = audience.parse(stored);
  const { submittedBy: _submitted, createdBy: _created, linkObjectId: _linked, kind, deliveryNo: _no, name: _name, ...facts } = row;
  return {
    ...facts,
    linkOff,
    pageCode: pageCodes.schema.parse(row.pageCode),
    positionCode: positionCodes.schema.parse(row.positionCode),
    pictureUrl: imageUrl(kernel, row.imageFileId, ask.now, 'THUMB'),
    slot: slotText(row),
    audience: wanted,
    audienceText: audienceText(wanted, { region: (code) => known[`r${code}`] ?? code, mark: (id) => known[`m${id}`] ?? '已删除的标签' }),
    impressions: shows,
    clicks: clicked,
    ctrBp: ctrOf(clicked, shows),
    allowedActions: actionsOf(kind, row, ask),
  };
}
