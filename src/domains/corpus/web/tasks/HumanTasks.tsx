import { Button, Segmented } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { send } from '#kernel/web/http/client.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay, useSession } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import {
  assignFollowTask,
  claimFollowTask,
  claimNextFollowTask,
  closeFollowTask,
  exportFollowTaskList,
  queryFollowTaskDetail,
  queryFollowTaskList,
  taskViews,
  type TaskRow,
} from '../../contract/tasks/calls.ts';
import { AssigneeSelect } from './AssigneeSelect.tsx';
import { isOpen, tasks } from './taskList.tsx';

const TaskDrawer = lazy(() => import('./TaskDrawer.tsx'));
const AddTaskForm = lazy(() => import('./AddTaskForm.tsx'));
const RescheduleDialog = lazy(() => import('./RescheduleDialog.tsx'));

const lists = [...taskViews, 'ALL'] as const;
const listLabels: Readonly<Record<(typeof lists)[number], string>> = { MINE: '我的待办', WAITING: '待领取', SOON: '即将超时', ALL: '全部' };
const address = { list: param.oneOf(lists), taskId: param.optional() };
const POLL_MS = 30_000;
const changed = [queryFollowTaskList, queryFollowTaskDetail];

/** 人工任务: one's own, what waits, what is nearly over, all; each is handled in a drawer. */
export function HumanTasks() {
  const [{ list, taskId }, setAddress] = useAddress(address);
  const holds = useMay();
  const me = useSession((session) => session.userId);
  const layers = useLayers();
  const open = (id: string) => setAddress({ taskId: id });
  const claim = useCommand(claimFollowTask, { success: SERVER_MESSAGE, refreshes: changed, onSuccess: ({ data }) => open(data.id) });
  const next = useCommand(claimNextFollowTask, { success: SERVER_MESSAGE, refreshes: changed, onSuccess: ({ data }) => open(data.id) });
  const close = useCommand(closeFollowTask, { success: SERVER_MESSAGE, refreshes: changed });
  const fixed = useMemo(() => (list === 'ALL' ? {} : { view: list }), [list]);
  const mayHandle = holds(may['task.handle']);
  useKeys(mayHandle ? [{ keys: 'N', label: '领取下一条', act: () => void next.run({}) }] : []);
  const isMine = (row: TaskRow) => row.state === 'DOING' && row.assigneeId === me;
  const askClose = async (row: TaskRow) => {
    const opinion = await confirmWithOpinion({
      title: '关闭任务',
      content: `将关闭任务${row.taskNo}。`,
      facts: factsIn(queryFollowTaskList.output, row, ['taskType', 'patientName', 'doctorName', 'dueAt', 'attemptCount']),
      opinion: 'required',
      danger: true,
    });
    if (opinion !== null) await close.run({ id: row.id, opinion, version: row.version });
  };
  const actions: readonly RowAction<TaskRow>[] = [
    {
      label: '领取',
      permission: may['task.handle'],
      when: (row) => row.state === 'TODO',
      act: (row) => claim.run({ id: row.id }),
    },
    { label: '处理', permission: may['task.handle'], when: isMine, act: (row) => open(row.id) },
    {
      label: '改期',
      permission: may['task.handle'],
      when: isMine,
      act: (row) => layers.open((close) => <RescheduleDialog task={row} onClose={close} />),
    },
    {
      label: '关闭',
      permission: may['task.handle'],
      danger: true,
      when: (row) => row.state === 'TODO' || isMine(row) || (row.state === 'DOING' && holds(may['task.assign'])),
      act: askClose,
    },
  ];
  return (
    <>
      <ResourceList
        of={tasks}
        fixed={fixed}
        every={POLL_MS}
        actions={actions}
        onRowClick={(row) => open(row.id)}
        above={
          <Segmented
            value={list}
            options={lists.map((key) => ({ value: key, label: listLabels[key] }))}
            onChange={(key: (typeof lists)[number]) => setAddress({ list: key })}
          />
        }
        batch={[
          {
            label: '分派',
            permission: may['task.assign'],
            when: isOpen,
            nameOf: (row) => row.taskNo,
            choice: { label: '负责人', render: (props) => <AssigneeSelect {...props} /> },
            each: (row, assigneeId) => send(assignFollowTask, { id: row.id, assigneeId, version: row.version }, { quiet: true }),
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={may['task.handle']}>
              <Button type="primary" disabled={next.busy} title="领取下一条（N）" onClick={() => void next.run({})}>
                领取下一条
              </Button>
              <Button onClick={() => layers.open((close) => <AddTaskForm onClose={close} />)}>新增任务</Button>
            </Can>
            <ExportButton call={exportFollowTaskList} view={view} permission={may['corpus.export']} />
          </>
        )}
      />
      <Suspense fallback={null}>
        {taskId !== undefined && <TaskDrawer key={taskId} id={taskId} onClose={() => setAddress({ taskId: undefined })} />}
      </Suspense>
      {layers.shown}
    </>
  );
}
