import { sql } from 'kysely';
import { days } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';

/** What of a patient's record cards in the chat point to. */
export interface PatientRefs {
  /** One of the record that moves to the conversation in which it is told of. */
  suggestion?: { suggestNo: string; medicines: { medicineName: string }[] };
  /** What was bought upon it. */
  order?: { orderId: string; orderNo: string; goodsSummary: string; payableAmount: number; status: string };
  /** By time. */
  inspections: { inspectionId: string; name: string; abnormalCount: number; at: number }[];
}
interface Row {
  patientId: string;
  suggestNo: string | null;
  medicines: { medicineName: string }[] | null;
  orderId: string | null;
  orderNo: string | null;
  lines: { medicineName: string; qty: number }[] | null;
  payFen: string | null;
  statusCode: string | null;
  inspections: PatientRefs['inspections'] | null;
}

export async function readRefs(tx: Tx, patientIds: readonly string[]): Promise<Map<string, PatientRefs>> {
  const { rows } = await sql<Row>`
    select v.id as patient_id, s.suggest_no, s.medicines, o.order_id, o.order_no, o.lines, o.pay_fen, o.status_code, i.inspections
      from unnest(${patientIds}::bigint[]) v (id)
      left join lateral (
        select suggest_no, medicines
          from patient_medicine_suggested x
          where x.patient_id = v.id and x.status in ('1', '2')
          order by x.status desc, x.prescription_time desc limit 1
      ) s on true
      left join patient_record_order o on o.patient_id = v.id and o.suggest_no = s.suggest_no and not o.dead
      left join lateral (
        select jsonb_agg(
          jsonb_build_object(
            'inspectionId', x.id::text, 'name', x.item_name, 'at', extract(epoch from x.inspection_time) * 1000, 'abnormalCount',
            (select count(*) from patient_indicator n where n.inspection_id = x.id and n.flag <> 'N')
          ) order by x.inspection_time
        ) as inspections
          from patient_inspection x
          where x.patient_id = v.id and x.voided_at is null and x.status <> '0'
      ) i on true`.execute(tx);
  return new Map(
    rows.map(({ patientId, ...row }): [string, PatientRefs] => [
      patientId,
      {
        ...(row.suggestNo !== null && { suggestion: { suggestNo: row.suggestNo, medicines: row.medicines ?? [] } }),
        ...(row.orderId !== null && {
          order: {
            orderId: row.orderId,
            orderNo: row.orderNo ?? '',
            goodsSummary: (row.lines ?? []).map(({ medicineName, qty }) => `${medicineName}×${qty}`).join('、'),
            payableAmount: Number(row.payFen),
            status: row.statusCode ?? '',
          },
        }),
        inspections: row.inspections ?? [],
      },
    ]),
  );
}

/** Days that a suggestion holds. */
export const VALID = days(30);
