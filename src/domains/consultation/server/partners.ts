import type { Deed } from './deed.ts';
import type { Db } from '../../../kernel/server/context.ts';

/** What consultation asks of the domains doctor and patient, in one place. */

export type OrderStep = 'ACCEPT' | 'FIRST_REPLY' | 'REPLY' | 'NO_ACCEPT' | 'NO_REPLY' | 'DOCTOR_REFUSE' | 'PATIENT' | 'COMPLETE';

/** Reports to the order; the same step with the same replies does nothing the second time. */
export function advanceConsultOrder(_ctx: Deed, _step: { orderId: string; step: OrderStep; usedReplies: number }): Promise<void> {
  throw new Error('doctor is not joined yet');
}
export interface PatientLabel {
  patientId: string;
  name: string;
  mobileMasked: string | null;
}
export function patientLabels(_db: Db, _ids: readonly string[]): Promise<PatientLabel[]> {
  throw new Error('patient is not joined yet');
}
