import { Button, Checkbox, Select } from 'antd';
import { useState } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { delView, querySavedViews, saveView } from '../../../contract/calls/groups.ts';
import { conversationKinds } from '../../../contract/dictionaries.ts';
import { inquiryMachine, type ServerStatus } from '../../../contract/states.ts';
import { listTabs, type ListFilters, type ListTab } from '../desk/listing.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

const MOST_VIEWS = 10;
const orders = [
  { value: 'lastMessage', label: '最新消息' },
  { value: 'waiting', label: '等待最久' },
  { value: 'sla', label: '时效' },
];

interface PanelProps {
  filters: ListFilters;
  tab: ListTab;
  onChange(filters: ListFilters): void;
  onTab(tab: ListTab): void;
  onClose(): void;
}

/** Filters of the list, its order, and the views that one keeps by name. */
export function ListFilterPanel({ filters, tab, onChange, onTab, onClose }: PanelProps) {
  const views = useData(querySavedViews, {}, { quiet: true, fresh: 60_000 });
  const save = useCommand(saveView, { success: '视图已保存', refreshes: [querySavedViews], blockMs: 500 });
  const del = useCommand(delView, { success: '删除成功!', refreshes: [querySavedViews], blockMs: 500 });
  const [name, setName] = useState('');
  const put = (patch: Partial<ListFilters>) => onChange({ ...filters, ...patch });
  const keep = async () => {
    const wanted = name.trim();
    if (!wanted) return toastError('请输入视图名称');
    if ((views.data?.length ?? 0) >= MOST_VIEWS && !views.data?.some((view) => view.name === wanted))
      return toastError(`最多保存${MOST_VIEWS}个视图`);
    if (await save.run({ name: wanted, filters: { ...filters, tab } })) setName('');
    return undefined;
  };
  return (
    <div className="im-filters">
      <label>
        会话类型
        <Select
          size="small"
          allowClear
          placeholder="全部"
          value={filters.kind}
          options={conversationKinds.options.map(({ value, label }) => ({ value, label }))}
          onChange={(kind) => put({ kind })}
        />
      </label>
      <label>
        问诊状态
        <Select
          size="small"
          mode="multiple"
          maxTagCount={1}
          allowClear
          placeholder="全部"
          value={[...(filters.serverStatus ?? [])]}
          options={inquiryMachine.dictionary.options.map(({ value, label }) => ({ value: value as ServerStatus, label }))}
          onChange={(serverStatus: ServerStatus[]) => put({ serverStatus })}
        />
      </label>
      <label>
        医生
        <TextInput
          size="small"
          allowClear
          most={30}
          value={filters.doctorName ?? ''}
          placeholder="医生姓名"
          onChange={({ target }) => put({ doctorName: target.value || undefined })}
        />
      </label>
      <label>
        标签
        <TextInput
          size="small"
          allowClear
          most={12}
          value={filters.tag ?? ''}
          placeholder="会话标签"
          onChange={({ target }) => put({ tag: target.value || undefined })}
        />
      </label>
      <label>
        排序
        <Select
          size="small"
          value={filters.orderBy ?? (tab === 'queued' ? 'sla' : 'lastMessage')}
          options={orders}
          onChange={(orderBy) => put({ orderBy })}
        />
      </label>
      <p className="im-checks">
        <Checkbox checked={filters.onlyUnread ?? false} onChange={({ target }) => put({ onlyUnread: target.checked })}>
          仅未读
        </Checkbox>
        <Checkbox checked={filters.onlyOverSla ?? false} onChange={({ target }) => put({ onlyOverSla: target.checked })}>
          仅超时
        </Checkbox>
      </p>
      {views.data && views.data.length > 0 && (
        <p className="im-views">
          {views.data.map((view) => (
            <span key={view.id}>
              <button
                type="button"
                onClick={() => {
                  const { tab: kept, ...rest } = view.filters as ListFilters & { tab?: ListTab };
                  onChange(rest);
                  if (kept && listTabs.includes(kept)) onTab(kept);
                }}
              >
                {view.name}
              </button>
              <button
                type="button"
                aria-label={`删除视图${view.name}`}
                disabled={del.busy}
                onClick={async () => (await confirmDelete(`视图“${view.name}”`)) && del.run({ id: view.id })}
              >
                ×
              </button>
            </span>
          ))}
        </p>
      )}
      <p className="im-keep">
        <TextInput
          size="small"
          most={12}
          value={name}
          placeholder="视图名称"
          onChange={({ target }) => setName(target.value)}
          onPressEnter={() => void keep()}
        />
        <Button size="small" disabled={save.busy} onClick={() => void keep()}>
          保存视图
        </Button>
      </p>
      <p className="im-keep">
        <Button size="small" onClick={() => onChange({})}>
          重置
        </Button>
        <Button size="small" onClick={onClose}>
          收起
        </Button>
      </p>
    </div>
  );
}
