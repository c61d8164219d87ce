import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { getChannels } from '../../../channel/server/index.ts';
import type { ConsultOrderRow, queryPayConsultationSum } from '../../contract/consultOrderCalls.ts';
import type { Viewer } from '../access.ts';
import { like, own } from '../database.ts';
import { seesOrder } from './access.ts';
import { patientMobileHash } from './create.ts';
import type { ItemSnapshot } from './snapshot.ts';

export type OrderFilter = CheckedInputOf<typeof queryPayConsultationSum>;

export const isOverdue = (now: Instant): RawBuilder<SqlBool> =>
  sql<SqlBool>`((o.state = 'PAID' and o.accept_due_at <= ${now}) or (o.state = 'SERVING' and o.first_reply_at is null and o.reply_due_at <= ${now}))`;
export const acceptOverdue = (now: Instant): RawBuilder<SqlBool> => sql<SqlBool>`(o.state = 'PAID' and o.accept_due_at <= ${now})`;
export const waitsForAudit: RawBuilder<SqlBool> = sql<SqlBool>`exists (select 1 from doctor_consult_refund r where r.order_id = o.id and r.state = 'APPLIED')`;

/** Orders of a filter, without columns and order. */
export function orderQuery(kernel: Pick<Kernel, 'secrets'>, db: Db, viewer: Viewer, filter: OrderFilter, now: Instant) {
  let query = own(db).selectFrom('doctorConsultOrder as o').innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId').where(seesOrder(viewer));
  if (filter.orderNo) query = query.where('o.orderNo', 'like', like(filter.orderNo.toUpperCase()));
  if (filter.doctorName)
    query = query.where(sql<SqlBool>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${like(filter.doctorName)}`);
  if (filter.patientMobile) query = query.where('o.patientMobileHash', '=', patientMobileHash(kernel, filter.patientMobile));
  if (filter.itemType?.length) query = query.where('o.itemType', 'in', filter.itemType);
  if (filter.state?.length) query = query.where('o.state', 'in', filter.state);
  if (filter.queue === 'OVERDUE') query = query.where(acceptOverdue(now));
  if (filter.queue === 'REFUND_AUDIT') query = query.where(waitsForAudit);
  if (filter.overdue) query = query.where(isOverdue(now));
  for (const key of ['channelId', 'doctorId', 'patientId', 'assistantId'] as const)
    if (filter[key]) query = query.where(`o.${key}`, '=', filter[key]);
  if (filter.paidFrom) query = query.where('o.paidAt', '>=', filter.paidFrom);
  if (filter.paidTo) query = query.where('o.paidAt', '<=', filter.paidTo);
  if (filter.payFenFrom !== undefined) query = query.where('o.payFen', '>=', String(filter.payFenFrom));
  if (filter.payFenTo !== undefined) query = query.where('o.payFen', '<=', String(filter.payFenTo));
  return query;
}
type OrderQuery = ReturnType<typeof orderQuery>;

const selected = (query: OrderQuery) =>
  query
    .leftJoin('doctorAssistant as a', 'a.id', 'o.assistantId')
    .select([
      'o.id',
      'o.orderNo',
      'o.patientId',
      'o.patientNameMasked as patientName',
      'o.patientMobileMasked as patientMobile',
      'o.doctorId',
      'd.name as doctorName',
      'd.doctorNo',
      'o.itemSnapshot',
      'o.itemType',
      'o.channelId',
      'o.discountSource',
      'o.budgetUsedUp',
      'o.priceFen',
      'o.discountFen',
      'o.payFen',
      'o.refundedFen',
      'o.state',
      'o.payChannel',
      'o.payResult',
      'o.payFlag',
      'o.slotAt',
      'o.expireAt',
      'o.acceptDueAt',
      'o.replyDueAt',
      'o.firstReplyAt',
      'o.assistantId',
      'a.name as assistantName',
      'o.groupId',
      'o.closeReason',
      'o.createdAt',
      'o.paidAt',
      'o.version',
    ])
    .select(
      sql<
        ConsultOrderRow['refund']
      >`(select jsonb_build_object('id', r.id::text, 'refundNo', r.refund_no, 'amountFen', r.amount_fen::text, 'state', r.state, 'reason', r.reason, 'makerId', r.maker_id::text)
      from doctor_consult_refund r where r.order_id = o.id order by r.id desc limit 1)`.as('refund'),
    );

export async function presentOrders(db: Db, query: OrderQuery, page: { limit: number; offset: number }): Promise<ConsultOrderRow[]> {
  const rows = await selected(query).orderBy('o.id', 'desc').limit(page.limit).offset(page.offset).execute();
  const channels = new Map(
    (await getChannels(db, [...new Set(rows.flatMap(({ channelId }) => channelId ?? []))])).map(({ id, name }) => [id, name]),
  );
  // CHECK constraints of the table hold the codes to the dictionaries.
  return rows.map(
    ({ itemSnapshot, ...row }) =>
      ({
        ...row,
        itemName: (itemSnapshot as ItemSnapshot).itemName,
        channelName: row.channelId === null ? null : (channels.get(row.channelId) ?? null),
      }),
  );
}

/** Totals over the whole filter, and the counts of the tabs, which leave the tabs' own fields out. */
export async function sumOrders(kernel: Pick<Kernel, 'secrets'>, db: Db, viewer: Viewer, filter: OrderFilter, now: Instant) {
  const sums = await orderQuery(kernel, db, viewer, filter, now)
    .select([
      sql<number>`count(*)::int`.as('orders'),
      sql<string>`coalesce(sum(o.price_fen), 0)::text`.as('priceFen'),
      sql<string>`coalesce(sum(o.discount_fen), 0)::text`.as('discountFen'),
      sql<string>`coalesce(sum(o.pay_fen) filter (where o.paid_at is not null), 0)::text`.as('paidFen'),
      sql<string>`coalesce(sum(o.refunded_fen), 0)::text`.as('refundedFen'),
    ])
    .executeTakeFirstOrThrow();
  const { state: _state, queue: _queue, ...rest } = filter;
  const counts = await orderQuery(kernel, db, viewer, rest, now)
    .select([
      'o.state',
      sql<number>`count(*)::int`.as('n'),
      sql<number>`(count(*) filter (where ${acceptOverdue(now)}))::int`.as('overdue'),
      sql<number>`(count(*) filter (where ${waitsForAudit}))::int`.as('audit'),
    ])
    .groupBy('o.state')
    .execute();
  const tabs: Record<string, number> = { ALL: 0, OVERDUE: 0, REFUND_AUDIT: 0 };
  for (const { state, n, overdue, audit } of counts) {
    tabs[state] = n;
    tabs['ALL']! += n;
    tabs['OVERDUE']! += overdue;
    tabs['REFUND_AUDIT']! += audit;
  }
  return { ...sums, tabs };
}
