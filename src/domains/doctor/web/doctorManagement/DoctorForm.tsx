import { Alert, Form, Input, Select } from 'antd';
import { lazy, Suspense, useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { allOf } from '#kernel/contract/field.ts';
import type { Day } from '#kernel/contract/time.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { HospitalPicker } from '#kernel/web/kit/pickers.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { queryDepartmentTree } from '#domains/institution/contract/departmentCalls.ts';
import { institutionPermissions } from '#domains/institution/contract/permissions.ts';
import type { CertType } from '../../contract/dictionaries.ts';
import { addDoctorInfo, modifyDoctorInfo, queryDoctorCounts, queryDoctorDetail, queryDoctorList } from '../../contract/calls/doctors.ts';
import type { DoctorDetail } from '../../contract/calls/doctorDetail.ts';
import { directFacts, practicePlace, qualFactLabels, type DirectFact } from '../../contract/qualFields.ts';
import { certsOf, type CertValues } from './certValues.ts';
import { portraitFiles, withPortrait } from '../services/portrait.ts';
import { LinesField } from '../services/inputs.tsx';
import { PastDay } from '#kernel/web/form/DayInput.tsx';
import { RefsSelect } from '../services/Selects.tsx';

const CertFields = lazy(async () => ({ default: (await import('./CertFields.tsx')).CertFields }));
const HospitalApplyDialog = lazy(async () => ({ default: (await import('./HospitalApplyDialog.tsx')).HospitalApplyDialog }));

type Direct = Pick<InputOf<typeof addDoctorInfo>, DirectFact>;
interface Values extends Omit<Direct, 'practiceSince'> {
  name: string;
  mobile?: string;
  idNo?: string;
  hospitalId?: string | null;
  departmentId?: string | null;
  practiceSince?: Day | null;
  specialty?: string;
  intro?: string;
  diseaseIds?: string[];
  avatar?: readonly UploadedFile[];
  certs?: Partial<Record<CertType, CertValues>>;
}
type Applied = { id: string; name: string } | null;

const labels = { ...qualFactLabels, mobile: '手机号', specialty: '擅长', intro: '简介', diseaseIds: '病种', avatar: '头像', certs: '证件' };
const reads = [queryDoctorList, queryDoctorDetail, queryDoctorCounts];

const bodyOf = (values: Values, applied: Applied) => ({
  name: values.name.trim(),
  hospitalId: applied ? null : (values.hospitalId ?? null),
  hospitalApplyId: applied?.id ?? null,
  departmentId: applied ? null : (values.departmentId ?? null),
  ...allOf({ ...values, practiceSince: values.practiceSince ?? '' }, directFacts),
  specialty: values.specialty ?? '',
  intro: values.intro ?? '',
  diseaseIds: values.diseaseIds ?? [],
  avatarFileId: values.avatar?.[0]?.fileId ?? null,
  certs: certsOf(values.certs ?? {}, { name: values.name.trim(), idNo: values.idNo?.trim().toUpperCase() ?? null }),
});

const firstFacts = { practiceLevel: 'LICENSED', practiceCategory: 'CLINICAL' } as const;
/** What the record, or the application that goes on, says already. */
const writtenFacts = (facts: Pick<DoctorDetail, DirectFact>) =>
  Object.fromEntries(directFacts.flatMap((key) => (facts[key] === null ? [] : [[key, facts[key]]]))) as Partial<Direct>;

/** Departments of the chosen hospital. */
function DepartmentSelect({
  hospitalId,
  value,
  onChange,
  id,
}: {
  hospitalId: string | null;
  id?: string;
  value?: string | null;
  onChange?(value: string | null): void;
}) {
  const found = useData(queryDepartmentTree, hospitalId ? { hospitalId } : {}, {
    enabled: hospitalId !== null,
    fresh: 60_000,
    quiet: true,
  });
  const choices = (hospitalId === null ? [] : (found.data ?? []))
    .filter(({ state }) => state === 'ENABLED')
    .map((node) => ({ value: node.id, label: node.name }));
  return (
    <Select<string>
      {...(id && { id })}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      value={value ?? null}
      options={choices}
      loading={found.fetching}
      notFoundContent={hospitalId === null ? '请先选择执业机构' : <NoChoices of={found} none="没有符合的科室" />}
      placeholder={hospitalId === null ? '请先选择执业机构' : '请选择科室'}
      onChange={(next) => onChange?.(next ?? null)}
    />
  );
}

interface FieldsProps {
  form: ReturnType<typeof Form.useForm<Values>>[0];
  doctor: DoctorDetail | null;
  applied: Applied;
  setApplied(applied: Applied): void;
}

function Fields({ form, doctor, applied, setApplied }: FieldsProps) {
  const hospitalId = Form.useWatch('hospitalId', form) ?? null;
  const [applying, setApplying] = useState(false);
  return (
    <>
      {doctor && (
        <Alert
          type="info"
          showIcon
          className="kq-form-alert"
          title={
            doctor.qualState === 'APPROVED' || doctor.qualState === 'EXPIRED'
              ? '头像、擅长、简介、病种和手机号立即生效；其他内容与证件提交后须审核，通过前沿用原资料。'
              : '头像、擅长、简介、病种和手机号立即生效；其他内容与证件提交资质审核。'
          }
        />
      )}
      {doctor?.returned && (
        <Alert
          type="warning"
          showIcon
          className="kq-form-alert"
          title={`审核单${doctor.returned.applyNo}已退回：${doctor.returned.doctorWording || '请补充资料'}`}
        />
      )}
      <div className="dm-section">基本信息</div>
      <div className="dm-two">
        <Field of={addDoctorInfo} name="name" />
        <Field
          of={doctor ? modifyDoctorInfo : addDoctorInfo}
          name="mobile"
          extra={doctor ? `当前：${doctor.mobile}，不修改请留空` : undefined}
        >
          <Input />
        </Field>
        <Field
          of={doctor?.idNo ? modifyDoctorInfo : addDoctorInfo}
          name="idNo"
          extra={doctor?.idNo ? `当前：${doctor.idNo}，不修改请留空` : undefined}
        >
          <Input />
        </Field>
        <Form.Item label={labels.avatar} name="avatar">
          <Upload purpose="DOCTOR_AVATAR" max={1} />
        </Form.Item>
      </div>
      <div className="dm-section">执业信息</div>
      <div className="dm-two">
        {applied ? (
          <UnboundField label={labels.hospitalId}>
            <Input
              readOnly
              value={`${applied.name}（医院申请审核中）`}
              suffix={
                <button type="button" className="kq-link" onClick={() => setApplied(null)}>
                  改选
                </button>
              }
            />
          </UnboundField>
        ) : (
          <Field
            of={practicePlace}
            name="hospitalId"
            extra={
              <Can permission={institutionPermissions['apply.enter']}>
                <button type="button" className="kq-link" onClick={() => setApplying(true)}>
                  找不到医院？申请新增
                </button>
              </Can>
            }
          >
            <HospitalPicker placeholder="按名称或拼音查找" />
          </Field>
        )}
        {!applied && (
          <Field of={practicePlace} name="departmentId">
            <DepartmentSelect hospitalId={hospitalId} />
          </Field>
        )}
        <Field of={addDoctorInfo} name="titleCode" />
        <Field of={addDoctorInfo} name="practiceLevel" />
        <Field of={addDoctorInfo} name="practiceCategory" />
        <Field of={addDoctorInfo} name="practiceScope" placeholder="如：内科专业" />
        <Field of={addDoctorInfo} name="practiceSince">
          <PastDay />
        </Field>
      </div>
      <div className="dm-section">对外展示</div>
      <Field of={addDoctorInfo} name="diseaseIds" label={labels.diseaseIds}>
        <RefsSelect type="DISEASE" max={20} placeholder="最多20个" />
      </Field>
      <LinesField of={addDoctorInfo} name="specialty" />
      <LinesField of={addDoctorInfo} name="intro" rows={3} />
      <div className="dm-section">资质证件</div>
      <Suspense fallback={<div className="kq-loading" />}>
        <CertFields
          fresh={!doctor}
          {...(doctor?.returned && { wanted: doctor.returned.wantedCerts, handedIn: doctor.returned.certTypes })}
        />
      </Suspense>
      <Suspense fallback={null}>
        {applying && (
          <HospitalApplyDialog
            onDone={(apply) => {
              setApplied(apply);
              setApplying(false);
            }}
            onClose={() => setApplying(false)}
          />
        )}
      </Suspense>
    </>
  );
}

export function AddDoctorForm({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const [applied, setApplied] = useState<Applied>(null);
  return (
    <FormDrawer<typeof addDoctorInfo, Values>
      open
      title="新增医生"
      width={820}
      form={form}
      call={addDoctorInfo}
      labels={labels}
      refreshes={reads}
      initial={firstFacts}
      submitText="提交审核"
      toInput={(values) => ({ ...bodyOf(values, applied), mobile: values.mobile?.trim() ?? '', idNo: values.idNo?.trim() ?? '' })}
      onDone={({ data }) => toast(`新增成功!医生编号${data.doctorNo}，审核单${data.applyNo ?? ''}`)}
      onClose={onClose}
    >
      <Fields form={form} doctor={null} applied={applied} setApplied={setApplied} />
    </FormDrawer>
  );
}

export function EditDoctorForm({ doctorId, onClose }: { doctorId: string; onClose(): void }) {
  return (
    <FormRecord key={doctorId} call={queryDoctorDetail} input={{ doctorId }} title="编辑医生" width={820} onClose={onClose}>
      {(doctor) => <Editing doctor={doctor} onClose={onClose} />}
    </FormRecord>
  );
}

function Editing({ doctor, onClose }: { doctor: DoctorDetail; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  // A returned application is gone on with; before the first approval the record itself has neither title nor practice.
  const facts = { ...doctor, ...doctor.returned };
  const [applied, setApplied] = useState<Applied>(
    facts.hospitalApplyId === null ? null : { id: facts.hospitalApplyId, name: facts.hospitalApplyName ?? '' },
  );
  return (
    <FormDrawer<typeof modifyDoctorInfo, Values>
      open
      title={`编辑医生：${doctor.name}`}
      width={820}
      form={form}
      call={modifyDoctorInfo}
      labels={labels}
      refreshes={reads}
      recordKey={doctor.doctorId}
      valuesOf={withPortrait<Values>}
      initial={{
        name: facts.name ?? doctor.name,
        hospitalId: facts.hospitalId,
        departmentId: facts.departmentId,
        ...firstFacts,
        ...writtenFacts(facts),
        specialty: doctor.specialty,
        intro: doctor.intro,
        diseaseIds: doctor.diseases.map(({ id }) => id),
        avatar: portraitFiles(doctor.avatarFileId),
      }}
      toInput={(values) => ({
        ...bodyOf(values, applied),
        doctorId: doctor.doctorId,
        version: doctor.version,
        ...(values.mobile?.trim() && { mobile: values.mobile.trim() }),
        ...(values.idNo?.trim() && { idNo: values.idNo.trim() }),
      })}
      onDone={({ data }) => toast(data.applyNo ? `修改成功!须审核的内容已提交（${data.applyNo}）` : '修改成功!')}
      onClose={onClose}
    >
      <Fields form={form} doctor={doctor} applied={applied} setApplied={setApplied} />
    </FormDrawer>
  );
}
