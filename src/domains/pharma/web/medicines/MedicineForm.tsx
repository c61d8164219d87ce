import { Alert, Button, Checkbox, Form, Input, Select } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { send } from '#kernel/web/http/client.ts';
import { Icd10Picker } from '#kernel/web/kit/pickers.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import {
  addMedicine,
  modifyMedicine,
  queryMedicineByApprovalNo,
  queryMedicineCounts,
  queryMedicineDetail,
  queryMedicineList,
  type MedicineFacts,
} from '../../contract/calls/medicines.ts';
import { controlClasses, dosageForms, medicineKinds, rxClasses, storages, taxSchemes } from '../../contract/dictionaries.ts';
import { MEDICINE_FILE } from '../../contract/purposes.ts';
import { readApprovalNo } from '../../contract/rules/approvalNo.ts';
import { indicationInput, medicineFieldKeys, medicineLabels } from '../../contract/rules/medicineFields.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { FileField, FilesField } from '../shared/files.tsx';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import '../pharma.css';

type Values = InputOf<typeof addMedicine>;
const refreshes = [queryMedicineList, queryMedicineDetail, queryMedicineCounts];
const choices = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));
const rates = [
  { value: 1300, label: '13%' },
  { value: 900, label: '9%' },
  { value: 300, label: '3%' },
  { value: 0, label: '0%' },
];

/** A dose counts only when it is complete. */
const toValues = (values: Values): Values => ({
  ...values,
  defaultDose: values.defaultDose?.amount && values.defaultDose.unit && values.defaultDose.timesPerDay ? values.defaultDose : null,
});

interface MedicineFormProps {
  medicineId: string | null;
  onClose(): void;
  onOpen(medicineId: string): void;
}

const display = displayBy({
  medicineKind: medicineKinds,
  rxClass: rxClasses,
  dosageForm: dosageForms,
  storage: storages,
  controlClass: controlClasses,
  taxScheme: taxSchemes,
});
const valuesOf = (medicine: Record<string, unknown>) =>
  Object.fromEntries(medicineFieldKeys.flatMap((key) => (key in medicine ? [[key, medicine[key]]] : []))) as Partial<Values>;

/** Drawer 新增/编辑药品; an edited medicine is loaded first. */
export function MedicineForm({ medicineId, onClose, onOpen }: MedicineFormProps) {
  if (medicineId === null) return <Fields medicine={null} onClose={onClose} onOpen={onOpen} />;
  return (
    <FormRecord call={queryMedicineDetail} input={{ medicineId }} title="编辑药品" width={860} onClose={onClose}>
      {({ medicine }) => <Fields medicine={medicine} onClose={onClose} onOpen={onOpen} />}
    </FormRecord>
  );
}

function Fields({ medicine, onClose, onOpen }: { medicine: MedicineFacts | null; onClose(): void; onOpen(medicineId: string): void }) {
  const [form] = Form.useForm<Values>();
  const [known, setKnown] = useState<{ id: string; medicineNo: string; genericName: string } | null>(null);
  /** The number is typed first: it tells the class, and whether the medicine is there already. */
  const onApproval = async (text: string) => {
    const facts = readApprovalNo(text);
    setKnown(null);
    if (!facts) return;
    form.setFieldValue('approvalNo', facts.approvalNo);
    if (facts.medicineKind && !form.getFieldValue('medicineKind')) form.setFieldValue('medicineKind', facts.medicineKind);
    const other = await send(queryMedicineByApprovalNo, { approvalNo: facts.approvalNo }, { quiet: true }).catch(() => null);
    if (other && other.id !== medicine?.id) setKnown(other);
  };
  const audited = medicine !== null && (medicine.state === 'ON' || medicine.state === 'OFF');
  const body = (
    <>
      {audited && (
        <Alert
          type="info"
          showIcon
          title="名称、批准文号、剂型、规格、企业、处方与管制分类、贮藏、税务和适应症的修改须经审核后生效，其他内容立即生效。"
          className="kq-form-alert"
        />
      )}
      {known && (
        <Alert
          type="warning"
          showIcon
          className="kq-form-alert"
          title={`该批准文号已存在：${known.genericName}（${known.medicineNo}），是否打开？`}
          action={
            <Button
              size="small"
              onClick={() => {
                onClose();
                onOpen(known.id);
              }}
            >
              打开
            </Button>
          }
        />
      )}
      <div className="ph-two">
        <Field of={addMedicine} name="approvalNo" validateTrigger="onBlur">
          <Input placeholder="如 国药准字HJ20170167" onBlur={(event) => void onApproval(event.target.value)} />
        </Field>
        <Field of={addMedicine} name="approvalValidTo" label="文号有效期至">
          <DayInput />
        </Field>
        <Field of={addMedicine} name="genericName" />
        <Field of={addMedicine} name="brandName" />
        <Field of={addMedicine} name="englishName" />
        <Field of={addMedicine} name="genericPinyin" extra="留空自动生成，多音字可更正" />
        <Field of={addMedicine} name="medicineKind">
          <Select placeholder="请选择" options={choices(medicineKinds)} />
        </Field>
        <Field of={addMedicine} name="rxClass">
          <Select placeholder="请选择" allowClear options={choices(rxClasses)} />
        </Field>
        <Field of={addMedicine} name="dosageForm">
          <Select placeholder="请选择" allowClear showSearch={{ optionFilterProp: 'label' }} options={choices(dosageForms)} />
        </Field>
        <Field of={addMedicine} name="strength" placeholder="如 80mg" />
        <Field of={addMedicine} name="holderId">
          <OptionSelect kind="COMPANY" />
        </Field>
        <Field of={addMedicine} name="makerId">
          <OptionSelect kind="COMPANY" />
        </Field>
        <Field of={addMedicine} name="importerId">
          <OptionSelect kind="COMPANY" />
        </Field>
        <Field of={addMedicine} name="categoryId">
          <OptionSelect kind="CATEGORY" placeholder="请选择末级分类" />
        </Field>
        <Field of={addMedicine} name="storage">
          <Select placeholder="请选择" allowClear options={choices(storages)} />
        </Field>
        <Field of={addMedicine} name="controlClass">
          <Select placeholder="请选择" options={choices(controlClasses)} />
        </Field>
        <Field of={addMedicine} name="baseCode" />
        <Field of={addMedicine} name="nhsaCode">
          <Input />
        </Field>
        <Field of={addMedicine} name="atcCode">
          <Input />
        </Field>
        <Field of={addMedicine} name="lightproof" label=" ">
          <Checkbox>避光保存</Checkbox>
        </Field>
        <Field of={addMedicine} name="taxCode">
          <Input />
        </Field>
        <Field of={addMedicine} name="taxScheme">
          <Select placeholder="请选择" allowClear options={choices(taxSchemes)} />
        </Field>
        <Field of={addMedicine} name="taxRateBp">
          <Select placeholder="请选择" allowClear options={rates} />
        </Field>
        <Field of={addMedicine} name="sort" />
      </div>
      <Form.List name="indications">
        {(rows, { add, remove }) => (
          <Form.Item label="适应症">
            {rows.map((row) => (
              <div key={row.key} className="kq-row" style={{ alignItems: 'flex-start' }}>
                <Field of={indicationInput} name="text" within={[row.name]} label={false} style={{ flex: 1 }}>
                  <Input.TextArea autoSize placeholder="说明书适应症" />
                </Field>
                <Field of={indicationInput} name="icd10Prefixes" within={[row.name]} label={false} style={{ width: 220 }}>
                  <Icd10Picker placeholder="ICD-10前缀" />
                </Field>
                <Button type="link" danger onClick={() => remove(row.name)}>
                  移除
                </Button>
              </div>
            ))}
            <Button type="dashed" block disabled={rows.length >= 30} onClick={() => add({ text: '', icd10Prefixes: [] })}>
              添加适应症
            </Button>
          </Form.Item>
        )}
      </Form.List>
      <Field of={addMedicine} name="usageText">
        <Input.TextArea rows={2} showCount />
      </Field>
      <Form.Item label="默认用量" extra="用于处方建议和用药天数计算">
        <div className="kq-row">
          <span>每次</span>
          <Form.Item name={['defaultDose', 'amount']} noStyle>
            <NumberInput min={0.001} max={10_000} />
          </Form.Item>
          <Form.Item name={['defaultDose', 'unit']} noStyle>
            <TextInput most={10} style={{ width: 80 }} placeholder="片" />
          </Form.Item>
          <span>每日</span>
          <Form.Item name={['defaultDose', 'timesPerDay']} noStyle>
            <NumberInput min={1} max={24} precision={0} />
          </Form.Item>
          <span>次，疗程</span>
          <Form.Item name={['defaultDose', 'days']} noStyle>
            <NumberInput min={1} max={3650} precision={0} />
          </Form.Item>
          <span>天</span>
        </div>
      </Form.Item>
      <Field of={addMedicine} name="contraindication">
        <Input.TextArea rows={2} />
      </Field>
      <Field of={addMedicine} name="adverseReaction">
        <Input.TextArea rows={2} />
      </Field>
      <Field of={addMedicine} name="labelFileId">
        <FileField purpose={MEDICINE_FILE} ownerType="pharma.medicine" ownerId={medicine?.id} hint="pdf" />
      </Field>
      <Field of={addMedicine} name="imageFileIds" label="图片（最多9张）">
        <FilesField purpose={MEDICINE_FILE} max={9} ownerType="pharma.medicine" ownerId={medicine?.id} hint="jpg、png、webp" />
      </Field>
    </>
  );
  const shared = { open: true, onClose, refreshes, form, labels: medicineLabels, width: 860 } as const;
  if (!medicine)
    return (
      <FormDrawer<typeof addMedicine, Values>
        {...shared}
        title="新增药品"
        call={addMedicine}
        toInput={toValues}
        initial={{ controlClass: 'NONE', indications: [], imageFileIds: [], sort: 0, lightproof: false }}
        success="新增成功!"
      >
        {body}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyMedicine, Values>
      {...shared}
      title={`编辑药品：${medicine.genericName}`}
      call={modifyMedicine}
      recordKey={medicine.id}
      initial={valuesOf({ ...medicine })}
      toInput={(values) => ({ ...toValues(values), id: medicine.id, version: medicine.version })}
      onDone={({ data }) => toast(data.applyNo ? `修改成功! 需审核的内容已提交申请 ${data.applyNo}` : '修改成功!')}
      display={display}
      valuesOf={valuesOf}
    >
      {body}
    </FormDrawer>
  );
}
