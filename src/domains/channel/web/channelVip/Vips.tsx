import { Button } from 'antd';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Suspense, useState } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportWizard } from '#kernel/web/files/ImportWizard.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import {
  changeChannelVipState,
  exportChannelVipList,
  queryChannelVipDetail,
  queryChannelVipList,
  submitChannelVip,
  VIP_MEMBER_IMPORTER,
  type VipRow,
} from '../../contract/calls/vips.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { vipStates } from '../../contract/states.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { VipDrawer, VipForm } from './lazyDialogs.ts';
import { vipList } from './vipList.tsx';

const refreshes = [queryChannelVipList, queryChannelVipDetail];
export type VipsOf = { state: VipRow['state'][] } | { forMe: true };
type Form = { vip: VipRow | null; follows: boolean; channelId: string | null };

/** The benefits of some states, or those that wait for the asking person's verdict. */
export function Vips({ only }: { only?: VipsOf }) {
  const { path, search } = usePage();
  const [form, setForm] = useState<Form | null>(() =>
    typeof search['newFor'] === 'string' ? { vip: null, follows: false, channelId: search['newFor'] } : null,
  );
  const layers = useLayers();
  const openVip = (id: string) => layers.open((close) => <VipDrawer id={id} onClose={close} />);
  const importMembers = (vip: VipRow) =>
    layers.open((close) => <ImportWizard importerCode={VIP_MEMBER_IMPORTER} params={{ vipId: vip.id }} open onClose={close} />);
  const submit = useCommand(submitChannelVip, { success: '提交成功!', refreshes });
  const change = useCommand(changeChannelVipState, { success: '操作成功!', refreshes });
  const move = (action: 'suspend' | 'resume' | 'terminate') => async (row: VipRow) => {
    const opinion = await askTransition(
      vipStates,
      action,
      `“${row.vipNo}”`,
      factsIn(queryChannelVipList.output, row, ['channelName', 'sponsorName', 'memberCount', 'usedFen', 'totalBudgetFen', 'endDate']),
    );
    if (opinion !== null) await change.run({ id: row.id, version: row.version, action, opinion });
  };
  const can = (action: keyof typeof vipStates.transitions) => (row: VipRow) => vipStates.canStart(action, row.state);
  const actions: readonly RowAction<VipRow>[] = [
    { label: '详情', act: (row) => openVip(row.id) },
    { label: '审核', permission: rights['vip.audit'], when: can('approve'), act: (row) => openVip(row.id) },
    {
      label: '编辑',
      permission: rights['vip.edit'],
      when: (row) => row.state === 'DRAFT',
      act: (row) => setForm({ vip: row, follows: false, channelId: null }),
    },
    {
      label: '提交',
      permission: rights['vip.edit'],
      when: can('submit'),
      act: (row) => void submit.run({ id: row.id, version: row.version }),
    },
    {
      label: '续期',
      permission: rights['vip.edit'],
      when: (row) => ['ACTIVE', 'SUSPENDED', 'EXPIRED'].includes(row.state),
      act: (row) => setForm({ vip: row, follows: true, channelId: null }),
    },
    { label: '导入名单', permission: rights['vip.edit'], when: (row) => ['WAITING', 'ACTIVE'].includes(row.state), act: importMembers },
    { label: '暂停', permission: rights['vip.state'], when: can('suspend'), act: move('suspend') },
    { label: '恢复', permission: rights['vip.state'], when: can('resume'), act: move('resume') },
    { label: '终止', permission: rights['vip.state'], when: can('terminate'), danger: true, act: move('terminate') },
  ];
  const close = () => {
    setForm(null);
    if (search['newFor']) goTo(path, { ...search, newFor: undefined }, { replace: true });
  };
  return (
    <>
      <ResourceList
        of={vipList}
        {...(only && { fixed: only })}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={rights['vip.edit']}>
              <Button type="primary" onClick={() => setForm({ vip: null, follows: false, channelId: null })}>
                新增
              </Button>
            </Can>
            <ExportButton call={exportChannelVipList} view={view} permission={rights['vip.export']} />
          </>
        )}
      />
      {layers.shown}
      <Suspense fallback={null}>{form && <VipForm {...form} onClose={close} />}</Suspense>
    </>
  );
}
