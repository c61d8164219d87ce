import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { VariableRow } from '../../contract/conditionCalls.ts';
import type { RowFault } from '../../contract/conditionRows.ts';
import { ConditionRowEditor } from './ConditionRowEditor.tsx';
import { MOST_GROUPS, MOST_ROWS, newRow, tidyRows, type DraftRow } from './draft.ts';

interface ConditionTableProps {
  rows: readonly DraftRow[];
  variables: readonly VariableRow[];
  /** Faults to show, by row. */
  faults: readonly RowFault[];
  readOnly: boolean;
  /** What to say when there is no row. */
  empty: string;
  onChange(rows: readonly DraftRow[]): void;
}

/** Rows in groups: within a group all must hold (且), of the groups any (或). */
export function ConditionTable({ rows, variables, faults, readOnly, empty, onChange }: ConditionTableProps) {
  const groups = [...new Set(rows.map((row) => row.groupNo))];
  const full = rows.length >= MOST_ROWS;
  const replace = (index: number, row: DraftRow) => onChange(rows.map((one, at) => (at === index ? row : one)));
  const addTo = (groupNo: DraftRow['groupNo']) => onChange(tidyRows([...rows, newRow(groupNo)]));
  return (
    <div className="kq-conditions" role="table" aria-label="条件">
      <div className="kq-condition-row kq-condition-head" role="row">
        {['角色', '变量', '运算符', '条件值', '是否生效', '删除'].map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      {rows.length === 0 && <p className="kq-empty">{empty}</p>}
      {groups.map((groupNo, at) => (
        <section key={groupNo} className="kq-condition-group" aria-label={`第${at + 1}组`}>
          {at > 0 && <div className="kq-condition-or">或</div>}
          {rows.map((row, index) =>
            row.groupNo === groupNo ? (
              <ConditionRowEditor
                key={index}
                row={row}
                no={index + 1}
                variables={variables}
                fault={faults.find((fault) => fault.index === index)}
                readOnly={readOnly}
                onChange={(next) => replace(index, next)}
                onRemove={() => onChange(tidyRows(rows.filter((_, other) => other !== index)))}
              />
            ) : null,
          )}
          {!readOnly && groups.length > 1 && (
            <Button type="link" size="small" icon={<PlusOutlined />} disabled={full} onClick={() => addTo(groupNo)}>
              本组添加条件
            </Button>
          )}
        </section>
      ))}
      {!readOnly && (
        <p className="kq-row kq-condition-add">
          {groups.length <= 1 && (
            <Button icon={<PlusOutlined />} disabled={full} onClick={() => addTo(groups[0] ?? 1)}>
              添加条件
            </Button>
          )}
          <Button
            icon={<PlusOutlined />}
            disabled={full || rows.length === 0 || groups.length >= MOST_GROUPS}
            title={rows.length === 0 ? '请先添加条件' : groups.length >= MOST_GROUPS ? `最多${MOST_GROUPS}组` : '各组之间满足任一组即可'}
            onClick={() => addTo((groups.length + 1) as DraftRow['groupNo'])}
          >
            添加“或”组
          </Button>
          <span className="kq-muted">组内条件须同时满足，各组满足任一组即可；最多{MOST_ROWS}行</span>
        </p>
      )}
    </div>
  );
}
