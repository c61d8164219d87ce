import { PushpinOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { arrange } from './columns.ts';
import type { Arrangement, Column } from './columns.ts';
import { MovableList, moved } from './MovableList.tsx';

interface ColumnChoiceProps {
  columns: readonly Column<object>[];
  arrangement: Arrangement;
}

/** The same list with or without one key. */
const having = (list: readonly string[] = [], key: string, has: boolean): readonly string[] => [
  ...list.filter((other) => other !== key),
  ...(has ? [key] : []),
];

/** Which columns are shown, which stay at the left edge, and in what order; drag or use the arrow keys. */
export default function ColumnChoice({ columns, arrangement: { setting, onChange } }: ColumnChoiceProps) {
  const arranged = arrange(columns, setting);
  const order = arranged.map(({ column }) => column.key);
  const pinned = arranged.filter((one) => one.pinned).length;

  const show = (key: string, shown: boolean) =>
    onChange({ ...setting, hidden: having(setting.hidden, key, !shown), shown: having(setting.shown, key, shown) });
  /** Pinned ones stand before the others: each kind is ordered within itself. */
  const move = (from: number, to: number) => {
    const place = from < pinned ? Math.min(to, pinned - 1) : Math.max(to, pinned);
    onChange({ ...setting, order: moved(order, from, place) });
  };
  return (
    <div className="kq-column-settings">
      <MovableList items={arranged.map(({ column }) => ({ key: column.key, label: column.title }))} onMove={move}>
        {(index) => {
          const { column, shown, pinned: isPinned } = arranged[index]!;
          return (
            <>
              <label>
                <input
                  type="checkbox"
                  className="kq-check"
                  checked={shown}
                  disabled={column.required ?? false}
                  onChange={(event) => show(column.key, event.target.checked)}
                />
                {column.title}
              </label>
              <button
                type="button"
                className="kq-link kq-column-pin"
                aria-pressed={isPinned}
                aria-label={`固定${column.title}`}
                title={isPinned ? '取消固定' : '固定在左侧'}
                onClick={() => onChange({ ...setting, pinned: having(setting.pinned, column.key, !isPinned) })}
              >
                <PushpinOutlined />
              </button>
            </>
          );
        }}
      </MovableList>
      <Button size="small" block onClick={() => onChange(setting.pageSize ? { pageSize: setting.pageSize } : {})}>
        恢复默认
      </Button>
    </div>
  );
}
