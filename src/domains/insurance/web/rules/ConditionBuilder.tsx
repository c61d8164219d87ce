import { Button, Input, Select } from 'antd';
import { lazy, Suspense } from 'react';
import * as z from 'zod/mini';
import type { Operator } from '../../../../kernel/contract/rules/rule.ts';
import {
  conditionGroup,
  operatorsOfKind,
  MAX_GROUP_DEPTH,
  type DraftGroup,
  type TypedVariable,
} from '../../../../kernel/contract/rules/groups.ts';
import { operatorLabel } from '../../../../kernel/contract/rules/sentence.ts';
import { keepNumber } from '../../../../kernel/contract/rules/validate.ts';
import { truthOptions } from '../../../../kernel/contract/rules/typed.ts';
import { MoneyInput } from '../../../../kernel/web/kit/MoneyInput.tsx';
import './rules.css';

const DayInput = lazy(() => import('../../../../kernel/web/form/DayInput.tsx'));

/** A group as it is being built; the contract writes it out to its greatest depth. */
export interface BuiltGroup {
  op: 'AND' | 'OR';
  items: (BuiltGroup | BuiltCondition)[];
}
export interface BuiltCondition {
  variable: string;
  operator: Operator | '';
  value: string;
}

export const blankGroup = (): BuiltGroup => ({ op: 'AND', items: [{ variable: '', operator: '', value: '' }] });
const isGroup = (item: BuiltGroup | BuiltCondition): item is BuiltGroup => 'items' in item;

/** What is built as the calls take it. */
export const asDraft = (group: BuiltGroup): DraftGroup => z.parse(conditionGroup, group);

interface ValueProps {
  variable: TypedVariable | undefined;
  operator: Operator | '';
  value: string;
  label: string;
  onChange(value: string): void;
}

function ConditionValue({ variable, operator, value, label, onChange }: ValueProps) {
  if (!variable || operator === '') return <Input disabled aria-label={label} placeholder="请先选择变量和条件" />;
  const parts = value.split(',');
  if (operator === 'range' && variable.kind === 'MONEY')
    return (
      <span className="ins-group-head">
        <MoneyInput aria-label={`${label}起`} value={parts[0] || null} onChange={(fen) => onChange(`${fen ?? ''},${parts[1] ?? ''}`)} />至
        <MoneyInput aria-label={`${label}止`} value={parts[1] || null} onChange={(fen) => onChange(`${parts[0] ?? ''},${fen ?? ''}`)} />
      </span>
    );
  switch (variable.kind) {
    case 'MONEY':
      return <MoneyInput aria-label={label} value={value || null} onChange={(fen) => onChange(fen === null ? '' : String(fen))} />;
    case 'BOOL':
      return (
        <Select
          aria-label={label}
          value={value || null}
          options={truthOptions.map((one) => ({ value: one.value, label: one.label }))}
          placeholder="请选择"
          onChange={onChange}
        />
      );
    case 'DATE':
      return (
        <Suspense fallback={<Input disabled />}>
          <DayInput aria-label={label} value={value || null} onChange={(day) => onChange(day ?? '')} />
        </Suspense>
      );
    case 'OPTION':
    case 'SET': {
      const options = variable.options.map((one) => ({ value: one.value, label: one.label }));
      const several = operator !== '=';
      if (options.length === 0)
        return (
          <Input
            aria-label={label}
            value={value}
            placeholder={several ? '多个用英文逗号分隔' : '请输入'}
            maxLength={200}
            onChange={({ target }) => onChange(target.value)}
          />
        );
      return several ? (
        <Select<string[]>
          aria-label={label}
          mode="multiple"
          maxTagCount="responsive"
          optionFilterProp="label"
          value={value === '' ? [] : parts}
          options={options}
          placeholder="请选择"
          onChange={(next) => onChange(next.join(','))}
        />
      ) : (
        <Select aria-label={label} value={value || null} options={options} placeholder="请选择" onChange={onChange} />
      );
    }
    case 'NUMBER':
      return operator === 'range' ? (
        <Input
          aria-label={label}
          value={value}
          suffix={variable.unit}
          placeholder="如 1,3"
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <Input
          aria-label={label}
          inputMode="decimal"
          value={value}
          suffix={variable.unit}
          onChange={({ target }) => onChange(keepNumber(target.value))}
        />
      );
    default:
      return <Input aria-label={label} value={value} maxLength={200} onChange={({ target }) => onChange(target.value)} />;
  }
}

interface BuilderProps {
  value?: BuiltGroup | undefined;
  onChange?(group: BuiltGroup): void;
  variables: readonly TypedVariable[];
  depth?: number;
  /** What the conditions are called for those who hear them. */
  label?: string;
}

/** Conditions in groups of 且 and 或, three deep at most. A change of variable or operator clears the value. */
export function ConditionBuilder({ value = blankGroup(), onChange, variables, depth = 1, label = '条件' }: BuilderProps) {
  const put = (items: BuiltGroup['items']) => onChange?.({ ...value, items });
  const set = (index: number, item: BuiltGroup | BuiltCondition) => put(value.items.map((one, at) => (at === index ? item : one)));
  return (
    <div className="ins-group">
      <div className="ins-group-head">
        <Select
          aria-label={`${label}的关系`}
          style={{ width: 150 }}
          value={value.op}
          options={[
            { value: 'AND', label: '满足全部（且）' },
            { value: 'OR', label: '满足任一（或）' },
          ]}
          onChange={(op) => onChange?.({ ...value, op })}
        />
        <Button size="small" onClick={() => put([...value.items, { variable: '', operator: '', value: '' }])}>
          添加条件
        </Button>
        {depth < MAX_GROUP_DEPTH && (
          <Button size="small" onClick={() => put([...value.items, blankGroup()])}>
            添加条件组
          </Button>
        )}
      </div>
      {value.items.map((item, index) => {
        const name = `${label}${index + 1}`;
        const remove = (
          <Button type="link" danger size="small" onClick={() => put(value.items.filter((_item, at) => at !== index))}>
            移除
          </Button>
        );
        if (isGroup(item))
          return (
            <div key={index}>
              <ConditionBuilder
                value={item}
                onChange={(next) => set(index, next)}
                variables={variables}
                depth={depth + 1}
                label={`${name}.`}
              />
              {remove}
            </div>
          );
        const variable = variables.find(({ code }) => code === item.variable);
        return (
          <div key={index} className="ins-condition">
            <Select
              aria-label={`${name}变量`}
              showSearch={{ optionFilterProp: 'label' }}
              value={item.variable || null}
              options={variables.map((one) => ({ value: one.code, label: one.name }))}
              placeholder="变量"
              onChange={(code) => set(index, { variable: code, operator: '', value: '' })}
            />
            <Select
              aria-label={`${name}条件`}
              disabled={!variable}
              value={item.operator || null}
              options={(variable ? operatorsOfKind[variable.kind] : []).map((operator) => ({
                value: operator,
                label: operatorLabel[operator],
              }))}
              placeholder="条件"
              onChange={(operator) => set(index, { ...item, operator, value: '' })}
            />
            <ConditionValue
              variable={variable}
              operator={item.operator}
              value={item.value}
              label={`${name}的值`}
              onChange={(next) => set(index, { ...item, value: next })}
            />
            {remove}
          </div>
        );
      })}
    </div>
  );
}
