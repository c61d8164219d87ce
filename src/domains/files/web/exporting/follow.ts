import { create } from 'zustand';

/** Export tasks that this page's operator started here; their cards stay over page changes. */
interface Followed {
  taskId: string;
  title: string;
}

export const useFollowed = create<{ tasks: readonly Followed[] }>(() => ({ tasks: [] }));

export const follow = (task: Followed): void =>
  useFollowed.setState(({ tasks }) => ({ tasks: [...tasks.filter(({ taskId }) => taskId !== task.taskId), task] }));
export const unfollow = (taskId: string): void =>
  useFollowed.setState(({ tasks }) => ({ tasks: tasks.filter((task) => task.taskId !== taskId) }));
