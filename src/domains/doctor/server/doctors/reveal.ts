import { refuseField } from '../../../../kernel/contract/errors.ts';
import { command, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { revealDoctorField } from '../../contract/calls/doctors.ts';
import { doctorRecords } from '../access.ts';
import { ownTx } from '../database.ts';
import { DOCTOR_TARGET } from './files.ts';

/** The full value of one field; the operation log names whose. */
export const reveal = (kernel: Kernel): Handler =>
  command(revealDoctorField, async ({ doctorId, field, certId }, ctx) => {
    const doctor = await doctorRecords.lock(ctx.tx, ctx.staff, doctorId);
    ctx.target({ type: DOCTOR_TARGET, id: doctorId, no: doctor.doctorNo });
    if (field === 'certNo') {
      const cert =
        certId === undefined
          ? undefined
          : await ownTx(ctx.tx)
              .selectFrom('doctorCert')
              .select('certNoCipher')
              .where('id', '=', certId)
              .where('doctorId', '=', doctorId)
              .executeTakeFirst();
      if (!cert) throw refuseField('certId', '证件不存在');
      return { value: cert.certNoCipher === null ? null : kernel.secrets.decrypt(cert.certNoCipher) };
    }
    const cipher = field === 'mobile' ? doctor.mobileCipher : doctor.idNoCipher;
    return { value: cipher === null ? null : kernel.secrets.decrypt(cipher) };
  });
