import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { RowActions } from '#kernel/web/kit/RowActions.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { billings, careKinds, itemTypes } from '../../contract/dictionaries.ts';
import type { ItemRow } from '../../contract/calls/items.ts';
import { itemMachine } from '../../contract/states.ts';
import { BandsInLine } from './BandsInLine.tsx';

interface ItemTableProps {
  rows: readonly ItemRow[];
  actions: readonly RowAction<ItemRow>[];
  movable: boolean;
  /** `index` counts in the group without the moved item. */
  onMove(row: ItemRow, categoryId: string, index: number): void;
}

const HEADS = [
  '',
  '编码',
  '名称',
  '类型',
  '性质',
  '计费',
  '价格区间（元，各档见悬停）',
  '时效（接诊/首响/有效）',
  '开通医生',
  '30天订单',
  '状态',
  '操作',
];

function billingText(row: ItemRow): string {
  const extent =
    row.quotaReplies !== null
      ? `${row.quotaReplies}回合`
      : row.periodDays !== null
        ? `${row.periodDays}天`
        : row.durationMin !== null
          ? `${row.durationMin}分钟`
          : '';
  return `${billings.label(row.billing)}${extent && ` · ${extent}`}`;
}
const validText = (row: ItemRow) => (row.periodDays !== null ? `${row.periodDays}天` : `${row.validHours}小时`);

/** Items under the heads of their groups; rows are put elsewhere with the mouse or the keyboard. */
export function ItemTable({ rows, actions, movable, onMove }: ItemTableProps) {
  const [dragged, setDragged] = useState<ItemRow | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const groups = [...Map.groupBy(rows, (row) => row.categoryId)];

  const drop = (target: ItemRow) => {
    if (dragged && dragged.id !== target.id) {
      const others = rows.filter((row) => row.categoryId === target.categoryId && row.id !== dragged.id);
      const place = others.findIndex((row) => row.id === target.id);
      // Dragged down, a row takes the place behind its target.
      const down = dragged.categoryId === target.categoryId && rows.indexOf(dragged) < rows.indexOf(target);
      onMove(dragged, target.categoryId, down ? place + 1 : place);
    }
    setDragged(null);
    setOver(null);
  };
  const byKey = (event: KeyboardEvent, row: ItemRow) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const siblings = rows.filter((other) => other.categoryId === row.categoryId);
    const next = siblings.indexOf(row) + (event.key === 'ArrowUp' ? -1 : 1);
    if (next >= 0 && next < siblings.length) onMove(row, row.categoryId, next);
  };

  return (
    <div className="ds-groups">
      <table className="ds-items">
        <thead>
          <tr>
            {HEADS.map((head, index) => (
              <th key={index} className={head === '开通医生' || head === '30天订单' ? 'ds-number' : undefined}>
                {head || <span className="kq-spoken">拖动排序</span>}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(([categoryId, items]) => (
          <tbody key={categoryId}>
            <tr className="ds-group">
              <td
                colSpan={HEADS.length}
                onDragOver={(event) => dragged && event.preventDefault()}
                onDrop={() => {
                  if (dragged && dragged.categoryId !== categoryId) onMove(dragged, categoryId, 0);
                  setDragged(null);
                  setOver(null);
                }}
              >
                {items[0]!.categoryName} <span className="kq-muted">{items.length}项</span>
              </td>
            </tr>
            {items.map((row) => (
              <tr
                key={row.id}
                draggable={movable}
                className={over === row.id && dragged?.id !== row.id ? 'ds-over' : undefined}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move';
                  setDragged(row);
                }}
                onDragEnd={() => {
                  setDragged(null);
                  setOver(null);
                }}
                onDragOver={(event) => {
                  if (dragged) {
                    event.preventDefault();
                    setOver(row.id);
                  }
                }}
                onDrop={() => drop(row)}
              >
                <td>
                  {movable && (
                    <button
                      type="button"
                      className="ds-handle"
                      aria-label={`移动${row.name}，Alt加上下方向键`}
                      title="拖动，或按 Alt+↑ / Alt+↓"
                      onKeyDown={(event) => byKey(event, row)}
                    >
                      ⋮⋮
                    </button>
                  )}
                </td>
                <td>{row.itemCode}</td>
                <td title={row.summary}>{row.name}</td>
                <td>{itemTypes.label(row.itemType)}</td>
                <td>
                  <Dict of={careKinds} code={row.careKind} />
                </td>
                <td>{billingText(row)}</td>
                <td>
                  <BandsInLine bands={row.priceBands} />
                </td>
                <td>
                  {row.acceptHours} / {row.replyHours}小时 / {validText(row)}
                </td>
                <td className="ds-number">{row.openDoctors}</td>
                <td className="ds-number">{row.orders30}</td>
                <td>
                  <Dict of={itemMachine.dictionary} code={row.state} />
                </td>
                <td>
                  <RowActions row={row} actions={actions} />
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
