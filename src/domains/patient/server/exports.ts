import { reportExport } from './inspections/list.ts';
import { mergeExport } from './merges/list.ts';
import { privacyExport } from './privacy/list.ts';
import { manualExport } from './realName/list.ts';

/** The work queues as tables. */
export const patientExports = [manualExport, reportExport, mergeExport, privacyExport] as const;
