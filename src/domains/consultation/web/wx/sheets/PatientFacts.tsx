import { queryMyFileUrl } from '../../../contract/calls/participants.ts';
import { sendMine } from '../access.ts';
import { useAction } from '../useAction.ts';
import { Sheet, type SheetProps } from './Sheet.tsx';

/** A file that was handed in with the inquiry, opened in a page of its own. */
function InquiryFile({ groupId, file }: { groupId: string; file: { fileId: string; fileName: string } }) {
  const { busy, fault, run } = useAction();
  const open = () => {
    // Opened by the click itself: a window that comes later would be blocked.
    const page = window.open('', '_blank');
    void run(async () => {
      const { url } = await sendMine(queryMyFileUrl, { groupId, fileId: file.fileId, use: 'PREVIEW' });
      if (page) page.location.href = url;
    }).then((done) => done || page?.close());
  };
  return (
    <>
      <button type="button" className="wx-chip" disabled={busy} onClick={open}>
        {file.fileName}
      </button>
      {fault && <span className="wx-fault">{fault}</span>}
    </>
  );
}

const GENDERS = ['未知', '男', '女'];

/** What a doctor knows of the patient here: no mobile, no identity number. */
export default function PatientFacts({ group, inquiry, onClose }: SheetProps) {
  const { patient } = inquiry;
  const row = (label: string, value: string | null | undefined) => (
    <div className="wx-fact">
      <dt>{label}</dt>
      <dd>{value || '—'}</dd>
    </div>
  );
  return (
    <Sheet title="患者资料" onClose={onClose}>
      <dl>
        {row('姓名', patient?.name ?? group.patientName)}
        {row('性别', GENDERS[patient?.gender ?? 0])}
        {row('年龄', patient?.age == null ? null : `${patient.age}岁`)}
        {row('过敏史', patient?.allergy)}
        {row('主诉', inquiry.chiefComplaint)}
        {row('服务', inquiry.serviceName)}
      </dl>
      {inquiry.attachments.length > 0 && (
        <div className="wx-files">
          {inquiry.attachments.map((file) => (
            <InquiryFile key={file.fileId} groupId={group.groupId} file={file} />
          ))}
        </div>
      )}
    </Sheet>
  );
}
