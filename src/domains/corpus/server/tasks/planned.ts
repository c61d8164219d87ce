import { hours, plusMs } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { FrozenItem } from '../../contract/engine/snapshot.ts';
import { taskType } from '../../contract/tasks/states.ts';
import { own } from '../database.ts';
import type { Run } from '../engine/runs.ts';
import { placeOfRun } from './places.ts';
import { raiseTask } from './raise.ts';

export interface PlannedTask {
  send: { id: string };
  run: Run;
  item: FrozenItem;
}

/** The tasks of schedule items whose time has come and whom no gate kept back. */
export async function raisePlanned(ctx: Acting, planned: readonly PlannedTask[]): Promise<void> {
  if (planned.length === 0) return;
  const scenes = await own(ctx.tx)
    .selectFrom('corpusScene')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(planned.map(({ run }) => run.sceneId))])
    .execute();
  const names = new Map(scenes.map(({ id, name }) => [id, name]));
  for (const { send, run, item } of planned) {
    if (!item.createTask) continue;
    const { taskType: type, dueInHours } = item.createTask;
    await raiseTask(ctx, {
      ...placeOfRun(run),
      source: { type: 'SEND', id: send.id },
      taskType: type,
      level: 'MID',
      subject: `场景“${names.get(run.sceneId) ?? ''}”第${item.dayOffset}天：${taskType.label(type)}`,
      dueAt: plusMs(ctx.now, hours(dueInHours)),
      patientId: run.patientId,
      assigneeId: null,
    });
  }
}
