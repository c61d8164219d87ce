import { Select } from 'antd';
import { useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { contentRows } from '../../contract/controls/content.ts';
import { controlModeWords } from '../../contract/controls/dictionaries.ts';
import type { ControlVersion } from '../../contract/controls/rules.ts';
import { documentPhases } from '../../contract/documents/states.ts';

/** All versions of a rule, and what one says otherwise than another. */
export function Versions({
  versions,
  shown,
  onShow,
}: {
  versions: readonly ControlVersion[];
  shown: ControlVersion;
  onShow(versionId: string): void;
}) {
  const others = versions.filter(({ id }) => id !== shown.id);
  const [otherId, setOtherId] = useState<string | undefined>(undefined);
  const other = others.find(({ id }) => id === otherId) ?? others.find(({ versionNo }) => versionNo < shown.versionNo) ?? others[0];
  const before = other && contentRows(other);
  return (
    <section className="control-panel">
      <h3>版本历史</h3>
      <ul className="control-seen">
        {versions.map((one) => (
          <li key={one.id}>
            <span>V{one.versionNo}</span>
            <span>
              <button type="button" className="kq-link" onClick={() => onShow(one.id)} disabled={one.id === shown.id}>
                {controlModeWords.label(one.mode)}，{one.effectiveFrom} 至 {one.effectiveTo ?? '长期'}
              </button>
              {one.changeNote !== '' && <span className="control-note"> {one.changeNote}</span>}
              {one.makerName !== null && (
                <span className="control-note">
                  {' '}
                  提交 {one.makerName}
                  {one.checkerName !== null && `，审核 ${one.checkerName}`}
                </span>
              )}
            </span>
            <Dict of={documentPhases} code={one.phase} />
          </li>
        ))}
      </ul>
      {other && before && (
        <>
          <p className="control-sentence">
            对比{' '}
            <Select
              size="small"
              aria-label="对比版本"
              value={other.id}
              options={others.map(({ id, versionNo }) => ({ value: id, label: `V${versionNo}` }))}
              onChange={setOtherId}
            />{' '}
            与 V{shown.versionNo}
          </p>
          <table className="control-diff">
            <thead>
              <tr>
                <th>项目</th>
                <th>V{other.versionNo}</th>
                <th>V{shown.versionNo}</th>
              </tr>
            </thead>
            <tbody>
              {contentRows(shown).map(({ label, text }, index) => (
                <tr key={label} data-changed={before[index]?.text !== text}>
                  <th>{label}</th>
                  <td>{before[index]?.text || '—'}</td>
                  <td>{text || '—'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

/** What a rule hit in the last 30 days, day by day. */
export function Monitor({ days }: { days: readonly { day: string; hits: number; savedFen: number; overturned: number }[] }) {
  const most = Math.max(1, ...days.map(({ hits }) => hits));
  const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0);
  return (
    <section className="control-panel">
      <h3>监控结果（近30天）</h3>
      {days.length === 0 ? (
        <p className="control-note">还没有命中。规则发布后，命中会按天显示在这里。</p>
      ) : (
        <>
          <div className="control-days" role="img" aria-label={`近30天共命中${sum(({ hits }) => hits)}次`}>
            {days.map(({ day, hits }) => (
              <span key={day} title={`${day} 命中${hits}次`} style={{ height: `${(hits / most) * 100}%` }} />
            ))}
          </div>
          <p className="control-note">
            命中 {sum(({ hits }) => hits)} 次，推翻 {sum(({ overturned }) => overturned)} 次，节省 ¥
            {yuan(
              sum(({ savedFen }) => savedFen),
              true,
            )}
          </p>
        </>
      )}
    </section>
  );
}
