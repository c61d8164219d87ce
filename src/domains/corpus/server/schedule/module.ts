import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { query } from '#kernel/server/handler.ts';
import { queryPackageCycle } from '../../contract/scheduleCalls.ts';
import { accessPackage } from '../access.ts';
import { own } from '../database.ts';
import { answerCycle, removeCycle, saveCycle } from './cycle.ts';
import { addScheduleItem, modifyScheduleItem, moveScheduleItems, removeScheduleItem, scheduleList } from './items.ts';

/** What a scene sends on which day: its items, and its cycle. */
export const scheduleModule: FeatureModule = {
  handlers: [
    scheduleList.handler,
    addScheduleItem,
    modifyScheduleItem,
    removeScheduleItem,
    moveScheduleItems,
    query(queryPackageCycle, async ({ scenePackageId }, ctx) => {
      await accessPackage(own(ctx.db), { scenePackageId });
      return answerCycle(ctx.db, scenePackageId, ctx.now);
    }),
    saveCycle,
    removeCycle,
  ],
};
