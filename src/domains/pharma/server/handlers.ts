import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import { trailOf } from '../../../kernel/server/audit/transition.ts';
import type { Call } from '../../../kernel/contract/call.ts';
import { exportHandler } from '../../../kernel/server/exporting/exportHandler.ts';
import type { ExportSource } from '../../../kernel/server/exporting/source.ts';
import { command, query, type Handler } from '../../../kernel/server/handler.ts';
import type { Importer } from '../../../kernel/server/importing/importer.ts';
import type { Kernel } from '../../../kernel/server/kernel.ts';
import { importAgent } from '../contract/calls/agents.ts';
import { queryDrugCategoryTree } from '../contract/calls/categories.ts';
import { previewAgentHandover, queryAgentHandoverTrail } from '../contract/calls/handovers.ts';
import {
  importMedicine,
  importSkuPrice,
  queryMedicineByApprovalNo,
  queryMedicineCounts,
  queryMedicineDetail,
} from '../contract/calls/medicines.ts';
import { queryAgentSelectOptions, queryDrugSelectOptions } from '../contract/calls/options.ts';
import { importReimburse, querySkuList } from '../contract/calls/skus.ts';
import { pharmaPermissions as may } from '../contract/permissions.ts';
import { adverseHandlers } from './adverse/adverseHandlers.ts';
import { accessAgent } from './agents/accessAgent.ts';
import { changeAgent, moveAgent, revealAgent } from './agents/agentHandlers.ts';
import { agentDetail, agentTree } from './agents/agentReads.ts';
import { addAgentHandler, addLinesHandler, modifyAgentHandler } from './agents/saveAgent.ts';
import { applyHandlers } from './applies/applyHandlers.ts';
import type { Attachments } from './attachments.ts';
import { addCategory, mergeCategory, modifyCategory, moveCategory, removeCategory } from './categories/categoryHandlers.ts';
import { categoryTree } from './categories/categoryRows.ts';
import { changeCompanyState, companyDetail, removeCompany, revealCompanyMobile } from './companies/companyHandlers.ts';
import { addCompany, modifyCompany } from './companies/saveCompany.ts';
import { pharmaDb } from './database.ts';
import { handoverHandlers } from './handover/handoverHandlers.ts';
import { belongingsOf, previewLoads, resolvePlan } from './handover/plan.ts';
import { bindAgents, bindMedicines, unbindMedicines } from './lines/bindings.ts';
import { lineDetail, renewLine, stopLine } from './lines/lineHandlers.ts';
import { addLine, modifyLine, removeLine } from './lines/saveLine.ts';
import type { Mailer } from './mailer.ts';
import { changeState, moveCategoryOfMedicines, submitDraft } from './medicines/medicineHandlers.ts';
import { countMedicines, medicineByApprovalNo, medicineDetail } from './medicines/medicineReads.ts';
import { addMedicineDraft, copyMedicineDraft, modifyMedicineFacts, removeMedicine } from './medicines/saveMedicine.ts';
import { agentOptions, drugOptions } from './options.ts';
import { shareEvenly } from '../contract/rules/handoverPlan.ts';
import { addPrice, revokePrice } from './skus/priceHandlers.ts';
import { saveReimburseRow } from './skus/reimburse.ts';
import { addSkuHandler, changeSku, modifySkuHandler, skusWhere } from './skus/skuHandlers.ts';

interface Parts {
  kernel: Kernel;
  attachments: Attachments;
  mailer: Mailer;
  lists: readonly { handler: Handler }[];
  exports: readonly ExportSource[];
  importers: readonly (readonly [call: typeof importMedicine, importer: Importer])[];
}

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
export function pharmaHandlers({ kernel, attachments, mailer, lists, exports, importers }: Parts): readonly Handler[] {
  const { secrets } = kernel;
  return [
    ...lists.map(({ handler }) => handler),
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
