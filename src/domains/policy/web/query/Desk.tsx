import { Alert, Button, Space } from 'antd';
import { lazy, useState } from 'react';
import { isComplete } from '#kernel/contract/rules/typed.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { outdate, useCommand } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import type { Layers } from '#kernel/web/kit/useLayers.tsx';
import { useUnsaved } from '#kernel/web/tabs/page.tsx';
import {
  exportQueryTable,
  modifyQueryView,
  queryTableData,
  queryViewList,
  type DatasetOut,
  type ViewRow,
} from '../../contract/calls/query.ts';
import { queryPermissions as may } from '../../contract/permissions.ts';
import { Configuration } from './Configuration.tsx';
import type { QueryConfig } from '../../contract/query.ts';
import { columnOf, variablesOf, wordsOf } from '../../contract/queryWords.ts';
import { configOf, firstQuestion, questionOf, same, withoutWidths, type Asked, type Question } from './question.ts';
import { firstPage, Result, useAnswer, type Page } from './Result.tsx';

const SaveAs = lazy(async () => ({ default: (await import('./ViewForms.tsx')).SaveAs }));

interface DeskProps {
  dataset: DatasetOut;
  /** The view that was opened: it is asked at once. */
  view: ViewRow | undefined;
  layers: Layers;
  onSaved(view: ViewRow): void;
}

/** What the question on the desk began as: a saved view, or the first question to its data set. */
interface Origin {
  version: number;
  config: QueryConfig | null;
}

/** A question to one data set: put together at the right, answered in the middle. */
export function Desk({ dataset, view, layers, onSaved }: DeskProps) {
  const begun = (config: QueryConfig | null | undefined) => (config ? questionOf(config) : firstQuestion(dataset));
  const [origin, setOrigin] = useState<Origin>(() => ({ version: view?.version ?? 0, config: view?.config ?? null }));
  const [question, setQuestion] = useState<Question>(() => begun(view?.config));
  const [asked, setAsked] = useState<Asked | null>(() => (view?.config ? { dataset: dataset.code, config: view.config } : null));
  const [page, setPage] = useState<Page>(firstPage);
  const [strict, setStrict] = useState(false);
  const [wide, setWide] = useState(true);
  const answer = useAnswer(asked, page);
  const save = useCommand(modifyQueryView, { refreshes: [queryViewList], success: '修改成功!' });
  const variables = variablesOf(dataset);
  // Renamed or shared meanwhile it is still what was opened; asked otherwise it is not, and the server says so.
  const isOutdated = view !== undefined && view.version > origin.version && !same(view.config, origin.config);
  const changed = !same(configOf(question), origin.config);
  useUnsaved(!same(withoutWidths(configOf(question)), withoutWidths(origin.config ?? configOf(firstQuestion(dataset)))));

  const run = (next: Question = question) => {
    const config = configOf(next);
    const gaps = config.filters !== undefined && !isComplete(config.filters, (code) => variables.find((one) => one.code === code));
    setStrict(gaps);
    if (gaps) return;
    void outdate(queryTableData);
    if (asked && page.pageNo === 1 && same(withoutWidths(config), withoutWidths(asked.config))) void answer.refetch();
    setPage({ ...page, pageNo: 1 });
    setAsked({ dataset: dataset.code, config });
  };
  useKeys([{ keys: 'Ctrl+Enter', label: '查询', inFields: true, act: () => run() }]);

  const sortBy = (at: number) => {
    const chosen = asked?.config.columns[at];
    if (!chosen) return;
    const [first] = question.sort;
    const { key, agg } = chosen;
    const now = first?.key === key && first.agg === agg ? (first.descending ? 'desc' : 'asc') : 'none';
    const sort = now === 'desc' ? [] : [{ key, ...(agg && { agg }), descending: now === 'asc' }];
    const next = { ...question, sort };
    setQuestion(next);
    run(next);
  };
  /** The width goes with the view; what was asked is not asked again for it. */
  const widen = (at: number, width: number) => {
    if (!asked) return;
    const target = asked.config.columns[at];
    const put = (columns: Question['columns']) => {
      const place = columns.findIndex((one) => one.key === target?.key && one.agg === target.agg);
      return columns.map((one, index) => (index === place ? { ...one, width } : one));
    };
    setQuestion({ ...question, columns: put(question.columns) });
    setAsked({
      ...asked,
      config: { ...asked.config, columns: asked.config.columns.map((one, index) => (index === at ? { ...one, width } : one)) },
    });
  };
  const keep = async ({ id, version, viewName }: ViewRow) => {
    const kept = await save.run({
      id,
      version: isOutdated ? origin.version : Math.max(version, origin.version),
      viewName,
      config: configOf(question),
    });
    if (kept) setOrigin({ version: kept.data.version, config: kept.data.config });
  };
  /** What was saved elsewhere comes in the place of what stands here. */
  const takeOver = ({ version, config }: ViewRow) => {
    const next = begun(config);
    setOrigin({ version, config });
    setQuestion(next);
    if (config) run(next);
  };
  const isSensitive = (asked?.config.columns ?? []).some(({ key, agg }) => !agg && columnOf(dataset, key)?.sensitive);
  return (
    <div className={wide ? 'qt-desk' : 'qt-desk qt-narrow'}>
      <div className="qt-result">
        <div className="qt-bar">
          <Space wrap>
            <Button type="primary" title="Ctrl+Enter" loading={answer.fetching} onClick={() => run()}>
              查询
            </Button>
            {view?.mine && (
              <Button disabled={!changed || save.busy} title={changed ? undefined : '与保存的视图相同'} onClick={() => void keep(view)}>
                保存视图
              </Button>
            )}
            <Button
              disabled={question.columns.length === 0}
              onClick={() =>
                layers.open((close) => (
                  <SaveAs asked={{ dataset: dataset.code, config: configOf(question) }} onSaved={onSaved} onClose={close} />
                ))
              }
            >
              另存为视图
            </Button>
            {asked && (
              <ExportButton
                call={exportQueryTable}
                permission={may['query.export']}
                view={{
                  filters: asked,
                  filterText: () => wordsOf(dataset, asked.config),
                  ...(answer.data && !answer.error && { total: answer.data.totalRecordCount }),
                }}
                asked={{
                  sensitive: isSensitive,
                  input: ({ format, plain, reason }) => ({ format, masked: !plain, ...(plain && { reason }) }),
                }}
              />
            )}
          </Space>
          <Button type="link" size="small" aria-expanded={wide} onClick={() => setWide(!wide)}>
            {wide ? '收起配置' : '展开配置'}
          </Button>
        </div>
        {view && isOutdated && (
          <Alert
            type="warning"
            showIcon
            className="kq-form-alert"
            title="此视图的列或条件已在别处修改，请重新载入后再保存"
            action={
              <Button size="small" onClick={() => takeOver(view)}>
                重新载入
              </Button>
            }
          />
        )}
        {view && view.config === null && !isOutdated && (
          <Alert
            type="warning"
            showIcon
            className="kq-form-alert"
            title={
              view.mine
                ? '此视图保存的列与条件已失效，请重新设置后点击“保存视图”'
                : `此视图保存的列与条件已失效，请联系${view.ownerName}重新设置`
            }
          />
        )}
        {strict && <Alert type="error" showIcon title="筛选条件还没有填写完整，请补全或删除" className="kq-form-alert" />}
        {asked ? (
          <Result dataset={dataset} config={asked.config} page={page} onPage={setPage} onWidth={widen} onSort={sortBy} answer={answer} />
        ) : (
          <div className="kq-empty">在右侧选择列、条件与分组，然后点击“查询”（Ctrl+Enter）</div>
        )}
      </div>
      {wide && <Configuration dataset={dataset} question={question} onChange={setQuestion} strict={strict} />}
    </div>
  );
}
