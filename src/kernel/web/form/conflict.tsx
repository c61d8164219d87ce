import type { Call } from '../../contract/call.ts';
import { choose } from '../feedback/dialogs.tsx';
import { conflictRows, type ConflictRow } from './conflictRows.ts';

type Values = Readonly<Record<string, unknown>>;

interface Conflict {
  /** What was to be sent; its contract names the fields and their values. */
  call: Call;
  /** The server's sentence: who changed the record. */
  message: string;
  mine: Values;
  current: Values;
  /** Of what the page holds otherwise than the call takes it. */
  labels?: Readonly<Record<string, string>>;
  /** A value for people, where the contract does not say what it is. Absent: as it is. */
  display?(name: string, value: unknown): unknown;
  /** The operator takes the record as it is now. */
  onReload?(current: Record<string, unknown>): void;
  /** Whether the form can show these fields as they are stored; absent: all. */
  loads?(name: string): boolean;
  /** The operator keeps his input, knowing what is stored now; the next save is made on the current version. */
  onKeep?(current: Record<string, unknown>): void;
}

const Differences = ({ rows }: { rows: readonly ConflictRow[] }) => (
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
);

/**
 * Shows what differs from the stored record; the operator keeps his input or takes the current record, each by a button of its own. A
 * question that is closed decides nothing: the next save is refused again. Where the record does not tell what was changed, nothing is
 * offered that would undo it.
 */
export async function showConflict(conflict: Conflict): Promise<void> {
  const { call, message, mine, current, labels, display, onReload, loads = () => true, onKeep } = conflict;
  const { rows, untold, isAct } = conflictRows(mine, current, {
    input: call.input,
    ...(labels && { labels }),
    ...(display && { display }),
  });
  // Of what nobody sees nothing is decided either; an act undoes nothing, whoever changed the record.
  const isTold = untold.length === 0 || isAct;
  const load = isTold && rows.length > 0 && rows.every(({ name }) => loads(name)) ? onReload : undefined;
  const answer = await choose({
    title: '记录已被他人修改',
    width: 640,
    content: (
      <div className="kq-conflict">
        <p>{message}</p>
        {rows.length > 0 && <Differences rows={rows} />}
        {isAct && <p>请确认记录的当前情况后再提交。</p>}
        {rows.length === 0 && isTold && !isAct && <p>您填写的各项与当前内容相同，被修改的内容不在此表单中。</p>}
        {!isTold && <p>{`未能比较：${untold.join('、')}。请关闭后重新打开，在当前内容上修改。`}</p>}
      </div>
    ),
    ok: load ? '载入当前内容' : '知道了',
    ...(isTold && onKeep && { other: '保留我的内容' }),
  });
  if (answer === 'ok') load?.({ ...current });
  if (answer === 'other') onKeep?.({ ...current });
}
