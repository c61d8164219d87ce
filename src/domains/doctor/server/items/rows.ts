import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type SelectQueryBuilder } from 'kysely';
import { yuan } from '#kernel/contract/money.ts';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { ExportColumn } from '#kernel/server/exporting/source.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { practiceCategories, titles, type TitleCode } from '../../contract/dictionaries.ts';
import { exportServiceItemList, queryServiceItemList, type ItemRow } from '../../contract/calls/items.ts';
import { own, type DoctorTables } from '../database.ts';

type Joined = DoctorTables & { i: DoctorTables['doctorServiceItem']; c: DoctorTables['doctorServiceCategory'] };

const items = (db: Db | Tx) => own(db).selectFrom('doctorServiceItem as i').innerJoin('doctorServiceCategory as c', 'c.id', 'i.categoryId');

const ORDER_DAYS = 30;
const COLUMNS = [
  'i.id',
  'i.itemCode',
  'i.name',
  'i.itemType',
  'i.careKind',
  'i.categoryId',
  'c.name as categoryName',
  'i.sort',
  'i.summary',
  'i.detail',
  'i.coverFileId',
  'i.billing',
  'i.quotaReplies',
  'i.periodDays',
  'i.durationMin',
  'i.freeAllowed',
  'i.priceBands',
  'i.acceptHours',
  'i.replyHours',
  'i.validHours',
  'i.needSlot',
  'i.titleMin',
  'i.categories',
  'i.productLineId',
  'i.agreementFileId',
  'i.agreementVersion',
  'i.refundRuleCode',
  'i.state',
  'i.version',
  'i.createdAt',
  'i.updatedAt',
] as const;

/** The CHECKs of the table hold the codes of the contract. */
const itemColumns = (query: SelectQueryBuilder<Joined, 'i' | 'c', object>, now: Instant) =>
  query
    .select(COLUMNS)
    .select(sql<number>`(select count(*)::int from doctor_service_opening o where o.item_id = i.id and o.state = 'ON')`.as('openDoctors'))
    .select(
      sql<number>`(
        select count(*)::int from doctor_consult_order r where r.item_id = i.id and r.created_at > ${plusMs(now, -days(ORDER_DAYS))}
      )`.as('orders30'),
    )
    .$castTo<ItemRow>();

/** In the order in which patients see them. */
export const itemList = listOf(queryServiceItemList)
  .from(({ db }) => items(db))
  .with({
    where: {
      keyword: (eb, keyword) =>
        eb.or([eb('i.name', 'ilike', containsPattern(keyword)), eb('i.itemCode', 'like', containsPattern(keyword.toUpperCase()))]),
      itemType: 'i.itemType',
      careKind: 'i.careKind',
      // A category stands for those below it too.
      categoryId: (eb, categoryId) => eb.or([eb('i.categoryId', '=', categoryId), eb('c.parentId', '=', categoryId)]),
      billing: 'i.billing',
      state: 'i.state',
    },
    id: 'i.id',
    unsorted: 'a catalogue in the order of its categories',
    order: [
      [sql`coalesce((select q.sort from doctor_service_category q where q.id = c.parent_id), c.sort)`, 'asc'],
      [sql`c.parent_id is not null`, 'asc'],
      ['c.sort', 'asc'],
      ['i.sort', 'asc'],
    ],
    select: (query, { now }) => itemColumns(query, now),
    present: (rows) => rows,
  });

export const itemById = async (db: Db | Tx, id: string, now: Instant): Promise<ItemRow | null> =>
  (await itemColumns(items(db).where('i.id', '=', id), now).executeTakeFirst()) ?? null;

const bandColumn = (title: TitleCode): ExportColumn<ItemRow> => ({
  key: `band${title}`,
  label: `${titles.label(title)}价格（元，最低–默认–最高）`,
  width: 34,
  value: ({ priceBands: { [title]: band } }) => band && `${yuan(band.minFen)}–${yuan(band.defaultFen)}–${yuan(band.maxFen)}`,
});

export const itemExport = listExport(itemList, {
  call: exportServiceItemList,
  title: '服务项目',
  routeKey: 'doctorService',
  columns: [
    'itemCode',
    'name',
    'categoryName',
    'itemType',
    'careKind',
    'billing',
    'quotaReplies',
    'periodDays',
    'durationMin',
    ...titles.codes.map(bandColumn),
    'acceptHours',
    'replyHours',
    'validHours',
    'needSlot',
    'titleMin',
    {
      key: 'categories',
      label: '执业类别',
      width: 20,
      value: (row) => row.categories.map((category) => practiceCategories.label(category)).join('、') || '不限',
    },
    'refundRuleCode',
    'openDoctors',
    'orders30',
    'state',
    'updatedAt',
  ],
});
