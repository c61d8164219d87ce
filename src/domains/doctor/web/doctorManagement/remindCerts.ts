import { send } from '#kernel/web/http/client.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { queryCertExpireList, remindCert } from '../../contract/calls/certs.ts';
import type { DoctorRow } from '../../contract/calls/doctors.ts';

/** Reminds of every certificate of one doctor that ends within 90 days; says why nothing was sent. */
export async function remindCertsOf({ doctorId, doctorNo }: DoctorRow): Promise<void> {
  const { rows } = await send(queryCertExpireList, { pageNo: 1, pageSize: 50, days: 90, name: doctorNo }, { quiet: true });
  const certIds = rows.filter((row) => row.doctorId === doctorId).map(({ certId }) => certId);
  if (certIds.length === 0) throw new RefusalError('', '没有90天内到期的证件');
  const results = await send(remindCert, { certIds }, { quiet: true });
  const refused = results.find(({ ok }) => !ok);
  if (refused) throw new RefusalError('', refused.message);
}
