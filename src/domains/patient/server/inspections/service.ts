import type { Kernel } from '#kernel/server/kernel.ts';
import type { InspectionRow } from '../../contract/modules.ts';
import { everyone, lockPatient } from '../access.ts';
import { attachFiles } from '../files.ts';
import { presentInspection } from '../records/modules.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { addReport, readInspection, type NewInspection } from './add.ts';

export interface ReportOf extends NewInspection {
  patientId: string;
  /** Uploader of the files, as files knows him. */
  uploaderId: string;
}

/** A report that a participant hands in through another domain. @throws Refusal SCM09043, SCM09044, SCM09046 */
export async function addInspection(
  kernel: Kernel,
  acting: Acting,
  { patientId, uploaderId, ...report }: ReportOf,
): Promise<InspectionRow> {
  const seen = await lockPatient(acting.tx, everyone, patientId, acting.now);
  await attachFiles(acting, uploaderId, seen.id, 'inspection', report.fileIds);
  const id = await addReport(kernel, acting, seen, report);
  return presentInspection(await readInspection(acting.tx, id), { may: () => false, userId: null });
}
