import { Sheet } from '../Sheet.tsx';
import type { SheetProps } from '../inquiry.ts';
import { InquiryFile } from './InquiryFile.tsx';

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
