import { Alert, Button, Space } from 'antd';
import { lazy, useState } from 'react';
import { isComplete } from '../../../../kernel/contract/rules/typed.ts';
import { ExportButton } from '../../../../kernel/web/files/ExportButton.tsx';
import { useAct } from '../../../../kernel/web/http/queries.ts';
import { useKeys } from '../../../../kernel/web/keyboard/keys.ts';
import type { Layers } from '../../../../kernel/web/kit/useLayers.tsx';
import { exportQueryTable, modifyQueryView, queryViewList, type DatasetOut, type ViewRow } from '../../contract/calls/query.ts';
import { queryPermissions as may } from '../../contract/permissions.ts';
import { Configuration } from './Configuration.tsx';
import { columnOf, configOf, firstQuestion, questionOf, variablesOf, wordsOf, type Asked, type Question } from './question.ts';
import { firstPage, Result, useAnswer, type Page } from './Result.tsx';

const SaveAs = lazy(async () => ({ default: (await import('./ViewForms.tsx')).SaveAs }));

interface DeskProps {
  dataset: DatasetOut;
  /** The view that was opened: it is asked at once. */
  view: ViewRow | undefined;
  layers: Layers;
  onSaved(view: ViewRow): void;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A question to one data set: put together at the right, answered in the middle. */
export function Desk({ dataset, view, layers, onSaved }: DeskProps) {
  const [question, setQuestion] = useState<Question>(() => (view ? questionOf(view.config) : firstQuestion(dataset)));
  const [asked, setAsked] = useState<Asked | null>(() => (view ? { dataset: dataset.code, config: view.config } : null));
  const [page, setPage] = useState<Page>(firstPage);
  const [strict, setStrict] = useState(false);
  const [wide, setWide] = useState(true);
  const answer = useAnswer(asked, page);
  const save = useAct(modifyQueryView, { refreshes: [queryViewList], success: '修改成功!' });
  const variables = variablesOf(dataset);

  const run = (next: Question = question) => {
    const config = configOf(next);
    const gaps = config.filters !== undefined && !isComplete(config.filters, (code) => variables.find((one) => one.code === code));
    setStrict(gaps);
    if (gaps) return;
    const wish = { dataset: dataset.code, config };
    if (same(wish, asked) && page.pageNo === 1) void answer.refetch();
    setPage({ ...page, pageNo: 1 });
    setAsked(wish);
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
  const changed = view !== undefined && !same(configOf(question), view.config);
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
              <Button
                disabled={!changed || save.busy}
                title={changed ? undefined : '与保存的视图相同'}
                onClick={() => void save.run({ id: view.id, version: view.version, viewName: view.viewName, config: configOf(question) })}
              >
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
