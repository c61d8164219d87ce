import { Form, Input, Radio, Select } from 'antd';
import { againstRecord } from '#kernel/web/form/formRules.ts';
import type { FormInstance } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { addPatient } from '../../../contract/calls/sufferer.ts';
import { genders, idTypes } from '../../../contract/dictionaries.ts';
import { PastDay } from '#kernel/web/form/DayInput.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { factsOfIdNo, idNoFault, type PersonValues } from './personValues.ts';

interface PersonFieldsProps {
  form: FormInstance<PersonValues>;
  /** Proved name, gender and number stay as they are. */
  locked?: boolean;
  /** What is held now, masked; an empty field leaves it. */
  held?: { idNo: string | null; mobile: string | null; address: string | null };
  /** Medical facts are for who may read them. */
  medical: boolean;
}

const KEEP = '不修改请留空';
const heldText = (masked: string | null | undefined, otherwise: string) => (masked ? `${masked}，${KEEP}` : otherwise);
const WOMAN = 2;

/** A right identity number fills gender and birthday. */
export function fillFromIdNo(form: FormInstance<PersonValues>, changed: Partial<PersonValues>): void {
  if (!('idNo' in changed) && !('idType' in changed)) return;
  const facts = factsOfIdNo(form.getFieldValue('idType') as string | null, form.getFieldValue('idNo') as string | undefined);
  if (facts) form.setFieldsValue(facts);
}

/** Fields of 新增/编辑患者. */
export function PersonFields({ form, locked = false, held, medical }: PersonFieldsProps) {
  const gender = Form.useWatch('gender', form);
  const allergy = Form.useWatch('allergy', form);
  const idType = Form.useWatch('idType', form);
  return (
    <>
      <div className="pa-two">
        <Field of={addPatient} name="name">
          <Input disabled={locked} placeholder="请输入姓名" />
        </Field>
        <Field of={addPatient} name="mobile">
          <Input placeholder={heldText(held?.mobile, '请输入手机号')} />
        </Field>
        <Field of={addPatient} name="idType">
          <Select
            allowClear
            disabled={locked}
            placeholder="请选择证件类型"
            options={idTypes.options.map(({ value, label }) => ({ value, label }))}
            onChange={() => void form.validateFields(['idNo']).catch(() => undefined)}
          />
        </Field>
        <Field of={addPatient} name="idNo" dependencies={['idType']} rules={[againstRecord((typed?: string) => idNoFault(idType, typed))]}>
          <Input disabled={locked} placeholder={heldText(held?.idNo, '请输入证件号')} />
        </Field>
        <Field of={addPatient} name="gender">
          <Radio.Group disabled={locked} options={[1, 2, 0].map((value) => ({ value, label: genders.label(String(value)) }))} />
        </Field>
        <Field of={addPatient} name="birthDate">
          <PastDay disabled={locked} />
        </Field>
        <Field of={addPatient} name="adcode">
          <RegionPicker />
        </Field>
        <Field of={addPatient} name="address" placeholder={heldText(held?.address, '街道、小区、门牌号')} />
        <Field of={addPatient} name="occupation" />
        <Field of={addPatient} name="medicalInsuranceType" placeholder="请选择医保类型" />
      </div>
      {medical && (
        <>
          <Form.Item label="过敏史" name="allergy">
            <Radio.Group
              options={[
                { value: 'UNKNOWN', label: '未询问' },
                { value: 'NONE', label: '无' },
                { value: 'TEXT', label: '有' },
              ]}
            />
          </Form.Item>
          {allergy === 'TEXT' && (
            <Form.Item name="allergyText" rules={[{ required: true, whitespace: true, message: '请输入过敏史' }]}>
              <TextArea rows={2} most={500} placeholder="药物、食物及反应，如：青霉素，皮疹" aria-label="过敏史内容" />
            </Form.Item>
          )}
          <div className="pa-three">
            <Field of={addPatient} name="heightCm" label="身高（cm）" />
            <Form.Item label="体重（kg）" name="weightKg">
              <NumberInput className="kq-wide" min={0.5} max={300} precision={1} step={0.1} />
            </Form.Item>
            <Field of={addPatient} name="bloodType" />
            <Field of={addPatient} name="smoking" label="吸烟" />
            <Field of={addPatient} name="drinking" label="饮酒" />
            {gender === WOMAN && <Field of={addPatient} name="pregnancyState" label="孕产" />}
          </div>
          <Field of={addPatient} name="pastHistory">
            <Input.TextArea rows={2} />
          </Field>
          <Field of={addPatient} name="familyHistory">
            <Input.TextArea rows={2} />
          </Field>
        </>
      )}
    </>
  );
}
