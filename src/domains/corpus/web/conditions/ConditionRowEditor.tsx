import { DeleteOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import { operatorLabel } from '#kernel/contract/rules/sentence.ts';
import type { VariableRow } from '../../contract/conditionCalls.ts';
import type { RowFault } from '../../contract/conditionRows.ts';
import { roleLabels, roles } from '../../contract/dictionaries.ts';
import { ConditionValue } from './ConditionValue.tsx';
import { changeRow, type DraftRow } from './draft.ts';

interface ConditionRowEditorProps {
  row: DraftRow;
  /** Place of the row, from 1, for screen readers. */
  no: number;
  variables: readonly VariableRow[];
  fault: RowFault | undefined;
  readOnly: boolean;
  onChange(row: DraftRow): void;
  onRemove(): void;
}

const roleOptions = roles.map((value) => ({ value, label: roleLabels[value] }));
const effectOptions = [
  { value: 1 as const, label: '生效' },
  { value: 0 as const, label: '不生效' },
];

/** One row of the condition table. */
export function ConditionRowEditor({ row, no, variables, fault, readOnly, onChange, onRemove }: ConditionRowEditorProps) {
  const variable = variables.find((one) => one.variableId === row.variableId);
  const change = (part: Partial<DraftRow>) => onChange(changeRow(row, part));
  const status = (field: keyof DraftRow) =>
    fault?.field === field || (fault?.text === '请输入全部内容' && row[field] === '') ? 'error' : '';
  return (
    <div className="kq-condition-row" role="row">
      <Select
        aria-label={`第${no}行角色`}
        placeholder="角色"
        status={status('role')}
        disabled={readOnly}
        value={row.role === '' ? null : row.role}
        options={roleOptions}
        onChange={(role) => change({ role })}
      />
      <Select
        aria-label={`第${no}行变量`}
        placeholder={row.role === '' ? '请先选择角色' : '变量'}
        status={status('variableId')}
        disabled={readOnly || row.role === ''}
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={220}
        value={row.variableId === '' ? null : row.variableId}
        options={variables
          .filter((one) => one.userType === row.role)
          .map((one) => ({ value: one.variableId, label: one.variableName, title: `来源：${one.source}` }))}
        onChange={(variableId: string) =>
          change({ variableId, variableName: variables.find((one) => one.variableId === variableId)?.variableName ?? '' })
        }
      />
      <Select
        aria-label={`第${no}行运算符`}
        placeholder="运算符"
        status={status('operatorValue')}
        disabled={readOnly || !variable}
        value={row.operatorValue === '' ? null : row.operatorValue}
        options={(variable?.operators ?? []).map((value) => ({ value, label: operatorLabel[value] }))}
        onChange={(operatorValue: DraftRow['operatorValue']) => change({ operatorValue })}
      />
      <ConditionValue
        label={`第${no}行条件值`}
        variable={variable}
        operator={row.operatorValue}
        value={row.conditionValue}
        faulty={status('conditionValue') === 'error'}
        disabled={readOnly}
        onChange={(conditionValue) => change({ conditionValue })}
      />
      <Select
        aria-label={`第${no}行是否生效`}
        placeholder="请选择"
        status={status('checked')}
        disabled={readOnly}
        value={row.checked === '' ? null : row.checked}
        options={effectOptions}
        onChange={(checked) => change({ checked })}
      />
      <Button
        type="text"
        danger
        icon={<DeleteOutlined />}
        aria-label={`删除第${no}行`}
        title="删除"
        disabled={readOnly}
        onClick={onRemove}
      />
      {fault && (
        <p className="kq-fault" role="alert">
          {fault.text}
        </p>
      )}
    </div>
  );
}
