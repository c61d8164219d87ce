import { lazy } from 'react';
import { useRecord, type RecordDialog } from './recordScope.ts';

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

/** A form or dialog over the record that is open: it reads the record as it stands, not as it was when it was opened. */
export function RecordDialogs({ dialog, onClose }: { dialog: RecordDialog; onClose(): void }) {
  const { detail, patientId } = useRecord();
  switch (dialog.kind) {
    case 'edit':
      return <PatientForm detail={detail} onClose={onClose} />;
    case 'diagnosis':
      return <DiagnosisForm patientId={patientId} {...(dialog.row && { row: dialog.row })} onClose={onClose} />;
    case 'treatment':
      return <TreatmentForm diagnosis={dialog.diagnosis} {...(dialog.row && { row: dialog.row })} onClose={onClose} />;
    case 'text':
      return (
        <TextForm
          patientId={patientId}
          {...(dialog.row && { row: dialog.row })}
          {...(dialog.paragraph && { paragraph: dialog.paragraph })}
          onClose={onClose}
        />
      );
    case 'inspection':
      return (
        <InspectionForm patientId={patientId} person={detail} {...(dialog.request && { request: dialog.request })} onClose={onClose} />
      );
    case 'request':
      return <RequestForm patientId={patientId} onClose={onClose} />;
    case 'check':
      return (
        <CheckForm key={dialog.row.id} row={dialog.row} person={detail} onClose={onClose} {...(dialog.next && { onNext: dialog.next })} />
      );
    case 'consent':
      return (
        <ConsentForm
          detail={detail}
          withdraw={dialog.withdraw ?? false}
          {...(dialog.consentType && { consentType: dialog.consentType })}
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
      return <ContactForm patientId={patientId} {...(dialog.row && { row: dialog.row })} onClose={onClose} />;
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
