import { query } from '../../../../kernel/server/handler.ts';
import { queryServiceOpeningCounts, queryServiceOpeningDetail } from '../../contract/calls/openings.ts';
import type { FeatureModule } from '../../../../kernel/server/featureModule.ts';
import { openingApplyExport, openingApplyList } from './applyList.ts';
import { addOpening, auditMany, auditOne, openForMany } from './batch.ts';
import { openingCounts, openingDetail } from './detail.ts';
import { writeServices } from './demo.ts';
import { openingInvariants } from './invariants.ts';
import { openingExport, openingList } from './list.ts';
import { modifyOpening } from './modify.ts';
import { changeState } from './state.ts';
import { notifyApplyJob } from './notifyApply.ts';

export const openingsModule: FeatureModule = {
  handlers: [
    openingList.handler,
    openingApplyList.handler,
    query(queryServiceOpeningCounts, (_input, ctx) => openingCounts(ctx)),
    query(queryServiceOpeningDetail, ({ id }, ctx) => openingDetail(ctx, id)),
    addOpening,
    openForMany,
    modifyOpening,
    changeState,
    auditOne,
    auditMany,
  ],
  jobs: [notifyApplyJob],
  exports: [openingExport, openingApplyExport],
  invariants: openingInvariants,
  demo: writeServices,
};
