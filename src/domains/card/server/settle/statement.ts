import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { renderPdf, type PdfBlock } from '#kernel/server/documents/pdf.ts';
import { bufferOf, xlsxStream, type XlsxCell } from '#kernel/server/documents/xlsxStream.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command } from '#kernel/server/handler.ts';
import { exportBill } from '../../contract/calls/settlement.ts';
import { lineSources, settlementDirections } from '../../contract/useDictionaries.ts';
import { billMachine } from '../../contract/useStates.ts';
import { own } from '../database.ts';
import { settlementBillRecords } from '../access.ts';

const money = (fen: string): XlsxCell => ({ text: yuan(fen), numeric: true, style: 'money' });
const text = (value: string): XlsxCell => ({ text: value });

/** The statement that a counterparty confirms: its sums and every line behind them. */
export const statement = command(exportBill, async ({ billId, format }, ctx) => {
  const bill = await own(ctx.tx)
    .selectFrom('cardSettlementBill as b')
    .innerJoin('cardSettlementBatch as s', 's.id', 'b.batchId')
    .selectAll('b')
    .select(['s.periodFrom', 's.periodTo', 's.batchNo'])
    .where('b.id', '=', billId)
    .executeTakeFirst();
  if (!bill) throw settlementBillRecords.missing();
  const lines = await own(ctx.tx)
    .selectFrom('cardSettlementLine')
    .selectAll()
    .where('billId', '=', billId)
    .where('live', '=', true)
    .orderBy('lineNo')
    .execute();
  ctx.target({ type: 'card.settlementBill', id: bill.id, no: bill.billNo });
  const facts: readonly (readonly [string, string])[] = [
    ['结算单号', bill.billNo],
    ['结算批次', bill.batchNo],
    ['结算方向', settlementDirections.label(bill.direction)],
    ['结算对象', bill.counterpartyName],
    ['产品', bill.productCode ?? '—'],
    ['结算期间', `${bill.periodFrom} 至 ${bill.periodTo}`],
    ['状态', billMachine.states[bill.status].label],
    ['核销额', `${yuan(bill.grossAmount, true)}元`],
    ['冲正额', `${yuan(bill.reversalAmount, true)}元`],
    ['手续费', `${yuan(bill.feeAmount, true)}元`],
    ['调整额', `${yuan(bill.adjustAmount, true)}元`],
    ['应结净额', `${yuan(bill.netAmount, true)}元`],
  ];
  const labels = ['来源', '单号', '订单号', '发生时间', '金额(元)', '手续费(元)', '净额(元)'];
  if (format === 'XLSX') {
    const rows: XlsxCell[][] = [
      ...facts.map(([label, value]) => [text(label), text(value)]),
      [],
      labels.map(text),
      ...lines.map((line) => [
        text(lineSources.label(line.sourceType)),
        text(line.sourceNo),
        text(line.orderNo ?? ''),
        text(line.doneAt ? showInstant(line.doneAt) : ''),
        money(line.amount),
        money(line.fee),
        money(line.net),
      ]),
    ];
    const body = await bufferOf(xlsxStream([{ name: '对账单', rows, widths: [12, 26, 24, 20, 14, 14, 14] }]));
    return new FileAnswer({
      name: `对账单_${bill.billNo}.xlsx`,
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      body,
      rowCount: lines.length,
    });
  }
  const blocks: PdfBlock[] = [
    { kind: 'title', text: '储值结算对账单', note: `${bill.counterpartyName}　${bill.periodFrom} 至 ${bill.periodTo}` },
    { kind: 'fields', fields: facts },
    { kind: 'heading', text: '结算明细' },
    {
      kind: 'table',
      columns: labels.map((label, at) => ({ label, width: [8, 22, 20, 18, 11, 10, 11][at] ?? 10 })),
      rows: lines.map((line) => [
        lineSources.label(line.sourceType),
        line.sourceNo,
        line.orderNo ?? '',
        line.doneAt ? showInstant(line.doneAt) : '',
        yuan(line.amount, true),
        yuan(line.fee, true),
        yuan(line.net, true),
      ]),
    },
    { kind: 'text', text: '请核对以上明细，确认无误后在本对账单盖章回传；如有差异，请按核销单号列明对方金额。' },
  ];
  const pdf = renderPdf({
    title: `对账单 ${bill.billNo}`,
    watermark: `${ctx.staff.displayName} ${showInstant(ctx.now)}`,
    footer: `对账单 ${bill.billNo}`,
    blocks,
  });
  return new FileAnswer({ name: `对账单_${bill.billNo}.pdf`, contentType: 'application/pdf', body: pdf, rowCount: lines.length });
});
