import { Button, Input, Segmented, Select } from 'antd';
import type { DraftGroup } from '../../../../kernel/contract/rules/groups.ts';
import { MAX_GROUP_CONDITIONS, MAX_GROUP_DEPTH, operatorsOfKind } from '../../../../kernel/contract/rules/groups.ts';
import type { Operator } from '../../../../kernel/contract/rules/rule.ts';
import { operatorLabel } from '../../../../kernel/contract/rules/sentence.ts';
import { faultOfTyped, truthOptions } from '../../../../kernel/contract/rules/typed.ts';
import { listOf } from '../../../../kernel/contract/rules/validate.ts';
import { usePinyin } from '../../../../kernel/web/layout/usePinyin.ts';
import type { RuleVariableOfClaims } from '../../contract/rules/variables.ts';
import { emptyGroup } from './emptyGroup.ts';
import { faultText } from './faultText.ts';
import './conditions.css';

type Item = DraftGroup['items'][number];
type Condition = Exclude<Item, { items: unknown }>;
/** A group at any depth; the schema writes each depth out. */
type AnyGroup = { op: 'AND' | 'OR'; items: (Condition | AnyGroup)[] };

const isGroup = (item: Condition | AnyGroup): item is AnyGroup => 'items' in item;
const blank: Condition = { variable: '', operator: '', value: '' };

const countOf = (group: AnyGroup): number => group.items.reduce((sum, item) => sum + (isGroup(item) ? countOf(item) : 1), 0);

const words: Partial<Record<Operator, string>> = { range: '区间' };

interface ValueProps {
  variable: RuleVariableOfClaims;
  condition: Condition;
  onChange(value: string): void;
}

/** The value of a condition by the kind of its variable; money is typed in yuan. */
function ValueInput({ variable, condition: { operator, value }, onChange }: ValueProps) {
  const { kind, options, unit } = variable;
  if (kind === 'BOOL')
    return (
      <Select
        aria-label="条件值"
        className="rule-value"
        placeholder="请选择"
        options={truthOptions}
        value={value || null}
        onChange={onChange}
      />
    );
  if ((kind === 'OPTION' || kind === 'SET') && options.length > 0) {
    const shown = options.map((one) => ({ value: one.value, label: one.label }));
    return operator === '=' ? (
      <Select
        aria-label="条件值"
        className="rule-value"
        placeholder="请选择"
        showSearch={{ optionFilterProp: 'label' }}
        options={shown}
        value={value || null}
        onChange={onChange}
      />
    ) : (
      <Select<string[]>
        aria-label="条件值"
        className="rule-value"
        placeholder="请选择"
        mode="multiple"
        optionFilterProp="label"
        options={shown}
        value={value === '' ? [] : listOf(value)}
        onChange={(chosen) => onChange(chosen.join(','))}
      />
    );
  }
  if (kind === 'DATE') {
    const days = value.split(',');
    if (operator !== 'range') return <DayText label="条件值" value={value} onChange={onChange} />;
    return (
      <span className="rule-days">
        <DayText label="开始日期" value={days[0] ?? ''} onChange={(day) => onChange(`${day},${days[1] ?? ''}`)} />至
        <DayText label="结束日期" value={days[1] ?? ''} onChange={(day) => onChange(`${days[0] ?? ''},${day}`)} />
      </span>
    );
  }
  const free = kind === 'OPTION' || kind === 'SET';
  return (
    <Input
      aria-label="条件值"
      className="rule-value"
      maxLength={200}
      value={value}
      placeholder={operator === 'range' ? '如 2,5' : free ? '多个值用英文逗号分隔' : '请输入'}
      suffix={unit === '' ? <span /> : unit}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function DayText({ label, value, onChange }: { label: string; value: string; onChange(day: string): void }) {
  return <Input aria-label={label} type="date" className="rule-day" value={value} onChange={(event) => onChange(event.target.value)} />;
}

interface RowProps {
  variables: readonly RuleVariableOfClaims[];
  condition: Condition;
  strict: boolean;
  onChange(condition: Condition): void;
  onRemove(): void;
  disabled: boolean;
}

function Row({ variables, condition, strict, onChange, onRemove, disabled }: RowProps) {
  const variable = variables.find(({ code }) => code === condition.variable);
  // Typed money has the form of a number.
  const fault = variable ? faultOfTyped(variable, condition) : 'INCOMPLETE';
  const pinyinOf = usePinyin(!disabled);
  const told = fault !== null && (strict || fault !== 'INCOMPLETE');
  return (
    <li className="rule-row">
      <div className="rule-fields">
        <Select
          aria-label="变量"
          className="rule-variable"
          style={{ width: 170 }}
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
          options={variables.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(code) => onChange({ ...blank, variable: code })}
        />
        <Select
          aria-label="运算符"
          className="rule-operator"
          style={{ width: 96 }}
          placeholder="运算符"
          disabled={disabled || !variable}
          value={condition.operator || null}
          options={(variable ? operatorsOfKind[variable.kind] : []).map((one) => ({ value: one, label: words[one] ?? operatorLabel[one] }))}
          onChange={(operator) => onChange({ ...condition, operator, value: '' })}
        />
        {variable && condition.operator !== '' ? (
          <fieldset disabled={disabled} className="rule-plain">
            <ValueInput variable={variable} condition={condition} onChange={(value) => onChange({ ...condition, value })} />
          </fieldset>
        ) : (
          <Input aria-label="条件值" className="rule-value" disabled placeholder="先选择变量和运算符" />
        )}
        {!disabled && (
          <Button type="link" size="small" danger onClick={onRemove}>
            删除
          </Button>
        )}
      </div>
      {told && <p className="rule-fault">{faultText(fault)}</p>}
    </li>
  );
}

interface GroupProps {
  variables: readonly RuleVariableOfClaims[];
  group: AnyGroup;
  depth: number;
  full: boolean;
  strict: boolean;
  disabled: boolean;
  onChange(group: AnyGroup): void;
  onRemove?(): void;
}

function Group({ variables, group, depth, full, strict, disabled, onChange, onRemove }: GroupProps) {
  const put = (index: number, item: Condition | AnyGroup) => onChange({ ...group, items: group.items.with(index, item) });
  const drop = (index: number) => onChange({ ...group, items: group.items.toSpliced(index, 1) });
  return (
    <div className={depth === 1 ? 'rule-group' : 'rule-group rule-inner'}>
      <div className="rule-head">
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
      <ul className="rule-items">
        {group.items.map((item, index) =>
          isGroup(item) ? (
            <li key={index}>
              <Group
                variables={variables}
                group={item}
                depth={depth + 1}
                full={full}
                strict={strict}
                disabled={disabled}
                onChange={(changed) => put(index, changed)}
                onRemove={() => drop(index)}
              />
            </li>
          ) : (
            <Row
              key={index}
              variables={variables}
              condition={item}
              strict={strict}
              disabled={disabled}
              onChange={(changed) => put(index, changed)}
              onRemove={() => drop(index)}
            />
          ),
        )}
      </ul>
      {strict && group.items.length === 0 && <p className="rule-fault">{faultText('INCOMPLETE')}</p>}
      {!disabled && (
        <div>
          <Button type="link" size="small" disabled={full} onClick={() => onChange({ ...group, items: [...group.items, blank] })}>
            添加条件
          </Button>
          {depth < MAX_GROUP_DEPTH && (
            <Button
              type="link"
              size="small"
              disabled={full}
              onClick={() => onChange({ ...group, items: [...group.items, { op: group.op === 'AND' ? 'OR' : 'AND', items: [blank] }] })}
            >
              添加条件组
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface EditorProps {
  variables: readonly RuleVariableOfClaims[];
  value?: DraftGroup;
  onChange?(group: DraftGroup): void;
  /** Says of empty fields too that they are empty. */
  strict?: boolean;
  disabled?: boolean;
}

/** Conditions joined by 且 and 或, in groups of groups; values are as typed. */
export function GroupEditor({ variables, value = emptyGroup, onChange = () => {}, strict = false, disabled = false }: EditorProps) {
  const whole: AnyGroup = value;
  return (
    <Group
      variables={variables}
      group={whole}
      depth={1}
      full={countOf(whole) >= MAX_GROUP_CONDITIONS}
      strict={strict}
      disabled={disabled}
      // The editor offers no group below the deepest one.
      onChange={(group) => onChange(group as DraftGroup)}
    />
  );
}
