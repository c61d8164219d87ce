import { Button, Select } from 'antd';
import { lazy, useState } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { refresh, useCommand, useList } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { CANNED_IMPORTER, delCannedReply, queryCannedReplyList, type CannedRow } from '../../contract/calls/canned.ts';
import { cannedScopes } from '../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { TextSearch } from '#kernel/web/kit/TextInput.tsx';

const CannedForm = lazy(async () => ({ default: (await import('./CannedForm.tsx')).CannedForm }));

type Scope = CannedRow['scope'];
const columns: readonly Column<CannedRow>[] = [
  { key: 'shortcut', title: '指令', width: 100, value: (row) => `/${row.shortcut}` },
  { key: 'title', title: '标题', width: 140 },
  { key: 'category', title: '分类', width: 100 },
  { key: 'scope', title: '范围', kind: 'dict', dictionary: cannedScopes, width: 80 },
  { key: 'content', title: '内容', width: 300 },
  { key: 'attachments', title: '附件', width: 70, value: (row) => (row.attachments.length === 0 ? '—' : `${row.attachments.length}个`) },
  { key: 'useCount', title: '使用次数', kind: 'number', width: 90 },
  { key: 'enabled', title: '状态', width: 80, value: (row) => (row.enabled ? '启用' : '停用') },
];

/** 快捷回复: the public ones and one's own. */
export function CannedReplies() {
  const [paging, setPaging] = useState({ pageNo: 1, pageSize: 20 });
  const [keyword, setKeyword] = useState('');
  const [scope, setScope] = useState<Scope | undefined>();
  const layers = useLayers();
  const write = (reply: CannedRow | null) => layers.open((close) => <CannedForm reply={reply} onClose={close} />);
  const { rows, total, error, fetching, refetch } = useList(
    queryCannedReplyList,
    { ...paging, ...(keyword && { keyword }), ...(scope && { scope }) },
    { quiet: true },
  );
  const remove = useCommand(delCannedReply, { success: '删除成功!', refreshes: [queryCannedReplyList], blockMs: 500 });
  const first = () => setPaging(({ pageSize }) => ({ pageNo: 1, pageSize }));
  const search = useDebouncedCallback((text: string) => {
    setKeyword(text.trim());
    first();
  });
  return (
    <>
      <div className="kq-toolbar">
        <TextSearch
          allowClear
          style={{ width: 240 }}
          most={30}
          placeholder="指令、标题、拼音或内容"
          aria-label="搜索快捷回复"
          onChange={(event) => search(event.target.value)}
        />
        <Select
          allowClear
          style={{ width: 120 }}
          placeholder="全部范围"
          value={scope ?? null}
          options={cannedScopes.options.map(({ value, label }) => ({ value, label }))}
          onChange={(next: Scope | null) => {
            setScope(next ?? undefined);
            first();
          }}
        />
        <div className="kq-toolbar-end">
          <ImportButton
            importerCode={CANNED_IMPORTER}
            permission={may['canned.manage']}
            onChanged={() => void refresh(queryCannedReplyList)}
          />
          <Button type="primary" onClick={() => write(null)}>
            新增
          </Button>
        </div>
      </div>
      <DataTable<CannedRow>
        columns={columns}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有快捷回复，点击“新增”创建"
        height="auto"
        actions={[
          { label: '编辑', when: (row) => row.canEdit, act: write },
          {
            label: '删除',
            danger: true,
            when: (row) => row.canEdit,
            act: async (row) => {
              if (await confirmDelete(`快捷回复“${row.title}”`)) await remove.run({ id: row.id, version: row.version });
            },
          },
        ]}
        paging={{ ...paging, total, onChange: (pageNo, pageSize) => setPaging({ pageNo, pageSize }) }}
      />
      {layers.shown}
    </>
  );
}
