import { sql } from 'kysely';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { dayOf, hours, plusDays, plusMs, startOfDay, type Day } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { BizLine, CardKind } from '../../contract/dictionaries.ts';
import type { SettlementDirection } from '../../contract/useDictionaries.ts';
import { billMachine, settlementBatchMachine } from '../../contract/useStates.ts';
import { json, own } from '../database.ts';
import { settleBill } from '../settle/payments.ts';
import { buildBatch } from '../settle/build.ts';
import type { DemoStep } from '#kernel/server/demo/trails.ts';
import type { Stage } from './stage.ts';

type Goal = 'FINISHED' | 'MIXED' | 'CONFIRMING' | 'PENDING_AUDIT' | 'DRAFT' | 'REJECTED' | 'VOIDED';
interface Wish {
  direction: SettlementDirection;
  kind: CardKind;
  bizLine: BizLine;
  month: Day;
  goal: Goal;
}
type BatchAction = keyof typeof settlementBatchMachine.transitions;
type BillAction = keyof typeof billMachine.transitions;

function wishesOf(months: readonly Day[]): Wish[] {
  const goals: readonly Goal[] = ['FINISHED', 'FINISHED', 'MIXED', 'CONFIRMING', 'PENDING_AUDIT'];
  const both = (kind: CardKind, bizLine: BizLine, last: Goal, from = 0) =>
    months.slice(from).flatMap((month, at) =>
      (['PAYABLE', 'RECEIVABLE'] as const).map((direction): Wish => ({
        direction,
        kind,
        bizLine,
        month,
        goal: at + from === months.length - 1 ? last : goals[at + from]!,
      })),
    );
  return [
    ...both('STORED_VALUE', 'HMO', 'PENDING_AUDIT'),
    ...both('STORED_VALUE', 'DAAS', 'DRAFT', 2),
    ...both('BENEFIT_CARD', 'HMO', 'REJECTED', 2),
    ...months.slice(2).map((month, at): Wish => ({
      direction: 'PAYABLE',
      kind: 'STORED_VALUE',
      bizLine: 'OWN',
      month,
      goal: at === 2 ? 'VOIDED' : 'CONFIRMING',
    })),
  ];
}

/** Settlements of the months that are over, in each of their states; what was paid stands in the books. */
export async function writeSettlements(stage: Stage): Promise<void> {
  const { tx, staff, first } = stage;
  const months: Day[] = [];
  for (let month = first; month.slice(0, 7) < stage.today.slice(0, 7); month = `${plusDays(month, 32).slice(0, 7)}-01`) months.push(month);
  const payments = { next: 1 };
  for (const { direction, kind, bizLine, month, goal } of wishesOf(months)) {
    const end = plusDays(`${plusDays(month, 32).slice(0, 7)}-01`, -1);
    const cutoffAt = startOfDay(plusDays(end, 1));
    const madeAt = startOfDay(plusDays(end, 2), direction === 'PAYABLE' ? '09:30' : '10:10');
    const { id } = await own(tx)
      .insertInto('cardSettlementBatch')
      .values({
        batchNo: stage.number('SB', madeAt),
        direction,
        kind,
        bizLine,
        periodFrom: month,
        periodTo: end,
        cutoffAt,
        counterpartyIds: [],
        checks: json([]),
        status: 'GENERATING',
        createdBy: staff.card_a.id,
        createdByName: staff.card_a.name,
        createdAt: madeAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await buildBatch(stage.at(madeAt), id, madeAt);
    const bills = await own(tx)
      .selectFrom('cardSettlementBill')
      .select(['id', 'netAmount', 'billNo'])
      .where('batchId', '=', id)
      .orderBy('id')
      .execute();
    if (bills.length === 0) {
      await own(tx).deleteFrom('cardSettlementBatch').where('id', '=', id).execute();
      continue;
    }
    const step = (action: BatchAction, after: number, by: keyof Stage['staff'] | null, opinion?: string): DemoStep<BatchAction> => ({
      action,
      at: plusMs(madeAt, hours(after)),
      by: by === null ? null : staff[by],
      ...(opinion && { opinion }),
    });
    const passed = goal === 'FINISHED' || goal === 'MIXED' || goal === 'CONFIRMING';
    const steps: DemoStep<BatchAction>[] = [
      step('generated', 0.1, null),
      ...(goal === 'DRAFT'
        ? []
        : goal === 'VOIDED'
          ? [step('void', 3, 'card_a', '期间选择有误，作废后重新生成')]
          : [step('submit', 1, 'card_a')]),
      ...(passed
        ? [step('approve', 5, 'fin_r', '与账簿核对一致')]
        : goal === 'REJECTED'
          ? [step('reject', 6, 'fin_r', '权益单价与合同不一致，请核对')]
          : []),
      ...(goal === 'FINISHED' ? [step('finish', 400, null)] : []),
    ];
    stage.trail(settlementBatchMachine, { type: 'card.settlementBatch', id }, steps);
    const status = passed
      ? 'CONFIRMING'
      : goal === 'VOIDED'
        ? 'VOIDED'
        : goal === 'REJECTED'
          ? 'REJECTED'
          : goal === 'PENDING_AUDIT'
            ? 'PENDING_AUDIT'
            : 'DRAFT';
    await own(tx)
      .updateTable('cardSettlementBatch')
      .set({
        status,
        version: steps.length + 1,
        ...(goal !== 'DRAFT' && goal !== 'VOIDED' && { submittedBy: staff.card_a.id, submittedByName: staff.card_a.name }),
        ...((passed || goal === 'REJECTED') && { auditedBy: staff.fin_r.id, auditedByName: staff.fin_r.name }),
      })
      .where('id', '=', id)
      .execute();
    if (goal === 'VOIDED') {
      await sql`update card_settlement_bill set status = 'VOIDED' where batch_id = ${id}`.execute(tx);
      await sql`
        update card_settlement_line set live = false where bill_id in (select id from card_settlement_bill where batch_id = ${id})`.execute(
        tx,
      );
    }
    if (!passed) continue;
    await sql`
      update card_settlement_bill
        set status = case when net_amount = 0 then 'SETTLED' else 'PENDING_CONFIRM' end,
          confirmed_amount = case when net_amount = 0 then 0 end, version = version + 1
        where batch_id = ${id}`.execute(tx);
    for (const [at, bill] of bills.entries()) {
      if (bill.netAmount === '0') continue;
      const fate =
        goal === 'FINISHED'
          ? 'SETTLED'
          : goal === 'CONFIRMING'
            ? at % 3 === 0
              ? 'CONFIRMED'
              : 'PENDING'
            : (['SETTLED', 'PART', 'CONFIRMED', 'DISPUTED', 'PENDING', 'VOIDED', 'DISPUTED', 'PENDING'] as const)[at % 8]!;
      await writeBill(stage, { id: bill.id, net: BigInt(bill.netAmount), fate, from: plusMs(madeAt, hours(8)), payments });
    }
    if (goal === 'FINISHED')
      await sql`update card_settlement_batch set status = 'FINISHED', version = version + 1 where id = ${id}`.execute(tx);
    if (goal === 'MIXED') await resum(stage, id);
  }
}

type Fate = 'SETTLED' | 'PART' | 'CONFIRMED' | 'DISPUTED' | 'PENDING' | 'VOIDED';
async function writeBill(
  stage: Stage,
  { id, net, fate, from, payments }: { id: string; net: bigint; fate: Fate; from: string; payments: { next: number } },
): Promise<void> {
  const { tx, staff } = stage;
  const at = (days: number) => plusMs(from, hours(24 * days));
  const billStep = (action: BillAction, days: number, opinion?: string): DemoStep<BillAction> => ({
    action,
    at: at(days),
    by: staff.fin_a,
    ...(opinion && { opinion }),
  });
  const target = { type: 'card.settlementBill', id };
  if (fate === 'PENDING') {
    stage.trail(billMachine, target, [billStep('remind', 5)]);
    await sql`update card_settlement_bill set reminded_at = ${at(5)}::timestamptz where id = ${id}`.execute(tx);
  } else if (fate === 'DISPUTED') {
    stage.trail(billMachine, target, [billStep('dispute', 4, '对方回函有差异')]);
    await dispute(stage, id);
  } else if (fate === 'VOIDED') {
    stage.trail(billMachine, target, [{ action: 'void', at: at(3), by: staff.fin_r, opinion: '结算对象变更，作废后进入下一批次' }]);
    await sql`update card_settlement_bill set status = 'VOIDED', version = version + 1 where id = ${id}`.execute(tx);
    await sql`update card_settlement_line set live = false where bill_id = ${id}`.execute(tx);
  } else {
    stage.trail(billMachine, target, [billStep('confirm', 4)]);
    await sql`
      update card_settlement_bill
        set status = 'CONFIRMED', confirmed_amount = net_amount, confirmed_at = ${at(4)}::timestamptz, version = version + 1,
          invoice_state = ${fate === 'CONFIRMED' ? 'NONE' : fate === 'PART' ? 'PART' : 'DONE'}
        where id = ${id}`.execute(tx);
    if (fate === 'CONFIRMED') return;
    const paidAt = at(9);
    await settleBill({ ...asSystem(stage.writing, { now: paidAt, traceId: 'demo' }), ...stage.at(paidAt) }, stage.ledger, {
      billId: id,
      paymentNo: `FK${dayOf(paidAt).replaceAll('-', '')}${String(payments.next++).padStart(5, '0')}`,
      allocationId: null,
      amount: fate === 'PART' ? (net * 30n) / 100n : net,
      at: paidAt,
      actor: { id: staff.fin_a.id, name: staff.fin_a.name },
    });
  }
}

/** What the other side answered: the same, another amount, nothing, and something that we do not know. */
async function dispute(stage: Stage, billId: string): Promise<void> {
  const { tx } = stage;
  await sql`
    update card_settlement_line l
      set their_amount = case n.at % 5 when 1 then l.amount - 500 when 2 then null else l.amount end,
        match_state = case n.at % 5 when 1 then 'AMOUNT_DIFF' when 2 then 'OURS_ONLY' else 'MATCHED' end
      from (select id, row_number() over (order by line_no) as at from card_settlement_line where bill_id = ${billId}) n
      where n.id = l.id`.execute(tx);
  const { rows } = await sql<{ lineNo: number; direction: string }>`
    select max(line_no) as line_no, max(direction) as direction from card_settlement_line where bill_id = ${billId}`.execute(tx);
  const [id] = await reserve(tx, 'card_settlement_line', 1);
  await bulk(tx, 'card_settlement_line', [
    {
      id: id!,
      billId,
      direction: rows[0]!.direction,
      lineNo: Number(rows[0]!.lineNo) + 1,
      sourceType: 'ADJUST',
      sourceId: null,
      sourceNo: `对方-${billId}-01`,
      amount: '0',
      fee: '0',
      net: '0',
      carries: false,
      matchState: 'THEIRS_ONLY',
      theirAmount: '3600',
      live: true,
      createdAt: stage.now,
    },
  ]);
  await sql`
    update card_settlement_bill set status = 'DISPUTED', line_count = line_count + 1, version = version + 1 where id = ${billId}`.execute(
    tx,
  );
}

/** Sums of a batch of which a bill was voided. */
async function resum({ tx }: Stage, batchId: string): Promise<void> {
  await sql`
    update card_settlement_batch s
      set bill_count = b.bills, line_count = b.lines, gross_amount = b.gross, reversal_amount = b.reversal, fee_amount = b.fee,
        net_amount = b.net
      from (
        select count(*)::int as bills, coalesce(sum(line_count), 0) as lines, coalesce(sum(gross_amount), 0) as gross,
            coalesce(sum(reversal_amount), 0) as reversal, coalesce(sum(fee_amount), 0) as fee, coalesce(sum(net_amount), 0) as net
          from card_settlement_bill
          where batch_id = ${batchId} and status <> 'VOIDED'
      ) b
      where s.id = ${batchId}`.execute(tx);
}
