import type { AnswerOf } from '#kernel/contract/call.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { Money } from '#kernel/web/kit/values.tsx';
import { acceptStates, itemTypes } from '#domains/doctor/contract/dictionaries.ts';
import type { queryDoctorInfoByOperatorId } from '#domains/doctor/contract/calls/doctors.ts';
import { Face } from '../Face.tsx';
import { Loaded } from './Block.tsx';

type Doctor = AnswerOf<typeof queryDoctorInfoByOperatorId>;

/** 医生信息: who, what is open, and whether the doctor is away. */
export function DoctorSection() {
  return (
    <Loaded<Doctor> title="医生信息" section="doctor" empty="会话中没有医生">
      {(doctor) => (
        <>
          {doctor.acceptState === 'OFF' && (
            <p className="im-banner">该医生已停诊{doctor.offUntil ? `，预计恢复：${showInstant(doctor.offUntil).slice(0, 10)}` : ''}</p>
          )}
          {!doctor.practiceOk && <p className="im-banner">该医生执业资质异常，暂不能接诊</p>}
          <div className="im-doctor">
            <Face name={doctor.doctorName} role="DOCTOR" size={44} />
            <div>
              <b>{doctor.doctorName}</b> {doctor.titleName && <span>{doctor.titleName}</span>}{' '}
              <span className={`kq-dict kq-dict-${acceptStates.tone(doctor.acceptState)}`}>{acceptStates.label(doctor.acceptState)}</span>
              <p className="kq-muted">{[doctor.hospitalName, doctor.departmentName].filter(Boolean).join(' · ')}</p>
            </div>
          </div>
          {doctor.specialty && (
            <p className="im-clamp" title={doctor.specialty}>
              擅长：{doctor.specialty}
            </p>
          )}
          {doctor.openings.length > 0 && (
            <ul className="im-openings">
              {doctor.openings.map((opening) => (
                <li key={opening.openingId}>
                  <span title={opening.name}>{opening.name}</span>
                  <i className="im-tag">{itemTypes.label(opening.itemType)}</i>
                  <Money fen={opening.priceFen} unit />
                </li>
              ))}
            </ul>
          )}
          {doctor.assistant && <p className="kq-muted">主医助：{doctor.assistant.name}</p>}
        </>
      )}
    </Loaded>
  );
}
