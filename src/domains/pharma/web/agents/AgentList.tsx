import { Button } from 'antd';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { send } from '#kernel/web/http/client.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import {
  addAgentLines,
  changeAgentParent,
  exportAgentList,
  queryAgentList,
  revealAgentField,
  type AgentRow,
} from '../../contract/calls/agents.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { agentMachine } from '../../contract/states.ts';
import { OptionSelect, optionFilter } from '../shared/OptionSelect.tsx';
import { Filing } from './Filing.tsx';
import { AgentForm, HandoverWizard, LinesForm, ParentForm } from './lazyDialogs.ts';
import { useAgentActions } from './useAgentActions.tsx';

const Organisation = lazy(async () => ({ default: (await import('./Organisation.tsx')).Organisation }));
const Handovers = lazy(async () => ({ default: (await import('./Handovers.tsx')).Handovers }));

const agents = resource(queryAgentList, {
  routeKey: 'agentList',
  empty: '没有符合条件的代表，请调整筛选条件或点击“新增代表”',
  filters: [
    { name: 'name', placeholder: '姓名、拼音或编号' },
    { name: 'mobile', placeholder: '完整手机号' },
    optionFilter('companyId', 'COMPANY'),
    optionFilter('lineId', 'LINE'),
    'rank',
    optionFilter('parentId', 'AGENT'),
    { kind: 'region', name: 'adcode' },
    'state',
    'filing',
    'agentNo',
  ],
  columns: [
    { key: 'agentNo', width: 170, required: true, to: (row) => ({ path: '/agentDetail', search: { agentId: row.id } }) },
    { key: 'name', width: 90, required: true },
    {
      key: 'mobile',
      masked: {
        permission: may['sensitive.reveal'],
        withReason: true,
        reveal: async (row, reason) => (await send(revealAgentField, { id: row.id, field: 'mobile', reason })).value ?? NOTHING,
      },
    },
    { key: 'companyName', width: 110 },
    { key: 'rank', plain: true },
    { key: 'parentName', width: 90 },
    { key: 'lines', width: 180, value: (row) => row.lines.map((line) => line.name).join('、') },
    { key: 'regionNames', width: 120, value: (row) => row.regionNames.join('、') },
    { key: 'filing', title: '备案', kind: 'custom', width: 250, render: (row) => <Filing agent={row} /> },
    { key: 'doctorCount', width: 90 },
    { key: 'channelCount', width: 70 },
    { key: 'monthNewDoctors', width: 110 },
    'state',
  ],
});

const nameOf = (row: AgentRow) => `${row.name}（${row.agentNo}）`;

function Agents() {
  const layers = useLayers();
  const act = useAgentActions();
  const actions: readonly RowAction<AgentRow>[] = [
    { label: '详情', act: (agent) => goTo('/agentDetail', { agentId: agent.id }) },
    {
      label: '编辑',
      permission: may['agent.edit'],
      when: (agent) => agentMachine.canStart('modify', agent.state),
      act: (agent) => layers.open((close) => <AgentForm agent={agent} onClose={close} />),
    },
    { label: '激活', permission: may['agent.edit'], when: (agent) => agent.state === 'PENDING', act: (agent) => act(agent, 'activate') },
    {
      label: '发起交接',
      permission: may['agent.handover'],
      when: (agent) => agentMachine.canStart('startHandover', agent.state),
      act: (agent) => layers.open((close) => <HandoverWizard agent={agent} draft={null} onClose={close} />),
    },
    {
      label: '调整上级',
      permission: may['agent.edit'],
      when: (agent) => agent.state === 'ACTIVE',
      act: (agent) => layers.open((close) => <ParentForm agent={agent} onClose={close} />),
    },
    {
      label: '加产品线',
      permission: may['agent.edit'],
      when: (agent) => agentMachine.canStart('modify', agent.state),
      act: (agent) => layers.open((close) => <LinesForm agent={agent} onClose={close} />),
    },
    {
      label: '冻结',
      permission: may['agent.state'],
      danger: true,
      when: (agent) => agent.state === 'ACTIVE',
      act: (agent) => act(agent, 'freeze'),
    },
    { label: '解冻', permission: may['agent.state'], when: (agent) => agent.state === 'FROZEN', act: (agent) => act(agent, 'unfreeze') },
  ];
  return (
    <>
      <ResourceList
        of={agents}
        actions={actions}
        actionWidth={210}
        batch={[
          {
            label: '批量调整上级',
            permission: may['agent.edit'],
            nameOf,
            when: (row) => row.state === 'ACTIVE',
            choice: { label: '新的上级', render: (props) => <OptionSelect {...props} kind="AGENT" /> },
            each: (row, parentId) => send(changeAgentParent, { id: row.id, version: row.version, parentId }, { quiet: true }),
          },
          {
            label: '批量加产品线',
            permission: may['agent.edit'],
            nameOf,
            when: (row) => agentMachine.canStart('modify', row.state),
            choice: { label: '产品线', render: (props) => <OptionSelect {...props} kind="LINE" /> },
            each: (row, lineId) => send(addAgentLines, { id: row.id, version: row.version, lineIds: [lineId] }, { quiet: true }),
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={may['agent.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <AgentForm agent={null} onClose={close} />)}>
                新增代表
              </Button>
            </Can>
            <ImportButton importerCode="pharma.agent" label="导入代表" permission={may['agent.edit']} onChanged={view.refetch} />
            <ExportButton call={exportAgentList} view={view} permission={may['agent.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}

/** /agentList 医药代表. */
export default function AgentList() {
  return (
    <PageParts
      parts={[
        { key: 'list', label: '列表', content: Agents },
        { key: 'tree', label: '架构', content: Organisation },
        { key: 'handovers', label: '离岗交接', content: Handovers },
      ]}
    />
  );
}
