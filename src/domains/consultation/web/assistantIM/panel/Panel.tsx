import { lazy, Suspense } from 'react';
import { followTimeline } from '#kernel/web/kit/patientPlaces.ts';
import { Slot, isFilled } from '#kernel/web/slots.tsx';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { useDeskState, useGroup, usePatientId } from '../desk/useDesk.ts';
import { Folded } from './Block.tsx';
import { Complaint } from './Complaint.tsx';
import { DoctorSection } from './DoctorSection.tsx';
import { Visits } from './Visits.tsx';

const PatientSections = lazy(async () => ({ default: (await import('./PatientSections.tsx')).PatientSections }));
const DeskSections = lazy(async () => ({ default: (await import('./DeskSections.tsx')).DeskSections }));
const SinglePanel = lazy(async () => ({ default: (await import('./SinglePanel.tsx')).SinglePanel }));
const PreviewPanel = lazy(async () => ({ default: (await import('./PreviewPanel.tsx')).PreviewPanel }));

/** Right column: who the conversation is about, in the specification's order. */
export default function Panel({ onChoose }: { onChoose(id: ConversationID, mode: Mode): void }) {
  const chosen = useDeskState((state) => state.chat?.chosen ?? null);
  const patientId = usePatientId();
  const group = useGroup();
  if (!chosen) return null;
  return (
    <div className="im-panel-body" key={chosen.switchNo}>
      <Suspense fallback={<div className="kq-loading" />}>
        {chosen.conversationID.startsWith('C2C') ? (
          <SinglePanel userID={chosen.conversationID.slice(3)} onChoose={onChoose} />
        ) : chosen.mode === 'PREVIEW' ? (
          <PreviewPanel />
        ) : (
          <>
            {chosen.conversationID.startsWith('GROUPDZT') ? group && <DeskSections group={group} /> : <DoctorSection />}
            <PatientSections above={<Complaint />} />
            {patientId && <Folded title="历次问诊">{() => <Visits patientId={patientId} onChoose={onChoose} />}</Folded>}
            {patientId && isFilled(followTimeline) && (
              <Folded title="随访">{() => <Slot of={followTimeline} props={{ patientId }} />}</Folded>
            )}
          </>
        )}
      </Suspense>
    </div>
  );
}
