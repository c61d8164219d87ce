import { ask } from '../feedback/dialogs.tsx';
import { conflictRows } from './conflictRows.ts';

interface Conflict {
  /** The server's sentence: who changed the record. */
  message: string;
  mine: Readonly<Record<string, unknown>>;
  current: Readonly<Record<string, unknown>>;
  labels: Readonly<Record<string, string>>;
  /** A value for people: labels instead of codes. Absent: as it is. */
  display?(name: string, value: unknown): unknown;
  onReload?(current: Record<string, unknown>): void;
  /** The operator keeps his input, knowing what is stored now; the next save is made on the current version. */
  onKeep?(current: Record<string, unknown>): void;
}

/** Shows what differs from the stored record; the operator keeps his input or takes the current record. */
export async function showConflict({ message, mine, current, labels, display, onReload, onKeep }: Conflict): Promise<void> {
  const rows = conflictRows(mine, current, labels, display);
  const reload = await ask({
    title: '记录已被他人修改',
    width: 640,
    content: (
      <div className="kq-conflict">
        <p>{message}</p>
        {rows.length > 0 && (
          <table className="kq-facts-table">
            <thead>
              <tr>
                <th>字段</th>
                <th>您的内容</th>
                <th>当前内容</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.label}>
                  <td>{row.label}</td>
                  <td>{row.mine}</td>
                  <td>{row.current}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    ),
    ok: onReload ? '载入当前内容' : '知道了',
    cancel: '保留我的内容',
  });
  if (reload && onReload) onReload({ ...current });
  else onKeep?.({ ...current });
}
