import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { certTypes } from '../../../contract/dictionaries.ts';
import type { DoctorDetail } from '../../../contract/calls/doctorDetail.ts';
import { directOf } from '../../../contract/qualFields.ts';
import { own } from '../../database.ts';
import type { QualPayload } from '../../qual/payload.ts';

export async function cardOf(db: Db, doctorId: string): Promise<DoctorDetail['card']> {
  const card = await own(db)
    .selectFrom('doctorCard')
    .select([
      'id as cardId',
      'state',
      'template',
      'headline',
      'cardFileId',
      'posterFileId',
      'failReason',
      'shareCount',
      'scanCount',
      'updatedAt',
    ])
    .where('doctorId', '=', doctorId)
    .executeTakeFirst();
  return card ? { ...card } : null;
}

/** Sums of a doctor's paid orders, and the last ten. */
export async function ordersOf(db: Db, doctorId: string): Promise<DoctorDetail['orders']> {
  const { rows } = await sql<{ total: number; running: number; payFen: string; refundedFen: string }>`
    select count(*)::int as total, count(*) filter (where state in ('WAIT_PAY', 'PAID', 'SERVING', 'REFUNDING'))::int as running,
      coalesce(sum(pay_fen) filter (where paid_at is not null), 0)::bigint as pay_fen,
      coalesce(sum(refunded_fen), 0)::bigint as refunded_fen
    from doctor_consult_order where doctor_id = ${doctorId}`.execute(db);
  const recent = await own(db)
    .selectFrom('doctorConsultOrder as o')
    .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
    .select([
      'o.id as orderId',
      'o.orderNo',
      'i.name as itemName',
      'o.patientNameMasked as patientName',
      'o.payFen',
      'o.state',
      'o.createdAt',
    ])
    .where('o.doctorId', '=', doctorId)
    .orderBy('o.id', 'desc')
    .limit(10)
    .execute();
  const sums = rows[0]!;
  return {
    total: sums.total,
    running: sums.running,
    payFen: Number(sums.payFen),
    refundedFen: Number(sums.refundedFen),
    recent: recent.map((order) => ({ ...order, payFen: Number(order.payFen) })),
  };
}

/** The application that waits for the doctor's answer, as its form goes on. */
export async function returnedOf(db: Db, doctorId: string): Promise<DoctorDetail['returned']> {
  const row = await own(db)
    .selectFrom('doctorQualApply')
    .select(['applyNo', 'applyType', 'payload', 'returnItems', 'doctorWording'])
    .where('doctorId', '=', doctorId)
    .where('state', '=', 'RETURNED')
    .executeTakeFirst();
  if (!row) return null;
  const { facts, certs, hospitalApplyName } = row.payload as QualPayload;
  const { name, hospitalId, hospitalApplyId, departmentId } = facts;
  return {
    applyNo: row.applyNo,
    applyType: row.applyType,
    doctorWording: row.doctorWording,
    wantedCerts: certTypes.codes.filter((code) => row.returnItems.includes(code)),
    certTypes: certs.map(({ certType }) => certType),
    name,
    hospitalId,
    hospitalApplyId,
    hospitalApplyName,
    departmentId,
    ...directOf(facts),
  };
}
