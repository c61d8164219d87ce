import { Button, Checkbox, Form, Skeleton } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field, FieldList } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { ChannelPicker, DoctorPicker } from '#kernel/web/kit/pickers.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import {
  addIncentiveProgram,
  incentiveTask,
  modifyIncentiveProgram,
  queryIncentiveProgramDetail,
  queryIncentiveProgramList,
  type ProgramRow,
} from '../../contract/calls/incentive.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { PROGRAM_AGREEMENT } from '../../contract/purposes.ts';
import { PayerSelect } from '../PayerSelect.tsx';
import { CompanyPicker, LinePicker } from './CompanyPickers.tsx';

type Input = InputOf<typeof addIncentiveProgram>;
type Values = Omit<Input, 'fileIds'> & { fileIds?: readonly UploadedFile[] };
const of = addIncentiveProgram;
const refreshes = [queryIncentiveProgramList, queryIncentiveProgramDetail];
const inputOf = ({ fileIds, scopeIds, ...values }: Values): Input => ({
  ...values,
  complianceChecked: values.complianceChecked === true,
  scopeIds: values.scopeType === 'ALL' ? [] : (scopeIds ?? []),
  fileIds: (fileIds ?? []).map(({ fileId }) => fileId),
});

/** 指定对象: doctors or channels, one a line. */
function ScopeFields() {
  const type: unknown = Form.useWatch('scopeType', Form.useFormInstance());
  if (type !== 'DOCTOR' && type !== 'CHANNEL') return null;
  const Picker = type === 'DOCTOR' ? DoctorPicker : ChannelPicker;
  return (
    <Form.Item label={type === 'DOCTOR' ? '指定医生' : '指定渠道'} required>
      <FieldList of={of} name="scopeIds" missing="请选择指定对象">
        {(fields, { add, remove }, { errors }) => (
          <>
            {fields.map(({ key, name }) => (
              <div key={key} style={{ display: 'flex', gap: 8 }}>
                <Form.Item name={name} style={{ flex: 1 }}>
                  <Picker aria-label="指定对象" />
                </Form.Item>
                <Button type="link" danger onClick={() => remove(name)}>
                  删除对象
                </Button>
              </div>
            ))}
            <Button onClick={() => add(null)}>添加对象</Button>
            <Form.ErrorList errors={errors} />
          </>
        )}
      </FieldList>
    </Form.Item>
  );
}

function TaskFields() {
  return (
    <FieldList of={of} name="tasks" missing="请至少添加一项任务">
      {(fields, { add, remove }, { errors }) => (
        <>
          {fields.map(({ key, name }) => (
            <div key={key} style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
              <Field of={incentiveTask} name="taskType" within={[name]} />
              <Field of={incentiveTask} name="taskName" within={[name]} />
              <Field of={incentiveTask} name="unitFen" within={[name]} />
              <Field of={incentiveTask} name="monthlyCapCount" within={[name]} />
              <Field of={incentiveTask} name="programCapCount" within={[name]} placeholder="不限" />
              <Field of={incentiveTask} name="minDurationMin" within={[name]} placeholder="不限" />
              <Field of={incentiveTask} name="minScore" within={[name]} placeholder="不限" />
              <Button type="link" danger onClick={() => remove(name)}>
                删除任务
              </Button>
            </div>
          ))}
          <Button onClick={() => add({})}>添加任务</Button>
          <Form.ErrorList errors={errors} />
        </>
      )}
    </FieldList>
  );
}

const fields = (
  <>
    <Section title="基本信息">
      <Field of={of} name="programName" />
      <Field of={of} name="pharmaCompanyId">
        <CompanyPicker />
      </Field>
      <Field of={of} name="productLineId">
        <LinePicker />
      </Field>
      <Field of={of} name="payerEntityId">
        <PayerSelect />
      </Field>
      <Field of={of} name="startDate" />
      <Field of={of} name="endDate" />
      <Field of={of} name="budgetFen" />
      <Field of={of} name="scopeType" />
      <ScopeFields />
    </Section>
    <Section title="任务与单价">
      <TaskFields />
    </Section>
    <Section title="激励说明">
      <Field of={of} name="introduction">
        <TextArea rows={8} most={5_000} placeholder="医生看到的项目说明：做什么、怎样计酬、何时结算" />
      </Field>
    </Section>
    <Section title="合作协议与合规确认">
      <Field of={of} name="fileIds">
        <Upload purpose={PROGRAM_AGREEMENT} max={5} />
      </Field>
      <Form.Item name="complianceChecked" valuePropName="checked" label="合规确认">
        <Checkbox>我已确认：{settlementErrors.NOT_COMPLIANT.text.split('：')[1]}</Checkbox>
      </Form.Item>
    </Section>
  </>
);
const common = { open: true, width: 960, refreshes, children: fields } as const;

/** 新增项目. */
function NewProgram({ onClose }: { onClose(): void }) {
  const today = todayHere();
  return (
    <FormDrawer<typeof addIncentiveProgram, Values>
      {...common}
      title="新增激励项目"
      call={addIncentiveProgram}
      initial={{ scopeType: 'ALL', startDate: plusDays(today, 1), endDate: plusDays(today, 90), tasks: [], scopeIds: [] }}
      toInput={inputOf}
      success="新增成功!"
      onClose={onClose}
    />
  );
}

/** A draft, or what was sent back: the confirmation is given anew. */
function ChangedProgram({ row, onClose }: { row: ProgramRow; onClose(): void }) {
  const { data } = useData(queryIncentiveProgramDetail, { id: row.id }, { quiet: true });
  if (!data) return <Skeleton active />;
  const { program, tasks } = data;
  return (
    <FormDrawer<typeof modifyIncentiveProgram, Values>
      {...common}
      title={`编辑激励项目 ${row.programNo}`}
      call={modifyIncentiveProgram}
      recordKey={row.id}
      initial={{
        programName: program.programName,
        pharmaCompanyId: data.pharmaCompanyId,
        productLineId: data.productLineId,
        payerEntityId: data.payerEntityId,
        startDate: program.startDate,
        endDate: program.endDate,
        budgetFen: program.budgetFen,
        scopeType: program.scopeType,
        scopeIds: data.scopeIds,
        tasks: tasks.map(({ id: _id, doneCount: _done, ...task }) => task),
        introduction: data.introduction,
        fileIds: data.fileIds.map((fileId, at) => ({
          fileId,
          fileName: `合作协议${at + 1}`,
          detectedType: null,
          size: null,
          pageCount: null,
        })),
      }}
      toInput={(values) => ({ ...inputOf(values), id: program.id, version: program.version })}
      success="修改成功!"
      onClose={onClose}
    />
  );
}

export const ProgramForm = ({ row, onClose }: { row: ProgramRow | null; onClose(): void }) =>
  row === null ? <NewProgram onClose={onClose} /> : <ChangedProgram row={row} onClose={onClose} />;
