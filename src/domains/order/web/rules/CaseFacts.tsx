import { Button, Select } from 'antd';
import { useState } from 'react';
import { ConditionValue } from '#kernel/web/form/GroupEditor.tsx';
import { send } from '#kernel/web/http/client.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { queryRuleFacts } from '../../contract/calls/allocationRules.ts';
import type { RuleTestCase } from '../../contract/calls/ruleFields.ts';
import { orderVariable, orderVariables } from '../../contract/rules/variables.ts';

type Facts = RuleTestCase['facts'];
interface Props {
  value?: Facts;
  onChange?(facts: Facts): void;
  /** Of which case. */
  name: string;
}

/** What a test case says of its order: variables with their values, typed or taken from an order. */
export function CaseFacts({ value = [], onChange = () => {}, name }: Props) {
  const [orderNo, setOrderNo] = useState('');
  const [asking, setAsking] = useState(false);
  const put = (at: number, fact: Facts[number]) => onChange(value.with(at, fact));
  const take = async () => {
    setAsking(true);
    try {
      const { facts } = await send(queryRuleFacts, { orderNo: orderNo.trim() });
      onChange(facts.map((fact) => ({ variable: fact.variable, value: fact.value })));
    } catch {
      // The refusal was told as a toast; what stands here stays.
    } finally {
      setAsking(false);
    }
  };
  return (
    <div>
      {value.map((fact, at) => {
        const variable = orderVariable(fact.variable);
        return (
          <div className="kq-row" key={at} style={{ marginBottom: 8 }}>
            <Select
              aria-label={`${name}变量${at + 1}`}
              style={{ width: 210 }}
              showSearch={{ optionFilterProp: 'label' }}
              placeholder="选择变量"
              value={fact.variable || null}
              options={orderVariables
                .filter(({ code }) => code === fact.variable || value.every((one) => one.variable !== code))
                .map((one) => ({ value: one.code, label: one.name }))}
              onChange={(code: string) => put(at, { variable: code, value: '' })}
            />
            {variable && (
              <ConditionValue
                variable={variable}
                operator="="
                value={fact.value}
                label={`${name}的${variable.name}`}
                onChange={(text) => put(at, { ...fact, value: text })}
              />
            )}
            <Button type="link" danger onClick={() => onChange(value.toSpliced(at, 1))}>
              移除
            </Button>
          </div>
        );
      })}
      <div className="kq-row">
        <Button onClick={() => onChange([...value, { variable: '', value: '' }])}>添加变量</Button>
        <TextInput
          aria-label={`${name}订单号`}
          style={{ width: 190 }}
          most={40}
          placeholder="订单号"
          value={orderNo}
          onChange={({ target }) => setOrderNo(target.value)}
        />
        <Button disabled={orderNo.trim() === ''} loading={asking} onClick={() => void take()}>
          从订单取值
        </Button>
      </div>
    </div>
  );
}
