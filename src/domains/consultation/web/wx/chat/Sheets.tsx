import { lazy, Suspense } from 'react';
import type { Inquiry, SheetName, SheetProps } from '../sheets/Sheet.tsx';

const Rate = lazy(() => import('../sheets/Rate.tsx'));
const Refuse = lazy(() => import('../sheets/Refuse.tsx'));
const Report = lazy(() => import('../sheets/Report.tsx'));
const Suggest = lazy(() => import('../sheets/Suggest.tsx'));
const PatientFacts = lazy(() => import('../sheets/PatientFacts.tsx'));
const VisitRecord = lazy(() => import('../sheets/VisitRecord.tsx'));
const Again = lazy(() => import('../sheets/Again.tsx'));

/** The forms of the page, each loaded when it is opened. */
export function Sheets({ sheet, inquiry, ...rest }: Omit<SheetProps, 'inquiry'> & { sheet: SheetName; inquiry: Inquiry | null }) {
  if (!inquiry) return null;
  const props = { ...rest, inquiry };
  return (
    <Suspense>
      {sheet.name === 'rate' && <Rate {...props} />}
      {sheet.name === 'refuse' && <Refuse {...props} />}
      {sheet.name === 'report' && <Report {...props} requestId={sheet.requestId} />}
      {sheet.name === 'suggest' && <Suggest {...props} />}
      {sheet.name === 'patient' && <PatientFacts {...props} />}
      {sheet.name === 'record' && <VisitRecord {...props} />}
      {sheet.name === 'again' && <Again {...props} />}
    </Suspense>
  );
}
