import { declareDesk } from '#kernel/contract/desk.ts';
import { assignFollowTask, claimFollowTask, claimNextFollowTask, queryFollowTaskList } from './calls.ts';
import { taskErrors } from './errors.ts';
import { taskMachine } from './states.ts';

/** 人工任务: whose a task is keeps it over days, until it is done or somebody gives it to another. */
export const taskDesk = declareDesk({
  machine: taskMachine,
  work: '未完成的随访任务',
  key: 'id',
  calls: { claim: claimFollowTask, claimNext: claimNextFollowTask, assign: assignFollowTask },
  pool: ['TODO'],
  minutes: null,
  refusals: { held: taskErrors.TASK_CLAIMED, none: taskErrors.NONE_TO_CLAIM },
  lists: [{ list: queryFollowTaskList, holder: 'assigneeName' }],
});
