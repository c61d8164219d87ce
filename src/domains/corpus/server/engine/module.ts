import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { previewJobs } from '../previews/dryRun.ts';
import { previewRows, readPreview, startPreview } from '../previews/handlers.ts';
import { dayReplay } from '../replay/dayReplay.ts';
import { readReplay, replayRows, startReplay } from '../replay/handlers.ts';
import { replayJob } from '../replay/replay.ts';
import { simulateJob } from '../replay/simulate.ts';
import { readSimulation, simulationExport, simulationList, startSimulation } from '../replay/simulationHandlers.ts';
import { addRuns, operateRuns, runDetail, timeline } from '../runs/handlers.ts';
import { runExport, runList } from '../runs/list.ts';
import { retrySends, skipSends } from '../sends/handlers.ts';
import { sendExport, sendList } from '../sends/list.ts';
import { auditPackage, versionJobs } from '../versions/audit.ts';
import { versionDiff } from '../versions/diff.ts';
import { versionList } from '../versions/list.ts';
import { packageStateQuery } from '../versions/packageState.ts';
import { engineConsumers } from './consumers.ts';
import { engineBoard, resumeSending, saveSetting, stopSending, switchList } from './handlers.ts';
import { engineJobs } from './jobs.ts';

const exports = [runExport, sendExport, simulationExport];

/** The sending half: versions, dry runs, runs of patients, touches and the engine that sends them. */
export const engineModule: FeatureModule = {
  handlers: [
    auditPackage,
    packageStateQuery,
    versionList.handler,
    versionDiff,
    startPreview,
    readPreview,
    previewRows.handler,
    startReplay,
    readReplay,
    replayRows.handler,
    dayReplay,
    startSimulation,
    readSimulation,
    simulationList.handler,
    runList.handler,
    runDetail,
    addRuns,
    operateRuns,
    timeline,
    sendList.handler,
    retrySends,
    skipSends,
    engineBoard,
    switchList.handler,
    stopSending,
    resumeSending,
    saveSetting,
  ],
  exports,
  jobs: [...engineJobs, ...versionJobs, ...previewJobs, replayJob, simulateJob],
  consumers: engineConsumers,
};
