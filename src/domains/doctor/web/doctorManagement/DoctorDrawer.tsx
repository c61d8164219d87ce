import { Button, Drawer, Tabs } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { DetailLayout, Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { objectMarksPlace } from '#kernel/web/kit/objectMarksPlace.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { Slot } from '#kernel/web/slots.tsx';
import { acceptStates, titles } from '../../contract/dictionaries.ts';
import {
  cancelDoctor,
  freezeDoctor,
  queryDoctorCounts,
  queryDoctorDetail,
  queryDoctorList,
  unfreezeDoctor,
} from '../../contract/calls/doctors.ts';
import { doctorDetail, type DoctorDetail } from '../../contract/calls/doctorDetail.ts';
import { directFacts } from '../../contract/qualFields.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { accountMachine, qualMachine } from '../../contract/states.ts';
import { Portrait, revealOf } from './person.tsx';

const AcceptDialog = lazy(async () => ({ default: (await import('./AcceptDialog.tsx')).AcceptDialog }));
// Each tab but the first is fetched when it is opened.
const Certificates = lazy(async () => ({ default: (await import('./DoctorTabs.tsx')).Certificates }));
const Practices = lazy(async () => ({ default: (await import('./DoctorTabs.tsx')).Practices }));
const Services = lazy(async () => ({ default: (await import('./DoctorTabs.tsx')).Services }));
const Assistants = lazy(async () => ({ default: (await import('./DoctorTabs.tsx')).Assistants }));
const Shown = lazy(async () => ({ default: (await import('./DoctorTabs.tsx')).Shown }));
const Attributions = lazy(async () => ({ default: (await import('./DoctorTabs.tsx')).Attributions }));
const Orders = lazy(async () => ({ default: (await import('./DoctorTabs.tsx')).Orders }));
const Trail = lazy(async () => ({ default: (await import('./DoctorTabs.tsx')).Trail }));

/** Whoever sees marks where they are kept sees them here as they stand, others the doctor's own copies. */
const MARKS = 'content.content.view';
const reads = [queryDoctorDetail, queryDoctorList, queryDoctorCounts];

function Basics({ doctor }: { doctor: DoctorDetail }) {
  const holds = useMay();
  return (
    <>
      <Facts
        title="个人信息"
        facts={factsIn(doctorDetail, doctor, [
          'name',
          'gender',
          'birthDate',
          {
            key: 'mobile',
            value: (
              <Masked value={doctor.mobile} permission={may['sensitive.reveal']} reveal={revealOf(doctor.doctorId, 'mobile')} withReason />
            ),
          },
          {
            key: 'idNo',
            value: (
              <Masked value={doctor.idNo} permission={may['sensitive.reveal']} reveal={revealOf(doctor.doctorId, 'idNo')} withReason />
            ),
          },
          'operatorId',
        ])}
      />
      <Facts
        title="执业信息"
        facts={factsIn(doctorDetail, doctor, [
          {
            label: '执业机构',
            value: (
              <>
                {doctor.hospitalName}
                {doctor.hospitalApplyId && <span className="kq-dict kq-dict-warning">医院待审核</span>}
              </>
            ),
          },
          { label: '科室', value: doctor.departmentName },
          { label: '地区', value: doctor.region || null },
          ...directFacts,
          {
            label: '可执业',
            value: (
              <span className={`kq-dict kq-dict-${doctor.practiceOk ? 'success' : 'default'}`}>{doctor.practiceOk ? '是' : '否'}</span>
            ),
          },
        ])}
      />
      <Facts
        title="对外展示"
        columns={1}
        facts={factsIn(doctorDetail, doctor, [
          'specialty',
          'intro',
          { key: 'diseases', value: doctor.diseases.map(({ name }) => name).join('、') || null },
          {
            label: '标签',
            value: holds(MARKS) ? (
              <Slot of={objectMarksPlace} props={{ objectType: 'DOCTOR', objectId: doctor.doctorId }} />
            ) : doctor.marks.length > 0 ? (
              doctor.marks.map(({ id, name }) => (
                <span key={id} className="kq-dict">
                  {name}
                </span>
              ))
            ) : null,
          },
        ])}
      />
      <Facts
        title="账号"
        facts={factsIn(doctorDetail, doctor, [
          'sourceType',
          'createdAt',
          'submittedAt',
          {
            key: 'acceptState',
            value: (
              <>
                <Dict of={acceptStates} code={doctor.acceptState} />
                {doctor.offFrom && (
                  <span className="kq-muted">
                    {' '}
                    {doctor.offFrom} 至 {doctor.offUntil ?? '另行恢复'}
                  </span>
                )}
              </>
            ),
          },
          { label: '回复中位数', value: doctor.responseMedianMin === null ? null : `${doctor.responseMedianMin}分钟` },
          { label: '评分', value: doctor.ratingBp === null ? null : `${(doctor.ratingBp / 2000).toFixed(1)}分` },
          { key: 'qualReason', wide: true },
        ])}
      />
    </>
  );
}

/** Everything about one doctor. */
export function DoctorDrawer({ doctorId, onClose, onEdit }: { doctorId: string | undefined; onClose(): void; onEdit(): void }) {
  const { data, error, fetching, refetch } = useData(queryDoctorDetail, { doctorId: doctorId ?? '0' }, { enabled: doctorId !== undefined });
  const [accepting, setAccepting] = useState(false);
  const actions = {
    freeze: useCommand(freezeDoctor, { refreshes: reads, success: '修改成功!' }),
    unfreeze: useCommand(unfreezeDoctor, { refreshes: reads, success: '修改成功!' }),
    cancel: useCommand(cancelDoctor, { refreshes: reads, success: '修改成功!' }),
  };
  const doctor = data?.doctorId === doctorId ? data : undefined;
  const tab = (key: string, label: string, children: React.ReactNode) => ({
    key,
    label,
    children: <Suspense fallback={<div className="kq-loading" />}>{children}</Suspense>,
  });
  return (
    <Drawer open={doctorId !== undefined} size="min(1080px, 92vw)" onClose={onClose} title="医生详情" destroyOnHidden>
      <DetailLayout
        title={
          doctor && (
            <span className="dm-person">
              <Portrait name={doctor.name} avatar={doctor.avatar} size={40} />
              {doctor.name}
            </span>
          )
        }
        state={
          doctor && (
            <>
              <Dict of={qualMachine.dictionary} code={doctor.qualState} />{' '}
              <Dict of={accountMachine.dictionary} code={doctor.accountState} />
            </>
          )
        }
        subtitle={
          doctor &&
          `${doctor.doctorNo}　` +
            [doctor.titleCode && titles.label(doctor.titleCode), doctor.hospitalName, doctor.departmentName].filter(Boolean).join('　')
        }
        loading={fetching && !doctor}
        error={doctor ? undefined : error}
        onRetry={() => void refetch()}
        actions={
          doctor && (
            <>
              <Can permission={may['qual.enter']}>
                {doctor.accountState !== 'CANCELLED' && (
                  <>
                    <Button type="primary" onClick={onEdit}>
                      编辑
                    </Button>
                    <Button onClick={() => setAccepting(true)}>{doctor.acceptState === 'ON' ? '停诊' : '恢复接诊'}</Button>
                  </>
                )}
              </Can>
              <StateActions
                machine={accountMachine}
                state={doctor.accountState}
                facts={factsIn(doctorDetail, doctor, ['name', 'titleCode', 'mobile', 'qualState'])}
                onAction={(action, opinion) =>
                  action in actions
                    ? actions[action as keyof typeof actions].run({ doctorId: doctor.doctorId, version: doctor.version, opinion })
                    : undefined
                }
              />
            </>
          )
        }
      >
        {doctor && (
          <Tabs
            size="small"
            items={[
              tab('basics', '基本信息', <Basics doctor={doctor} />),
              tab('certs', '资质证件', <Certificates doctor={doctor} />),
              tab('practices', '执业机构', <Practices doctor={doctor} />),
              tab('services', '服务与价格', <Services doctor={doctor} />),
              tab('assistants', '医助', <Assistants doctor={doctor} />),
              tab('shown', '推荐与名片', <Shown doctor={doctor} />),
              tab('attributions', '渠道归属', <Attributions doctor={doctor} />),
              tab('orders', '付费咨询', <Orders doctor={doctor} />),
              tab('trail', '操作轨迹', <Trail doctor={doctor} />),
            ]}
          />
        )}
      </DetailLayout>
      <Suspense fallback={null}>{accepting && doctor && <AcceptDialog doctor={doctor} onClose={() => setAccepting(false)} />}</Suspense>
    </Drawer>
  );
}
