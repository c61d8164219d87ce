import { Button, InputNumber, Select } from 'antd';
import { lazy, Suspense, type ReactNode } from 'react';
import { GroupEditor } from '#kernel/web/form/GroupEditor.tsx';
import { MovableList, moved } from '#kernel/web/kit/MovableList.tsx';
import type { DatasetOut } from '../../contract/calls/query.ts';
import { aggregations, MOST_COLUMNS, MOST_GROUPS, MOST_SEEN, MOST_SORTS, type Aggregation } from '../../contract/query.ts';
import { columnOf, titleOf, variablesOf } from '../../contract/queryWords.ts';
import type { Question } from './question.ts';

const DayInput = lazy(() => import('#kernel/web/form/DayInput.tsx'));

interface ConfigurationProps {
  dataset: DatasetOut;
  question: Question;
  onChange(question: Question): void;
  /** It was asked with gaps: they are pointed at. */
  strict: boolean;
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="qt-part" aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
);

type Sort = Question['sort'][number];
/** A column with what is computed of it, as a select's value: `premiumFen SUM`. */
const nameOf = ({ key, agg }: { key: string; agg?: Aggregation | undefined }) => (agg ? `${key} ${agg}` : key);

/** Names with the how-manieth of its name each is: the same thing keeps its key where it is moved. */
function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return `${name} ${nth}`;
  });
}

function Columns({ dataset, question, onChange }: Omit<ConfigurationProps, 'strict'>) {
  const { columns, groupBy } = question;
  const put = (next: Question['columns']) => onChange({ ...question, columns: next });
  const keys = distinct(columns.map(({ key }) => key));
  const grouped = groupBy.length > 0 || columns.some(({ agg }) => agg !== undefined);
  const aggregate = (at: number, agg: Aggregation | '') =>
    put(columns.map(({ agg: _former, ...one }, index) => (index === at ? { ...one, ...(agg && { agg }) } : columns[index]!)));
  return (
    <Part title="列">
      <MovableList
        items={columns.map((one, at) => ({ key: keys[at]!, label: titleOf(dataset, one) }))}
        onMove={(from, to) => put(moved(columns, from, to))}
      >
        {(at) => {
          const { key, agg } = columns[at]!;
          const column = columnOf(dataset, key);
          const label = column?.label ?? key;
          return (
            <span className="qt-column">
              <span className="qt-column-name" title={label}>
                {label}
              </span>
              <Select<Aggregation | ''>
                size="small"
                aria-label={`${label}的汇总`}
                value={agg ?? ''}
                popupMatchSelectWidth={false}
                options={[
                  { value: '', label: grouped ? (groupBy.includes(key) ? '分组' : '明细') : '明细' },
                  ...(column?.aggregations ?? []).map((one) => ({ value: one, label: aggregations.label(one) })),
                ]}
                onChange={(next) => aggregate(at, next)}
              />
              <button type="button" className="kq-link kq-danger" aria-label={`移除${label}`} onClick={() => put(columns.toSpliced(at, 1))}>
                移除
              </button>
            </span>
          );
        }}
      </MovableList>
      <Select
        aria-label="添加列"
        className="kq-wide"
        placeholder={columns.length < MOST_COLUMNS ? '添加列' : `最多${MOST_COLUMNS}列`}
        disabled={columns.length >= MOST_COLUMNS}
        showSearch={{ optionFilterProp: 'label' }}
        value={null}
        options={dataset.columns.map(({ key, label, sensitive }) => ({ value: key, label: sensitive ? `${label}（脱敏）` : label }))}
        onChange={(key: string | null) => key && put([...columns, { key }])}
      />
    </Part>
  );
}

function Sorts({ dataset, question, onChange }: Omit<ConfigurationProps, 'strict'>) {
  const { sort, columns } = question;
  const put = (next: Sort[]) => onChange({ ...question, sort: next });
  const options = columns.map((one) => ({ value: nameOf(one), label: titleOf(dataset, one) }));
  const change = (at: number, name: string) => {
    const chosen = columns.find((one) => nameOf(one) === name);
    const before = sort[at];
    if (chosen && before) put(sort.with(at, { key: chosen.key, ...(chosen.agg && { agg: chosen.agg }), descending: before.descending }));
  };
  const first = columns.find((one) => !sort.some((other) => nameOf(other) === nameOf(one)));
  return (
    <Part title="排序">
      {sort.map((one, at) => (
        <div key={at} className="kq-row qt-sort">
          <Select
            size="small"
            aria-label={`排序${at + 1}`}
            showSearch={{ optionFilterProp: 'label' }}
            value={nameOf(one)}
            options={
              options.some(({ value }) => value === nameOf(one))
                ? options
                : [...options, { value: nameOf(one), label: titleOf(dataset, one) }]
            }
            onChange={(name) => change(at, name)}
          />
          <Select
            size="small"
            aria-label={`排序${at + 1}的方向`}
            value={one.descending ? 'desc' : 'asc'}
            options={[
              { value: 'asc', label: '升序' },
              { value: 'desc', label: '降序' },
            ]}
            onChange={(way) => put(sort.with(at, { ...one, descending: way === 'desc' }))}
          />
          <button type="button" className="kq-link kq-danger" aria-label={`移除排序${at + 1}`} onClick={() => put(sort.toSpliced(at, 1))}>
            移除
          </button>
        </div>
      ))}
      {sort.length < MOST_SORTS && (
        <Button
          type="link"
          size="small"
          disabled={!first}
          onClick={() => first && put([...sort, { key: first.key, ...(first.agg && { agg: first.agg }), descending: false }])}
        >
          添加排序
        </Button>
      )}
    </Part>
  );
}

/** What is asked: columns, conditions, groups, order and bounds. */
export function Configuration({ dataset, question, onChange, strict }: ConfigurationProps) {
  const { groupBy, columns, filters } = question;
  const group = (keys: string[]) => {
    // What rows are put together by stands among the columns, before the others.
    const added = keys.filter((key) => !columns.some((one) => one.key === key && one.agg === undefined)).map((key) => ({ key }));
    onChange({ ...question, groupBy: keys, columns: [...added, ...columns] });
  };
  return (
    <div className="qt-config">
      <Columns dataset={dataset} question={question} onChange={onChange} />
      <Part title="筛选">
        {filters.items.length === 0 ? (
          <Button
            type="link"
            size="small"
            onClick={() => onChange({ ...question, filters: { op: 'AND', items: [{ variable: '', operator: '', value: '' }] } })}
          >
            添加筛选条件
          </Button>
        ) : (
          <GroupEditor
            variables={variablesOf(dataset)}
            value={filters}
            strict={strict}
            onChange={(next) => onChange({ ...question, filters: next })}
          />
        )}
      </Part>
      <Part title="分组">
        <Select<string[]>
          mode="multiple"
          aria-label="分组"
          className="kq-wide"
          placeholder="不分组"
          maxCount={MOST_GROUPS}
          optionFilterProp="label"
          value={groupBy}
          options={dataset.columns.filter(({ groups }) => groups).map(({ key, label }) => ({ value: key, label }))}
          onChange={group}
        />
        <p className="kq-muted">分组后，其余各列须选择汇总方式</p>
      </Part>
      <Sorts dataset={dataset} question={question} onChange={onChange} />
      <Part title="范围">
        {dataset.asOf && (
          <label className="kq-row">
            <span>截止日</span>
            <Suspense fallback={null}>
              <DayInput
                aria-label="截止日"
                value={question.asOf ?? null}
                placeholder="今天"
                onChange={(day) => {
                  const { asOf: _former, ...rest } = question;
                  onChange(day ? { ...rest, asOf: day } : rest);
                }}
              />
            </Suspense>
          </label>
        )}
        <label className="kq-row">
          <span>最多行数</span>
          <InputNumber
            aria-label="最多行数"
            className="kq-wide"
            min={1}
            max={MOST_SEEN}
            precision={0}
            placeholder="不限"
            value={question.limit ?? null}
            onChange={(limit) => {
              const { limit: _former, ...rest } = question;
              onChange(limit === null ? rest : { ...rest, limit });
            }}
          />
        </label>
      </Part>
    </div>
  );
}
