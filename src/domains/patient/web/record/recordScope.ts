import { createContext, use } from 'react';
import { create } from 'zustand';
import type { DiagnosisRow, TreatmentRow } from '../../contract/calls/panel.ts';
import type { ContactPerson, PatientDetail } from '../../contract/calls/sufferer.ts';
import type { ConsentType, Paragraph } from '../../contract/dictionaries.ts';
import type { InspectionRow, RecordTextRow } from '../../contract/modules.ts';

/** The record that stays beside the pages while the operator moves between them; null = none. */
export const usePinned = create<{ patientId: string | null }>(() => ({ patientId: null }));

/** What stands over the record: one form, dialog or viewer at a time. */
export type RecordDialog =
  | { kind: 'edit' }
  | { kind: 'diagnosis'; row?: DiagnosisRow }
  | { kind: 'treatment'; diagnosis: DiagnosisRow; row?: TreatmentRow }
  | { kind: 'text'; row?: RecordTextRow; paragraph?: Paragraph }
  | { kind: 'inspection'; request?: InspectionRow }
  | { kind: 'request' }
  | { kind: 'check'; row: InspectionRow; next?(): void }
  | { kind: 'consent'; consentType?: ConsentType; withdraw?: boolean }
  | { kind: 'texts' }
  | { kind: 'verify' }
  | { kind: 'toManual' }
  | { kind: 'contact'; row?: ContactPerson }
  | { kind: 'deceased' }
  | { kind: 'merge' }
  | { kind: 'privacy' }
  | { kind: 'export' };

interface RecordScope {
  detail: PatientDetail;
  /** The surviving record: all reads and writes go there. */
  patientId: string;
  show(dialog: RecordDialog): void;
  goToTab(key: string): void;
}

export const RecordContext = createContext<RecordScope | null>(null);

/** The record that is open around a component. */
export function useRecord(): RecordScope {
  const scope = use(RecordContext);
  if (!scope) throw new Error('useRecord outside of a record');
  return scope;
}
