import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { job, type JobDeclaration } from '../../../../kernel/server/jobs/declaration.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { contactExport, contactHandlers } from './contactList.ts';
import { corpHandlers } from './corps.ts';
import { registerCallback } from './callbackRoute.ts';
import { handleCallbacks } from './events.ts';
import { liveHandlers } from './handlers.ts';
import { liveCodeCommands } from './liveCodes.ts';
import { liveCodeExport } from './liveList.ts';
import { registerLocalAdd } from './localAdd.ts';
import { localWecom } from './localPort.ts';
import { memberExport } from './memberList.ts';
import { memberHandlers } from './members.ts';
import type { Corp } from './port.ts';
import { realWecom } from './realPort.ts';
import { runExport } from './runList.ts';
import { openRuns, syncJob } from './sync.ts';
import { transferExport } from './transferList.ts';
import { settleTransfers, transferHandlers } from './transfers.ts';
import { makeWays } from './ways.ts';

/** Everything of WeChat Work: the port by the company's mode, calls, jobs, raw routes. */
export function wecomModule(kernel: Kernel): FeatureModule {
  const local = localWecom(kernel);
  const real = realWecom(() => Date.parse(kernel.clock.now()));
  const portOf = (corp: Corp) => (corp.mode === 'LOCAL' ? local : real);
  const ways = makeWays(kernel, portOf);
  const sync = syncJob(kernel, portOf);
  const handling = handleCallbacks(kernel, portOf);
  const syncMembers = job({
    name: 'channel.syncMembers',
    label: '定时同步成员',
    cron: '10 * * * *',
    run: (_data, ctx) => openRuns(ctx, 'MEMBER', sync),
  });
  const syncContacts = job({
    name: 'channel.syncContacts',
    label: '定时同步客户',
    cron: '30 2 * * *',
    run: (_data, ctx) => openRuns(ctx, 'CONTACT', sync),
  });
  const syncTags = job({
    name: 'channel.syncTags',
    label: '定时同步标签',
    cron: '50 2 * * *',
    run: (_data, ctx) => openRuns(ctx, 'TAG', sync),
  });
  const handlers = [
    ...corpHandlers(kernel, portOf),
    ...memberHandlers,
    ...liveHandlers(kernel, sync),
    ...liveCodeCommands(ways),
    ...contactHandlers(kernel),
    ...transferHandlers(kernel, portOf),
  ];
  const jobs: readonly JobDeclaration<never>[] = [
    ways as JobDeclaration<never>,
    sync as JobDeclaration<never>,
    handling as JobDeclaration<never>,
    syncMembers,
    syncContacts,
    syncTags,
    settleTransfers(kernel, portOf),
  ];
  return {
    handlers,
    jobs,
    exports: [liveCodeExport(kernel), contactExport(kernel), memberExport, runExport, transferExport],
    http(app) {
      registerCallback(app, kernel, handling);
      registerLocalAdd(app, kernel, portOf);
    },
  };
}
