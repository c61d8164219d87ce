import { Button, Form } from 'antd';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormFrame } from '#kernel/web/form/FormFrame.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { refresh } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useUnsaved } from '#kernel/web/tabs/page.tsx';
import { modifyVisitRecord, type VisitRecord } from '../../../contract/calls/visits.ts';
import { refreshes } from '../visitList.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { Diagnoses } from './Diagnoses.tsx';

// Parts of the form that are opened by hand.
const Linked = lazy(async () => ({ default: (await import('./Linked.tsx')).Linked }));
const QuotePicker = lazy(async () => ({ default: (await import('./QuotePicker.tsx')).QuotePicker }));

const texts = [
  ['chiefComplaint', '主诉', 2],
  ['presentIllness', '现病史', 4],
  ['pastHistory', '既往史', 2],
  ['allergy', '过敏史', 2],
] as const;
const labels = {
  chiefComplaint: '主诉',
  presentIllness: '现病史',
  pastHistory: '既往史',
  allergy: '过敏史',
  diagnoses: '初步诊断',
  advice: '处理意见',
  revisitOn: '复诊日期',
  suggestionIds: '用药建议',
  inspectionIds: '检查检验',
};
type TextField = (typeof texts)[number][0] | 'advice';
type Values = Pick<VisitRecord, TextField | 'diagnoses' | 'revisitOn' | 'suggestionIds' | 'inspectionIds'>;
const LONGEST = 2_000;

/** The patient's own record is loaded beside the form. */
const LinkedField = (props: ComponentProps<typeof Linked>) => (
  <Suspense fallback={<span className="kq-muted">加载中…</span>}>
    <Linked {...props} />
  </Suspense>
);

/** 完善小结: the record while it is a draft; texts may be taken from the chat. */
export function RecordForm({
  record,
  serverId,
  groupId,
  operatorId,
  onDirty,
}: {
  record: VisitRecord;
  serverId: string;
  groupId: string;
  operatorId: string;
  onDirty(dirty: boolean): void;
}) {
  const [form] = Form.useForm<Values>();
  const [dirty, setOwnDirty] = useState(false);
  const setDirty = (value: boolean) => {
    setOwnDirty(value);
    onDirty(value);
  };
  const layers = useLayers();
  useUnsaved(dirty);
  const command = useFormCommand<typeof modifyVisitRecord, Values>({
    call: modifyVisitRecord,
    form,
    labels,
    success: '就诊小结已保存',
    refreshes,
    toInput: (values) => ({ id: record.id, version: record.version, ...values }),
    onDone: () => setDirty(false),
    onReload: () => void refresh(...refreshes),
  });
  const quote = (field: TextField, text: string) => {
    const before = String(form.getFieldValue(field) ?? '').trim();
    form.setFieldValue(field, `${before}${before === '' ? '' : '\n'}${text}`.slice(0, LONGEST));
    setDirty(true);
  };
  const pickQuote = (field: TextField) =>
    layers.open((close) => (
      <QuotePicker serverId={serverId} groupId={groupId} label={labels[field]} onPick={(text) => quote(field, text)} onClose={close} />
    ));
  const area = (name: TextField, label: string, rows: number) => (
    <Form.Item
      key={name}
      name={name}
      label={
        <>
          {label}{' '}
          <Button type="link" size="small" onClick={() => pickQuote(name)}>
            从聊天引用
          </Button>
        </>
      }
    >
      <TextArea rows={rows} most={LONGEST} showCount />
    </Form.Item>
  );
  const { chiefComplaint, presentIllness, pastHistory, allergy, diagnoses, advice, revisitOn, suggestionIds, inspectionIds } = record;
  return (
    <>
      <FormFrame<Values>
        form={form}
        layout="vertical"
        recordKey={`${record.id}:${record.version}`}
        alert={command.alert}
        disabled={command.flying}
        onDirty={setDirty}
        onSubmit={(values) => void command.submit(values)}
        initial={{ chiefComplaint, presentIllness, pastHistory, allergy, diagnoses, advice, revisitOn, suggestionIds, inspectionIds }}
      >
        {texts.map(([name, label, rows]) => area(name, label, rows))}
        <Field of={modifyVisitRecord} name="diagnoses" label="初步诊断" extra="提交医生确认前须填写，并指定一个主要诊断">
          <Diagnoses />
        </Field>
        {area('advice', '处理意见', 4)}
        <Field of={modifyVisitRecord} name="revisitOn">
          <DayInput from={todayHere()} placeholder="选择日期" />
        </Field>
        <Field of={modifyVisitRecord} name="suggestionIds" label="关联用药建议">
          <LinkedField module="modular002" operatorId={operatorId} />
        </Field>
        <Field of={modifyVisitRecord} name="inspectionIds" label="关联检查检验">
          <LinkedField module="modular004" operatorId={operatorId} />
        </Field>
      </FormFrame>
      <div className="kq-form-foot">
        <span>{dirty && <span className="kq-muted">有未保存的修改</span>}</span>
        <Button type="primary" loading={command.flying} disabled={command.busy || !dirty} onClick={() => form.submit()}>
          保存小结
        </Button>
      </div>
      {layers.shown}
    </>
  );
}
