import { Button } from 'antd';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Suspense, useMemo } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { allOf } from '#kernel/contract/field.ts';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import {
  CHANNEL_IMPORTER,
  changeChannelState,
  channelFieldKeys,
  delChannel,
  exportChannelList,
  modifyChannel,
  queryChannelList,
  queryChannelTree,
  type ChannelRow,
} from '../../contract/calls/channels.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { channelStates } from '../../contract/states.ts';
import { RefSelect } from '../shared/RefSelect.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { channelList } from './channelList.tsx';
import { ChannelDrawer, ChannelForm, ChannelTree } from './lazyDialogs.ts';
import '../shared/channel.css';

const refreshes = [queryChannelList, queryChannelTree];
/** What a change repeats of a channel. */
const termsOf = (row: ChannelRow) => ({ ...allOf(row, channelFieldKeys), id: row.id, version: row.version, costFen: Number(row.costFen) });
const nameOf = (row: ChannelRow) => `${row.name}（${row.channelNo}）`;

/** /channelManagement 渠道管理. */
export default function ChannelManagement() {
  const { path, search } = usePage();
  const layers = useLayers();
  const openForm = (form: { channel: ChannelRow | null; parent: ChannelRow | null }) =>
    layers.open((close) => <ChannelForm {...form} onClose={close} />);
  const change = useCommand(changeChannelState, { success: '操作成功!', refreshes });
  const remove = useCommand(delChannel, { success: '删除成功!', refreshes });
  const parentId = typeof search['parentId'] === 'string' ? search['parentId'] : undefined;
  const opened = typeof search['channelId'] === 'string' ? search['channelId'] : undefined;
  const fixed = useMemo(() => (parentId ? { parentId } : {}), [parentId]);
  const go = (patch: Record<string, string | undefined>) => goTo(path, { ...search, ...patch }, { replace: true });
  const move = (action: 'disable' | 'enable') => async (row: ChannelRow) => {
    const opinion = await askTransition(
      channelStates,
      action,
      `“${row.name}”`,
      factsIn(queryChannelList.output, row, ['channelNo', 'parentName', 'agentName', 'codeCount', 'pv']),
    );
    if (opinion !== null) await change.run({ id: row.id, version: row.version, action, ...(opinion && { opinion }) });
  };

  const actions: readonly RowAction<ChannelRow>[] = [
    { label: '详情', act: (row) => go({ channelId: row.id }) },
    { label: '编辑', permission: rights['channel.edit'], act: (row) => openForm({ channel: row, parent: null }) },
    {
      label: '新增下级',
      permission: rights['channel.edit'],
      when: (row) => row.depth < 3 && row.state !== 'DISABLED',
      act: (row) => openForm({ channel: null, parent: row }),
    },
    {
      label: '生成二维码',
      permission: rights['code.batch'],
      when: (row) => row.state !== 'DISABLED',
      act: (row) => goTo('/commonQRcode', { tab: 'batches', newFor: row.id }),
    },
    {
      label: '场景码',
      permission: rights['scene.edit'],
      when: (row) => row.state === 'ENABLED',
      act: (row) => goTo('/sceneCode', { newFor: row.id }),
    },
    {
      label: '升级VIP',
      permission: rights['vip.edit'],
      when: (row) => row.state === 'ENABLED',
      act: (row) => goTo('/channelVip', { newFor: row.id }),
    },
    {
      label: '停用',
      permission: rights['channel.state'],
      when: (row) => channelStates.canStart('disable', row.state),
      danger: true,
      act: move('disable'),
    },
    { label: '启用', permission: rights['channel.state'], when: (row) => channelStates.canStart('enable', row.state), act: move('enable') },
    {
      label: '删除',
      permission: rights['channel.edit'],
      when: (row) => row.codeCount === 0,
      danger: true,
      act: async (row) => {
        if (await confirmDelete(`渠道“${row.name}”（${row.channelNo}）`)) await remove.run({ id: row.id, version: row.version });
      },
    },
  ];
  return (
    <div className="ch-split">
      <Suspense fallback={<div className="ch-tree" />}>
        <ChannelTree chosen={parentId} onChoose={(id) => go({ parentId: id, pageNo: undefined })} />
      </Suspense>
      <div className="ch-side">
        <ResourceList
          of={channelList}
          fixed={fixed}
          actions={actions}
          batch={[
            {
              label: '批量停用',
              permission: rights['channel.state'],
              danger: true,
              opinion: 'required',
              nameOf,
              when: (row) => channelStates.canStart('disable', row.state),
              each: (row, opinion) =>
                send(changeChannelState, { id: row.id, version: row.version, action: 'disable', opinion }, { quiet: true }),
            },
            {
              label: '批量调整代表',
              permission: rights['channel.edit'],
              nameOf,
              when: (row) => row.channelType === 'AGENT',
              choice: { label: '代表', render: (props) => <RefSelect {...props} type="AGENT" /> },
              each: (row, agentId) => send(modifyChannel, { ...termsOf(row), agentId }, { quiet: true }),
            },
          ]}
          toolbar={(view) => (
            <>
              <Can permission={rights['channel.edit']}>
                <Button type="primary" onClick={() => openForm({ channel: null, parent: null })}>
                  新增
                </Button>
              </Can>
              <ImportButton importerCode={CHANNEL_IMPORTER} permission={rights['channel.import']} onChanged={view.refetch} />
              <ExportButton call={exportChannelList} view={view} permission={rights['channel.export']} />
            </>
          )}
        />
      </div>
      {layers.shown}
      <Suspense fallback={null}>{opened && <ChannelDrawer id={opened} onClose={() => go({ channelId: undefined })} />}</Suspense>
    </div>
  );
}
