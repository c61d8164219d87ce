import { Button, Form, Select } from 'antd';
import { useEffect, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { FormFrame } from '#kernel/web/form/FormFrame.tsx';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { TimeSelect } from '#kernel/web/kit/TimeSelect.tsx';
import { ageOptions, DEFAULT_AGE_LABEL, playMode, sendTarget, targetsOf, timeOption, touchKind } from '../../contract/dictionaries.ts';
import { querySceneList } from '../../contract/sceneCalls.ts';
import {
  addOrModifyPackageCycle,
  delPackageCycle,
  MOST_CYCLE_MATERIALS,
  MOST_MATERIALS,
  queryPackageCycle,
  type CycleAnswer,
  type CycleRow,
} from '../../contract/scheduleCalls.ts';
import { useCorpusCommand } from '../useCorpusCommand.ts';
import type { AnyScene } from '../data.ts';
import { MaterialPicker } from '../materials/lazyPicker.tsx';
import { previewOf, scheduleValue, valuesOf, type CycleValues } from './cycleForm.ts';

interface CyclePanelProps {
  scene: AnyScene;
  readOnly: boolean;
  onDirty(dirty: boolean): void;
}

/** 周期: repeated touches during the first days after the entry. */
export function CyclePanel({ scene, readOnly, onDirty }: CyclePanelProps) {
  const { data, error, refetch } = useData(queryPackageCycle, { scenePackageId: scene.scenePackageId }, { quiet: true });
  const [adding, setAdding] = useState(false);
  const isShown = data && (data.cycle !== null || adding);
  useEffect(() => {
    if (!isShown) onDirty(false);
  }, [isShown, onDirty]);
  return (
    <section className="kq-section">
      <div className="kq-section-head">
        <h3>周期</h3>
        {data && !isShown && !readOnly && (
          <Button size="small" onClick={() => setAdding(true)}>
            设置周期
          </Button>
        )}
      </div>
      {error && !data && <TableFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <div className="kq-loading" role="progressbar" aria-label="周期加载中" />}
      {data && !isShown && <p className="kq-muted">未设置周期：进入后不按固定间隔重复发送。</p>}
      {isShown && (
        <CycleForm
          key={data.cycle ? `${data.cycle.id}:${data.cycle.version}` : 'new'}
          scene={scene}
          answer={data}
          readOnly={readOnly}
          onDirty={onDirty}
          onSaved={() => setAdding(false)}
          onCancel={() => setAdding(false)}
        />
      )}
    </section>
  );
}

interface CycleFormProps extends CyclePanelProps {
  answer: CycleAnswer;
  onSaved(): void;
  onCancel(): void;
}

const labels = {
  timeOption: '时间',
  sendTime: '发送时间',
  age: '日龄',
  playMode: '轮播方式',
  target: '发送到',
  touchKind: '内容类型',
  materialIds: '素材',
};
const plainOptions = (of: { options: readonly { value: string; label: string }[] }) =>
  of.options.map(({ value, label }) => ({ value, label }));

function CycleForm({ scene, answer, readOnly, onDirty, onSaved, onCancel }: CycleFormProps) {
  const { scenePackageId } = scene;
  const { cycle, restDays } = answer;
  const targets = targetsOf[scene.chatFlag];
  const [form] = Form.useForm<CycleValues>();
  const [dirty, setDirty] = useState(cycle === null);
  const [version, setVersion] = useState(cycle?.version ?? 0);
  const values = Form.useWatch([], form) as Partial<CycleValues> | undefined;
  const refreshes = [queryPackageCycle, querySceneList];
  const command = useFormCommand<typeof addOrModifyPackageCycle, CycleValues>({
    call: addOrModifyPackageCycle,
    form,
    labels,
    refreshes,
    success: '修改成功!',
    toInput: ({ age, ...rest }) => ({ scenePackageId, ...(rest as Required<Omit<CycleValues, 'age'>>), age: age ?? '', version }),
    onReload: (current) => {
      if (current['id'] !== undefined) form.setFieldsValue(valuesOf(current as CycleRow));
      setVersion(Number(current['version']));
    },
    display: scheduleValue,
    onKeep: (current) => setVersion(Number(current['version'])),
    onDone: onSaved,
  });
  const save = (submitted: CycleValues) => void command.submit(submitted);
  const removal = useCorpusCommand({ call: delPackageCycle, success: '删除成功!', refreshes });
  const remove = async () => {
    if (cycle && (await confirmDelete(`每天 ${cycle.sendTime} 的循环消息`, [`${cycle.materialIds.length}个素材不再发送`])))
      await removal.run({ scenePackageId, version }, { version, mine: { ...cycle }, labels: { sendTime: labels.sendTime } });
  };
  const days = dirty ? previewOf(values ?? {}, Date.now(), restDays) : answer.previewDays;
  return (
    <FormFrame<CycleValues>
      form={form}
      initial={cycle ? valuesOf(cycle) : { playMode: 'SAME', target: targets[0]!, materialIds: [] }}
      alert={command.alert}
      disabled={readOnly || command.flying}
      onSubmit={save}
      onDirty={(isDirty) => {
        setDirty(isDirty || cycle === null);
        onDirty(isDirty);
      }}
    >
      <div className="kq-cycle-fields">
        <Field of={addOrModifyPackageCycle} name="timeOption">
          <Select placeholder="请选择" options={plainOptions(timeOption)} />
        </Field>
        <Field of={addOrModifyPackageCycle} name="sendTime" required>
          <TimeSelect />
        </Field>
        <Field of={addOrModifyPackageCycle} name="age">
          <Select allowClear placeholder={DEFAULT_AGE_LABEL} options={ageOptions.map((value) => ({ value, label: String(value) }))} />
        </Field>
        <Field of={addOrModifyPackageCycle} name="playMode">
          <Select options={plainOptions(playMode)} />
        </Field>
        <Field of={addOrModifyPackageCycle} name="target">
          <Select options={targets.map((value) => ({ value, label: sendTarget.label(value) }))} />
        </Field>
        <Field of={addOrModifyPackageCycle} name="touchKind">
          <Select placeholder="请选择内容类型" options={plainOptions(touchKind)} />
        </Field>
      </div>
      <Field
        of={addOrModifyPackageCycle}
        name="materialIds"
        label={labels.materialIds}
        extra={values?.playMode === 'ROTATE' ? '每次按顺序发送其中一个' : '每次全部发送'}
      >
        <MaterialPicker max={values?.playMode === 'ROTATE' ? MOST_CYCLE_MATERIALS : MOST_MATERIALS} diseaseId={scene.diseaseId} />
      </Field>
      <div className="kq-cycle-days" aria-label="若今天进入的发送日期">
        <span className="kq-muted">
          {days.length === 0 ? '选择时间与发送时间后，显示若今天进入的发送日期' : `若今天进入，将在以下 ${days.length} 天发送：`}
        </span>
        {days.map((day, index) => (
          <span key={`${day}${index}`} className="kq-cycle-day">
            {day}
          </span>
        ))}
      </div>
      {!readOnly && (
        <div className="kq-row">
          <Button type="primary" htmlType="submit" loading={command.flying} disabled={command.busy || !dirty}>
            保存
          </Button>
          {cycle ? (
            <Button danger disabled={removal.busy} onClick={() => void remove()}>
              删除周期
            </Button>
          ) : (
            <Button onClick={onCancel}>取消</Button>
          )}
        </div>
      )}
    </FormFrame>
  );
}
