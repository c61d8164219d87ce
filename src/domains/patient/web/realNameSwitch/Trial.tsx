import { Form, Select } from 'antd';
import { useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { resolveRealNameSwitch } from '../../contract/calls/realName.ts';
import { switchScenes, switchScopes, type SwitchScene, type SwitchScope } from '../../contract/dictionaries.ts';
import { methodLabels } from './GlobalSwitches.tsx';
import { pickable, ScopePicker } from './scopePicker.tsx';

const scopes = [
  ['channelId', 'CHANNEL'],
  ['diseaseId', 'DISEASE'],
  ['itemId', 'SERVICE_ITEM'],
  ['doctorId', 'DOCTOR'],
] as const;
type Field = (typeof scopes)[number][0];
const isScope = (code: string): code is SwitchScope => switchScopes.codes.some((one) => one === code);

/** Which row decided, or why none could. */
function decisionOf({ required, decidedBy }: AnswerOf<typeof resolveRealNameSwitch>): string {
  if (decidedBy === null) return required ? '由法律要求决定' : '没有适用的设置';
  const name = decidedBy.scopeName ? `·${decidedBy.scopeName}` : '';
  if (decidedBy.scopeType === 'FLOOR') return `由“服务项目${name}”决定：诊疗服务最低须二要素实名，不受开关影响`;
  return `由“${isScope(decidedBy.scopeType) ? switchScopes.label(decidedBy.scopeType) : decidedBy.scopeType}${name}”的设置决定`;
}

/** 规则试算: what the switches come to for a case, and which row decided. */
export function Trial() {
  const [scene, setScene] = useState<SwitchScene>('CONSULT');
  const [ids, setIds] = useState<Partial<Record<Field, string>>>({});
  const { data, error, refetch } = useData(resolveRealNameSwitch, { scene, ...ids }, { quiet: true });
  return (
    <aside aria-label="规则试算">
      <h3>规则试算</h3>
      <Form layout="vertical" size="small">
        <Form.Item label="场景">
          <Select<SwitchScene>
            aria-label="试算场景"
            value={scene}
            onChange={setScene}
            options={switchScenes.options.map(({ value, label }) => ({ value, label }))}
          />
        </Form.Item>
        {scopes
          .filter(([, scope]) => pickable(scope))
          .map(([field, scope]) => (
            <UnboundField key={field} label={switchScopes.label(scope)}>
              <ScopePicker
                scope={scope}
                value={ids[field] ?? null}
                onChange={(next) => setIds(({ [field]: _former, ...rest }) => (next ? { ...rest, [field]: next } : rest))}
              />
            </UnboundField>
          ))}
      </Form>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <div role="status">
          <p>
            <b>{data.required ? `须实名：${data.minMethod ? methodLabels[data.minMethod] : ''}` : '不要求实名'}</b>
          </p>
          <p className="kq-muted">{decisionOf(data)}</p>
        </div>
      ) : (
        <p className="kq-muted">正在试算…</p>
      )}
    </aside>
  );
}
