import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { getChannels } from '../../../channel/server/index.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { from, upTo } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportPayConsultationList, queryPayConsultationList, type ConsultOrderRow } from '../../contract/consultOrderCalls.ts';
import { discountSources, itemTypes, payChannels } from '../../contract/dictionaries.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import type { Viewer } from '../access.ts';
import { like, own } from '../database.ts';
import { seesOrder } from './access.ts';
import { patientMobileHash } from './create.ts';
import type { ItemSnapshot } from './snapshot.ts';

export const isOverdue = (now: Instant): RawBuilder<SqlBool> =>
  sql<SqlBool>`((o.state = 'PAID' and o.accept_due_at <= ${now}) or (o.state = 'SERVING' and o.first_reply_at is null and o.reply_due_at <= ${now}))`;
export const acceptOverdue = (now: Instant): RawBuilder<SqlBool> => sql<SqlBool>`(o.state = 'PAID' and o.accept_due_at <= ${now})`;
export const waitsForAudit: RawBuilder<SqlBool> = sql<SqlBool>`exists (select 1 from doctor_consult_refund r where r.order_id = o.id and r.state = 'APPLIED')`;

const orders = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('doctorConsultOrder as o')
    .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
    .leftJoin('doctorAssistant as a', 'a.id', 'o.assistantId')
    .where(seesOrder(viewer));

const selected = (query: ReturnType<typeof orders>) =>
  query
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

type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;

async function present(db: Db, rows: readonly Selected[]): Promise<ConsultOrderRow[]> {
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
      }) as ConsultOrderRow,
  );
}

/** One order; undefined where somebody does not see it. */
export async function readOrder(db: Db, viewer: Viewer, id: string): Promise<ConsultOrderRow | undefined> {
  return (await present(db, await selected(orders(db, viewer)).where('o.id', '=', id).execute()))[0];
}

/** Newest first. @param kernel finds mobiles by their hashes */
export const orderList = (kernel: Pick<Kernel, 'secrets'>) =>
  listOf(queryPayConsultationList)
    .from(({ db, staff }) => orders(db, staff))
    .with({
      where: {
        orderNo: (eb, orderNo) => eb('o.orderNo', 'like', like(orderNo.toUpperCase())),
        doctorName: (_eb, name) => sql<SqlBool>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${like(name)}`,
        patientMobile: (eb, mobile) => eb('o.patientMobileHash', '=', patientMobileHash(kernel, mobile)),
        itemType: 'o.itemType',
        state: 'o.state',
        queue: (_eb, queue, { now }) => (queue === 'OVERDUE' ? acceptOverdue(now) : queue === 'REFUND_AUDIT' ? waitsForAudit : undefined),
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
      select: selected,
      present: (rows, { db }) => present(db, rows),
    });
type OrderAsk = Parameters<ReturnType<typeof orderList>['matching']>[0];

/** Totals over the whole filter, and the counts of the tabs, which leave the tabs' own fields out. */
export async function sumOrders(kernel: Pick<Kernel, 'secrets'>, ask: OrderAsk) {
  const list = orderList(kernel);
  const sums = await (
    await list.matching(ask)
  )
    .select([
      sql<number>`count(*)::int`.as('orders'),
      sql<string>`coalesce(sum(o.price_fen), 0)::text`.as('priceFen'),
      sql<string>`coalesce(sum(o.discount_fen), 0)::text`.as('discountFen'),
      sql<string>`coalesce(sum(o.pay_fen) filter (where o.paid_at is not null), 0)::text`.as('paidFen'),
      sql<string>`coalesce(sum(o.refunded_fen), 0)::text`.as('refundedFen'),
    ])
    .executeTakeFirstOrThrow();
  const { state: _state, queue: _queue, ...rest } = ask.filter;
  const counts = await (
    await list.matching({ ...ask, filter: rest })
  )
    .select([
      'o.state',
      sql<number>`count(*)::int`.as('n'),
      sql<number>`(count(*) filter (where ${acceptOverdue(ask.now)}))::int`.as('overdue'),
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

const columns: readonly ExportColumn<ConsultOrderRow>[] = [
  { key: 'orderNo', label: '订单号', width: 20, value: (row) => row.orderNo },
  { key: 'patientName', label: '患者', sensitive: 'name', value: (row) => row.patientName },
  { key: 'patientMobile', label: '患者手机号', width: 14, sensitive: 'mobile', value: (row) => row.patientMobile },
  { key: 'doctorNo', label: '医生编号', width: 18, value: (row) => row.doctorNo },
  { key: 'doctorName', label: '医生', value: (row) => row.doctorName },
  { key: 'itemName', label: '服务', width: 20, value: (row) => row.itemName },
  { key: 'itemType', label: '服务类型', dictionary: itemTypes, value: (row) => row.itemType },
  { key: 'channelName', label: '渠道', width: 24, value: (row) => row.channelName },
  { key: 'discountSource', label: '优惠来源', dictionary: discountSources, value: (row) => row.discountSource },
  { key: 'priceFen', label: '原价（元）', kind: 'money', value: (row) => row.priceFen },
  { key: 'discountFen', label: '优惠（元）', kind: 'money', value: (row) => row.discountFen },
  { key: 'payFen', label: '实付（元）', kind: 'money', value: (row) => row.payFen },
  { key: 'refundedFen', label: '已退（元）', kind: 'money', value: (row) => row.refundedFen },
  { key: 'state', label: '状态', dictionary: consultOrderMachine.dictionary, value: (row) => row.state },
  { key: 'payChannel', label: '支付渠道', dictionary: payChannels, value: (row) => row.payChannel },
  { key: 'slotAt', label: '预约时间', kind: 'instant', value: (row) => row.slotAt },
  { key: 'assistantName', label: '医助', value: (row) => row.assistantName },
  { key: 'createdAt', label: '下单时间', kind: 'instant', value: (row) => row.createdAt },
  { key: 'paidAt', label: '支付时间', kind: 'instant', value: (row) => row.paidAt },
];

/** Names and numbers are deciphered for the cell, which masks them unless plain text was asked for. */
export const orderExport = (kernel: Kernel) =>
  listExport(orderList(kernel), {
    call: exportPayConsultationList,
    title: '付费咨询',
    routeKey: 'payConsultation',
    columns,
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
      const { decrypt } = kernel.secrets;
      return rows.map((row) => {
        const cipher = ciphers.get(row.id)!;
        return {
          ...row,
          patientName: decrypt(cipher.patientNameCipher),
          patientMobile: cipher.patientMobileCipher === null ? null : decrypt(cipher.patientMobileCipher),
        };
      });
    },
  });
