import { Drawer, Radio } from 'antd';
import { useState } from 'react';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast, toastError } from '#kernel/web/feedback/toast.ts';
import { useCommand, useList } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import {
  queryAssistantBindHistory,
  queryAssistantList,
  queryAssistantSummary,
  unbindAssistant,
  type BindRow,
} from '../../contract/calls/assistants.ts';
import { bindRoles } from '../../contract/dictionaries.ts';
import { doctorPermissions as rights } from '../../contract/permissions.ts';

const columns: readonly Column<BindRow>[] = [
  { key: 'doctorName', title: '医生', width: 110 },
  { key: 'doctorNo', title: '医生编号', width: 165 },
  { key: 'role', title: '角色', kind: 'dict', dictionary: bindRoles, width: 90 },
  { key: 'open', title: '进行中', kind: 'number', width: 80 },
  { key: 'startedAt', title: '绑定时间', kind: 'time' },
  { key: 'startedName', title: '绑定人', width: 100 },
  { key: 'endedAt', title: '结束时间', kind: 'time' },
  { key: 'endReason', title: '结束原因', width: 160 },
  { key: 'transferNo', title: '转移单', width: 170 },
];

/** Live and former binds of an assistant. */
export function BindHistory({ assistantId, onClose }: { assistantId: string; onClose(): void }) {
  const [shown, setShown] = useState<'live' | 'ended' | 'all'>('live');
  const [page, setPage] = useState({ pageNo: 1, pageSize: 20 });
  const { rows, total, error, fetching, refetch } = useList(queryAssistantBindHistory, {
    assistantId,
    ...page,
    ...(shown !== 'all' && { live: shown === 'live' }),
  });
  const unbind = useCommand(unbindAssistant, { refreshes: [queryAssistantBindHistory, queryAssistantList, queryAssistantSummary] });
  // Whose history it is stands in any of its rows, also when none of them is shown.
  const { rows: known } = useList(queryAssistantBindHistory, { assistantId, pageNo: 1, pageSize: 1 });
  const [assistant] = known ?? [];
  return (
    <Drawer
      open
      size={1040}
      title={`绑定历史${assistant ? `：${assistant.assistantName}（${assistant.assistantNo}）` : ''}`}
      onClose={onClose}
    >
      <Radio.Group
        value={shown}
        onChange={({ target }) => {
          setShown(target.value as 'live');
          setPage({ ...page, pageNo: 1 });
        }}
        options={[
          { value: 'live', label: '绑定中' },
          { value: 'ended', label: '已结束' },
          { value: 'all', label: '全部' },
        ]}
        style={{ marginBottom: 12 }}
      />
      <DataTable<BindRow>
        columns={columns}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有绑定记录"
        height="auto"
        actions={[
          {
            label: '解绑',
            permission: rights['assistant.bind'],
            danger: true,
            when: (row) => row.endedAt === null,
            act: async (row) => {
              const reason = await confirmWithOpinion({
                title: '解绑',
                content: `确定解除与医生“${row.doctorName}”的绑定吗?${row.open > 0 ? `其名下${row.open}单进行中问诊仍由该医助处理。` : ''}`,
                facts: [
                  { label: '医生', value: `${row.doctorName}（${row.doctorNo}）` },
                  { label: '医助', value: row.assistantName },
                  { label: '进行中问诊', value: `${row.open}单` },
                ],
                label: '解绑原因',
                danger: true,
              });
              const answer = reason !== null && (await unbind.run({ doctorIds: [row.doctorId], assistantId: row.assistantId, reason }));
              const outcome = answer ? answer.data[0] : undefined;
              if (outcome) (outcome.ok ? toast : toastError)(outcome.message);
            },
          },
        ]}
        paging={{ ...page, total, onChange: (pageNo, pageSize) => setPage({ pageNo, pageSize }) }}
      />
    </Drawer>
  );
}
