import { Form, Skeleton, type FormInstance } from 'antd';
import { useMemo } from 'react';
import type { CheckedInputOf, InputOf } from '#kernel/contract/call.ts';
import { yuan } from '#kernel/contract/money.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import {
  addPerfChange,
  modifyPerfChange,
  previewPerfChange,
  queryPerfChangeDetail,
  type PerfPreviewRow,
} from '../../contract/calls/perfChanges.ts';
import { queryPerfPeriods } from '../../contract/calls/perfRelations.ts';
import { PERF_PROOF } from '../../contract/purposes.ts';
import { AgentPicker } from './AgentPicker.tsx';
import { HeldPairs, NewPairs } from './PairChoices.tsx';
import { perfReads } from './reads.ts';

type Input = InputOf<typeof addPerfChange>;
type Values = Omit<CheckedInputOf<typeof addPerfChange>, 'fileIds' | 'submit'> & { fileIds?: readonly UploadedFile[] };
const of = addPerfChange;

/** What a request of another page begins with. */
type Beginning = Partial<Pick<Values, 'changeType' | 'fromAgentId' | 'toAgentId' | 'items' | 'reasonCode'>>;

const wishOf = ({ changeType, fromAgentId, toAgentId, effectiveDate, items }: Partial<Values>) => ({
  changeType,
  fromAgentId: changeType === 'BIND' ? null : (fromAgentId ?? null),
  toAgentId: changeType === 'UNBIND' || changeType === 'TRANSFER' ? null : (toAgentId ?? null),
  effectiveDate,
  items: items ?? [],
});
const inputOf = (values: Values, saves: boolean): Input => ({
  ...values,
  ...wishOf(values),
  changeType: values.changeType,
  effectiveDate: values.effectiveDate,
  fileIds: (values.fileIds ?? []).map(({ fileId }) => fileId),
  submit: !saves,
});

const previewColumns: readonly Column<PerfPreviewRow & { key: string }>[] = [
  { key: 'doctorName', title: '医生', width: 90, required: true },
  { key: 'lineName', title: '产品线', width: 120 },
  { key: 'beforeName', title: '变更前代表', width: 100 },
  { key: 'afterName', title: '变更后代表', width: 100 },
  { key: 'incomeCount', title: '影响笔数', kind: 'number', width: 80 },
  { key: 'grossFen', title: '影响金额（元）', kind: 'money' },
  { key: 'months', title: '重算绩效月', width: 110 },
  { key: 'fault', title: '问题', width: 220 },
];

/** 影响预览: relations before and after, incomes that count for another one, and what stands against it. */
function Preview({ id, wish }: { id: string | null; wish: InputOf<typeof previewPerfChange> }) {
  const { data, error, refetch } = useData(previewPerfChange, { ...wish, id }, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" />;
  const faults = data.rows.filter(({ fault }) => fault !== null).length;
  return (
    <Form.Item label="影响预览">
      <p>
        共 {data.rows.length} 条绑定，重新归属收入 {data.incomeCount} 笔、{yuan(data.grossFen, true)} 元
        {faults > 0 && `，其中 ${faults} 条有问题，提交审核前请先处理`}
        {data.leftCount > 0 && `；原代表另有 ${data.leftCount} 条绑定未列入`}
      </p>
      <DataTable
        rows={data.rows.map((row) => ({ ...row, key: `${row.doctorId}/${row.productLineId}` }))}
        rowKey="key"
        columns={previewColumns}
        height={260}
        empty="请选择医生"
      />
    </Form.Item>
  );
}

/** The first day that no locked month holds. */
function useFirstOpenDay(): string | undefined {
  const { data } = useData(queryPerfPeriods, {}, { quiet: true });
  const locked = data?.find(({ status }) => status === 'LOCKED')?.period;
  return locked && `${plusDays(`${locked}-01`, 32).slice(0, 7)}-01`;
}

function Fields({ id, doctorId }: { id: string | null; doctorId?: string | undefined }) {
  const form = Form.useFormInstance<Values>();
  const values = Form.useWatch([], form) as Partial<Values> | undefined;
  const first = useFirstOpenDay();
  const type = values?.changeType;
  const fromAgentId = values?.fromAgentId ?? null;
  const wish = wishOf(values ?? {});
  const isWhole =
    type !== undefined &&
    wish.effectiveDate !== undefined &&
    wish.items.length > 0 &&
    (type === 'BIND' || fromAgentId !== null) &&
    (type === 'UNBIND' || wish.toAgentId !== null || (type === 'TRANSFER' && wish.items.every(({ toAgentId }) => Boolean(toAgentId)))) &&
    (wish.fromAgentId === null || wish.fromAgentId !== wish.toAgentId);
  return (
    <>
      <Field of={of} name="changeType" />
      {type !== undefined && type !== 'BIND' && (
        <Field of={of} name="fromAgentId" starred>
          <AgentPicker />
        </Field>
      )}
      {(type === 'BIND' || type === 'REBIND') && (
        <Field of={of} name="toAgentId" starred>
          <AgentPicker />
        </Field>
      )}
      {type === 'BIND' && (
        <Field of={of} name="items">
          <NewPairs doctorId={doctorId} />
        </Field>
      )}
      {type !== undefined && type !== 'BIND' && fromAgentId !== null && (
        <Field of={of} name="items" key={`${type === 'TRANSFER'}${fromAgentId}`}>
          <HeldPairs agentId={fromAgentId} handsOver={type === 'TRANSFER'} />
        </Field>
      )}
      <Field of={of} name="effectiveDate" {...(first && { extra: `已锁定的绩效月不能变更，最早 ${first}` })}>
        <DayInput from={first} />
      </Field>
      <Field of={of} name="reasonCode" />
      <Field of={of} name="reason" />
      <Field of={of} name="fileIds">
        <Upload purpose={PERF_PROOF} max={5} />
      </Field>
      {isWhole && <Preview id={id} wish={{ ...wish, changeType: type, effectiveDate: wish.effectiveDate! }} />}
    </>
  );
}

/** Doctors of another representative, or of another kind of change, are chosen anew. */
const clearItems = (form: FormInstance<Values>) => (changed: Partial<Values>) => {
  if ('changeType' in changed || 'fromAgentId' in changed) form.setFieldValue('items', []);
};

const saved = (state: string) => toast(state === 'PENDING_AUDIT' ? '提交成功!' : '草稿已保存');
const common = { open: true, width: 920, refreshes: perfReads, submitText: '提交审核', saveText: '保存草稿' } as const;

function NewChange({ beginning = {}, doctorId, onClose }: Omit<ChangeFormProps, 'id'>) {
  const [form] = Form.useForm<Values>();
  const initial = useMemo(() => ({ changeType: 'BIND' as const, effectiveDate: todayHere(), items: [], ...beginning }), [beginning]);
  return (
    <FormDrawer<typeof addPerfChange, Values>
      {...common}
      title="新增绩效关系变更"
      call={addPerfChange}
      initial={initial}
      toInput={inputOf}
      onDone={({ data }) => saved(data.state)}
      form={form}
      onValuesChange={clearItems(form)}
      onClose={onClose}
    >
      <Fields id={null} doctorId={doctorId} />
    </FormDrawer>
  );
}

function ChangedChange({ id, onClose }: { id: string; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const { data } = useData(queryPerfChangeDetail, { id }, { quiet: true });
  if (!data) return <Skeleton active />;
  const { change } = data;
  return (
    <FormDrawer<typeof modifyPerfChange, Values>
      {...common}
      title={`编辑绩效关系变更 ${change.requestNo}`}
      call={modifyPerfChange}
      recordKey={id}
      initial={{
        changeType: change.changeType,
        fromAgentId: data.fromAgentId,
        toAgentId: data.toAgentId,
        effectiveDate: change.effectiveDate,
        items: data.items,
        reasonCode: change.reasonCode,
        reason: change.reason,
        fileIds: data.fileIds.map((fileId, at) => ({
          fileId,
          fileName: `附件${at + 1}`,
          detectedType: null,
          size: null,
          pageCount: null,
        })),
      }}
      toInput={(values, saves) => ({ ...inputOf(values, saves), id, version: change.version })}
      onDone={({ data }) => saved(data.state)}
      form={form}
      onValuesChange={clearItems(form)}
      onClose={onClose}
    >
      <Fields id={id} />
    </FormDrawer>
  );
}

interface ChangeFormProps {
  /** Absent: a new one. */
  id?: string;
  beginning?: Beginning;
  /** Whom a new binding begins with. */
  doctorId?: string;
  onClose(): void;
}
/** A new request, or a draft that is gone on with. */
export const ChangeForm = ({ id, ...rest }: ChangeFormProps) =>
  id === undefined ? <NewChange {...rest} /> : <ChangedChange id={id} onClose={rest.onClose} />;
