import { create } from 'zustand';

/** Export tasks that this page's operator started here; their cards stay over page changes. */
interface WatchedTask {
  taskId: string;
  title: string;
}

export const useWatchedTasks = create<{ tasks: readonly WatchedTask[] }>(() => ({ tasks: [] }));

export const watchTask = (task: WatchedTask): void =>
  useWatchedTasks.setState(({ tasks }) => ({ tasks: [...tasks.filter(({ taskId }) => taskId !== task.taskId), task] }));
export const unwatchTask = (taskId: string): void =>
  useWatchedTasks.setState(({ tasks }) => ({ tasks: tasks.filter((task) => task.taskId !== taskId) }));
