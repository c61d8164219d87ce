import { useList } from '#kernel/web/http/queries.ts';
import { TableEmpty, Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryAssistantBindHistory } from '../../contract/calls/assistants.ts';
import { bindRoles } from '../../contract/dictionaries.ts';
import '../staffing/staffing.css';

const MOST = 500;

/** Doctors of an assistant with their open inquiries, ticked one by one or all. */
export function DoctorChoice({
  assistantId,
  chosen,
  onChange,
}: {
  assistantId: string;
  chosen: readonly string[];
  onChange(ids: readonly string[]): void;
}) {
  const found = useList(queryAssistantBindHistory, { assistantId, live: true, pageNo: 1, pageSize: MOST }, { quiet: true });
  const { rows } = found;
  if (!rows) return <Waiting for={found} />;
  if (rows.length === 0) return <TableEmpty loading={false}>该医助没有绑定医生</TableEmpty>;
  const all = rows.map(({ doctorId }) => doctorId);
  const toggle = (id: string, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id));
  return (
    <div className="st-scroll">
      <table className="st-table">
        <thead>
          <tr>
            <th>
              <input
                type="checkbox"
                className="kq-check"
                aria-label="全选"
                checked={chosen.length === all.length && all.length > 0}
                onChange={({ target }) => onChange(target.checked ? all : [])}
              />
            </th>
            <th>医生</th>
            <th>角色</th>
            <th>进行中</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <input
                  type="checkbox"
                  className="kq-check"
                  aria-label={`选择${row.doctorName}`}
                  checked={chosen.includes(row.doctorId)}
                  onChange={({ target }) => toggle(row.doctorId, target.checked)}
                />
              </td>
              <td>
                {row.doctorName}（{row.doctorNo}）
              </td>
              <td>{bindRoles.label(row.role)}</td>
              <td className="kq-number">{row.open}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
