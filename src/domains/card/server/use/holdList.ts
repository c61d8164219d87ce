import { sql, type SqlBool } from 'kysely';
import { minutes, plusDays, plusMs, startOfDay } from '../../../../kernel/contract/time.ts';
import { elsewhere, isNumber } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportOrderCardList, queryOrderCardList } from '../../contract/calls/use.ts';
import { holdMachine } from '../../contract/useStates.ts';
import { holderIs, showHolder } from '../cards/holder.ts';
import { own } from '../database.ts';

/** A hold is near its end when so little of its time is left. */
const NEAR = minutes(10);

export const orderCardList = listOf(queryOrderCardList)
  .from(({ db }) =>
    own(db).selectFrom('cardHold as h').innerJoin('cardCard as c', 'c.id', 'h.cardId').innerJoin('cardType as t', 't.id', 'c.cardTypeId'),
  )
  .with({
    where: {
      orderNo: isNumber('h.bizNo'),
      cardNo: (_eb, text) => sql<SqlBool>`c.card_no = ${text.replaceAll(/\s/g, '')}`,
      holderKeyword: (_eb, text, ask) => holderIs(text, ask),
      merchantId: (_eb, id) => sql<SqlBool>`exists (select from card_hold_line l where l.hold_id = h.id and l.merchant_id = ${id})`,
      holdState: 'h.state',
      bizType: 'h.bizType',
      dateFrom: (_eb, day) => sql<SqlBool>`h.created_at >= ${startOfDay(day)}::timestamptz`,
      dateTo: (_eb, day) => sql<SqlBool>`h.created_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
      nearTimeout: (_eb, yes, { now }) =>
        yes ? sql<SqlBool>`h.state = 'HELD' and h.expire_at < ${plusMs(now, NEAR)}::timestamptz` : elsewhere(),
    },
    id: 'h.id',
    sorts: { holdNo: 'h.holdNo', createdAt: 'h.createdAt' },
    order: [['h.createdAt', 'desc']],
    select: (rows) =>
      rows
        .select(['h.id', 'h.holdNo', 'h.bizType', 'h.bizNo as orderNo', 'h.bizId as orderId', 'h.cardId', 'c.cardNo', 'h.kind'])
        .select(['t.typeName as cardTypeName', 'c.holderName', 'h.drugstoreName', 'h.payable', 'h.amount', 'h.times'])
        .select(['h.capturedAmount as captured', 'h.expireAt', 'h.state', 'h.operatorName as operator', 'h.createdAt', 'h.version']),
    present: (rows, ask) =>
      rows.map((row) => ({
        ...row,
        ...showHolder(row, ask),
        payable: Number(row.payable),
        amount: Number(row.amount),
        captured: Number(row.captured),
        allowedActions: holdMachine.allowed(row.state, ask.has),
      })),
  });
export const orderCardExport = listExport(orderCardList, { call: exportOrderCardList, title: '订单卡核销', routeKey: 'cardGrantCancel' });
