import { Button, Form, InputNumber } from 'antd';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormFrame } from '#kernel/web/form/FormFrame.tsx';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
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
import { policyHelp, policyValue } from '../../contract/policyTexts.ts';

/** 策略: how the scene enters, pauses, repeats and ends. */
export function PolicyPanel({ scene, onDirty }: { scene: AnyScene; onDirty(dirty: boolean): void }) {
  const { data, error, refetch } = useData(queryScenePackage, { scenePackageId: scene.scenePackageId }, { quiet: true });
  if (error && !data) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" role="progressbar" aria-label="策略加载中" />;
  return <PolicyForm key={data.version} stored={data} onDirty={onDirty} />;
}

interface PolicyFieldProps {
  name: keyof Policy;
  required?: boolean;
  children?: ReactNode;
}

/** A field with its label and one line that says what it does. */
const PolicyField = ({ name, ...rest }: PolicyFieldProps) => (
  <Field of={modifyScenePackagePolicy} name={name} extra={policyHelp[name]} {...rest} />
);

const days = <InputNumber className="kq-wide" precision={0} suffix="天" />;
const hours = <InputNumber className="kq-wide" precision={0} suffix="小时" />;

function PolicyForm({ stored, onDirty }: { stored: ScenePackage; onDirty(dirty: boolean): void }) {
  const readOnly = !useMay()(corpusPermissions['scene.edit']);
  const [form] = Form.useForm<Policy>();
  const [dirty, setDirty] = useState(false);
  // 还原 fills the form anew
  const [round, setRound] = useState(0);
  const [version, setVersion] = useState(stored.version);
  const { scenePackageId, draft } = stored;
  const command = useFormCommand<typeof modifyScenePackagePolicy, Policy>({
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
  const save = (values: Policy) => void command.submit(values);
  return (
    <FormFrame<Policy>
      form={form}
      initial={draft}
      recordKey={round}
      alert={command.alert}
      disabled={readOnly || command.flying}
      onSubmit={save}
      onDirty={mark}
    >
      <section className="kq-section">
        <div className="kq-section-head">
          <h3>进入与结束</h3>
        </div>
        <div className="kq-policy-fields">
          <PolicyField name="entryMode" />
          <PolicyField name="reentry" />
          <Form.Item noStyle dependencies={['reentry']}>
            {({ getFieldValue }) =>
              getFieldValue('reentry') === 'AFTER_DAYS' && (
                <PolicyField required name="reentryDays">
                  {days}
                </PolicyField>
              )
            }
          </Form.Item>
          <PolicyField name="endAfterDays">{days}</PolicyField>
          <PolicyField name="recheckLaunch" />
          {stored.mainSceneId === '' && <PolicyField name="childExclusive" />}
        </div>
      </section>
      <section className="kq-section">
        <div className="kq-section-head">
          <h3>暂停与恢复</h3>
        </div>
        <div className="kq-policy-fields">
          <PolicyField name="pauseOnPatientReply" />
          <PolicyField name="pauseOnDoctorReply" />
          <PolicyField name="pauseHours">{hours}</PolicyField>
          <PolicyField name="resumeMode" />
        </div>
      </section>
      <section className="kq-section">
        <div className="kq-section-head">
          <h3>发送</h3>
        </div>
        <div className="kq-policy-fields">
          <PolicyField name="priority">
            <InputNumber className="kq-wide" precision={0} suffix="级" />
          </PolicyField>
          <PolicyField name="maxDelayHours">{hours}</PolicyField>
          <PolicyField name="activeGuardMin">
            <InputNumber className="kq-wide" precision={0} suffix="分钟" />
          </PolicyField>
          <PolicyField name="calendarMode" />
        </div>
      </section>
      <section className="kq-section">
        <div className="kq-section-head">
          <h3>转化</h3>
        </div>
        <div className="kq-policy-fields">
          <PolicyField name="goal" />
          <PolicyField name="goalWindowDays">{days}</PolicyField>
        </div>
      </section>
      {!readOnly && (
        <div className="kq-policy-foot">
          <Button type="primary" htmlType="submit" loading={command.flying} disabled={command.busy || !dirty}>
            保存
          </Button>
          <Button disabled={!dirty || command.flying} onClick={() => setRound(round + 1)}>
            还原
          </Button>
        </div>
      )}
    </FormFrame>
  );
}
