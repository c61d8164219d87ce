import { query } from '../../../../kernel/server/handler.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import {
  queryOpeningApplyList,
  queryServiceOpeningCounts,
  queryServiceOpeningDetail,
  queryServiceOpeningList,
} from '../../contract/openingCalls.ts';
import { own } from '../database.ts';
import type { Part } from '../part.ts';
import { addOpening, auditMany, auditOne, openForMany } from './batch.ts';
import { openingCounts, openingDetail } from './detail.ts';
import { writeServices } from './demo.ts';
import { openingApplyExport } from './exportApplies.ts';
import { openingExport } from './exportOpenings.ts';
import { applyQuery, openingQuery } from './find.ts';
import { openingInvariants } from './invariants.ts';
import { modifyOpening } from './modify.ts';
import { readApplies, readOpenings } from './rows.ts';
import { changeState } from './state.ts';
import { tellApplyJob } from './tell.ts';

export const openingsPart: Part = {
  handlers: (kernel) => [
    query(queryServiceOpeningList, async ({ pageNo, pageSize, ...filter }, ctx) => {
      const matching = openingQuery(ctx.db, ctx.staff, filter);
      return {
        rows: await readOpenings(ctx.db, matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
        total: await totalUpTo(own(ctx.db), matching),
      };
    }),
    query(queryOpeningApplyList, async ({ pageNo, pageSize, ...filter }, ctx) => {
      const matching = applyQuery(ctx.db, ctx.staff, filter);
      return {
        rows: await readApplies(ctx.db, matching, ctx.staff.userId, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
        total: await totalUpTo(own(ctx.db), matching),
      };
    }),
    query(queryServiceOpeningCounts, (_input, ctx) => openingCounts(ctx)),
    query(queryServiceOpeningDetail, ({ id }, ctx) => openingDetail(ctx, id)),
    addOpening,
    openForMany,
    modifyOpening,
    changeState,
    auditOne,
    auditMany,
    exportHandler(openingExport, kernel),
    exportHandler(openingApplyExport, kernel),
  ],
  jobs: [tellApplyJob],
  exports: [openingExport, openingApplyExport],
  invariants: openingInvariants,
  demo: writeServices,
};
