import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { recordChanged } from '#events/patient.ts';

type Kind = 'DIAGNOSIS' | 'TREATMENT' | 'TEXT' | 'SUGGESTED' | 'INSPECTION' | 'ORDER';

/** Tells who listens that something of a record is new, other or void. */
export const publishRecordChanged = (writing: Pick<Writing, 'publish'>, patientId: string, kind: Kind, at: Instant): Promise<void> =>
  writing.publish(recordChanged, patientId, { patientId, kind, at });
