import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { previewWelcome } from '../../contract/calls/liveCodes.ts';
import { syncWeChatWork } from '../../contract/calls/wecom.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channels } from '../access.ts';
import { ownTx } from '../database.ts';
import { liveCodeList } from './liveList.ts';
import { runList } from './runList.ts';
import { openRun, type syncJob } from './sync.ts';
import { fillWelcome } from './welcome.ts';

export const liveHandlers = (kernel: Kernel, sync: ReturnType<typeof syncJob>): readonly Handler[] => [
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
