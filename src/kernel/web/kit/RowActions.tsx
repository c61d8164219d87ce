import { useMay } from '../session/store.ts';
import { SHOWN_ACTIONS as SHOWN } from './columns.ts';
import type { RowAction } from './columns.ts';
import { PopMenu } from './PopMenu.tsx';

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
        <button
          key={action.label}
          type="button"
          className={action.danger ? 'kq-link kq-danger' : 'kq-link'}
          onClick={(event) => {
            event.stopPropagation();
            void action.act(row);
          }}
        >
          {action.label}
        </button>
      ))}
      {rest.length > 0 && (
        <PopMenu
          label="更多操作"
          items={rest.map((action) => ({
            key: action.label,
            label: action.label,
            danger: action.danger ?? false,
            act: () => void action.act(row),
          }))}
        >
          更多
        </PopMenu>
      )}
    </span>
  );
}
