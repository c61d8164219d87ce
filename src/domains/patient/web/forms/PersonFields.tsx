import { Form, Input, InputNumber, Radio, Select } from 'antd';
import type { FormInstance } from 'antd';
import { Field } from '../../../../kernel/web/form/Field.tsx';
import { RegionPicker } from '../../../../kernel/web/kit/pickers.tsx';
import { addPatient } from '../../contract/calls/sufferer.ts';
import { bloodTypes, drinkings, genders, idTypes, insuranceTypes, pregnancies, smokings } from '../../contract/dictionaries.ts';
import { DayInput } from '../shared/DayInput.tsx';
import { factsOfIdNo, idNoFault, mobileFault, rule } from './identity.ts';

export interface PersonValues {
  name: string;
  idType: string | null;
  idNo?: string;
  gender: number;
  birthDate: string | null;
  mobile?: string;
  adcode: string | null;
  address?: string;
  occupation?: string;
  medicalInsuranceType: string | null;
  heightCm: number | null;
  weightKg: number | null;
  bloodType: string | null;
  allergy: 'UNKNOWN' | 'NONE' | 'TEXT';
  allergyText?: string;
  pastHistory?: string;
  familyHistory?: string;
  smoking: string | null;
  drinking: string | null;
  pregnancyState: string | null;
}

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
          <Input maxLength={32} disabled={locked} placeholder="请输入姓名" />
        </Field>
        <Form.Item label="手机号" name="mobile" rules={[rule(mobileFault)]}>
          <Input maxLength={20} placeholder={heldText(held?.mobile, '请输入手机号')} />
        </Form.Item>
        <Form.Item label="证件类型" name="idType">
          <Select
            allowClear
            disabled={locked}
            placeholder="请选择证件类型"
            options={idTypes.options.map(({ value, label }) => ({ value, label }))}
            onChange={() => void form.validateFields(['idNo']).catch(() => undefined)}
          />
        </Form.Item>
        <Form.Item label="证件号" name="idNo" dependencies={['idType']} rules={[rule((typed) => idNoFault(idType, typed))]}>
          <Input maxLength={32} disabled={locked} placeholder={heldText(held?.idNo, '请输入证件号')} />
        </Form.Item>
        <Field of={addPatient} name="gender">
          <Radio.Group disabled={locked} options={[1, 2, 0].map((value) => ({ value, label: genders.label(String(value)) }))} />
        </Field>
        <Form.Item label="出生日期" name="birthDate">
          <DayInput disabled={locked} />
        </Form.Item>
        <Form.Item label="地区" name="adcode">
          <RegionPicker />
        </Form.Item>
        <Field of={addPatient} name="address" placeholder={heldText(held?.address, '街道、小区、门牌号')} />
        <Field of={addPatient} name="occupation" />
        <Form.Item label="医保类型" name="medicalInsuranceType">
          <Select allowClear placeholder="请选择医保类型" options={insuranceTypes.options.map(({ value, label }) => ({ value, label }))} />
        </Form.Item>
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
              <Input.TextArea rows={2} maxLength={500} placeholder="药物、食物及反应，如：青霉素，皮疹" aria-label="过敏史内容" />
            </Form.Item>
          )}
          <div className="pa-three">
            <Form.Item label="身高（cm）" name="heightCm">
              <InputNumber className="kq-wide" min={30} max={250} precision={0} />
            </Form.Item>
            <Form.Item label="体重（kg）" name="weightKg">
              <InputNumber className="kq-wide" min={0.5} max={300} precision={1} step={0.1} />
            </Form.Item>
            <Form.Item label="血型" name="bloodType">
              <Select allowClear options={bloodTypes.options.map(({ value, label }) => ({ value, label }))} />
            </Form.Item>
            <Form.Item label="吸烟" name="smoking">
              <Select allowClear options={smokings.options.map(({ value, label }) => ({ value, label }))} />
            </Form.Item>
            <Form.Item label="饮酒" name="drinking">
              <Select allowClear options={drinkings.options.map(({ value, label }) => ({ value, label }))} />
            </Form.Item>
            {gender === WOMAN && (
              <Form.Item label="孕产" name="pregnancyState">
                <Select allowClear options={pregnancies.options.map(({ value, label }) => ({ value, label }))} />
              </Form.Item>
            )}
          </div>
          <Form.Item label="既往史" name="pastHistory">
            <Input.TextArea rows={2} maxLength={1000} />
          </Form.Item>
          <Form.Item label="家族史" name="familyHistory">
            <Input.TextArea rows={2} maxLength={1000} />
          </Form.Item>
        </>
      )}
    </>
  );
}
