import { Button, Modal } from 'antd';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Suspense, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  changeLiveCodeState,
  exportLiveCodeList,
  queryLiveCodeList,
  retryContactWay,
  type LiveCodeRow,
} from '../../contract/calls/liveCodes.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { liveCodeStates } from '../../contract/states.ts';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { Thumb } from '../shared/Thumb.tsx';
import { refFilter } from '../shared/refFilter.tsx';
import { LiveCodeAdd, LiveCodeEdit, LiveCodeMembers, Picture } from './lazyDialogs.ts';

const memberText = (member: LiveCodeRow['members'][number]) =>
  `${member.name}${member.isBackup ? '（备用）' : ''} ${member.shown}/${member.added}/${member.dailyLimit || '不限'}`;

const listOf = (open: (row: LiveCodeRow) => void) =>
  resource(queryLiveCodeList, {
    routeKey: 'weChatWorkManagement.liveCodes',
    empty: '没有符合条件的活码',
    filters: ['liveCodeNo', 'name', refFilter('channelId', 'CHANNEL'), refFilter('memberId', 'MEMBER'), 'state'],
    columns: [
      { key: 'thumb', title: '缩略图', kind: 'custom', width: 72, render: (row) => <Thumb link={row.link} onClick={() => open(row)} /> },
      { key: 'liveCodeNo', width: 170, required: true },
      { key: 'name', width: 160, required: true },
      { key: 'channelName', width: 160 },
      { key: 'strategy', plain: true, width: 120 },
      { key: 'memberCounts', title: '成员（今日展示/添加/上限）', width: 300, value: (row) => row.members.map(memberText).join('、') },
      { key: 'availableNow', width: 100 },
      { key: 'pv', width: 80 },
      { key: 'state', width: 90 },
      { key: 'problem', width: 220 },
    ],
  });

/** A new one is soon made by the company. */
const FOLLOW_MS = 3_000;

/** Tab 活码. */
export function LiveCodes() {
  const layers = useLayers();
  const [list] = useState(() =>
    listOf((row) =>
      layers.open((close) => (
        <Modal open title={row.name} width={360} footer={null} onCancel={close}>
          <div className="ch-preview">
            <Suspense fallback={null}>
              <Picture link={row.link} size={260} />
            </Suspense>
            <p className="kq-number">{row.link}</p>
            <Button size="small" onClick={() => void copyText(row.link, '已复制链接')}>
              复制链接
            </Button>
          </div>
        </Modal>
      )),
    ),
  );
  const refreshes = [queryLiveCodeList];
  const change = useCommand(changeLiveCodeState, { success: '操作成功!', refreshes });
  const retry = useCommand(retryContactWay, { success: '已重新创建', refreshes });
  const move = (action: 'pause' | 'resume' | 'delete') => async (row: LiveCodeRow) => {
    if (
      (await askTransition(
        liveCodeStates,
        action,
        `“${row.name}”`,
        factsIn(queryLiveCodeList.output, row, ['liveCodeNo', 'corpName', 'channelName', 'members', 'pv']),
      )) !== null
    )
      await change.run({ id: row.id, version: row.version, action });
  };
  const can = (action: keyof typeof liveCodeStates.transitions) => (row: LiveCodeRow) => liveCodeStates.canStart(action, row.state);
  const actions: readonly RowAction<LiveCodeRow>[] = [
    {
      label: '编辑',
      permission: rights['liveCode.edit'],
      act: (row) => layers.open((close) => <LiveCodeEdit row={row} onClose={close} />),
    },
    {
      label: '成员与时段',
      permission: rights['liveCode.edit'],
      act: (row) => layers.open((close) => <LiveCodeMembers row={row} onClose={close} />),
    },
    {
      label: '重试',
      permission: rights['liveCode.edit'],
      when: (row) => row.problem !== null,
      act: (row) => void retry.run({ id: row.id }),
    },
    { label: '暂停', permission: rights['liveCode.edit'], when: can('pause'), act: move('pause') },
    { label: '恢复', permission: rights['liveCode.edit'], when: can('resume'), act: move('resume') },
    { label: '删除', permission: rights['liveCode.edit'], when: can('delete'), danger: true, act: move('delete') },
  ];
  return (
    <>
      <ResourceList
        of={list}
        actions={actions}
        every={FOLLOW_MS}
        toolbar={(view) => (
          <>
            <Can permission={rights['liveCode.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <LiveCodeAdd onClose={close} />)}>
                新增活码
              </Button>
            </Can>
            <ExportButton call={exportLiveCodeList} view={view} permission={rights['liveCode.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
