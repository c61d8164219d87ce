import { Button } from 'antd';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { decisionVerdicts, rejectReasons } from '../../contract/applyDictionaries.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import type { ApplyDetail } from '../../contract/calls/applies.ts';
import { duplicateSignals } from '../../contract/duplicates.ts';

type Duplicate = ApplyDetail['duplicates'][number];
interface DuplicatesProps {
  rows: readonly Duplicate[];
  editable: boolean;
  onJudge(id: string, verdict: Duplicate['verdict']): void;
}
const VERDICTS = [
  { value: 'DUP', label: '确认重复' },
  { value: 'NOT_DUP', label: '非重复' },
] as const;
const verdictText = (verdict: Duplicate['verdict']) => VERDICTS.find(({ value }) => value === verdict)?.label ?? '待判定';

/** Cases that may be one and the same. */
export function Duplicates({ rows, editable, onJudge }: DuplicatesProps) {
  if (rows.length === 0) return null;
  return (
    <section className="kq-section">
      <h3>疑似重复</h3>
      <ul className="enr-checks">
        {rows.map((row) => (
          <li key={row.id}>
            <Dict of={duplicateSignals} code={row.signal} />
            <span>
              <b>{row.otherNo ?? '未知单据'}</b>
              <small>
                {row.otherText}　相似度{row.score}%
              </small>
            </span>
            {editable ? (
              <span role="group" aria-label={`${row.otherNo ?? ''}判定`}>
                {VERDICTS.map(({ value, label }) => (
                  <Button
                    key={value}
                    size="small"
                    type={row.verdict === value ? 'primary' : 'default'}
                    aria-pressed={row.verdict === value}
                    onClick={() => onJudge(row.id, value)}
                  >
                    {label}
                  </Button>
                ))}
              </span>
            ) : (
              <span>{verdictText(row.verdict)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const LEVELS: Readonly<Record<number, string>> = { 1: '初审', 2: '复核', 3: '保司' };

/** What was decided so far, round by round. */
function Decisions({ apply }: { apply: ApplyDetail }) {
  if (apply.decisions.length === 0) return null;
  return (
    <section className="kq-section">
      <h3>审核结论记录</h3>
      <table className="enr-table">
        <thead>
          <tr>
            <th>轮次</th>
            <th>级别</th>
            <th>结论</th>
            <th>说明</th>
            <th>审核人</th>
            <th>时间</th>
          </tr>
        </thead>
        <tbody>
          {apply.decisions.map((one) => (
            <tr key={one.id}>
              <td>{one.round}</td>
              <td>{LEVELS[one.level]}</td>
              <td>
                <Dict of={decisionVerdicts} code={one.verdict} />
                {one.overturned && <small>后被改变</small>}
              </td>
              <td>
                {one.reasons.map((code) => rejectReasons.label(code)).join('、')}
                {one.applicantWording && <small>{one.applicantWording}</small>}
                {one.internalNote && <small className="kq-muted">内部：{one.internalNote}</small>}
              </td>
              <td>{one.userName}</td>
              <td>
                <Time at={one.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What happened to the application: decisions, then every act. */
export const CaseHistory = ({ apply }: { apply: ApplyDetail }) => (
  <>
    <Decisions apply={apply} />
    <section className="kq-section">
      <h3>处理记录</h3>
      <AuditTimeline rows={apply.trail} machine={applyMachine} />
    </section>
  </>
);
