import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { attachments } from '../attachments.ts';
import { bindAgents, bindMedicines, unbindMedicines } from './bindings.ts';
import { lineDetail, renewLine, stopLine } from './lineHandlers.ts';
import { lineExport, lineList } from './list.ts';
import { addLine, modifyLine, removeLine } from './saveLine.ts';

export const linesModule: FeatureModule = {
  handlers: [
    lineList.handler,
    lineDetail,
    addLine(attachments),
    modifyLine(attachments),
    stopLine,
    renewLine(attachments),
    removeLine,
    bindMedicines,
    unbindMedicines,
    bindAgents,
  ],
  exports: [lineExport],
};
