import { MoreOutlined } from '@ant-design/icons';
import { Dropdown } from 'antd';
import { useMay } from '../session/store.ts';
import type { RowAction } from './columns.ts';

/** Actions shown as they are; the others stand under 更多. */
const SHOWN = 3;

interface RowActionsProps<Row> {
  row: Row;
  actions: readonly RowAction<Row>[];
}

/** Exactly the acts that the role and the row's state allow now. */
export function RowActions<Row>({ row, actions }: RowActionsProps<Row>) {
  const may = useMay();
  const allowed = actions.filter((action) => (action.permission === undefined || may(action.permission)) && (action.when?.(row) ?? true));
  const split = allowed.length > SHOWN + 1 ? SHOWN : allowed.length;
  const rest = allowed.slice(split);
  return (
    <span className="kq-actions">
      {allowed.slice(0, split).map((action) => (
        <button key={action.label} type="button" className={action.danger ? 'kq-link kq-danger' : 'kq-link'} onClick={() => void action.act(row)}>
          {action.label}
        </button>
      ))}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map((action) => ({ key: action.label, label: action.label, danger: action.danger ?? false, onClick: () => void action.act(row) })),
          }}
        >
          <button type="button" className="kq-link">
            更多
            <MoreOutlined />
          </button>
        </Dropdown>
      )}
    </span>
  );
}
