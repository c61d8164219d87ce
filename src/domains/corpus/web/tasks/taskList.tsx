import { Time } from '#kernel/web/kit/values.tsx';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { PatientPicker } from '#kernel/web/kit/pickers.tsx';
import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryFollowTaskList, type TaskRow } from '../../contract/tasks/calls.ts';
import { taskSource } from '../../contract/tasks/states.ts';
import { AssigneeSelect } from './AssigneeSelect.tsx';

/** Still to be done. */
export const isOpen = ({ state }: Pick<TaskRow, 'state'>): boolean => state === 'TODO' || state === 'DOING';

/** The time left of what is still to be done; when the others ended does not run. */
export const Due = ({ task }: { task: Pick<TaskRow, 'state' | 'dueAt'> }) =>
  isOpen(task) ? <TimeLeft at={task.dueAt} /> : <Time at={task.dueAt} />;

export const placeOf = ({ doctorName, isGroup }: Pick<TaskRow, 'doctorName' | 'isGroup'>): string =>
  [doctorName, isGroup ? '群聊' : ''].filter(Boolean).join(' · ');

export const sourceOf = ({ sourceType, sceneName }: Pick<TaskRow, 'sourceType' | 'sceneName'>): string =>
  [taskSource.label(sourceType), sceneName ?? ''].filter(Boolean).join(' · ');

export const tasks = resource(queryFollowTaskList, {
  routeKey: 'taskManagement',
  empty: '没有符合条件的任务',
  filters: [
    'taskNo',
    { kind: 'picker', name: 'patientId', picker: PatientPicker },
    'taskType',
    'level',
    { kind: 'picker', name: 'assigneeId', picker: AssigneeSelect },
    { kind: 'instants', names: ['dueFrom', 'dueTo'], label: '截止时间' },
    'sceneName',
    'state',
  ],
  columns: [
    'taskNo',
    'taskType',
    'level',
    { key: 'patientName', render: (row) => <PatientLink patientId={row.patientId}>{row.patientName}</PatientLink> },
    { key: 'place', title: '医生/群', width: 104, value: placeOf },
    { key: 'source', title: '来源', width: 120, value: sourceOf },
    { key: 'due', title: '截止', width: 124, kind: 'custom', render: (row) => <Due task={row} /> },
    'attemptCount',
    'assigneeName',
    'state',
    { key: 'result', hidden: true },
    { key: 'nextFollowAt', hidden: true },
    { key: 'createdAt', hidden: true },
  ],
});
