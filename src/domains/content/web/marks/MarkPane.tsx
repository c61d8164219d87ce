import { Button, Segmented } from 'antd';
import type { InputRef } from 'antd';
import { lazy, useRef, useState } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { exportMarkList, queryTagGroupList, sortTagGroup } from '../../contract/marks/calls/groups.ts';
import type { TagGroup } from '../../contract/marks/calls/shared.ts';
import { objectTypes } from '../../contract/marks/dictionaries.ts';
import { markPermissions as may } from '../../contract/marks/permissions.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { GroupPanel } from './GroupPanel.tsx';
import { moved } from './moved.ts';

const GroupForm = lazy(async () => ({ default: (await import('./GroupForm.tsx')).GroupForm }));

/** Tab 标签: kinds of things and their groups on the left, the marks of a group on the right; `/` finds a mark. */
export function MarkPane() {
  const { path, search } = usePage();
  const wanted = String(search['objectType'] ?? '');
  const objectType = objectTypes.codes.find((code) => code === wanted) ?? objectTypes.codes[0];
  const [keyword, setKeyword] = useState('');
  const layers = useLayers();
  const dragged = useRef<string | null>(null);
  const box = useRef<InputRef>(null);
  const editable = useMay()(may['mark.edit']);
  const find = keyword.trim();
  const { data, error, refetch } = useData(queryTagGroupList, { objectType, ...(find && { keyword: find }) });
  const sort = useCommand(sortTagGroup, { success: '操作成功!', refreshes: [queryTagGroupList], blockMs: 300 });
  const groups = data ?? [];
  const write = (group: TagGroup | null) => layers.open((close) => <GroupForm group={group} objectType={objectType} onClose={close} />);
  const view = {
    filters: { objectType, ...(find && { keyword: find }) },
    filterText: () => `对象类型：${objectTypes.label(objectType)}${find ? `；标签：${find}` : ''}`,
    total: groups.reduce((sum, { marks }) => sum + marks.length, 0),
  };
  const chosen = groups.find(({ id }) => id === search['groupId']) ?? groups[0];
  const go = (patch: Record<string, string | undefined>) => goTo(path, { ...search, ...patch }, { replace: true });
  const drop = (over: string) => {
    const order = moved(
      groups.map(({ id }) => id),
      dragged.current,
      over,
    );
    if (order) void sort.run({ objectType, ids: order });
  };
  useKeys([{ keys: '/', label: '查找标签', act: () => box.current?.focus() }]);
  return (
    <div className="mk-split">
      <section>
        <Segmented
          block
          size="small"
          value={objectType}
          options={objectTypes.options.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => go({ objectType: value, groupId: undefined })}
        />
        <TextInput
          ref={box}
          allowClear
          aria-label="查找标签"
          placeholder="标签名称或拼音首字母"
          value={keyword}
          most={16}
          onChange={(event) => setKeyword(event.target.value)}
          style={{ margin: '8px 0' }}
        />
        <div className="kq-row">
          {editable && (
            <Button type="primary" onClick={() => write(null)}>
              新增标签组
            </Button>
          )}
          <ExportButton call={exportMarkList} view={view} permission={may['content.export']} />
        </div>
        {error ? (
          <TableFailure error={error} onRetry={() => void refetch()} />
        ) : (
          groups.length === 0 && <div className="kq-empty">{data ? (find ? '没有符合的标签' : '暂无标签组') : '加载中…'}</div>
        )}
        <ul className="mk-groups">
          {groups.map((group) => (
            <li
              key={group.id}
              draggable={editable && find === ''}
              onDragStart={() => (dragged.current = group.id)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => drop(group.id)}
            >
              <button type="button" aria-current={group.id === chosen?.id} onClick={() => go({ groupId: group.id })}>
                <span>
                  {group.groupName}
                  {group.state === 'DISABLED' && '（停用）'}
                </span>
                <span className="kq-muted">{group.marks.length}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <section>
        {chosen ? (
          <GroupPanel key={chosen.id} group={chosen} editable={editable} found={find !== ''} onEdit={() => write(chosen)} />
        ) : (
          <div className="kq-empty">请选择标签组</div>
        )}
      </section>
      {layers.shown}
    </div>
  );
}
