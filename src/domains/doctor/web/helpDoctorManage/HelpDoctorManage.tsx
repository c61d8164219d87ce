import { Button } from 'antd';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Suspense } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import {
  changeAssistantState,
  exportAssistantList,
  queryAssistantList,
  queryAssistantSummary,
  type AssistantRow,
} from '../../contract/calls/assistants.ts';
import { doctorPermissions as rights } from '../../contract/permissions.ts';
import { assistantMachine } from '../../contract/staffStates.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { assistantList } from './assistantList.tsx';
import { AssistantForm, BindDialog, BindHistory, LeaveDialog, TransferWizard, UnboundDoctors } from './lazyDialogs.ts';
import { Summary } from './Summary.tsx';

const refreshes = [queryAssistantList, queryAssistantSummary];

/** /helpDoctorManage 医助管理. */
export default function HelpDoctorManage() {
  const { path, search } = usePage();
  const layers = useLayers();
  const change = useCommand(changeAssistantState, { success: '操作成功!', refreshes });
  const historyOf = typeof search['assistantId'] === 'string' ? search['assistantId'] : null;
  const go = (patch: Record<string, string | undefined>) => goTo(path, { ...search, ...patch }, { replace: true });
  const can = (action: keyof typeof assistantMachine.transitions) => (row: AssistantRow) => assistantMachine.canStart(action, row.state);
  const move = (action: 'goOn' | 'goOff' | 'return' | 'disable' | 'enable') => async (row: AssistantRow) => {
    const opinion = await askTransition(
      assistantMachine,
      action,
      `“${row.name}”`,
      factsIn(queryAssistantList.output, row, ['assistantNo', 'groupName', 'activeCount', 'primaryCount', 'backupCount']),
    );
    if (opinion !== null) await change.run({ id: row.id, version: row.version, action, ...(opinion && { opinion }) });
  };
  const actions: readonly RowAction<AssistantRow>[] = [
    {
      label: '绑定医生',
      permission: rights['assistant.bind'],
      when: (row) => row.state !== 'DISABLED',
      act: (row) => layers.open((close) => <BindDialog assistant={row} onClose={close} />),
    },
    {
      label: '转移',
      permission: rights['assistant.bind'],
      when: (row) => row.primaryCount + row.backupCount > 0,
      act: (row) => layers.open((close) => <TransferWizard from={row} onClose={close} />),
    },
    { label: '绑定历史', act: (row) => go({ assistantId: row.id }) },
    {
      label: '编辑',
      permission: rights['assistant.edit'],
      act: (row) => layers.open((close) => <AssistantForm row={row} onClose={close} />),
    },
    { label: '上岗', permission: rights['assistant.edit'], when: can('goOn'), act: move('goOn') },
    { label: '离岗', permission: rights['assistant.edit'], when: can('goOff'), act: move('goOff') },
    {
      label: '请假',
      permission: rights['assistant.edit'],
      when: can('leave'),
      act: (row) => layers.open((close) => <LeaveDialog row={row} onClose={close} />),
    },
    { label: '销假', permission: rights['assistant.edit'], when: can('return'), act: move('return') },
    { label: '启用', permission: rights['assistant.edit'], when: can('enable'), act: move('enable') },
    { label: '停用', permission: rights['assistant.edit'], when: can('disable'), danger: true, act: move('disable') },
  ];
  return (
    <div className="st-page">
      <Summary />
      <ResourceList
        of={assistantList}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={rights['assistant.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <AssistantForm row={null} onClose={close} />)}>
                新增
              </Button>
            </Can>
            <ExportButton call={exportAssistantList} view={view} permission={rights['assistant.export']} />
          </>
        )}
      />
      {layers.shown}
      <Suspense fallback={null}>
        {historyOf && <BindHistory assistantId={historyOf} onClose={() => go({ assistantId: undefined })} />}
        {search['unbound'] === '1' && <UnboundDoctors onClose={() => go({ unbound: undefined })} />}
      </Suspense>
    </div>
  );
}
