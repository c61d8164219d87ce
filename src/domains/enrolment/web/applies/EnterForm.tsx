import { Alert, Button, Form, Radio, Select, Space } from 'antd';
import { useState, type KeyboardEvent } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { HospitalPicker, Icd10Picker, RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { ScaledInput } from '#kernel/web/kit/ScaledInput.tsx';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { materialTypes, productLines, type MaterialType } from '#domains/insurance/contract/businessLines.ts';
import { baselineFields, MEASURE_PARTS, measureFields } from '../../contract/applyFields.ts';
import { querySignContractDetail } from '../../contract/calls/applies.ts';
import { addEnrolApply, modifyEnrolApply, queryInsuredForEnrol } from '../../contract/calls/appliesEntry.ts';
import { ENROL_MATERIAL } from '../../contract/purposes.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { materialsOf } from './materialsOf.ts';
import { applyRefreshes } from './useApplyActions.ts';
import './applies.css';

type Insured = OutputOf<typeof queryInsuredForEnrol>[number];
type Wish = InputOf<typeof addEnrolApply>;
type Values = Omit<Wish, 'insuredItemId' | 'submit' | 'materials'> & { files?: Partial<Record<MaterialType, readonly UploadedFile[]>> };
const MORE: readonly MaterialType[] = ['OTHER'];

interface EnterFormProps {
  /** A draft; absent: a new application. */
  applyId?: string;
  onClose(): void;
}

/** One diagnosis code of the picker of several. */
function OneIcd10({ id, value, onChange }: { id?: string; value?: string; onChange?(code: string | undefined): void }) {
  return <Icd10Picker single {...(id && { id })} value={value ? [value] : []} onChange={(codes) => onChange?.(codes?.at(-1))} />;
}

/** 代录申请: whom it is for, disease and medicine, papers; kept as a draft or handed in. */
export function EnterForm({ applyId, onClose }: EnterFormProps) {
  const { data: draft } = useData(querySignContractDetail, { applyId: applyId ?? '0' }, { quiet: true, enabled: applyId !== undefined });
  const [insured, setInsured] = useState<Insured | null>(null);
  const [form] = Form.useForm<Values>();
  const line = draft?.productLine ?? insured?.productLine;
  const relation = Form.useWatch('applicantRelation', form);
  if (applyId !== undefined && !draft) return null;
  const shared = {
    open: true,
    title: applyId === undefined ? '代录申请' : '编辑申请草稿',
    form,
    width: 860,
    refreshes: applyRefreshes,
    onClose,
  };
  const required = draft?.requiredMaterials ?? insured?.requiredMaterials ?? [];
  const inputOf = ({ files, ...values }: Values, saves: boolean) => ({ ...values, materials: materialsOf(files ?? {}), submit: !saves });
  const fields = (
    <>
      <Field of={addEnrolApply} name="enrolType" />
      <Field of={addEnrolApply} name="applicantRelation" />
      {relation !== undefined && relation !== 'SELF' && (
        <>
          <Field of={addEnrolApply} name="applicantName" required />
          <Field of={addEnrolApply} name="applicantIdNo" />
          <Field of={addEnrolApply} name="applicantMobile" />
        </>
      )}
      <Field of={addEnrolApply} name="diseaseName" />
      <Field of={addEnrolApply} name="icd10">
        <OneIcd10 />
      </Field>
      <Field of={addEnrolApply} name="firstDiagnosedOn" />
      {insured && insured.drugs.length > 0 && (
        <Field of={addEnrolApply} name="drugId" required>
          <Select showSearch={{ optionFilterProp: 'label' }} options={insured.drugs} placeholder="请选择申请药品" />
        </Field>
      )}
      <Field of={addEnrolApply} name="dosePlan" />
      <Field of={addEnrolApply} name="hospitalId" required={line !== 'HMO'}>
        <HospitalPicker />
      </Field>
      <Field of={addEnrolApply} name="departmentName" />
      <Field of={addEnrolApply} name="doctorName" />
      {line !== 'HMO' && (
        <>
          <Field of={addEnrolApply} name="stage" />
          <Field of={addEnrolApply} name="pathologyResult" {...(draft?.hasPathology && { extra: '已填写，留空则不变' })} />
          <Field of={addEnrolApply} name="geneResult" {...(draft?.hasGene && { extra: '已填写，留空则不变' })} />
        </>
      )}
      {line === 'RSB' && (
        <>
          <Field of={baselineFields} name="assessedOn" within={['baseline']} required />
          <Field of={baselineFields} name="targetLesionMm" within={['baseline']} required />
          <Field of={baselineFields} name="ecog" within={['baseline']} required />
        </>
      )}
      {line === 'HMO' && (
        <>
          <Field of={addEnrolApply} name="healthDeclaration" />
          <Field of={measureFields} name="systolic" within={['measures']} />
          <Field of={measureFields} name="diastolic" within={['measures']} />
          {(['hba1cPermille', 'ldlCentimole', 'bmiTenths'] as const).map((name) => (
            <Field key={name} of={measureFields} name={name} within={['measures']}>
              <ScaledInput parts={MEASURE_PARTS[name]} />
            </Field>
          ))}
        </>
      )}
      <Field of={addEnrolApply} name="adcode">
        <RegionPicker />
      </Field>
      <Field of={addEnrolApply} name="address" {...(draft?.hasAddress && { extra: '已填写，留空则不变' })} />
      {[...required, ...MORE].map((type) => (
        <Form.Item key={type} name={['files', type]} label={`${materialTypes.label(type)}${required.includes(type) ? '（必备）' : ''}`}>
          <Upload purpose={ENROL_MATERIAL} max={30} />
        </Form.Item>
      ))}
    </>
  );
  if (draft)
    return (
      <FormDrawer<typeof modifyEnrolApply, Values>
        {...shared}
        call={modifyEnrolApply}
        recordKey={draft.id}
        submitText="提交申请"
        saveText="保存草稿"
        initial={{
          enrolType: draft.enrolType,
          applicantRelation: draft.applicantRelation,
          applicantName: draft.applicantName,
          diseaseName: draft.diseaseName,
          icd10: draft.icd10,
          firstDiagnosedOn: draft.firstDiagnosedOn,
          drugId: draft.drugId,
          dosePlan: draft.dosePlan,
          hospitalId: draft.hospitalId,
          departmentName: draft.departmentName,
          doctorName: draft.doctorName,
          stage: draft.stage,
          baseline: draft.baseline,
          measures: draft.measures,
          healthDeclaration: draft.healthDeclaration,
          adcode: draft.adcode,
        }}
        toInput={(values, saves) => ({ applyId: draft.id, version: draft.version, drugId: draft.drugId, ...inputOf(values, saves) })}
        success="message"
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof addEnrolApply, Values>
      {...shared}
      call={addEnrolApply}
      submitText="提交申请"
      saveText="保存草稿"
      initial={{ enrolType: 'NEW', applicantRelation: 'SELF' }}
      toInput={(values, saves) => ({ insuredItemId: insured?.insuredItemId ?? '', ...inputOf(values, saves) })}
      success="message"
    >
      <FindInsured chosen={insured} onChoose={setInsured} />
      {insured ? fields : <p className="kq-muted">请选择被保人</p>}
    </FormDrawer>
  );
}

/** Finds persons by their certificate, or by the number of their policy. */
function FindInsured({ chosen, onChoose }: { chosen: Insured | null; onChoose(insured: Insured): void }) {
  const [idNo, setIdNo] = useState('');
  const [policyNo, setPolicyNo] = useState('');
  const [found, setFound] = useState<readonly Insured[] | null>(null);
  const canFind = idNo.trim() !== '' || policyNo.trim() !== '';
  const find = async () => setFound(await send(queryInsuredForEnrol, { idNo, policyNo }).catch(() => null));
  const onEnter = (event: KeyboardEvent) => {
    // The form is not handed in by it.
    event.preventDefault();
    if (canFind) void find();
  };
  return (
    <section className="enr-find">
      <Form.Item label="查找被保人" htmlFor="enrol-find-idNo" required>
        <Space.Compact block>
          <TextInput
            id="enrol-find-idNo"
            most={30}
            placeholder="证件号"
            value={idNo}
            onChange={({ target }) => setIdNo(target.value)}
            onPressEnter={onEnter}
          />
          <TextInput
            most={40}
            aria-label="保单号"
            placeholder="或保单号"
            value={policyNo}
            onChange={({ target }) => setPolicyNo(target.value)}
            onPressEnter={onEnter}
          />
          <Button onClick={() => void find()} disabled={!canFind}>
            查找
          </Button>
        </Space.Compact>
      </Form.Item>
      {found?.length === 0 && <Alert type="warning" showIcon title="被保人清单中未找到该人员，请先核对清单" />}
      {found && found.length > 0 && (
        <Radio.Group
          aria-label="被保人"
          className="enr-found"
          value={chosen?.insuredItemId}
          onChange={({ target }) => {
            const insured = found.find(({ insuredItemId }) => insuredItemId === target.value);
            if (insured) onChoose(insured);
          }}
          options={found.map((one) => ({
            value: one.insuredItemId,
            label: `${one.name}　${one.idNoMasked ?? ''}　${one.productName}（${productLines.label(one.productLine)}）　${one.coveredFrom ?? ''}至${one.coveredTo ?? ''}`,
            disabled: one.productLine === 'DAAS',
          }))}
        />
      )}
    </section>
  );
}
