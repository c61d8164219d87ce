import { sql } from 'kysely';
import { plusMs } from '#kernel/contract/time.ts';
import { contains, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportFollowTaskList, queryFollowTaskList } from '../../contract/tasks/calls.ts';
import { SOON_MS } from '../../contract/tasks/states.ts';
import { presentTasks, selectTasks, tasksSeen } from './rows.ts';

export const taskList = listOf(queryFollowTaskList)
  .from(({ db, staff, now }) => tasksSeen(db, staff, now))
  .with({
    where: {
      taskNo: isNumber('t.taskNo'),
      patientId: 't.patientId',
      taskType: 't.taskType',
      level: 't.level',
      assigneeId: 't.assigneeId',
      dueFrom: from('t.dueAt'),
      dueTo: upTo('t.dueAt'),
      sceneName: contains('s.name'),
      state: 't.state',
      view: (eb, view, { staff, now }) =>
        view === 'WAITING'
          ? eb('t.state', '=', 'TODO')
          : view === 'MINE'
            ? eb.and([eb('t.state', '=', 'DOING'), eb('t.assigneeId', '=', staff.userId)])
            : eb.and([eb('t.state', 'in', ['TODO', 'DOING']), eb('t.dueAt', '<=', plusMs(now, SOON_MS))]),
    },
    id: 't.id',
    sorts: { taskNo: 't.taskNo', dueAt: 't.dueAt' },
    // What waits stands as `claimNext` takes it; all tasks the newest first.
    order: ({ filter: { view } }) =>
      view === undefined
        ? []
        : view === 'WAITING'
          ? [
              [sql`(t.level = 'HIGH')`, 'desc'],
              ['t.dueAt', 'asc'],
            ]
          : [['t.dueAt', 'asc']],
    select: selectTasks,
    present: (rows, { db }) => presentTasks(db, rows),
  });

export const taskExport = listExport(taskList, {
  call: exportFollowTaskList,
  title: '随访任务',
  routeKey: 'taskManagement',
  columns: [
    'taskNo',
    'taskType',
    'level',
    'patientName',
    'doctorName',
    'sourceType',
    'sceneName',
    'dueAt',
    'attemptCount',
    'assigneeName',
    'state',
    'result',
    'nextFollowAt',
    'createdAt',
  ],
});
