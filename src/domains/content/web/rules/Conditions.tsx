import { Button, Input, Select } from 'antd';
import { operatorLabel } from '#kernel/contract/rules/sentence.ts';
import { keepNumber, listOf, tidyNumber } from '#kernel/contract/rules/validate.ts';
import type { RuleVariableRow } from '../../contract/rules/calls.ts';
import { MOST_CONDITIONS, type ConditionRow } from '../../contract/rules/conditions.ts';

interface ValueProps {
  row: ConditionRow;
  variable: RuleVariableRow;
  onChange(value: string): void;
}

/** The value of a condition, by the kind of its variable. */
function ValueInput({ row, variable, onChange }: ValueProps) {
  if (variable.valueType === 'OPTION') {
    const options = variable.options.map(({ value, label }) => ({ value, label }));
    const common = { 'aria-label': '条件值', placeholder: '请选择', options, style: { minWidth: 160 } };
    return row.operator === '=' ? (
      <Select {...common} value={row.value || null} onChange={(value) => onChange(value ?? '')} />
    ) : (
      <Select<string[]>
        {...common}
        mode="multiple"
        value={row.value === '' ? [] : listOf(row.value)}
        onChange={(value) => onChange(value.join(','))}
      />
    );
  }
  if (row.operator === 'range') {
    const [left = '', right = ''] = row.value.split(',');
    const bound = (name: string, value: string, join: (typed: string) => string) => (
      <Input
        aria-label={name}
        style={{ width: 90 }}
        value={value}
        onChange={(event) => onChange(join(keepNumber(event.target.value)))}
        onBlur={() => onChange(join(tidyNumber(value)))}
      />
    );
    return (
      <span>
        {bound('下限', left, (typed) => `${typed},${right}`)} 至 {bound('上限', right, (typed) => `${left},${typed}`)} {variable.unit}
      </span>
    );
  }
  return (
    <span>
      <Input
        aria-label="条件值"
        style={{ width: 120 }}
        value={row.value}
        onChange={(event) => onChange(keepNumber(event.target.value))}
        onBlur={() => onChange(tidyNumber(row.value))}
      />{' '}
      {variable.unit}
    </span>
  );
}

interface ConditionsProps {
  variables: readonly RuleVariableRow[];
  value?: readonly ConditionRow[];
  onChange?(rows: ConditionRow[]): void;
}

/** Conditions in groups: rows of a group are joined with 且, groups with 或. */
export function Conditions({ variables, value = [], onChange = () => {} }: ConditionsProps) {
  const first = variables[0];
  if (!first) return <div className="kq-muted">该类对象没有可用的变量</div>;
  const fresh = (groupNo: number): ConditionRow => ({ variableCode: first.code, operator: first.operators[0] ?? '=', value: '', groupNo });
  const groups = [...new Set(value.map(({ groupNo }) => groupNo))].toSorted((a, b) => a - b);
  const full = value.length >= MOST_CONDITIONS;
  const put = (index: number, row: ConditionRow) => onChange(value.with(index, row));
  return (
    <div className="mr-conditions">
      {groups.map((groupNo, place) => (
        <div key={groupNo}>
          {place > 0 && <div className="mr-or">或</div>}
          <div className="mr-group">
            {value.map((row, index) => {
              if (row.groupNo !== groupNo) return null;
              const variable = variables.find(({ code }) => code === row.variableCode) ?? first;
              return (
                <div key={index} className="kq-row">
                  <Select
                    aria-label="变量"
                    style={{ width: 150 }}
                    value={row.variableCode}
                    options={variables.map(({ code, name }) => ({ value: code, label: name }))}
                    onChange={(code) => {
                      const chosen = variables.find((one) => one.code === code) ?? first;
                      put(index, { ...row, variableCode: chosen.code, operator: chosen.operators[0] ?? '=', value: '' });
                    }}
                  />
                  <Select
                    aria-label="运算符"
                    style={{ width: 90 }}
                    value={row.operator}
                    options={variable.operators.map((operator) => ({ value: operator, label: operatorLabel[operator] }))}
                    onChange={(operator) => put(index, { ...row, operator, value: '' })}
                  />
                  <ValueInput row={row} variable={variable} onChange={(text) => put(index, { ...row, value: text })} />
                  <Button type="link" size="small" danger onClick={() => onChange(value.toSpliced(index, 1))}>
                    删除
                  </Button>
                </div>
              );
            })}
            <Button type="link" size="small" disabled={full} onClick={() => onChange([...value, fresh(groupNo)])}>
              添加“且”条件
            </Button>
          </div>
        </div>
      ))}
      <Button size="small" disabled={full} onClick={() => onChange([...value, fresh((groups.at(-1) ?? 0) + 1)])}>
        {groups.length === 0 ? '添加条件' : '添加“或”条件组'}
      </Button>
    </div>
  );
}
