import { Button, Drawer, Input, Tag } from 'antd';
import { useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryDatasetDetail, queryDatasetList } from '../../contract/calls/datasets.ts';

interface Props {
  onClose(): void;
  /** Puts a part into the definition at the cursor; absent outside of the editor. */
  onInsert?(text: string): void;
}

/** The datasets that pages may name: columns, filters and actions with the rights they need. */
export function Catalogue({ onClose, onInsert }: Props) {
  const [keyword, setKeyword] = useState('');
  const [code, setCode] = useState<string | null>(null);
  const read = useData(queryDatasetList, { keyword }, { quiet: true });
  return (
    <Drawer open size={760} title="数据集目录" onClose={onClose} destroyOnHidden mask={onInsert === undefined}>
      {code === null ? (
        <>
          <Input.Search aria-label="搜索数据集" placeholder="名称或编码" allowClear onSearch={setKeyword} />
          {read.data ? (
            <ul className="lc-datasets">
              {read.data.map((one) => (
                <li key={one.code}>
                  <Button type="link" onClick={() => setCode(one.code)}>
                    {one.label}（{one.code}）
                  </Button>
                  <span className="lc-muted">
                    {one.columns}列，{one.actions}项操作，权限 {one.permission}
                    {one.pages.length > 0 && `，用于 ${one.pages.map(({ title }) => title).join('、')}`}
                  </span>
                </li>
              ))}
              {read.data.length === 0 && <li>没有符合条件的数据集</li>}
            </ul>
          ) : (
            <Waiting for={read} />
          )}
        </>
      ) : (
        <One code={code} onBack={() => setCode(null)} {...(onInsert && { onInsert })} />
      )}
    </Drawer>
  );
}

function One({ code, onBack, onInsert }: { code: string; onBack(): void; onInsert?(text: string): void }) {
  const read = useData(queryDatasetDetail, { code }, { quiet: true });
  const { data } = read;
  if (!data) return <Waiting for={read} />;
  const insert = (label: string, value: object | string) =>
    onInsert && (
      <Button size="small" type="link" onClick={() => onInsert(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}>
        {label}
      </Button>
    );
  return (
    <>
      <p className="lc-line">
        <Button onClick={onBack}>返回目录</Button>
        {insert('插入整个列表', data.skeleton)}
      </p>
      <h3>
        {data.label}（{data.code}）
      </h3>
      <h4>列</h4>
      <ul className="lc-parts">
        {data.columns.map(({ key, label, type, sortable, sensitive }) => (
          <li key={key}>
            <code>{key}</code> {label} <Tag>{type}</Tag>
            {sortable && <Tag>可排序</Tag>}
            {sensitive && <Tag color="warning">敏感</Tag>}
            {insert('插入', {
              name: ['dict', 'tags', 'date', 'datetime', 'bool', 'moneyFen', 'bp'].includes(type) ? `${key}Text` : key,
              label,
            })}
          </li>
        ))}
      </ul>
      <h4>筛选条件</h4>
      <ul className="lc-parts">
        {data.filters.map(({ key, label, type, options }) => (
          <li key={key}>
            <code>{key}</code> {label} <Tag>{type}</Tag>
            {insert(
              '插入',
              options.length > 0
                ? { type: 'select', name: key, label, clearable: true, options }
                : { type: 'input-text', name: key, label },
            )}
          </li>
        ))}
      </ul>
      {data.actions.length > 0 && <h4>操作</h4>}
      <ul className="lc-parts">
        {data.actions.map((action) => (
          <li key={action.code}>
            <code>action.{action.code}</code> {action.label} <Tag>{action.kind}</Tag>
            <span className="lc-muted">
              {action.call}，权限 {action.permission}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
