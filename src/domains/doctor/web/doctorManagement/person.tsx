import { Avatar } from 'antd';
import { firstCharacters } from '#kernel/contract/plainText.ts';
import { send } from '#kernel/web/http/client.ts';
import { revealDoctorField } from '../../contract/calls/doctors.ts';

export const revealOf = (doctorId: string, field: 'mobile' | 'idNo' | 'certNo', certId?: string) => async (reason: string) =>
  (await send(revealDoctorField, { doctorId, field, reason, ...(certId && { certId }) })).value ?? '';

/** Days that a certificate has left, or has been over. */
export function CertDays({ daysLeft }: { daysLeft: number }) {
  return (
    <span className={`kq-dict kq-dict-${daysLeft < 0 ? 'error' : 'warning'}`}>
      {daysLeft < 0 ? `过期${-daysLeft}天` : daysLeft === 0 ? '今天到期' : `${daysLeft}天后到期`}
    </span>
  );
}

/** The doctor's portrait, or his family name. */
export const Portrait = ({ name, avatar, size }: { name: string; avatar: string | null; size: number }) => (
  <Avatar size={size} alt="" {...(avatar && { src: avatar })}>
    {firstCharacters(name, 1)}
  </Avatar>
);
