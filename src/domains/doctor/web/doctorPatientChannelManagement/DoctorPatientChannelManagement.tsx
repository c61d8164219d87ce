import { Suspense } from 'react';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { Attributions } from './Attributions.tsx';
import { Changes } from './Changes.tsx';
import { Funnel } from './lazyDialogs.ts';

const Doctors = () => <Attributions subjectType="DOCTOR" />;
const Patients = () => <Attributions subjectType="PATIENT" />;
const Funnels = () => (
  <Suspense fallback={<div className="kq-loading" />}>
    <Funnel />
  </Suspense>
);

/** /doctorPatientChannelManagement 医患渠道管理. */
export default function DoctorPatientChannelManagement() {
  return (
    <PageParts
      parts={[
        { key: 'doctors', label: '医生渠道', content: Doctors },
        { key: 'patients', label: '患者渠道', content: Patients },
        { key: 'funnel', label: '渠道漏斗', content: Funnels },
        { key: 'changes', label: '归属变更审批', content: Changes },
      ]}
    />
  );
}
