import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { queryChannelVipDetail } from '../../contract/calls/vips.ts';
import { CONTRACT_PURPOSE } from '../../contract/purposes.ts';
import { vipStates } from '../../contract/states.ts';
import { vipById, vipList } from './list.ts';
import { addVip, modifyVip, submitVip, VIP_TARGET } from './save.ts';
import { auditVip, changeVipState } from './state.ts';
import { usageList } from './usage.ts';

export const vipHandlers: readonly Handler[] = [
  vipList.handler,
  query(queryChannelVipDetail, async ({ id }, ctx) => {
    const row = await vipById(ctx.db, ctx.staff, id, ctx.today);
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    const previous = row.previousVipId === null ? null : await vipById(ctx.db, ctx.staff, row.previousVipId, ctx.today);
    const mayAudit = row.makerId !== ctx.staff.userId;
    return {
      ...row,
      previous,
      contracts: await fileBriefs(ctx.db, row.contractFileIds, { purpose: CONTRACT_PURPOSE, ownerType: VIP_TARGET }),
      trail: await trailOf(ctx.db, VIP_TARGET, id),
      allowedActions: vipStates.allowed(row.state, ctx.has).filter((action) => mayAudit || (action !== 'approve' && action !== 'reject')),
    };
  }),
  addVip,
  modifyVip,
  submitVip,
  auditVip,
  changeVipState,
  usageList.handler,
];
