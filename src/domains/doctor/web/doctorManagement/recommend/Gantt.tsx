import { showInstant } from '#kernel/contract/time.ts';
import type { RecommendationRow } from '../../../contract/calls/recommendations.ts';
import '../../staffing/staffing.css';

const DAY_MS = 86_400_000;
const MARKS = 6;

interface Line {
  doctorId: string;
  name: string;
  rows: RecommendationRow[];
}

/** Who stands when, doctor by doctor, with a line at this moment. */
export function Gantt({ rows, onOpen }: { rows: readonly RecommendationRow[]; onOpen(row: RecommendationRow): void }) {
  if (rows.length === 0) return null;
  const now = Date.now();
  const first = Math.min(now - 3 * DAY_MS, ...rows.map(({ startAt }) => Date.parse(startAt)));
  const last = Math.max(now + 14 * DAY_MS, ...rows.map(({ endAt }) => Date.parse(endAt)));
  const place = (at: number) => ((at - first) / (last - first)) * 100;
  const lines = new Map<string, Line>();
  for (const row of rows) {
    const line = lines.get(row.doctorId) ?? { doctorId: row.doctorId, name: row.doctorName, rows: [] };
    line.rows.push(row);
    lines.set(row.doctorId, line);
  }
  return (
    <section className="st-gantt" aria-label="占用时间线">
      <div className="st-gantt-row" style={{ height: 20 }}>
        <span />
        <div className="st-axis">
          {Array.from({ length: MARKS }, (_, index) => (
            <i key={index} style={{ left: `${(index / MARKS) * 100}%` }}>
              {showInstant(new Date(first + ((last - first) * index) / MARKS).toISOString()).slice(5, 10)}
            </i>
          ))}
        </div>
      </div>
      {[...lines.values()].map((line) => (
        <div key={line.doctorId} className="st-gantt-row">
          <span title={line.name}>{line.name}</span>
          <div className="st-lane">
            {line.rows.map((row) => {
              const [from, to] = [place(Date.parse(row.startAt)), place(Date.parse(row.endAt))];
              const text = `${row.doctorName}：${showInstant(row.startAt).slice(0, 16)} 至 ${showInstant(row.endAt).slice(0, 16)}`;
              return (
                <button
                  key={row.id}
                  type="button"
                  title={text}
                  aria-label={text}
                  className={row.state === 'WAITING' ? 'st-stretch st-waiting' : 'st-stretch'}
                  style={{ left: `${from}%`, width: `${to - from}%` }}
                  onClick={() => onOpen(row)}
                />
              );
            })}
            <i className="st-today" style={{ left: `${place(now)}%` }} title="现在" />
          </div>
        </div>
      ))}
    </section>
  );
}
