import { lazy, Suspense } from 'react';
import { useRecord, type Layer } from './recordScope.ts';

// Forms and dialogs are fetched when first opened.
const PatientForm = lazy(async () => ({ default: (await import('../forms/person/PatientForm.tsx')).PatientForm }));
const DiagnosisForm = lazy(async () => ({ default: (await import('../forms/record/DiagnosisForm.tsx')).DiagnosisForm }));
const TreatmentForm = lazy(async () => ({ default: (await import('../forms/record/TreatmentForm.tsx')).TreatmentForm }));
const TextForm = lazy(async () => ({ default: (await import('../forms/record/TextForm.tsx')).TextForm }));
const InspectionForm = lazy(async () => ({ default: (await import('../forms/record/InspectionForm.tsx')).InspectionForm }));
const RequestForm = lazy(async () => ({ default: (await import('../forms/consent/RequestForm.tsx')).RequestForm }));
const CheckForm = lazy(async () => ({ default: (await import('../forms/record/CheckForm.tsx')).CheckForm }));
const ConsentForm = lazy(async () => ({ default: (await import('../forms/consent/ConsentForm.tsx')).ConsentForm }));
const ConsentTexts = lazy(async () => ({ default: (await import('../forms/consent/ConsentTexts.tsx')).ConsentTexts }));
const VerifyForm = lazy(async () => ({ default: (await import('../forms/person/VerifyForm.tsx')).VerifyForm }));
const ToManualForm = lazy(async () => ({ default: (await import('../forms/person/ToManualForm.tsx')).ToManualForm }));
const ContactForm = lazy(async () => ({ default: (await import('../forms/person/ContactForm.tsx')).ContactForm }));
const DeceasedForm = lazy(async () => ({ default: (await import('../forms/person/DeceasedForm.tsx')).DeceasedForm }));
const MergeDialog = lazy(async () => ({ default: (await import('../forms/person/MergeDialog.tsx')).MergeDialog }));
const PrivacyForm = lazy(async () => ({ default: (await import('../forms/consent/PrivacyForm.tsx')).PrivacyForm }));
const ExportDialog = lazy(async () => ({ default: (await import('../forms/record/ExportDialog.tsx')).ExportDialog }));

function Shown({ layer, onClose }: { layer: Layer; onClose(): void }) {
  const { detail, patientId } = useRecord();
  switch (layer.kind) {
    case 'edit':
      return <PatientForm detail={detail} onClose={onClose} />;
    case 'diagnosis':
      return <DiagnosisForm patientId={patientId} {...(layer.row && { row: layer.row })} onClose={onClose} />;
    case 'treatment':
      return <TreatmentForm diagnosis={layer.diagnosis} {...(layer.row && { row: layer.row })} onClose={onClose} />;
    case 'text':
      return (
        <TextForm
          patientId={patientId}
          {...(layer.row && { row: layer.row })}
          {...(layer.paragraph && { paragraph: layer.paragraph })}
          onClose={onClose}
        />
      );
    case 'inspection':
      return <InspectionForm patientId={patientId} person={detail} {...(layer.request && { request: layer.request })} onClose={onClose} />;
    case 'request':
      return <RequestForm patientId={patientId} onClose={onClose} />;
    case 'check':
      return <CheckForm key={layer.row.id} row={layer.row} person={detail} onClose={onClose} {...(layer.next && { onNext: layer.next })} />;
    case 'consent':
      return (
        <ConsentForm
          detail={detail}
          withdraw={layer.withdraw ?? false}
          {...(layer.consentType && { consentType: layer.consentType })}
          onClose={onClose}
        />
      );
    case 'texts':
      return <ConsentTexts onClose={onClose} />;
    case 'verify':
      return <VerifyForm detail={detail} onClose={onClose} />;
    case 'toManual':
      return <ToManualForm detail={detail} onClose={onClose} />;
    case 'contact':
      return <ContactForm patientId={patientId} {...(layer.row && { row: layer.row })} onClose={onClose} />;
    case 'deceased':
      return <DeceasedForm detail={detail} onClose={onClose} />;
    case 'merge':
      return <MergeDialog from={detail} onClose={onClose} />;
    case 'privacy':
      return <PrivacyForm detail={detail} onClose={onClose} />;
    case 'export':
      return <ExportDialog detail={detail} onClose={onClose} />;
  }
}

/** The one form, dialog or viewer that stands over the record. */
export function RecordDialogs({ layer, onClose }: { layer: Layer | null; onClose(): void }) {
  return <Suspense fallback={null}>{layer && <Shown layer={layer} onClose={onClose} />}</Suspense>;
}
