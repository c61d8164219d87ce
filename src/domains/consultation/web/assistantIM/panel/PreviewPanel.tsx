import { genders } from '#domains/patient/contract/dictionaries.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { Preview } from '../desk/facts.ts';
import { Loaded } from './Block.tsx';
import { Complaint } from './Complaint.tsx';

/** Before taking: masked facts of the patient and the inquiry, nothing of the record. */
export function PreviewPanel() {
  return (
    <>
      <Complaint />
      <Loaded<Preview> title="患者信息" section="preview" empty="没有患者信息">
        {({ patient }) => (
          <>
            <p className="im-person">
              <b>{patient.name}</b> {patient.gender === null ? '' : genders.label(String(patient.gender))}{' '}
              {patient.age === null ? '' : `${patient.age}岁`}
            </p>
            <dl className="im-facts">
              <div>
                <dt>手机号</dt>
                <dd className="kq-number">{patient.mobileMasked ?? NOTHING}</dd>
              </div>
            </dl>
            <p className="kq-muted">接入会话后可查看完整资料</p>
          </>
        )}
      </Loaded>
    </>
  );
}
