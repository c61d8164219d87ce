import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { getChannels } from '#domains/channel/server/index.ts';
import {
  queryPayConsultationList,
  type ConsultOrderRow,
  type queryPayConsultationSum,
  exportPayConsultationList,
} from '../../contract/calls/consultOrders.ts';
import { own, type DoctorTables } from '../database.ts';
import { seesOrder } from './access.ts';
import { patientMobileHash } from './create.ts';
import type { ItemSnapshot } from './snapshot.ts';
import { listExport } from '#kernel/server/list/listExport.ts';

type OrderFilter = CheckedInputOf<typeof queryPayConsultationSum>;

const isOverdue = (now: Instant): RawBuilder<SqlBool> =>
  sql<SqlBool>`(
    (o.state = 'PAID' and o.accept_due_at <= ${now}) or (o.state = 'SERVING' and o.first_reply_at is null and o.reply_due_at <= ${now})
  )`;
const acceptOverdue = (now: Instant): RawBuilder<SqlBool> => sql<SqlBool>`(o.state = 'PAID' and o.accept_due_at <= ${now})`;
const waitsForAudit: RawBuilder<SqlBool> = sql<SqlBool>`
  exists (select 1 from doctor_consult_refund r where r.order_id = o.id and r.state = 'APPLIED')`;

type OfOrder = DoctorTables & { o: DoctorTables['doctorConsultOrder']; d: DoctorTables['doctorDoctor'] };
type Stored = Omit<ConsultOrderRow, 'itemName' | 'channelName'> & { itemSnapshot: ItemSnapshot };

const orderColumns = (query: SelectQueryBuilder<OfOrder, 'o' | 'd', object>) =>
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
      sql<ConsultOrderRow['refund']>`(
        select jsonb_build_object(
          'id', r.id::text, 'refundNo', r.refund_no, 'amountFen', r.amount_fen::text, 'state', r.state, 'reason', r.reason, 'makerId',
          r.maker_id::text
        )
          from doctor_consult_refund r
          where r.order_id = o.id
          order by r.id desc limit 1
      )`.as('refund'),
    )
    // CHECK constraints of the table hold the codes to the dictionaries.
    .$castTo<Stored>();

async function presentOrders(rows: readonly Stored[], { db }: { db: Db }): Promise<ConsultOrderRow[]> {
  const channels = new Map(
    (await getChannels(db, [...new Set(rows.flatMap(({ channelId }) => channelId ?? []))])).map(({ id, name }) => [id, name]),
  );
  return rows.map(({ itemSnapshot, ...row }) => ({
    ...row,
    itemName: itemSnapshot.itemName,
    channelName: row.channelId === null ? null : (channels.get(row.channelId) ?? null),
  }));
}

/** Paid consultations, the newest first. */
export const orderList = (kernel: Pick<Kernel, 'secrets'>) =>
  listOf(queryPayConsultationList)
    .from(({ db, staff }) =>
      own(db).selectFrom('doctorConsultOrder as o').innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId').where(seesOrder(staff)),
    )
    .with({
      where: {
        orderNo: (eb, orderNo) => eb('o.orderNo', 'like', containsPattern(orderNo.toUpperCase())),
        doctorName: (_eb, name) => sql<SqlBool>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${containsPattern(name)}`,
        patientMobile: (eb, mobile) => eb('o.patientMobileHash', '=', patientMobileHash(kernel, mobile)),
        itemType: 'o.itemType',
        state: 'o.state',
        queue: (_eb, queue, { now }) => (queue === 'OVERDUE' ? acceptOverdue(now) : waitsForAudit),
        overdue: (_eb, overdue, { now }) => (overdue ? isOverdue(now) : undefined),
        channelId: 'o.channelId',
        doctorId: 'o.doctorId',
        patientId: 'o.patientId',
        assistantId: 'o.assistantId',
        paidFrom: from('o.paidAt'),
        paidTo: upTo('o.paidAt'),
        payFenFrom: from('o.payFen'),
        payFenTo: upTo('o.payFen'),
      },
      id: 'o.id',
      sorts: { orderNo: 'o.orderNo', createdAt: 'o.createdAt' },
      select: orderColumns,
      present: presentOrders,
    });
export type OrderList = ReturnType<typeof orderList>;

/** One order as the list shows it. */
export async function orderById(list: OrderList, ctx: QueryContext, id: string): Promise<ConsultOrderRow | undefined> {
  const found = orderColumns(await list.matching({ ...ctx, filter: {} })).where('o.id', '=', id);
  return (await presentOrders(await found.execute(), ctx))[0];
}

/** Totals over the whole filter, and the counts of the tabs, which leave the tabs' own fields out. */
export async function sumOrders(list: OrderList, ctx: QueryContext, filter: OrderFilter) {
  const sums = await (
    await list.matching({ ...ctx, filter })
  )
    .select([
      sql<number>`count(*)::int`.as('orders'),
      sql<string>`coalesce(sum(o.price_fen), 0)::text`.as('priceFen'),
      sql<string>`coalesce(sum(o.discount_fen), 0)::text`.as('discountFen'),
      sql<string>`coalesce(sum(o.pay_fen) filter (where o.paid_at is not null), 0)::text`.as('paidFen'),
      sql<string>`coalesce(sum(o.refunded_fen), 0)::text`.as('refundedFen'),
    ])
    .executeTakeFirstOrThrow();
  const { state: _state, queue: _queue, ...rest } = filter;
  const counts = await (
    await list.matching({ ...ctx, filter: rest })
  )
    .select([
      'o.state',
      sql<number>`count(*)::int`.as('n'),
      sql<number>`(count(*) filter (where ${acceptOverdue(ctx.now)}))::int`.as('overdue'),
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

interface ExportRow extends ConsultOrderRow {
  fullName: string;
  fullMobile: string | null;
}

/** Names and numbers are deciphered for the cell, which masks them unless plain text was asked for. */
export const orderExport = ({ secrets }: Pick<Kernel, 'secrets'>, list: OrderList) =>
  listExport(list, {
    call: exportPayConsultationList,
    title: '付费咨询',
    routeKey: 'payConsultation',
    columns: [
      'orderNo',
      { key: 'patientName', label: '患者', sensitive: 'name', value: (row: ExportRow) => row.fullName },
      { key: 'patientMobile', label: '患者手机号', width: 14, sensitive: 'mobile', value: (row: ExportRow) => row.fullMobile },
      'doctorNo',
      'doctorName',
      'itemName',
      'itemType',
      'channelName',
      'discountSource',
      'priceFen',
      'discountFen',
      'payFen',
      'refundedFen',
      'state',
      'payChannel',
      'slotAt',
      'assistantName',
      'createdAt',
      'paidAt',
    ],
    async widen(rows, { db }) {
      const stored = await own(db)
        .selectFrom('doctorConsultOrder')
        .select(['id', 'patientNameCipher', 'patientMobileCipher'])
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      const ciphers = new Map(stored.map((row) => [row.id, row]));
      return rows.map((row): ExportRow => {
        const cipher = ciphers.get(row.id)!;
        return {
          ...row,
          fullName: secrets.decrypt(cipher.patientNameCipher),
          fullMobile: cipher.patientMobileCipher === null ? null : secrets.decrypt(cipher.patientMobileCipher),
        };
      });
    },
  });
