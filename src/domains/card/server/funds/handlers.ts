import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { attach } from '#domains/files/server/index.ts';
import { ledgerOf, type Posting } from '#domains/ledger/server/index.ts';
import {
  addFundPrepay,
  auditFundPrepay,
  exportFundBalanceList,
  exportFundPrepayList,
  queryFundBalanceList,
  queryFundPrepayList,
  queryFunderTypeOptions,
} from '../../contract/calls/funds.ts';
import { CARD_VOUCHER } from '../../contract/purposes.ts';
import { cardErrors } from '../../contract/errors.ts';
import { prepayMachine } from '../../contract/useStates.ts';
import { notOfOwn } from '../access.ts';
import { own } from '../database.ts';
import { cash, fundOf } from '../chart.ts';
import { typeRecords } from '../types/handlers.ts';

export const prepayList = listOf(queryFundPrepayList)
  .from(({ db }) => own(db).selectFrom('cardFundPrepay as p'))
  .with({
    where: {
      prepayNo: isNumber('p.prepayNo'),
      bankSerialNo: contains('p.bankSerialNo'),
      funderName: contains('p.funderName'),
      status: 'p.status',
      dateFrom: from('p.receivedOn'),
      dateTo: upTo('p.receivedOn'),
    },
    id: 'p.id',
    last: { of: 'p.status', groups: [['REJECTED']] },
    sorts: { prepayNo: 'p.prepayNo', amount: 'p.amount', receivedOn: 'p.receivedOn', createdAt: 'p.createdAt' },
    bounded: 'payments in advance are registered by hand: some hundreds a year',
    order: [['p.createdAt', 'desc']],
    select: (rows) =>
      rows
        .select(['p.id', 'p.prepayNo', 'p.funderType', 'p.funderId', 'p.funderName', 'p.productCode', 'p.amount', 'p.bankSerialNo'])
        .select([
          'p.receivedOn',
          'p.voucherFileId',
          'p.status',
          'p.createdBy as makerId',
          'p.createdByName',
          'p.createdAt',
          'p.confirmedByName',
          'p.opinion',
          'p.version',
        ]),
    present: (rows, ask) =>
      rows.map(({ createdByName, confirmedByName, makerId, ...row }) => ({
        ...row,
        funderId: row.funderId ?? '0',
        amount: Number(row.amount),
        createdBy: createdByName,
        confirmedBy: confirmedByName,
        allowedActions: notOfOwn(prepayMachine.allowed(row.status, ask.has), ['approve', 'reject'], [makerId], ask),
      })),
  });
export const prepayExport = listExport(prepayList, {
  call: exportFundPrepayList,
  title: '出资方预付登记',
  routeKey: 'storedCardBatchManage.prepays',
});

/** Per funder and product: what came in, what grants took of it, what is left. */
export const balanceList = (kernel: Kernel) =>
  listOf(queryFundBalanceList)
    .from(({ db }) =>
      own(db)
        .selectFrom('cardFundPrepay as p')
        .where(
          'p.id',
          'in',
          sql<string>`(
            select min(q.id) from card_fund_prepay q where q.status <> 'REJECTED' group by q.funder_type, q.funder_id, q.product_code
          )`,
        ),
    )
    .with({
      where: { funderType: 'p.funderType', funderName: contains('p.funderName') },
      id: 'p.id',
      sorts: { prepaid: sql.ref('prepaid'), pending: sql.ref('pending') },
      bounded: 'one row for each funder and product that ever paid in advance',
      select: (rows) =>
        rows.select(['p.id', 'p.funderType', 'p.funderId', 'p.funderName', 'p.productCode']).select([
          sql<string>`(
            select coalesce(sum(q.amount) filter (where q.status = 'CONFIRMED'), 0)
              from card_fund_prepay q
              where q.funder_type = p.funder_type
                and q.funder_id is not distinct from p.funder_id
                and q.product_code is not distinct from p.product_code
          )`.as('prepaid'),
          sql<string>`(
            select coalesce(sum(q.amount) filter (where q.status = 'PENDING'), 0)
              from card_fund_prepay q
              where q.funder_type = p.funder_type
                and q.funder_id is not distinct from p.funder_id
                and q.product_code is not distinct from p.product_code
          )`.as('pending'),
        ]),
      async present(rows, { db, now }) {
        const found = await ledgerOf(kernel).balancesIfAny(
          db,
          rows.map((row) => fundOf({ ...row, funder: row.funderType })),
          now,
        );
        return rows.map(({ id, prepaid, pending, ...row }, at) => {
          const left = Number(found[at]?.available ?? 0n);
          return {
            ...row,
            key: id,
            funderId: row.funderId ?? '0',
            prepaid: Number(prepaid),
            left,
            used: Number(prepaid) - left,
            pending: Number(pending),
          };
        });
      },
    });
export const balanceExport = (kernel: Kernel) =>
  listExport(balanceList(kernel), { call: exportFundBalanceList, title: '出资方预付余额', routeKey: 'storedCardBatchManage.funds' });

export const typeOptions = query(queryFunderTypeOptions, async (_input, ctx) => {
  const rows = await own(ctx.db)
    .selectFrom('cardType')
    .select(['id', 'typeName', 'funderName'])
    .where('fundingMode', '=', 'PREPAID')
    .orderBy('id')
    .limit(500)
    .execute();
  return rows.map(({ id, typeName, funderName }) => ({ value: id, label: `${typeName}（${funderName}）` }));
});

export const add = command(addFundPrepay, async ({ cardTypeId, amount, bankSerialNo, receivedOn, voucherFileId }, ctx) => {
  const type = await typeRecords.get(ctx.tx, typeRecords.everyone, cardTypeId);
  if (type.fundingMode !== 'PREPAID') throw refuseField('cardTypeId', '该卡种不是预付结算');
  if (receivedOn > dayOf(ctx.now)) throw refuseField('receivedOn', '到账日期不能晚于今天');
  // Banks use their numbers again, on another day.
  await lockKeys(ctx.tx, 'card.bankSerial', [bankSerialNo]);
  const before = await own(ctx.tx)
    .selectFrom('cardFundPrepay')
    .select('id')
    .where('bankSerialNo', '=', bankSerialNo)
    .where('receivedOn', '=', receivedOn)
    .executeTakeFirst();
  if (before) throw refuse(cardErrors.SERIAL_TAKEN);
  const row = await own(ctx.tx)
    .insertInto('cardFundPrepay')
    .values({
      prepayNo: await nextNumber(ctx.tx, 'YF', dayOf(ctx.now)),
      funderType: type.funder,
      funderId: type.funderId,
      funderName: type.funderName,
      productCode: type.productCode,
      amount: String(amount),
      bankSerialNo,
      receivedOn,
      voucherFileId,
      status: 'PENDING',
      ...authorColumns(ctx),
      createdByName: ctx.staff.displayName,
    })
    .returning(['id', 'prepayNo', 'status', 'version'])
    .executeTakeFirstOrThrow();
  await attach(
    ctx.tx,
    {
      fileIds: [voucherFileId],
      purpose: CARD_VOUCHER,
      ownerType: 'card.fundPrepay',
      ownerId: row.id,
      field: 'voucher',
      userId: ctx.staff.userId,
    },
    ctx.now,
  );
  ctx.target({ type: 'card.fundPrepay', id: row.id, no: row.prepayNo });
  return row;
});

interface Prepay {
  prepayNo: string;
  id: string;
  funderType: string;
  funderId: string | null;
  funderName: string;
  productCode: string | null;
  amount: string;
}
/** Money that came in is the funder's to grant. */
async function postPrepay(use: Posting, kernel: Kernel, prepay: Prepay, actor: { id: string; name: string }): Promise<void> {
  const ledger = ledgerOf(kernel);
  const fund = fundOf({ ...prepay, funder: prepay.funderType });
  await ledger.openAccount(use, fund, { ownerName: prepay.funderName });
  await ledger.openAccount(use, cash, { ownerName: '平台' });
  const amount = BigInt(prepay.amount);
  await ledger.post(use, {
    businessKey: `card:prepay:${prepay.prepayNo}`,
    book: 'CARD',
    type: 'CARD_PREPAY',
    debit: [{ account: cash, amount }],
    credit: [{ account: fund, amount }],
    ref: { type: 'cardPrepay', id: prepay.id, no: prepay.prepayNo },
    actor,
  });
}

/** @throws Refusal SCM17003 for one's own */
export const audit = (kernel: Kernel) =>
  command(auditFundPrepay, async ({ prepayId, version, decision, opinion }, ctx) => {
    const prepay = await own(ctx.tx).selectFrom('cardFundPrepay').selectAll().where('id', '=', prepayId).forUpdate().executeTakeFirst();
    if (!prepay) throw refuse(platformErrors.NOT_FOUND, { message: '预付登记不存在或已删除' });
    await requireVersion(ctx, 'card.fundPrepay', prepay, version);
    const status = await moveState(ctx, prepayMachine, {
      targetType: 'card.fundPrepay',
      targetId: prepay.id,
      targetNo: prepay.prepayNo,
      action: decision,
      from: prepay.status,
      opinion,
      contributors: [prepay.createdBy],
    });
    const row = await own(ctx.tx)
      .updateTable('cardFundPrepay')
      .set((eb) => ({
        status,
        opinion: opinion || null,
        confirmedBy: ctx.staff.userId,
        confirmedByName: ctx.staff.displayName,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', prepay.id)
      .returning(['id', 'prepayNo', 'status', 'version'])
      .executeTakeFirstOrThrow();
    if (decision === 'approve') await postPrepay(ctx, kernel, prepay, { id: ctx.staff.userId, name: ctx.staff.displayName });
    return row;
  });
