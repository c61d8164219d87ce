import type { AnswerOf } from '#kernel/contract/call.ts';
import type { previewTransfer, TransferResult } from '../../contract/calls/assistants.ts';
import { bindRoles } from '../../contract/dictionaries.ts';
import { LoadBar } from '../staffing/LoadBar.tsx';
import '../staffing/staffing.css';

/** Doctor by doctor: from whom to whom, and what it does to the successor's load. */
export function TransferRows({ rows, fromName }: { rows: readonly TransferResult[]; fromName: string }) {
  if (rows.length === 0) return <p className="kq-muted">没有可转移的医生</p>;
  return (
    <div className="st-scroll">
      <table className="st-table">
        <thead>
          <tr>
            <th>医生</th>
            <th>角色</th>
            <th>进行中</th>
            <th>原医助</th>
            <th>新医助</th>
            <th>负荷前→后</th>
            <th>结果</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.doctorId} className={row.ok ? '' : 'st-refused'}>
              <td>
                {row.doctorName}
                <br />
                <span className="kq-muted">{row.doctorNo}</span>
              </td>
              <td>{bindRoles.label(row.role)}</td>
              <td className="kq-number">{row.open}</td>
              <td>{fromName}</td>
              <td>{row.toName ?? '—'}</td>
              <td className="kq-number">
                {row.toAssistantId ? `${Math.floor(row.beforeBp / 100)}% → ${Math.floor(row.afterBp / 100)}%` : '—'}
              </td>
              <td>{row.message || (row.ok ? '可转移' : '')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Preview = AnswerOf<typeof previewTransfer>;
/** What each successor has before and after. */
export function Loads({ loads }: { loads: Preview['loads'] }) {
  return (
    <div className="st-scroll">
      <table className="st-table">
        <thead>
          <tr>
            <th>接收医助</th>
            <th>接收医生</th>
            <th>进行中前→后/容量</th>
            <th>转移后负荷</th>
          </tr>
        </thead>
        <tbody>
          {loads.map((load) => (
            <tr key={load.assistantId}>
              <td>{load.name}</td>
              <td className="kq-number">{load.doctors}</td>
              <td className="kq-number">
                {load.before} → {load.after} / {load.capacity}
              </td>
              <td>
                <LoadBar bp={Math.floor((load.after * 10_000) / load.capacity)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
