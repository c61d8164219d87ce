import { Button, Input, Segmented, Select } from 'antd';
import { lazy, Suspense } from 'react';
import {
  blankGroup,
  isBuiltGroup,
  MAX_GROUP_CONDITIONS,
  MAX_GROUP_DEPTH,
  operatorsOfKind,
  type BuiltCondition,
  type BuiltGroup,
  type TypedVariable,
} from '../../contract/rules/groups.ts';
import type { Operator } from '../../contract/rules/rule.ts';
import { operatorLabel } from '../../contract/rules/sentence.ts';
import { ruleTexts, type RuleFault } from '../../contract/rules/texts.ts';
import { faultOfTyped, truthOptions } from '../../contract/rules/typed.ts';
import { listOf } from '../../contract/rules/validate.ts';
import { MoneyInput } from '../kit/MoneyInput.tsx';
import { usePinyin } from '../layout/usePinyin.ts';
import { TextInput } from '../kit/TextInput.tsx';
import './groupEditor.css';

const DayInput = lazy(() => import('./DayInput.tsx'));

const blank: BuiltCondition = { variable: '', operator: '', value: '' };
const words: Partial<Record<Operator, string>> = { range: '区间' };

const countOf = (group: BuiltGroup): number => group.items.reduce((sum, item) => sum + (isBuiltGroup(item) ? countOf(item) : 1), 0);

interface OneProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

const DayText = ({ label, value, onChange }: OneProps) => (
  <Suspense fallback={<Input disabled />}>
    <DayInput aria-label={label} value={value} onChange={(day) => onChange(day ?? '')} />
  </Suspense>
);

/** Typed in yuan, kept in fen. */
const MoneyText = ({ label, value, onChange }: OneProps) => (
  <MoneyInput aria-label={label} value={value || null} onChange={(fen) => onChange(fen === null ? '' : String(fen))} />
);

interface ValueProps {
  variable: TypedVariable;
  operator: Operator;
  value: string;
  label: string;
  onChange(value: string): void;
}

/** The value of a condition by the kind of its variable. */
export function ConditionValue({ variable: { kind, options, unit }, operator, value, label, onChange }: ValueProps) {
  const common = { 'aria-label': label, className: 'kq-condition-value' } as const;
  if (kind === 'DATE' || kind === 'MONEY') {
    const One = kind === 'DATE' ? DayText : MoneyText;
    if (operator !== 'range') return <One label={label} value={value} onChange={onChange} />;
    const [low = '', high = ''] = value.split(',');
    return (
      <span className="kq-condition-pair">
        <One label={`${label}起`} value={low} onChange={(next) => onChange(`${next},${high}`)} />至
        <One label={`${label}止`} value={high} onChange={(next) => onChange(`${low},${next}`)} />
      </span>
    );
  }
  const offered = kind === 'BOOL' ? truthOptions : options.map((one) => ({ value: one.value, label: one.label }));
  if (offered.length > 0)
    return operator === '=' ? (
      <Select
        {...common}
        placeholder="请选择"
        showSearch={{ optionFilterProp: 'label' }}
        options={offered}
        value={value || null}
        onChange={onChange}
      />
    ) : (
      <Select<string[]>
        {...common}
        placeholder="请选择"
        mode="multiple"
        maxTagCount="responsive"
        optionFilterProp="label"
        options={offered}
        value={value === '' ? [] : listOf(value)}
        onChange={(chosen) => onChange(chosen.join(','))}
      />
    );
  const free = kind === 'OPTION' || kind === 'SET';
  return (
    <TextInput
      {...common}
      most={200}
      value={value}
      placeholder={operator === 'range' ? '如 2,5' : free ? '多个值用英文逗号分隔' : '请输入'}
      suffix={unit === '' ? <span /> : unit}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** What all conditions of an editor share. */
interface Shared {
  variables: readonly TypedVariable[];
  strict: boolean;
  disabled: boolean;
  full: boolean;
  faultText(fault: RuleFault): string;
}

interface RowProps {
  shared: Shared;
  condition: BuiltCondition;
  /** `条件2`, `条件2.1` within the second. */
  name: string;
  onChange(condition: BuiltCondition): void;
  onRemove(): void;
}

function Row({ shared: { variables, strict, disabled, faultText }, condition, name, onChange, onRemove }: RowProps) {
  const variable = variables.find(({ code }) => code === condition.variable);
  const fault = variable ? faultOfTyped(variable, condition) : 'INCOMPLETE';
  const pinyinOf = usePinyin(!disabled);
  const showsFault = fault !== null && (strict || fault !== 'INCOMPLETE');
  return (
    <li className="kq-condition">
      <div className="kq-condition-fields">
        <Select
          aria-label={`${name}变量`}
          className="kq-condition-variable"
          placeholder="选择变量"
          disabled={disabled}
          showSearch={{
            filterOption: (typed, option) => {
              const wanted = typed.trim().toLowerCase();
              const label = option?.label ?? '';
              const read = pinyinOf?.(label);
              return [label, read?.full, read?.initials].some((text) => text?.includes(wanted));
            },
          }}
          value={condition.variable || null}
          options={variables.map((one) => ({ value: one.code, label: one.name }))}
          onChange={(code) => onChange({ ...blank, variable: code })}
        />
        <Select
          aria-label={`${name}运算符`}
          className="kq-condition-operator"
          placeholder="运算符"
          disabled={disabled || !variable}
          value={condition.operator || null}
          options={(variable ? operatorsOfKind[variable.kind] : []).map((one) => ({ value: one, label: words[one] ?? operatorLabel[one] }))}
          onChange={(operator) => onChange({ ...condition, operator, value: '' })}
        />
        <fieldset disabled={disabled}>
          {variable && condition.operator !== '' ? (
            <ConditionValue
              variable={variable}
              operator={condition.operator}
              value={condition.value}
              label={`${name}的值`}
              onChange={(value) => onChange({ ...condition, value })}
            />
          ) : (
            <Input aria-label={`${name}的值`} disabled placeholder="先选择变量和运算符" />
          )}
        </fieldset>
        {!disabled && (
          <Button type="link" size="small" danger onClick={onRemove}>
            删除
          </Button>
        )}
      </div>
      {showsFault && <p className="kq-condition-fault">{faultText(fault)}</p>}
    </li>
  );
}

interface GroupProps {
  shared: Shared;
  group: BuiltGroup;
  depth: number;
  name: string;
  onChange(group: BuiltGroup): void;
  onRemove?(): void;
}

function Group({ shared, group, depth, name, onChange, onRemove }: GroupProps) {
  const { disabled, full, strict, faultText } = shared;
  const put = (index: number, item: BuiltGroup['items'][number]) => onChange({ ...group, items: group.items.with(index, item) });
  const drop = (index: number) => onChange({ ...group, items: group.items.toSpliced(index, 1) });
  const add = (item: BuiltGroup['items'][number]) => onChange({ ...group, items: [...group.items, item] });
  return (
    <div className="kq-logic" role="group" aria-label={name}>
      <div className="kq-logic-head">
        <Segmented
          size="small"
          disabled={disabled}
          value={group.op}
          options={[
            { value: 'AND', label: '且（全部满足）' },
            { value: 'OR', label: '或（任一满足）' },
          ]}
          onChange={(op) => onChange({ ...group, op: op === 'OR' ? 'OR' : 'AND' })}
        />
        {onRemove && !disabled && (
          <Button type="link" size="small" danger onClick={onRemove}>
            删除条件组
          </Button>
        )}
      </div>
      <ul>
        {group.items.map((item, index) => {
          const place = depth === 1 ? `${name}${index + 1}` : `${name}.${index + 1}`;
          const common = { shared, name: place, onRemove: () => drop(index) };
          return isBuiltGroup(item) ? (
            <li key={index}>
              <Group {...common} group={item} depth={depth + 1} onChange={(changed) => put(index, changed)} />
            </li>
          ) : (
            <Row {...common} key={index} condition={item} onChange={(changed) => put(index, changed)} />
          );
        })}
      </ul>
      {strict && group.items.length === 0 && <p className="kq-condition-fault">{faultText('INCOMPLETE')}</p>}
      {!disabled && (
        <div>
          <Button type="link" size="small" disabled={full} onClick={() => add(blank)}>
            添加条件
          </Button>
          {depth < MAX_GROUP_DEPTH && (
            <Button type="link" size="small" disabled={full} onClick={() => add({ op: group.op === 'AND' ? 'OR' : 'AND', items: [blank] })}>
              添加条件组
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface EditorProps {
  variables: readonly TypedVariable[];
  value?: BuiltGroup | undefined;
  onChange?(group: BuiltGroup): void;
  /** Says of empty fields too that they are empty. */
  strict?: boolean;
  disabled?: boolean;
  /** Words for what is wrong, where the page's differ from the product's. */
  faultText?(fault: RuleFault): string;
}

/**
 * Conditions joined by 且 and 或, in groups of groups, three deep at most; values are as they are kept. Another variable or
 * operator empties the value.
 */
export function GroupEditor({
  variables,
  value = blankGroup(),
  onChange = () => {},
  strict = false,
  disabled = false,
  faultText = (fault) => ruleTexts[fault],
}: EditorProps) {
  const shared = { variables, strict, disabled, full: countOf(value) >= MAX_GROUP_CONDITIONS, faultText };
  return <Group shared={shared} group={value} depth={1} name="条件" onChange={onChange} />;
}
