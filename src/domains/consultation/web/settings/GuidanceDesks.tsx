import { Button } from 'antd';
import { lazy } from 'react';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { disableDesk, enableDesk, queryDeskList, type DeskRow } from '../../contract/calls/desks.ts';
import { deskSources } from '../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { weekdaysText } from './weekdays.ts';

const DeskForm = lazy(async () => ({ default: (await import('./DeskForm.tsx')).DeskForm }));

const columns: readonly Column<DeskRow>[] = [
  { key: 'deskName', title: '导诊台', width: 150 },
  { key: 'deskCode', title: '编码', width: 120 },
  { key: 'assistants', title: '接待医助', width: 180, value: (row) => row.assistants.map(({ name }) => name).join('、') || '全部医助' },
  {
    key: 'sources',
    title: '来源',
    width: 200,
    value: (row) =>
      row.deskCode === 'DEFAULT'
        ? '其他导诊台以外的全部来源'
        : row.sources.map(({ sourceType, sourceName }) => `${deskSources.label(sourceType)}：${sourceName}`).join('、') || '—',
  },
  { key: 'duty', title: '接待时间', width: 190, value: (row) => `${weekdaysText(row.weekdays)} ${row.dutyFrom}-${row.dutyTo}` },
  { key: 'load', title: '待接入/接待中', width: 120, value: (row) => `${row.queued} / ${row.serving}` },
  { key: 'enabled', title: '状态', width: 70, value: (row) => (row.enabled ? '启用' : '停用') },
];

/** 导诊台: who receives patients without a doctor, from where and when. */
export function GuidanceDesks() {
  const layers = useLayers();
  const write = (desk: DeskRow | null) => layers.open((close) => <DeskForm desk={desk} onClose={close} />);
  const { data, error, fetching, refetch } = useData(queryDeskList, {}, { quiet: true });
  const on = useCommand(enableDesk, { success: '已启用', refreshes: [queryDeskList], blockMs: 500 });
  const off = useCommand(disableDesk, { success: '已停用', refreshes: [queryDeskList], blockMs: 500 });
  const stop = async (row: DeskRow) => {
    if (
      await ask({
        title: '停用导诊台',
        content: `停用后，“${row.deskName}”来源的新患者由默认导诊台接待，已有会话不受影响，是否继续?`,
        facts: [
          { label: '接待医助', value: row.assistants.map(({ name }) => name).join('、') },
          { label: '来源', value: row.sources.map(({ sourceName }) => sourceName).join('、') },
        ],
        danger: true,
      })
    )
      await off.run({ id: row.id, version: row.version });
  };
  return (
    <>
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <span className="kq-muted">没有医生的患者按来源进入导诊台</span>
        </div>
        <div className="kq-toolbar-end">
          <Can permission={may['desk.manage']}>
            <Button type="primary" onClick={() => write(null)}>
              新增
            </Button>
          </Can>
        </div>
      </div>
      <DataTable<DeskRow>
        columns={columns}
        rows={data}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有导诊台，点击“新增”创建"
        height="auto"
        actions={[
          { label: '编辑', permission: may['desk.manage'], act: write },
          {
            label: '启用',
            permission: may['desk.manage'],
            when: (row) => !row.enabled,
            act: (row) => on.run({ id: row.id, version: row.version }),
          },
          {
            label: '停用',
            permission: may['desk.manage'],
            danger: true,
            when: (row) => row.enabled && row.deskCode !== 'DEFAULT',
            act: stop,
          },
        ]}
      />
      {layers.shown}
    </>
  );
}
