import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { addTask } from './add.ts';
import { taskDetail } from './detail.ts';
import { formHandlers } from './forms.ts';
import { taskExport, taskList } from './list.ts';
import { taskJobs } from './replies.ts';
import { takeHandlers } from './take.ts';
import { close, complete, reschedule } from './workOnTask.ts';

/** 人工任务: what people do for patients whom the engine, an answer or a colleague points out. */
export const tasksModule: FeatureModule = {
  handlers: (kernel) => [taskList.handler, taskDetail, addTask, ...takeHandlers, complete(kernel), reschedule, close, ...formHandlers],
  exports: [taskExport],
  jobs: taskJobs,
};
