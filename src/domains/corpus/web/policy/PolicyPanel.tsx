import { Button, Form, InputNumber, Select, Switch } from 'antd';
import { isValidElement, useState } from 'react';
import type { ReactNode } from 'react';
import { FormFrame } from '../../../../kernel/web/form/FormFrame.tsx';
import { useFormAct } from '../../../../kernel/web/form/useFormAct.tsx';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { TableFailure } from '../../../../kernel/web/kit/TableState.tsx';
import { useMay } from '../../../../kernel/web/session/store.ts';
import { calendarMode, entryMode, goal, reentry, resumeMode } from '../../contract/dictionaries.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import {
  modifyScenePackagePolicy,
  policyLabels,
  queryScenePackage,
  type Policy,
  type ScenePackage,
} from '../../contract/scenePackageCalls.ts';
import { queryPackageCycle } from '../../contract/scheduleCalls.ts';
import type { AnyScene } from '../data.ts';
import { policyHelp, policyValue } from './policyTexts.ts';

/** 策略: how the scene enters, pauses, repeats and ends. */
export function PolicyPanel({ scene, onDirty }: { scene: AnyScene; onDirty(dirty: boolean): void }) {
  const { data, error, refetch } = useData(queryScenePackage, { scenePackageId: scene.scenePackageId }, { quiet: true });
  if (error && !data) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" role="progressbar" aria-label="策略加载中" />;
  return <PolicyForm key={data.version} stored={data} onDirty={onDirty} />;
}

interface FieldProps {
  name: keyof Policy;
  least?: number;
  most?: number;
  required?: boolean;
  children: ReactNode;
}

/** A field with its label and one line that says what it does. */
function Field({ name, least, most, required = true, children }: FieldProps) {
  const isNumber = least !== undefined;
  const isSwitch = isValidElement(children) && children.type === Switch;
  const message = isNumber ? `${policyLabels[name]}须为${least}至${most}的整数` : `请选择${policyLabels[name]}`;
  return (
    <Form.Item
      name={name}
      label={policyLabels[name]}
      extra={policyHelp[name]}
      rules={[{ required: required && !isSwitch, message, ...(isNumber && { type: 'integer', min: least, max: most ?? least }) }]}
      {...(isSwitch && { valuePropName: 'checked' })}
    >
      {children}
    </Form.Item>
  );
}

const optionsOf = (of: { options: readonly { value: string; label: string }[] }) =>
  of.options.map(({ value, label }) => ({ value, label }));

function PolicyForm({ stored, onDirty }: { stored: ScenePackage; onDirty(dirty: boolean): void }) {
  const readOnly = !useMay()(corpusPermissions['scene.edit']);
  const [form] = Form.useForm<Policy>();
  const [dirty, setDirty] = useState(false);
  // 还原 fills the form anew
  const [round, setRound] = useState(0);
  const [version, setVersion] = useState(stored.version);
  const { scenePackageId, draft } = stored;
  const act = useFormAct<typeof modifyScenePackagePolicy, Policy>({
    call: modifyScenePackagePolicy,
    form,
    labels: policyLabels,
    refreshes: [queryScenePackage, queryPackageCycle],
    success: '修改成功!',
    toInput: (values) => ({
      scenePackageId,
      version,
      ...values,
      reentryDays: values.reentry === 'AFTER_DAYS' ? values.reentryDays : null,
      endAfterDays: values.endAfterDays ?? null,
      childExclusive: values.childExclusive ?? false,
    }),
    display: policyValue,
    onReload: (current) => {
      form.setFieldsValue(current as Partial<Policy>);
      setVersion(Number(current['version']));
    },
    onKeep: (current) => setVersion(Number(current['version'])),
  });
  const mark = (isDirty: boolean) => {
    setDirty(isDirty);
    onDirty(isDirty);
  };
  const save = (values: Policy) => void act.submit(values);
  const number = (least: number, most: number, unit: string) => (
    <InputNumber className="kq-wide" min={least} max={most} precision={0} suffix={unit} />
  );
  return (
    <FormFrame<Policy>
      form={form}
      initial={draft}
      recordKey={round}
      alert={act.alert}
      disabled={readOnly || act.flying}
      onSubmit={save}
      onDirty={mark}
    >
      <section className="kq-section">
        <div className="kq-section-head">
          <h3>进入与结束</h3>
        </div>
        <div className="kq-policy-fields">
          <Field name="entryMode">
            <Select options={optionsOf(entryMode)} />
          </Field>
          <Field name="reentry">
            <Select options={optionsOf(reentry)} />
          </Field>
          <Form.Item noStyle dependencies={['reentry']}>
            {({ getFieldValue }) =>
              getFieldValue('reentry') === 'AFTER_DAYS' && (
                <Field name="reentryDays" least={1} most={365}>
                  {number(1, 365, '天')}
                </Field>
              )
            }
          </Form.Item>
          <Field name="endAfterDays" least={1} most={365} required={false}>
            {number(1, 365, '天')}
          </Field>
          <Field name="recheckLaunch">
            <Switch />
          </Field>
          {stored.mainSceneId === '' && (
            <Field name="childExclusive">
              <Switch />
            </Field>
          )}
        </div>
      </section>
      <section className="kq-section">
        <div className="kq-section-head">
          <h3>暂停与恢复</h3>
        </div>
        <div className="kq-policy-fields">
          <Field name="pauseOnPatientReply">
            <Switch />
          </Field>
          <Field name="pauseOnDoctorReply">
            <Switch />
          </Field>
          <Field name="pauseHours" least={1} most={168}>
            {number(1, 168, '小时')}
          </Field>
          <Field name="resumeMode">
            <Select options={optionsOf(resumeMode)} />
          </Field>
        </div>
      </section>
      <section className="kq-section">
        <div className="kq-section-head">
          <h3>发送</h3>
        </div>
        <div className="kq-policy-fields">
          <Field name="priority" least={1} most={9}>
            {number(1, 9, '级')}
          </Field>
          <Field name="maxDelayHours" least={1} most={72}>
            {number(1, 72, '小时')}
          </Field>
          <Field name="activeGuardMin" least={0} most={60}>
            {number(0, 60, '分钟')}
          </Field>
          <Field name="calendarMode">
            <Select options={optionsOf(calendarMode)} />
          </Field>
        </div>
      </section>
      <section className="kq-section">
        <div className="kq-section-head">
          <h3>转化</h3>
        </div>
        <div className="kq-policy-fields">
          <Field name="goal">
            <Select options={optionsOf(goal)} />
          </Field>
          <Field name="goalWindowDays" least={1} most={30}>
            {number(1, 30, '天')}
          </Field>
        </div>
      </section>
      {!readOnly && (
        <div className="kq-policy-foot">
          <Button type="primary" htmlType="submit" loading={act.flying} disabled={act.busy || !dirty}>
            保存
          </Button>
          <Button disabled={!dirty || act.flying} onClick={() => setRound(round + 1)}>
            还原
          </Button>
        </div>
      )}
    </FormFrame>
  );
}
