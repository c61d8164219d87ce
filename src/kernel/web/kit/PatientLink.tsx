import type { MouseEvent, ReactNode } from 'react';
import { goToLayer, layerHref } from '../router/navigate.ts';

/** Address parameter that opens a patient's record over any page. */
export const PATIENT_PARAM = 'patient';

/** A patient's name: a click opens the record over the page, the address can be passed on. */
export function PatientLink({ patientId, children }: { patientId: string; children: ReactNode }) {
  const open = (event: MouseEvent) => {
    event.stopPropagation();
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    goToLayer(PATIENT_PARAM, patientId);
  };
  return (
    <a href={layerHref(PATIENT_PARAM, patientId)} onClick={open}>
      {children}
    </a>
  );
}
