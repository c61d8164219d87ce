import { Alert, Button, Form, Skeleton, Switch } from 'antd';
import { useState } from 'react';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { FormFrame } from '#kernel/web/form/FormFrame.tsx';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { modifySecurityPolicy, querySecurityPolicy } from '../../contract/calls/policy.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import { policyDefaults, policyFields } from '../../contract/policy.ts';
import type { SecurityPolicy } from '../../contract/policy.ts';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { policySentences } from './policySentences.ts';
import './policy.css';

type Key = keyof SecurityPolicy;
type View = AnswerOf<typeof querySecurityPolicy>;

const keys = Object.keys(policyFields) as Key[];
const groups = [...new Set(keys.map((key) => policyFields[key].group))];
const policyOf = (view: View): SecurityPolicy => Object.fromEntries(keys.map((key) => [key, view[key]])) as SecurityPolicy;
const labels = Object.fromEntries(keys.map((key) => [key, policyFields[key].label]));
const showValue = (key: Key, value: unknown) =>
  typeof value === 'boolean' ? (value ? '开启' : '关闭') : `${String(value)}${policyFields[key].unit}`;

/** Tab 安全策略. */
export function Policy() {
  const { data, error, refetch } = useData(querySecurityPolicy, {}, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} className="kq-pad" />;
  return <PolicyForm key={data.version} view={data} />;
}

/** The policy with the reason for its change, which is asked for last. */
type Edited = SecurityPolicy & { opinion?: string };

function PolicyForm({ view }: { view: View }) {
  const may = useMay();
  const editable = may(identityPermissions['policy.edit']);
  const saved = policyOf(view);
  const [form] = Form.useForm<Edited>();
  const [current, setCurrent] = useState(saved);
  const changed = keys.filter((key) => current[key] !== saved[key]);
  const [opinion, setOpinion] = useState('');
  const command = useFormCommand<typeof modifySecurityPolicy, Edited>({
    call: modifySecurityPolicy,
    form,
    toInput: ({ opinion: reason = opinion, ...values }) => ({
      version: view.version,
      opinion: reason,
      ...Object.fromEntries(keys.filter((key) => values[key] !== saved[key]).map((key) => [key, values[key]])),
    }),
    labels,
    success: '修改成功!',
    refreshes: [querySecurityPolicy],
  });
  const submit = async (values: SecurityPolicy) => {
    const given = await confirmWithOpinion({
      title: '修改安全策略',
      width: 560,
      content: '修改后立即对所有用户生效，确定修改吗?',
      facts: changed.map((key) => ({
        label: policyFields[key].label,
        value: (
          <>
            {showValue(key, saved[key])} → <b>{showValue(key, values[key])}</b>
          </>
        ),
      })),
    });
    if (given === null) return;
    setOpinion(given);
    await command.submit({ ...values, opinion: given });
  };
  return (
    <div className="id-scroll">
      <FormFrame<Edited>
        form={form}
        initial={saved}
        alert={command.alert}
        disabled={!editable || command.flying}
        onSubmit={(values) => void submit(values)}
        onValuesChange={(_patch, all) => setCurrent({ ...saved, ...all })}
      >
        {!editable && <Alert type="info" showIcon title="当前角色只能查看安全策略" className="kq-form-alert" />}
        <div className="id-policy">
          {groups.map((group) => (
            <Section key={group} title={group}>
              <div className="id-policy-grid">
                {keys
                  .filter((key) => policyFields[key].group === group)
                  .map((key) => (
                    <Field key={key} name={key} changed={current[key] !== saved[key]} />
                  ))}
              </div>
              <p className="id-scope-sentence">{policySentences[group](current)}</p>
            </Section>
          ))}
        </div>
        <div className="id-policy-foot">
          <span className="kq-muted">
            最近修改：{view.updatedByName ?? '系统'} <Time at={view.updatedAt} />
          </span>
          {editable && (
            <>
              <Button
                disabled={changed.length === 0 || command.flying}
                onClick={() => {
                  form.setFieldsValue(saved);
                  setCurrent(saved);
                }}
              >
                撤销修改
              </Button>
              <Button type="primary" htmlType="submit" disabled={changed.length === 0 || command.busy} loading={command.flying}>
                保存{changed.length > 0 && `（${changed.length}项）`}
              </Button>
            </>
          )}
        </div>
      </FormFrame>
    </div>
  );
}

/** One setting with its range and the default beside it. */
function Field({ name, changed }: { name: Key; changed: boolean }) {
  const { label, unit, min, max } = policyFields[name];
  const fallback = policyDefaults[name];
  const isSwitch = typeof fallback === 'boolean';
  return (
    <Form.Item
      label={label}
      name={name}
      extra={`默认：${showValue(name, fallback)}${isSwitch || min === max ? '' : `，可设 ${min}-${max}${unit}`}`}
      className={changed ? 'id-changed' : ''}
      {...(isSwitch
        ? { valuePropName: 'checked' }
        : {
            rules: [
              { required: true, message: `请输入${label}` },
              { type: 'number' as const, min, max, message: `参数超出允许范围：${label}` },
            ],
          })}
    >
      {isSwitch ? <Switch /> : <NumberInput precision={0} suffix={unit} disabled={min === max} className="kq-wide" />}
    </Form.Item>
  );
}
