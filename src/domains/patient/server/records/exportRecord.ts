import { refuse } from '#kernel/contract/errors.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command } from '#kernel/server/handler.ts';
import { exportPatientRecord } from '../../contract/calls/ehr.ts';
import { patientErrors } from '../../contract/errors.ts';
import { noteAccess, openPatient } from '../access.ts';
import { TARGET } from '../persons/save.ts';
import { recordOf, recordPdf } from './recordPdf.ts';

/** Prints a record for a reason that is kept. */
export const recordExport = command(exportPatientRecord, async ({ patientId, modules, reason }, ctx) => {
  if (reason === '') throw refuse(patientErrors.EXPORT_REASON, { fields: [{ path: 'reason', message: patientErrors.EXPORT_REASON.text }] });
  const seen = await openPatient(ctx.tx, ctx.staff, patientId, ctx.now);
  const data = await recordOf(ctx.tx, seen, modules, ctx.today);
  await noteAccess(ctx.tx, ctx, { patientId: seen.id, kind: 'EXPORT', fields: modules, reason });
  ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
  return new FileAnswer({
    name: `患者档案${seen.patientNo}.pdf`,
    contentType: 'application/pdf',
    body: recordPdf(seen, data, modules, { name: ctx.staff.displayName, at: ctx.now, purpose: reason }),
    rowCount: 1,
  });
});
