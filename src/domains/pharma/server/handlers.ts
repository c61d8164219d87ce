import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import { trailOf } from '../../../kernel/server/audit/transition.ts';
import type { Call } from '../../../kernel/contract/call.ts';
import { exportHandler } from '../../../kernel/server/exporting/exportHandler.ts';
import type { ExportSource } from '../../../kernel/server/exporting/source.ts';
import { command, query, type Handler } from '../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../kernel/server/http/paging.ts';
import type { Importer } from '../../../kernel/server/importing/importer.ts';
import type { Kernel } from '../../../kernel/server/kernel.ts';
import { queryAdverseReportList } from '../contract/calls/adverse.ts';
import { importAgent, queryAgentList } from '../contract/calls/agents.ts';
import { queryMedicineApplyList } from '../contract/calls/applies.ts';
import { queryDrugCategoryTree } from '../contract/calls/categories.ts';
import { queryPharmaCompanyList } from '../contract/calls/companies.ts';
import { previewAgentHandover, queryAgentHandoverList, queryAgentHandoverTrail } from '../contract/calls/handovers.ts';
import { queryProductLineList } from '../contract/calls/lines.ts';
import {
  importMedicine,
  importSkuPrice,
  queryMedicineByApprovalNo,
  queryMedicineCounts,
  queryMedicineDetail,
  queryMedicineList,
} from '../contract/calls/medicines.ts';
import { queryAgentSelectOptions, queryDrugSelectOptions } from '../contract/calls/options.ts';
import { importReimburse, queryReimburseList, querySkuList, querySkuPriceList } from '../contract/calls/skus.ts';
import { pharmaPermissions as may } from '../contract/permissions.ts';
import { adverseHandlers } from './adverse/adverseActs.ts';
import { matchingReports, presentReport, reportRows } from './adverse/adverseRows.ts';
import { accessAgent } from './agents/accessAgent.ts';
import { changeAgent, moveAgent, revealAgent } from './agents/agentActs.ts';
import { agentDetail, agentTree } from './agents/agentReads.ts';
import { agentRows, matchingAgents, presentAgents } from './agents/agentRows.ts';
import { addAgentHandler, addLinesHandler, modifyAgentHandler } from './agents/saveAgent.ts';
import { applyHandlers } from './applies/applyHandlers.ts';
import { applyRows, matchingApplies, presentApply } from './applies/applyRows.ts';
import type { Attachments } from './attachments.ts';
import { addCategory, mergeCategory, modifyCategory, moveCategory, removeCategory } from './categories/categoryActs.ts';
import { categoryTree } from './categories/categoryRows.ts';
import { changeCompanyState, companyDetail, removeCompany, revealCompanyMobile } from './companies/companyActs.ts';
import { companyRows, matchingCompanies, presentCompany } from './companies/companyRows.ts';
import { addCompany, modifyCompany } from './companies/saveCompany.ts';
import { pharmaDb } from './database.ts';
import { pictureUrl } from './pictures.ts';
import { handoverHandlers } from './handover/handoverActs.ts';
import { handoverRows, matchingHandovers, presentHandover } from './handover/handoverRows.ts';
import { belongingsOf, previewLoads, resolvePlan } from './handover/plan.ts';
import { bindAgents, bindMedicines, unbindMedicines } from './lines/bindings.ts';
import { lineDetail, renewLine, stopLine } from './lines/lineActs.ts';
import { lineRows, matchingLines, presentLines } from './lines/lineRows.ts';
import { addLine, modifyLine, removeLine } from './lines/saveLine.ts';
import type { Mailer } from './mailer.ts';
import { changeState, moveCategoryOfMedicines, submitDraft } from './medicines/medicineActs.ts';
import { countMedicines, medicineByApprovalNo, medicineDetail } from './medicines/medicineReads.ts';
import { matchingMedicines, medicineRows, presentMedicine } from './medicines/medicineRows.ts';
import { addMedicineDraft, copyMedicineDraft, modifyMedicineFacts, removeMedicine } from './medicines/saveMedicine.ts';
import { agentOptions, drugOptions } from './options.ts';
import { shareEvenly } from '../contract/rules/handoverPlan.ts';
import { addPrice, revokePrice } from './skus/priceActs.ts';
import { matchingPrices, presentPrices, priceRows } from './skus/priceRows.ts';
import { matchingReimburse, presentReimburse, reimburseRows, saveReimburseRow } from './skus/reimburse.ts';
import { addSkuHandler, changeSku, modifySkuHandler, skusWhere } from './skus/skuActs.ts';

interface Parts {
  kernel: Kernel;
  attachments: Attachments;
  mailer: Mailer;
  exports: readonly ExportSource[];
  importers: readonly (readonly [call: typeof importMedicine, importer: Importer])[];
}

const lists: readonly Handler[] = [
  query(queryProductLineList, async (input, { db, today }) => {
    const own = pharmaDb(db);
    const found = matchingLines(own, input, today);
    const rows = await lineRows(own, today)
      .where('l.id', 'in', found)
      .orderBy('l.id', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute();
    return { rows: await presentLines(db, rows, today), total: await totalUpTo(own, found) };
  }),
  query(querySkuPriceList, async (input, { db, today, has }) => {
    const own = pharmaDb(db);
    const found = matchingPrices(own, input, today, has(may['price.supply']));
    const rows = await priceRows(own, today)
      .where('p.id', 'in', found)
      .orderBy('p.effectiveFrom', 'desc')
      .orderBy('p.id', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute();
    return { rows: await presentPrices(db, rows), total: await totalUpTo(own, found) };
  }),
  query(queryReimburseList, async (input, { db }) => {
    const own = pharmaDb(db);
    const found = matchingReimburse(own, input);
    const rows = await reimburseRows(own)
      .where('r.id', 'in', found)
      .orderBy('r.medicineId')
      .orderBy('r.provinceAdcode')
      .orderBy('r.effectiveFrom', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute();
    return { rows: rows.map(presentReimburse), total: await totalUpTo(own, found) };
  }),
  query(queryMedicineApplyList, async (input, { db, has, staff }) => {
    const own = pharmaDb(db);
    const found = matchingApplies(own, input, { market: has(may['price.view']), supply: has(may['price.supply']) });
    const rows = await applyRows(own)
      .where('a.id', 'in', found)
      .orderBy('a.id', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute();
    return { rows: rows.map((row) => presentApply(row, staff.userId)), total: await totalUpTo(own, found) };
  }),
  query(queryAgentHandoverList, async (input, { db, staff }) => {
    const own = pharmaDb(db);
    const found = matchingHandovers(own, input, staff);
    const rows = await handoverRows(own)
      .where('h.id', 'in', found)
      .orderBy('h.id', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute();
    return { rows: rows.map((row) => presentHandover(row, staff.userId)), total: await totalUpTo(own, found) };
  }),
  query(queryAdverseReportList, async (input, { db, now }) => {
    const own = pharmaDb(db);
    const found = matchingReports(own, input, now);
    const rows = await reportRows(own)
      .where('r.id', 'in', found)
      .orderBy('r.dueAt')
      .orderBy('r.id')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute();
    return { rows: rows.map((row) => presentReport(row, now)), total: await totalUpTo(own, found) };
  }),
];

const reads: readonly Handler[] = [
  companyDetail,
  lineDetail,
  agentDetail,
  agentTree,
  query(queryMedicineCounts, (_input, { db }) => countMedicines(pharmaDb(db))),
  query(queryMedicineByApprovalNo, ({ approvalNo }, { db }) => medicineByApprovalNo(pharmaDb(db), approvalNo)),
  query(queryMedicineDetail, ({ medicineId }, { db, today }) => medicineDetail(db, medicineId, today)),
  query(querySkuList, ({ medicineId }, { db, today, has }) =>
    skusWhere(pharmaDb(db), { medicineId }, today, { market: has(may['price.view']), supply: has(may['price.supply']) }),
  ),
  query(queryDrugCategoryTree, ({ kind }, { db }) => categoryTree(pharmaDb(db), kind)),
  query(queryDrugSelectOptions, (input, { db, today }) => drugOptions(pharmaDb(db), input, today)),
  query(queryAgentSelectOptions, (input, { db, staff }) => agentOptions(pharmaDb(db), input, staff)),
  query(queryAgentHandoverTrail, async ({ handoverId }, ctx) => {
    const row = await pharmaDb(ctx.db)
      .selectFrom('pharmaAgentHandover')
      .select('fromAgentId')
      .where('id', '=', handoverId)
      .executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    await accessAgent(ctx, row.fromAgentId);
    return trailOf(ctx.db, 'pharma.agentHandover', handoverId);
  }),
  query(previewAgentHandover, async ({ fromAgentId, plan, shareOver }, ctx) => {
    const own = pharmaDb(ctx.db);
    await accessAgent(ctx, fromAgentId);
    const belongings = await belongingsOf(own, fromAgentId);
    const shared = shareOver && shareOver.length > 0 ? shareEvenly(belongings.doctors, shareOver) : null;
    const chosen = shared
      ? {
          ...plan,
          doctors: belongings.doctors.map(({ doctorId, productLineId }) => ({
            doctorId,
            productLineId,
            toAgentId: shared.get(`${doctorId}:${productLineId}`)!,
          })),
        }
      : plan;
    const resolved = resolvePlan(chosen, belongings);
    return {
      plan: chosen,
      unassigned: resolved.unassigned,
      teamSize: belongings.team.length,
      successors: await previewLoads(own, ctx.staff, resolved),
    };
  }),
];

/** Every call of the domain. */
export function pharmaHandlers({ kernel, attachments, mailer, exports, importers }: Parts): readonly Handler[] {
  const { secrets } = kernel;
  return [
    ...lists,
    query(queryPharmaCompanyList, async (input, { db, now }) => {
      const own = pharmaDb(db);
      const found = matchingCompanies(own, input);
      const rows = await companyRows(own)
        .where('c.id', 'in', found)
        .orderBy('c.id', 'desc')
        .limit(input.pageSize)
        .offset(offsetOf(input))
        .execute();
      return {
        rows: rows.map((row) => ({ ...presentCompany(row), logoUrl: pictureUrl(kernel, row.logoFileId, now) })),
        total: await totalUpTo(own, found),
      };
    }),
    query(queryMedicineList, async (input, { db, today, now, has }) => {
      const own = pharmaDb(db);
      const found = matchingMedicines(own, input, today, has(may['price.view']));
      const rows = await medicineRows(own, today, input.provinceAdcode)
        .where('m.id', 'in', found)
        .orderBy('m.updatedAt', 'desc')
        .orderBy('m.id', 'desc')
        .limit(input.pageSize)
        .offset(offsetOf(input))
        .execute();
      return {
        rows: rows.map((row) => ({
          ...presentMedicine(row, has(may['price.view'])),
          imageUrl: pictureUrl(kernel, row.imageFileIds[0] ?? null, now),
        })),
        total: await totalUpTo(own, found),
      };
    }),
    query(queryAgentList, async (input, { db, today, staff }) => {
      const own = pharmaDb(db);
      const found = matchingAgents(own, input, staff, { today, secrets });
      const rows = await agentRows(own, today)
        .where('a.id', 'in', found)
        .orderBy('a.id', 'desc')
        .limit(input.pageSize)
        .offset(offsetOf(input))
        .execute();
      return { rows: await presentAgents(db, rows, today), total: await totalUpTo(own, found) };
    }),
    ...reads,
    addCompany(secrets, attachments),
    modifyCompany(secrets, attachments),
    changeCompanyState,
    removeCompany,
    revealCompanyMobile(secrets),
    addLine(attachments),
    modifyLine(attachments),
    stopLine,
    renewLine(attachments),
    removeLine,
    bindMedicines,
    unbindMedicines,
    bindAgents,
    addMedicineDraft(attachments),
    modifyMedicineFacts(attachments),
    copyMedicineDraft,
    removeMedicine,
    submitDraft,
    changeState,
    moveCategoryOfMedicines,
    addSkuHandler,
    modifySkuHandler,
    changeSku,
    addPrice,
    revokePrice,
    saveReimburseRow(attachments),
    addCategory,
    modifyCategory,
    moveCategory,
    removeCategory,
    mergeCategory,
    addAgentHandler(secrets, attachments),
    modifyAgentHandler(secrets, attachments),
    addLinesHandler,
    changeAgent,
    moveAgent,
    revealAgent(secrets),
    ...applyHandlers(kernel),
    ...handoverHandlers(kernel),
    ...adverseHandlers(kernel, mailer),
    ...exports.map((source) => exportHandler(source, kernel)),
    ...importers.map(([call, importer]) =>
      command(call, ({ fileId, mode }, ctx) =>
        kernel.ports.importTasks.start(ctx, { importerCode: importer.code, fileId, params: {}, mode, staff: ctx.staff }, ctx.now),
      ),
    ),
  ];
}

export const importCalls = { importMedicine, importSkuPrice, importReimburse, importAgent } satisfies Record<string, Call>;
