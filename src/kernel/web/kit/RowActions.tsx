import { useRef } from 'react';
import { RefusalError, TransportError } from '../http/refusal.ts';
import { useMay } from '../session/store.ts';
import { SHOWN_ACTIONS } from './columns.ts';
import type { RowAction } from './columns.ts';
import { PopMenu } from './PopMenu.tsx';

interface RowActionsProps<Row> {
  row: Row;
  actions: readonly RowAction<Row>[];
  /** So many as they are, the others under 更多. */
  shown?: number;
}

/** Exactly the acts that the role and the row's state allow now. */
export function RowActions<Row>({ row, actions, shown = SHOWN_ACTIONS }: RowActionsProps<Row>) {
  const may = useMay();
  const allowed = actions.filter((action) => (action.permission === undefined || may(action.permission)) && (action.when?.(row) ?? true));
  const underWay = useRef(new Set<string>());
  /** The second click of a double click is none, whether the first one has been answered by then or not. */
  const start = async (action: RowAction<Row>): Promise<void> => {
    if (underWay.current.has(action.label)) return;
    underWay.current.add(action.label);
    try {
      await action.act(row);
    } catch (error) {
      // The error law has said why.
      if (!(error instanceof RefusalError) && !(error instanceof TransportError)) throw error;
    } finally {
      underWay.current.delete(action.label);
    }
  };
  const split = allowed.length > shown + 1 ? shown : allowed.length;
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
            if (event.detail <= 1) void start(action);
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
            act: () => void start(action),
          }))}
        >
          更多
        </PopMenu>
      )}
    </span>
  );
}
