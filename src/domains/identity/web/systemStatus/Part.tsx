import { Section } from '#kernel/web/detail/Section.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { StatusFigure, StatusPart, StatusValue } from '../../contract/calls/status.ts';
import { Mark } from '../shared/Mark.tsx';
import { isQuiet, levels, rowsOf, showFigure, showLimit, type StatusRow } from './show.ts';

function Tile({ figure, value }: { figure: StatusFigure; value: StatusValue | undefined }) {
  const level = value?.level ?? 'NORMAL';
  const limit = showLimit(figure);
  return (
    <div className={`id-status-tile id-status-${level.toLowerCase()}`}>
      <span className="id-status-name">
        {figure.label}
        {level !== 'NORMAL' && <Mark tone={levels[level].tone}>{levels[level].word}</Mark>}
      </span>
      <strong>{value ? showFigure(figure.unit, value.value) : NOTHING}</strong>
      <span className="kq-muted">{value ? [value.note, limit].filter(Boolean).join(' · ') : figure.absent}</span>
    </div>
  );
}

function Rows({ figures, rows }: { figures: readonly StatusFigure[]; rows: readonly StatusRow[] }) {
  const shown = rows.filter((row) => !isQuiet(row));
  const quiet = rows.length - shown.length;
  const isJudged = figures.some(({ limit }) => limit !== null);
  if (rows.length === 0) return <p className="kq-muted">暂无数据</p>;
  return (
    <>
      {shown.length > 0 && (
        <table className="id-status-rows">
          <thead>
            <tr>
              <th scope="col">名称</th>
              {figures.map((figure) => (
                <th key={figure.metric} scope="col" title={showLimit(figure) || undefined}>
                  {figure.label}
                </th>
              ))}
              {isJudged && <th scope="col">状态</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.key} className={`id-status-${row.level.toLowerCase()}`}>
                <th scope="row">{row.label}</th>
                {figures.map(({ metric, unit, absent }) => {
                  const value = row.cells.get(metric);
                  if (!value)
                    return (
                      <td key={metric} className="kq-muted">
                        {absent}
                      </td>
                    );
                  return <td key={metric}>{unit === 'SECONDS' && value.value === 0 ? NOTHING : showFigure(unit, value.value)}</td>;
                })}
                {isJudged && (
                  <td>
                    <Mark tone={levels[row.level].tone}>{levels[row.level].word}</Mark>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {quiet > 0 && <p className="kq-muted">{shown.length > 0 ? `其余${quiet}项均为0` : `共${quiet}项，均为0`}</p>}
    </>
  );
}

/** One source of figures: those that stand alone as tiles, the others as rows of a table. */
export function Part({ part: { title, link, figures, values } }: { part: StatusPart }) {
  const alone = figures.filter(({ many }) => !many);
  const many = figures.filter(({ many: isMany }) => isMany);
  const [path = '', search] = link?.path.split('?') ?? [];
  return (
    <Section
      title={title}
      extra={
        link && (
          <PageLink to={path} search={Object.fromEntries(new URLSearchParams(search))}>
            {link.label}
          </PageLink>
        )
      }
    >
      {alone.length > 0 && (
        <div className="id-status-tiles">
          {alone.map((figure) => (
            <Tile key={figure.metric} figure={figure} value={values.find(({ metric }) => metric === figure.metric)} />
          ))}
        </div>
      )}
      {many.length > 0 && <Rows figures={many} rows={rowsOf(many, values)} />}
    </Section>
  );
}
