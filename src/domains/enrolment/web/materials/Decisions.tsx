import { Alert, Form, Select } from 'antd';
import { useRef } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { materialTypes, type MaterialType } from '#domains/insurance/contract/businessLines.ts';
import { rejectReasons } from '../../contract/applyDictionaries.ts';
import { auditOtherMaterial, type OtherMaterialDetail } from '../../contract/calls/otherMaterials.ts';
import { materialWordings as wordings } from './materialWordings.ts';
import { materialReads } from './useMaterialActions.ts';

type Input = InputOf<typeof auditOtherMaterial>;
type Reason = (typeof rejectReasons.codes)[number];
type Verdict = 'pass' | 'supplement' | 'reject';
const of = auditOtherMaterial;
export const verdictLabels: Readonly<Record<Verdict, string>> = { pass: '通过', supplement: '通知补件', reject: '不通过' };
const DAYS = 15;

interface Values extends Pick<Input, 'opinion' | 'rejectReasons' | 'applicantWording' | 'internalNote'> {
  types?: readonly MaterialType[];
  wording?: string;
  days?: number;
}

function SupplementFields({ material }: { material: OtherMaterialDetail }) {
  const wanted = [...new Set([...material.requiredPapers, ...material.materials.map(({ materialType }) => materialType)])];
  return (
    <>
      <Form.Item
        name="types"
        label="需补充的材料"
        rules={[{ required: true, message: '请选择需要补充的材料' }]}
        initialValue={wanted.slice(0, 1)}
      >
        <Select mode="multiple" options={materialTypes.options.map(({ value, label }) => ({ value, label }))} placeholder="请选择" />
      </Form.Item>
      <Form.Item name="wording" label="对客说明" rules={[{ required: true, message: '请填写对客说明' }]}>
        <TextArea rows={3} most={200} showCount placeholder="例如：请上传完整、清晰的复查报告" />
      </Form.Item>
      <Form.Item name="days" label="补件期限（天）" initialValue={DAYS} rules={[{ required: true, message: '请填写补件期限' }]}>
        <NumberInput min={1} max={30} precision={0} />
      </Form.Item>
    </>
  );
}

const wordingOf = (codes: readonly Reason[]) => codes.map((code) => wordings[code]).join('');

function RejectFields() {
  const form = Form.useFormInstance<Values>();
  // What the reviewer wrote himself stays.
  const proposed = useRef('');
  return (
    <>
      <Field of={of} name="rejectReasons" required>
        <Select<Reason[]>
          mode="multiple"
          options={rejectReasons.options.map(({ value, label }) => ({ value, label }))}
          placeholder="请选择"
          onChange={(codes) => {
            const written: unknown = form.getFieldValue('applicantWording');
            if (typeof written === 'string' && written !== '' && written !== proposed.current) return;
            proposed.current = wordingOf(codes);
            form.setFieldValue('applicantWording', proposed.current);
          }}
        />
      </Field>
      <Field of={of} name="applicantWording" required />
    </>
  );
}

interface DecisionProps {
  material: OtherMaterialDetail;
  verdict: Verdict;
  onDone(): void;
  onClose(): void;
}

/** The dialog of a decision; a pass names what it does to the contract. */
export function Decision({ material, verdict, onDone, onClose }: DecisionProps) {
  const leaseToken = material.lease?.token ?? undefined;
  return (
    <FormDialog<typeof auditOtherMaterial, Values>
      open
      title={`${verdictLabels[verdict]} ${material.materialNo}`}
      width={560}
      call={auditOtherMaterial}
      recordKey={`${material.id}:${verdict}`}
      submitText={verdictLabels[verdict]}
      toInput={({ types, wording, days, ...values }) => ({
        ...values,
        materialId: material.id,
        version: material.version,
        action: verdict,
        ...(leaseToken !== undefined && { leaseToken }),
        ...(verdict === 'supplement' && {
          supplement: { items: (types ?? []).map((materialType) => ({ materialType, wording: wording ?? '' })), days: days ?? DAYS },
        }),
      })}
      refreshes={materialReads}
      success="message"
      onDone={onDone}
      onClose={onClose}
    >
      {verdict === 'pass' && <Alert className="kq-form-alert" type="info" showIcon title={`通过后：${material.consequence}`} />}
      {verdict === 'supplement' && <SupplementFields material={material} />}
      {verdict === 'reject' && <RejectFields />}
      <Field of={of} name="internalNote">
        <TextArea rows={2} most={500} />
      </Field>
    </FormDialog>
  );
}
