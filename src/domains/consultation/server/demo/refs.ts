import { sql } from 'kysely';
import type { Tx } from '../../../../kernel/server/context.ts';

/** What of a patient's record cards in the chat point to. */
export interface PatientRefs {
  suggestion?: { suggestNo: string; medicines: { medicineName: string }[]; status: number };
  order?: { orderId: string; orderNo: string; goodsSummary: string; payableAmount: number; status: string };
  inspection?: { inspectionId: string; name: string; abnormalCount: number };
}
interface Row { patientId: string; suggestNo: string | null; medicines: { medicineName: string }[] | null; status: string | null; orderId: string | null; orderNo: string | null; lines: { medicineName: string; qty: number }[] | null; payFen: string | null; statusCode: string | null; inspectionId: string | null; itemName: string | null }

export async function readRefs(tx: Tx, patientIds: readonly string[]): Promise<Map<string, PatientRefs>> {
  const { rows } = await sql<Row>`
    select v.id as patient_id, s.suggest_no, s.medicines, s.status, o.order_id, o.order_no, o.lines, o.pay_fen, o.status_code, i.id as inspection_id, i.item_name from unnest(${patientIds}::bigint[]) v (id)
      left join lateral (select suggest_no, medicines, status from patient_medicine_suggested x where x.patient_id = v.id and x.status in ('1', '2') order by x.prescription_time desc limit 1) s on true
      left join lateral (select order_id, order_no, lines, pay_fen, status_code from patient_record_order x where x.patient_id = v.id and not x.dead order by x.order_time desc limit 1) o on true
      left join lateral (select id, item_name from patient_inspection x where x.patient_id = v.id and x.voided_at is null and x.status <> '0' order by x.inspection_time desc limit 1) i on true`.execute(tx);
  return new Map(rows.map(({ patientId, ...row }): [string, PatientRefs] => [patientId, {
    ...(row.suggestNo !== null && { suggestion: { suggestNo: row.suggestNo, medicines: row.medicines ?? [], status: Number(row.status) } }),
    ...(row.orderId !== null && { order: { orderId: row.orderId, orderNo: row.orderNo ?? '', goodsSummary: (row.lines ?? []).map(({ medicineName, qty }) => `${medicineName}×${qty}`).join('、'), payableAmount: Number(row.payFen), status: row.statusCode ?? '' } }),
    ...(row.inspectionId !== null && { inspection: { inspectionId: row.inspectionId, name: row.itemName ?? '', abnormalCount: Number(row.inspectionId) % 3 } }),
  }]));
}
