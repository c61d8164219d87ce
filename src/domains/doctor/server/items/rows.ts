import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { days, plusMs, type Instant } from '../../../../kernel/contract/time.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { ItemRow, queryServiceItemList } from '../../contract/itemCalls.ts';
import { own, like } from '../database.ts';

type Filter = Omit<CheckedInputOf<typeof queryServiceItemList>, 'pageNo' | 'pageSize'> & { id?: string };

/** Items that a filter finds; a category stands for those below it too. */
export function itemQuery(db: Db | Tx, { id, keyword, itemType, careKind, categoryId, billing, state }: Filter) {
  let query = own(db).selectFrom('doctorServiceItem as i').innerJoin('doctorServiceCategory as c', 'c.id', 'i.categoryId');
  if (id) query = query.where('i.id', '=', id);
  if (keyword)
    query = query.where((eb) => eb.or([eb('i.name', 'ilike', like(keyword)), eb('i.itemCode', 'like', like(keyword.toUpperCase()))]));
  if (itemType) query = query.where('i.itemType', 'in', itemType);
  if (careKind) query = query.where('i.careKind', '=', careKind);
  if (categoryId) query = query.where((eb) => eb.or([eb('i.categoryId', '=', categoryId), eb('c.parentId', '=', categoryId)]));
  if (billing) query = query.where('i.billing', '=', billing);
  if (state) query = query.where('i.state', 'in', state);
  return query;
}

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

/** The rows of a query in the order in which patients see them; the CHECKs of the table hold the codes of the contract. */
export const readItems = (query: ReturnType<typeof itemQuery>, now: Instant, page: { limit: number; offset: number }): Promise<ItemRow[]> =>
  query
    .select(COLUMNS)
    .select(sql<number>`(select count(*)::int from doctor_service_opening o where o.item_id = i.id and o.state = 'ON')`.as('openDoctors'))
    .select(
      sql<number>`(select count(*)::int from doctor_consult_order r where r.item_id = i.id and r.created_at > ${plusMs(now, -days(ORDER_DAYS))})`.as(
        'orders30',
      ),
    )
    .orderBy(sql`coalesce((select q.sort from doctor_service_category q where q.id = c.parent_id), c.sort)`)
    .orderBy(sql`c.parent_id is not null`)
    .orderBy('c.sort')
    .orderBy('i.sort')
    .orderBy('i.id')
    .limit(page.limit)
    .offset(page.offset)
    .$castTo<ItemRow>()
    .execute();

export const itemById = async (db: Db | Tx, id: string, now: Instant): Promise<ItemRow | null> =>
  (await readItems(itemQuery(db, { id }), now, { limit: 1, offset: 0 }))[0] ?? null;
