import { sql } from 'kysely';
import { yuan } from '#kernel/contract/money.ts';
import { bufferOf, xlsxStream, type XlsxCell } from '#kernel/server/documents/xlsxStream.ts';
import { CONTENT_TYPES } from '#kernel/server/exporting/renderExport.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command } from '#kernel/server/handler.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { exportTaxDeclaration } from '../../contract/calls/taxes.ts';
import { payeeIdTypes, taxMethods, type TaxMethod } from '../../contract/dictionaries.ts';
import { payerRecords, taxMonthRecords, type TaxMonthRecord } from '../access.ts';
import { requireFinal } from './declare.ts';

interface Taxed {
  doctorNo: string;
  realName: string;
  idType: (typeof payeeIdTypes.codes)[number] | null;
  idNoCipher: string | null;
  grossFen: string;
  taxFen: string;
  method: TaxMethod;
  runFrom: string;
  taxableFen: string;
  rateBp: number;
  cumTaxFen: string;
  previousTaxFen: string;
}

/** Everybody who was paid in the month and kept it, with how the tax of his last payment came about. */
async function taxedOf(tx: Tx, { payerEntityId, taxMonth }: TaxMonthRecord): Promise<Taxed[]> {
  const { rows } = await sql<Taxed>`
    select d.doctor_no, a.real_name, a.id_type, a.id_no_cipher, s.gross_fen, s.tax_fen, l.method, l.run_from, l.taxable_fen, l.rate_bp,
        l.cum_tax_fen, l.previous_tax_fen
      from (
        select r.doctor_id, sum(r.gross_fen)::text as gross_fen, sum(r.tax_fen)::text as tax_fen
          from settlement_tax_record r
          where r.payer_entity_id = ${payerEntityId} and r.tax_month = ${taxMonth}
          group by r.doctor_id
          having sum(r.gross_fen) > 0
      ) s
      join settlement_doctor d on d.doctor_id = s.doctor_id
      join settlement_account a on a.doctor_id = s.doctor_id
      cross join lateral (
        select r.*
          from settlement_tax_record r
          where r.payer_entity_id = ${payerEntityId} and r.tax_month = ${taxMonth} and r.doctor_id = s.doctor_id and not r.is_back
            and not exists (select from settlement_tax_record b where b.payout_item_id = r.payout_item_id and b.is_back)
          order by r.id desc
          limit 1
      ) l
      order by d.doctor_no`.execute(tx);
  return rows;
}

const COLUMNS = [
  { label: '工号', width: 16 },
  { label: '姓名', width: 14 },
  { label: '证件类型', width: 22 },
  { label: '证件号码', width: 24 },
  { label: '所得项目', width: 16 },
  { label: '税款所属期', width: 12 },
  { label: '本期收入', width: 14 },
  { label: '扣税方法', width: 16 },
  { label: '连续期起', width: 12 },
  { label: '应纳税所得额', width: 16 },
  { label: '预扣率(%)', width: 12 },
  { label: '应预扣税额', width: 14 },
  { label: '已预扣税额', width: 14 },
  { label: '本期预扣税额', width: 16 },
] as const;
const money = (fen: string | bigint): XlsxCell => ({ text: yuan(fen), numeric: true, style: 'money' });

function rowOf({ secrets }: Pick<Kernel, 'secrets'>, taxMonth: string, taxed: Taxed): XlsxCell[] {
  return [
    { text: taxed.doctorNo },
    { text: taxed.realName },
    { text: taxed.idType === null ? '' : payeeIdTypes.label(taxed.idType) },
    { text: taxed.idNoCipher === null ? '' : secrets.decrypt(taxed.idNoCipher) },
    { text: '劳务报酬所得' },
    { text: taxMonth },
    money(taxed.grossFen),
    { text: taxMethods.label(taxed.method) },
    { text: taxed.runFrom },
    money(taxed.taxableFen),
    { text: String(taxed.rateBp / 100), numeric: true },
    money(taxed.cumTaxFen),
    money(taxed.previousTaxFen),
    money(taxed.taxFen),
  ];
}

/** The file of a month that is final; it holds numbers of papers in full, so it is made on demand and stored nowhere. */
export const declarationFile = (kernel: Kernel) =>
  command(exportTaxDeclaration, async ({ id }, ctx) => {
    const month = await taxMonthRecords.lock(ctx.tx, ctx.staff, id);
    const { taxFen, grossFen } = await requireFinal(ctx, month);
    const payer = await payerRecords.get(ctx.tx, ctx.staff, month.payerEntityId);
    const taxed = await taxedOf(ctx.tx, month);
    const total = COLUMNS.map(({ label }, at): XlsxCell => {
      if (at === 0) return { text: '合计', style: 'header' };
      if (label === '本期收入') return money(grossFen);
      return label === '本期预扣税额' ? money(taxFen) : { text: '' };
    });
    const rows: XlsxCell[][] = [
      [{ text: `扣缴义务人：${payer.entityName}（${payer.taxNo}）`, style: 'note' }],
      COLUMNS.map(({ label }) => ({ text: label, style: 'header' })),
      ...taxed.map((one) => rowOf(kernel, month.taxMonth, one)),
      total,
    ];
    const body = await bufferOf(xlsxStream([{ name: '劳务报酬所得', widths: COLUMNS.map(({ width }) => width), frozenRows: 2, rows }]));
    ctx.target({ type: taxMonthRecords.type, id, no: month.taxMonth, looked: true });
    return new FileAnswer({
      name: `个税扣缴申报表_${payer.entityName}_${month.taxMonth}.xlsx`,
      contentType: CONTENT_TYPES.XLSX,
      body,
      rowCount: taxed.length,
    });
  });
