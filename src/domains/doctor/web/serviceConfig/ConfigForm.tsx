import { Alert, Button, Form, Input, Select } from 'antd';
import { asHeld } from '#kernel/web/form/formRules.ts';
import { ClockInput } from '#kernel/web/form/ClockInput.tsx';
import { lazy, Suspense, useState } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormFrame } from '#kernel/web/form/FormFrame.tsx';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import {
  configLabels,
  firstServiceConfig,
  publishServiceConfig,
  queryServiceConfig,
  saveServiceConfig,
  serviceConfigContent,
  type ServiceConfigContent,
  type ServiceConfigRow,
} from '../../contract/calls/config.ts';
import { NIGHT_EMPTY } from '../../contract/calls/config.ts';
import { ITEM_FILE } from '../../contract/calls/items.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { CountField } from '../services/inputs.tsx';
import type { LoadedConfig } from './loadedConfig.ts';

const PublishDialog = lazy(async () => ({ default: (await import('./PublishDialog.tsx')).PublishDialog }));
const refreshes = [queryServiceConfig];

interface Values extends Omit<ServiceConfigContent, 'agreementFileId' | 'nightClosed'> {
  nightFrom: string;
  nightTo: string;
  agreement?: readonly UploadedFile[];
  note?: string;
}

const contentOf = ({ nightFrom, nightTo, agreement, note: _note, ...rest }: Values): ServiceConfigContent => ({
  ...rest,
  slotMinutes: 30,
  nightClosed: { from: nightFrom, to: nightTo },
  agreementFileId: agreement?.[0]?.fileId ?? null,
});
const must = (message: string) => [{ required: true, message }];

const valuesOf = ({ agreementFileId, nightClosed, ...plain }: ServiceConfigContent, { agreements }: LoadedConfig): Partial<Values> => ({
  ...plain,
  nightFrom: nightClosed.from,
  nightTo: nightClosed.to,
  agreement: agreements.filter(({ fileId }) => fileId === agreementFileId),
});

interface ConfigFormProps {
  config: LoadedConfig;
  /** As it stands now, where a colleague has saved meanwhile. */
  latest: LoadedConfig;
  basis: ServiceConfigRow | null;
  onTouched(touched: boolean): void;
  onSaved(): void;
}

/** The draft; without one, what holds now, which the first save turns into a draft. */
export function ConfigForm({ config, latest, basis, onTouched, onSaved }: ConfigFormProps) {
  const { draft, active, waiting } = config;
  const holds = useMay();
  const editable = holds(may['config.edit']);
  const [form] = Form.useForm<Values>();
  const [dirty, setDirty] = useState(basis !== null);
  const [publishing, setPublishing] = useState(false);
  const source = basis?.content ?? draft?.content ?? active?.content ?? firstServiceConfig;
  const [kept, setKept] = useState(false);
  const basedOn = kept ? latest.draft : draft;
  const cancel = useCommand(publishServiceConfig, { success: '已撤回为草稿', refreshes });
  const save = useFormCommand<typeof saveServiceConfig, Values>({
    call: saveServiceConfig,
    form,
    labels: configLabels,
    success: '草稿已保存',
    refreshes,
    onDone: () => {
      onTouched(false);
      onSaved();
    },
    valuesOf: (current) => valuesOf(current as ServiceConfigContent, latest),
    // He keeps his input knowing of the colleague's: the next save is made on that.
    onKeep: () => setKept(true),
    onReload: () => onTouched(false),
    toInput: (values) => ({
      draft: basedOn && { id: basedOn.id, version: basedOn.version },
      content: contentOf(values),
      note: values.note ?? '',
    }),
  });
  const initial: Partial<Values> = { ...valuesOf(source, config), note: basis ? `取自V${basis.versionNo}` : (draft?.note ?? '') };
  const takeBack = async () => {
    if (
      waiting &&
      (await ask({
        title: '撤回待生效版本',
        content: `V${waiting.versionNo} 将恢复为草稿，不再按计划生效，是否继续?`,
        facts: [{ label: '计划生效', value: waiting.effectiveFrom ? showInstant(waiting.effectiveFrom) : null }],
      }))
    )
      await cancel.run({ id: waiting.id, version: waiting.version, action: 'cancel' });
  };

  return (
    <>
      {waiting?.effectiveFrom && (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 12 }}
          title={`V${waiting.versionNo} 将于 ${showInstant(waiting.effectiveFrom)} 生效`}
          action={
            holds(may['config.publish']) && (
              <Button
                size="small"
                disabled={cancel.busy || draft !== null}
                title={draft === null ? undefined : '已有其他草稿，不能撤回'}
                onClick={() => void takeBack()}
              >
                撤回为草稿
              </Button>
            )
          }
        />
      )}
      <Alert
        type="info"
        showIcon
        style={{ marginBottom: 16 }}
        title={
          active
            ? `生效中：V${active.versionNo}（${showInstant(active.effectiveFrom ?? active.createdAt)} 起` +
              `${active.publishedByName ? `，${active.publishedByName}发布` : ''}）`
            : '尚未发布过版本，当前按系统默认值执行'
        }
        description={
          basis
            ? `以 V${basis.versionNo} 的内容填入，保存后成为草稿`
            : draft
              ? '下方为草稿，发布后生效'
              : '下方为当前内容，修改并保存后成为草稿'
        }
      />
      <FormFrame<Values>
        form={form}
        initial={initial}
        recordKey={`${draft?.id}:${draft?.version}:${basis?.id}`}
        alert={save.alert}
        disabled={!editable || save.flying}
        onSubmit={(values) => void save.submit(values)}
        onDirty={(value) => {
          setDirty(value || basis !== null);
          onTouched(value);
        }}
      >
        <h3 className="ds-heading">接诊时效</h3>
        <div className="ds-three">
          <CountField of={serviceConfigContent} name="acceptHours" label={configLabels.acceptHours} unit="小时" />
          <CountField of={serviceConfigContent} name="replyHours" label={configLabels.replyHours} unit="小时" />
          <Form.Item
            label={configLabels.remindBeforeMin}
            name="remindBeforeMin"
            getValueFromEvent={(given: (string | number)[]) =>
              [...new Set(given.map(Number).filter((minute) => Number.isInteger(minute) && minute >= 1 && minute <= 1440))].toSorted(
                (a, b) => b - a,
              )
            }
          >
            <Select
              mode="tags"
              maxCount={5}
              placeholder="输入分钟数后回车"
              options={[120, 60, 30, 15, 5].map((value) => ({ value, label: String(value) }))}
            />
          </Form.Item>
        </div>
        <h3 className="ds-heading">预约</h3>
        <div className="ds-three">
          <UnboundField label={configLabels.slotMinutes}>
            <Input disabled value="30分钟一档（08:30–18:30）" />
          </UnboundField>
          <CountField of={serviceConfigContent} name="maxOpenPerDoctor" label={configLabels.maxOpenPerDoctor} unit="项" />
          <CountField of={serviceConfigContent} name="dailyLimitDefault" label={configLabels.dailyLimitDefault} unit="人/天" />
        </div>
        <h3 className="ds-heading">夜间</h3>
        <div className="ds-three">
          <Form.Item label="夜间停诊开始" name="nightFrom" rules={must('请选择开始时间')}>
            <ClockInput minuteStep={5} allowClear={false} />
          </Form.Item>
          <Form.Item
            label="夜间停诊结束"
            name="nightTo"
            dependencies={['nightFrom']}
            rules={[
              ...must('请选择结束时间'),
              ({ getFieldValue }) => asHeld((to: string) => (to === getFieldValue('nightFrom') ? NIGHT_EMPTY : null)),
            ]}
          >
            <ClockInput minuteStep={5} allowClear={false} />
          </Form.Item>
        </div>
        <h3 className="ds-heading">退款</h3>
        <div className="ds-three">
          <Field of={serviceConfigContent} name="refundAutoFen" extra="不超过此金额的退款无需第二人复核">
            <MoneyInput />
          </Field>
        </div>
        <h3 className="ds-heading">协议</h3>
        <Form.Item label={configLabels.agreementFileId} name="agreement">
          <Upload purpose={ITEM_FILE} max={1} disabled={!editable} hint="点击或拖入通用服务协议（pdf）" />
        </Form.Item>
        <h3 className="ds-heading">危机词</h3>
        <Field of={serviceConfigContent} name="crisisWords" label="危机词" extra="会话中出现时提醒医助；输入后回车，最多300个">
          <Select mode="tags" maxCount={300} tokenSeparators={['、', '，', ',', ' ']} placeholder="输入后回车" />
        </Field>
        <Field of={saveServiceConfig} name="note" label="版本说明" />
      </FormFrame>
      <div className="kq-row">
        {editable && (
          <Button type="primary" loading={save.flying} disabled={save.busy || !dirty} onClick={() => form.submit()}>
            保存草稿
          </Button>
        )}
        {holds(may['config.publish']) && (
          <Button
            disabled={!draft || dirty || waiting !== null}
            title={!draft ? '没有可发布的草稿' : dirty ? '请先保存草稿' : waiting ? '已有待生效版本' : undefined}
            onClick={() => setPublishing(true)}
          >
            发布…
          </Button>
        )}
      </div>
      <Suspense fallback={null}>
        {publishing && draft && <PublishDialog config={config} draft={draft} onClose={() => setPublishing(false)} />}
      </Suspense>
    </>
  );
}
