import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand, useData, useList } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { RowActions } from '#kernel/web/kit/RowActions.tsx';
import { TableEmpty, Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { positions, titles, type Position } from '../../../contract/dictionaries.ts';
import { doctorPermissions as rights } from '../../../contract/permissions.ts';
import {
  exportRecommendationList,
  offRecommendation,
  queryRecommendationList,
  queryRecommendationOccupancy,
  sortRecommendation,
  type RecommendationRow,
} from '../../../contract/calls/recommendations.ts';
import { recommendationMachine } from '../../../contract/staffStates.ts';
import { Gantt } from './Gantt.tsx';
import '../../staffing/staffing.css';

const RecommendForm = lazy(async () => ({ default: (await import('./RecommendForm.tsx')).RecommendForm }));
const MOST = 200;
const refreshes = [queryRecommendationList, queryRecommendationOccupancy];

/** Tab 推荐位: scopes with their occupancy, who stands when, and the order, dragged or moved by Alt+↑ and Alt+↓. */
export default function Recommendations() {
  const { path, search } = usePage();
  const recommendFor = typeof search['add'] === 'string' ? search['add'] : undefined;
  const [at, setAt] = useState<{ position: Position; scopeKey: string }>({ position: 'HOME', scopeKey: '*' });
  const [past, setPast] = useState(false);
  const [form, setForm] = useState<{ row: RecommendationRow | null; doctorId?: string } | null>(
    recommendFor ? { row: null, doctorId: recommendFor } : null,
  );
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const may = useMay();
  const occupancy = useData(queryRecommendationOccupancy, {}, { quiet: true });
  const list = useList(
    queryRecommendationList,
    { ...at, pageNo: 1, pageSize: MOST, ...(!past && { state: ['ON', 'WAITING'] }) },
    { quiet: true },
  );
  const { rows } = list;
  const off = useCommand(offRecommendation, { success: '已下架', refreshes });
  const sort = useCommand(sortRecommendation, { success: '排序已保存', refreshes, blockMs: 300 });
  const live = (rows ?? []).filter(({ state }) => state === 'ON' || state === 'WAITING').toSorted((a, b) => a.sort - b.sort);
  const ended = (rows ?? []).filter(({ state }) => state === 'ENDED' || state === 'OFF');
  const here = occupancy.data?.find(({ position }) => position === at.position);
  const scope = here?.scopes.find(({ scopeKey }) => scopeKey === at.scopeKey);
  const canSort = may(rights['recommend.edit']);

  const reorder = (id: string, before: string) => {
    if (id === before) return;
    const rest = live.map((row) => row.id).filter((one) => one !== id);
    rest.splice(rest.indexOf(before), 0, id);
    void sort.run({ ...at, ids: rest });
  };
  const step = (event: KeyboardEvent, index: number) => {
    const to = event.key === 'ArrowUp' ? index - 1 : event.key === 'ArrowDown' ? index + 1 : -1;
    if (!event.altKey || to < 0 || to >= live.length) return;
    event.preventDefault();
    const ids = live.map(({ id }) => id);
    [ids[index], ids[to]] = [ids[to]!, ids[index]!];
    void sort.run({ ...at, ids });
  };
  const takeOff = async (row: RecommendationRow) => {
    const opinion = await confirmWithOpinion({
      title: '下架',
      content: `确定将“${row.doctorName}”从${positions.label(row.position)}下架吗?`,
      facts: factsIn(queryRecommendationList.output, row, ['doctorNo', 'hospitalName', 'scopeName', 'startAt', 'endAt']),
      danger: true,
    });
    if (opinion !== null) await off.run({ id: row.id, version: row.version, opinion });
  };
  const cells = (row: RecommendationRow) => (
    <>
      <td>
        {row.doctorName}
        {row.titleCode ? ` · ${titles.label(row.titleCode)}` : ''}
        <br />
        <span className="kq-muted">{row.hospitalName ?? row.doctorNo}</span>
      </td>
      <td className="kq-number">
        {showInstant(row.startAt).slice(0, 16)}
        <br />
        {showInstant(row.endAt).slice(0, 16)}
      </td>
      <td>{row.region}</td>
      <td>{row.reason || '—'}</td>
      <td>
        <Dict of={recommendationMachine.dictionary} code={row.state} />
        {row.offOpinion && <div className="kq-muted">{row.offOpinion}</div>}
      </td>
      <td>
        <RowActions
          row={row}
          actions={[
            {
              label: '编辑',
              permission: rights['recommend.edit'],
              when: ({ state }) => recommendationMachine.canStart('modify', state),
              act: () => setForm({ row }),
            },
            {
              label: '下架',
              permission: rights['recommend.edit'],
              danger: true,
              when: ({ state }) => recommendationMachine.canStart('off', state),
              act: () => takeOff(row),
            },
          ]}
        />
      </td>
    </>
  );
  const head = (
    <>
      <th>医生</th>
      <th>起止时间</th>
      <th>地区</th>
      <th>推荐语</th>
      <th>状态</th>
      <th>操作</th>
    </>
  );
  return (
    <div className="st-split">
      <nav className="st-side" aria-label="推荐位">
        {!occupancy.data && <Waiting for={occupancy} />}
        {(occupancy.data ?? []).map(({ position, capacity, scopes }) => (
          <div key={position}>
            <h4>
              {positions.label(position)}（每处 {capacity} 位）
            </h4>
            {scopes.length === 0 && (
              <p className="kq-muted" style={{ margin: '0 8px' }}>
                暂无
              </p>
            )}
            {scopes.map((one) => (
              <button
                key={one.scopeKey}
                type="button"
                aria-pressed={at.position === position && at.scopeKey === one.scopeKey}
                onClick={() => setAt({ position, scopeKey: one.scopeKey })}
              >
                <span title={one.scopeName}>{one.scopeName}</span>
                <span className="kq-number">
                  {one.used}/{capacity}
                </span>
              </button>
            ))}
          </div>
        ))}
      </nav>
      <div className="st-main">
        <div className="st-bar">
          <Can permission={rights['recommend.edit']}>
            <Button type="primary" onClick={() => setForm({ row: null })}>
              新增推荐
            </Button>
          </Can>
          <ExportButton
            call={exportRecommendationList}
            view={{ filters: { ...at, ...(!past && { state: ['ON', 'WAITING'] }) }, total: list.total }}
            permission={rights['doctor.export']}
          />
          <Button onClick={() => setPast(!past)}>{past ? '隐藏已结束' : '显示已结束和已下架'}</Button>
          <span className="kq-muted">
            展示中 {scope?.used ?? 0} / {here?.capacity ?? '—'}，待生效 {scope?.waiting ?? 0}，最高占用 {scope?.peak ?? 0}
          </span>
          {canSort && live.length > 1 && <span className="kq-muted">拖动 ⠿ 或按 Alt+↑/↓ 调整顺序</span>}
        </div>
        {!rows ? (
          <Waiting for={list} />
        ) : live.length === 0 ? (
          <TableEmpty loading={false}>该推荐位还没有医生</TableEmpty>
        ) : (
          <>
            <Gantt
              rows={live}
              onOpen={(row) => {
                if (canSort) setForm({ row });
              }}
            />
            <table className="st-order">
              <thead>
                <tr>
                  <th>顺序</th>
                  {head}
                </tr>
              </thead>
              <tbody>
                {live.map((row, index) => (
                  <tr
                    key={row.id}
                    draggable={canSort}
                    className={over === row.id ? 'st-over' : ''}
                    onDragStart={() => setDragged(row.id)}
                    onDragEnd={() => {
                      setDragged(null);
                      setOver(null);
                    }}
                    onDragOver={(event) => {
                      event.preventDefault();
                      setOver(row.id);
                    }}
                    onDrop={(event) => {
                      event.preventDefault();
                      setOver(null);
                      if (dragged) reorder(dragged, row.id);
                    }}
                  >
                    <td className="kq-number">
                      {canSort && (
                        <button
                          type="button"
                          className="st-handle"
                          aria-label={`调整${row.doctorName}的顺序`}
                          title="拖动，或按 Alt+↑/↓"
                          onKeyDown={(event) => step(event, index)}
                        >
                          ⠿
                        </button>
                      )}
                      {index + 1}
                    </td>
                    {cells(row)}
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
        {past && ended.length > 0 && (
          <table className="st-order">
            <thead>
              <tr>
                <th>
                  <span className="kq-spoken">排序</span>
                </th>
                {head}
              </tr>
            </thead>
            <tbody>
              {ended.map((row) => (
                <tr key={row.id}>
                  <td />
                  {cells(row)}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      <Suspense fallback={null}>
        {form && (
          <RecommendForm
            row={form.row}
            position={at.position}
            {...(form.doctorId && { doctorId: form.doctorId })}
            onClose={() => {
              setForm(null);
              if (recommendFor) goTo(path, { tab: 'recommend' }, { replace: true });
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
