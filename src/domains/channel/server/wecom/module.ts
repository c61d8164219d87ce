import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contactExport, contactHandlers } from './contacts/contactList.ts';
import { corpHandlers } from './corps.ts';
import { registerCallback } from './callbackRoute.ts';
import { handleCallbacks } from './events.ts';
import { liveCodeCommands } from './codes/liveCodes.ts';
import { liveCodeExport, liveCodeList } from './codes/liveList.ts';
import { registerLocalAdd } from './port/localAdd.ts';
import { localWecom } from './port/localPort.ts';
import { memberExport, memberHandlers } from './members.ts';
import type { Corp } from './port/port.ts';
import { realWecom } from './port/realPort.ts';
import { runExport, runList, openRuns, syncJob, openRun } from './sync.ts';
import { transferExport, settleTransfers, transferHandlers } from './contacts/transfers.ts';
import { makeWays } from './codes/ways.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { previewWelcome } from '../../contract/calls/liveCodes.ts';
import { syncWeChatWork } from '../../contract/calls/wecom.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channels } from '../access.ts';
import { ownTx } from '../database.ts';
import { fillWelcome } from './contacts/welcome.ts';

const liveHandlers = (kernel: Kernel, sync: ReturnType<typeof syncJob>): readonly Handler[] => [
  liveCodeList(kernel).handler,
  query(previewWelcome, async ({ welcome, channelId }, ctx) => {
    const channel = await channels.get(ctx.db, ctx.staff, channelId);
    return {
      text: fillWelcome(welcome.text, { contact: '张女士', member: '王医助', channel: channel.name }),
      length: [...welcome.text].length,
    };
  }),
  command(syncWeChatWork, async ({ corpRowId, kind }, ctx) => {
    const corp = await ownTx(ctx.tx)
      .selectFrom('channelWecomCorp')
      .select(['state', 'corpId'])
      .where('id', '=', corpRowId)
      .executeTakeFirst();
    if (!corp) throw refuse(platformErrors.NOT_FOUND);
    if (corp.state !== 'CONNECTED') throw refuse(channelErrors.CORP_NOT_CONNECTED);
    const id = await openRun(ctx, { corpRowId, kind, trigger: 'MANUAL' }, sync, ctx.now);
    ctx.target({ type: 'channel.wecomCorp', id: corpRowId, no: corp.corpId });
    return { id };
  }),
  runList.handler,
];

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
