import { useEffect } from 'react';
import { hideWork, showWork } from '#kernel/web/feedback/progress.tsx';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { useTopic } from '#kernel/web/realtime/socket.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { queryExportTaskList, queryExportTaskProgress } from '../../contract/calls/exports.ts';
import { exportMachine } from '../../contract/states.ts';
import { progressText } from './progressText.ts';
import { unwatchTask, useWatchedTasks } from './watchedTasks.ts';

const POLL_MS = 3_000;
const ENDED = new Set(['SUCCESS', 'FAILED', 'CANCELLED', 'EXPIRED']);
const LINGER_MS = 20_000;

/** Keeps the corner cards of running exports up to date, on whatever page the operator is. */
export default function ExportWatcher() {
  const tasks = useWatchedTasks((state) => state.tasks);
  const { data, refetch } = useData(
    queryExportTaskProgress,
    { taskIds: tasks.map(({ taskId }) => taskId) },
    { enabled: tasks.length > 0, every: tasks.length > 0 ? POLL_MS : false, quiet: true },
  );
  useTopic<{ taskId: string }>('exportTask', ({ taskId }) => {
    if (tasks.some((task) => task.taskId === taskId)) void refetch();
  });
  useEffect(() => {
    for (const progress of data ?? []) {
      const task = tasks.find(({ taskId }) => taskId === progress.taskId);
      if (!task) continue;
      const ended = ENDED.has(progress.state);
      showWork({
        id: `export:${task.taskId}`,
        title: task.title,
        percent: progress.progressBp / 100,
        text: ended ? exportMachine.dictionary.label(progress.state) : progressText(progress),
        state: progress.state === 'SUCCESS' ? 'done' : ended ? 'failed' : 'running',
        action: { label: progress.state === 'SUCCESS' ? '去下载' : '查看', act: () => goTo('/downloadList') },
      });
      if (!ended) continue;
      unwatchTask(task.taskId);
      void refresh(queryExportTaskList);
      if (progress.state === 'SUCCESS') setTimeout(() => hideWork(`export:${task.taskId}`), LINGER_MS);
    }
  }, [data, tasks]);
  return null;
}
