import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import * as adverse from '../contract/calls/adverse.ts';
import * as agents from '../contract/calls/agents.ts';
import * as applies from '../contract/calls/applies.ts';
import * as categories from '../contract/calls/categories.ts';
import * as companies from '../contract/calls/companies.ts';
import * as handovers from '../contract/calls/handovers.ts';
import * as lines from '../contract/calls/lines.ts';
import * as medicines from '../contract/calls/medicines.ts';
import * as options from '../contract/calls/options.ts';
import * as skus from '../contract/calls/skus.ts';
import { agentImporter } from './imports/agentImporter.ts';
import { medicineImporter } from './imports/medicineImporter.ts';
import { priceImporter } from './imports/priceImporter.ts';
import { reimburseImporter } from './imports/reimburseImporter.ts';
import {
  FAR,
  NONE,
  agentInput,
  companyInput,
  facts,
  giveDoctors,
  makeAgent,
  makeCategory,
  makeCompany,
  makeDraft,
  makeLine,
  makeMedicine,
  makeOn,
  makePrice,
  makeReport,
  makeSku,
  newApprovalNo,
  openApplyOf,
  operator,
} from './testing/fixtures.ts';
import { uploadTable } from '#testing/uploads.ts';
import { tableOf, uploadPaper } from './testing/upload.ts';

const lineFields = { name: '肺癌产品线', therapyArea: '肿瘤', startDate: '2026-01-01', endDate: FAR };
const none = { id: NONE, version: 1 };
const skuFields = { packSpec: '80mg*30片/盒', packUnits: 30, unit: '盒' };

async function agentWithLine(app: TestApp, more: object = {}) {
  const company = await makeCompany(app);
  const line = await makeLine(app, company.id);
  return { company, line, agent: await makeAgent(app, company.id, line.id, more) };
}

/** A person with one doctor, and a colleague who can take over. */
async function leaving(app: TestApp) {
  const { company, line, agent } = await agentWithLine(app);
  const successor = await makeAgent(app, company.id, line.id);
  await giveDoctors(app, agent.id, line.id, [{ doctorId: `9${agent.id}` }]);
  return {
    agent,
    successor,
    fields: { reason: 'TRANSFER' as const, effectiveOn: '2026-11-25', plan: { rest: { toAgentId: successor.id } }, remark: '调岗交接' },
  };
}

async function makeHandover(app: TestApp, submit: boolean) {
  const { agent, fields } = await leaving(app);
  return {
    row: await app.ok(
      handovers.addAgentHandover,
      { fromAgentId: agent.id, ...fields, submit },
      { as: await operator(app), idempotencyKey: `handover-${agent.id}` },
    ),
    fields,
    agent,
  };
}

const waitingApply = async (app: TestApp) => {
  const draft = await makeDraft(app);
  await app.ok(medicines.submitMedicine, { id: draft.id, version: draft.version }, { as: await operator(app) });
  return openApplyOf(app, draft.id);
};

const medicineFields = async (app: TestApp, id: string) => {
  const { genericName, approvalNo, medicineKind } = await facts(app, id);
  return { genericName, approvalNo, medicineKind };
};

/** One valid input and one foreign record per call, for the tests generated from the call table. */
export const pharmaCases: readonly CallCase[] = [
  callCase(companies.queryPharmaCompanyList, async () => ({ state: 'ENABLED' }) as const),
  callCase(companies.queryPharmaCompanyDetail, async (app) => ({ companyId: (await makeCompany(app)).id }), {
    foreign: async () => ({ companyId: NONE }),
  }),
  callCase(companies.addPharmaCompany, async () => companyInput()),
  callCase(
    companies.modifyPharmaCompany,
    async (app) => {
      const company = await makeCompany(app);
      return { id: company.id, version: company.version, ...companyInput() };
    },
    { foreign: async () => ({ ...none, ...companyInput() }) },
  ),
  callCase(
    companies.changePharmaCompanyState,
    async (app) => {
      const company = await makeCompany(app);
      return { id: company.id, version: company.version, action: 'disable' as const, opinion: '合作终止' };
    },
    { foreign: async () => ({ ...none, action: 'disable', opinion: '合作终止' }) as const },
  ),
  callCase(
    companies.delPharmaCompany,
    async (app) => {
      const company = await makeCompany(app);
      return { id: company.id, version: company.version };
    },
    { foreign: async () => none },
  ),
  callCase(companies.exportPharmaCompanyList, async (app) => ({ companyNo: (await makeCompany(app)).companyNo })),
  callCase(companies.revealPharmaCompanyMobile, async (app) => ({ id: (await makeCompany(app, { contactMobile: '13800000001' })).id }), {
    foreign: async () => ({ id: NONE }),
  }),

  callCase(lines.queryProductLineList, async () => ({ expireWithin: 60 })),
  callCase(lines.queryProductLineDetail, async (app) => ({ lineId: (await makeLine(app, (await makeCompany(app)).id)).id }), {
    foreign: async () => ({ lineId: NONE }),
  }),
  callCase(lines.addProductLine, async (app) => ({ companyId: (await makeCompany(app)).id, ...lineFields }), {
    foreign: async () => ({ companyId: NONE, ...lineFields }),
  }),
  callCase(
    lines.modifyProductLine,
    async (app) => {
      const line = await makeLine(app, (await makeCompany(app)).id);
      return { id: line.id, version: line.version, ...lineFields, endDate: line.endDate };
    },
    { foreign: async () => ({ ...none, ...lineFields }) },
  ),
  callCase(
    lines.changeProductLineState,
    async (app) => {
      const line = await makeLine(app, (await makeCompany(app)).id);
      return { id: line.id, version: line.version, action: 'stop' as const, opinion: '合作终止' };
    },
    { foreign: async () => ({ ...none, action: 'stop', opinion: '合作终止' }) as const },
  ),
  callCase(
    lines.renewProductLine,
    async (app, as) => {
      const line = await makeLine(app, (await makeCompany(app)).id);
      return { id: line.id, version: line.version, endDate: '2027-12-31', agreementFileIds: [await uploadPaper(app, as!)] };
    },
    { foreign: async () => ({ ...none, endDate: FAR }) },
  ),
  callCase(
    lines.delProductLine,
    async (app) => {
      const line = await makeLine(app, (await makeCompany(app)).id, { startDate: '2027-01-01', endDate: FAR });
      return { id: line.id, version: line.version };
    },
    { foreign: async () => none },
  ),
  callCase(
    lines.bindLineMedicine,
    async (app) => {
      const line = await makeLine(app, (await makeCompany(app)).id);
      return { id: line.id, version: line.version, medicineIds: [(await makeDraft(app)).id] };
    },
    { foreign: async () => ({ ...none, medicineIds: [NONE] }) },
  ),
  callCase(
    lines.unbindLineMedicine,
    async (app) => {
      const line = await makeLine(app, (await makeCompany(app)).id);
      const medicineIds = [(await makeDraft(app)).id];
      const { version } = await app.ok(
        lines.bindLineMedicine,
        { id: line.id, version: line.version, medicineIds },
        { as: await operator(app) },
      );
      return { id: line.id, version, medicineIds };
    },
    { foreign: async () => ({ ...none, medicineIds: [NONE] }) },
  ),
  callCase(
    lines.bindLineAgent,
    async (app) => {
      const company = await makeCompany(app);
      const line = await makeLine(app, company.id);
      return { id: line.id, version: line.version, agentIds: [(await makeAgent(app, company.id, null)).id] };
    },
    { foreign: async () => ({ ...none, agentIds: [] }) },
  ),
  callCase(lines.exportProductLineList, async (app) => ({ companyId: (await makeLine(app, (await makeCompany(app)).id)).companyId })),

  callCase(
    medicines.queryMedicineList,
    async () => ({ keyword: 'axtn', coldChain: false, reimburseClass: 'A', provinceAdcode: '330000', priceFrom: 1 }) as const,
  ),
  callCase(medicines.queryMedicineCounts, async () => ({})),
  callCase(medicines.queryMedicineByApprovalNo, async () => ({ approvalNo: '国药准字H99999999' })),
  callCase(medicines.queryMedicineDetail, async (app) => ({ medicineId: (await makeDraft(app)).id }), {
    foreign: async () => ({ medicineId: NONE }),
  }),
  callCase(medicines.addMedicine, async () => ({ genericName: '二甲双胍片', approvalNo: newApprovalNo(), medicineKind: 'CHEM' }) as const),
  callCase(
    medicines.modifyMedicine,
    async (app) => {
      const draft = await makeDraft(app);
      return { id: draft.id, version: draft.version, ...(await medicineFields(app, draft.id)) };
    },
    { foreign: async () => ({ ...none, genericName: '二甲双胍片', approvalNo: newApprovalNo(), medicineKind: 'CHEM' }) as const },
  ),
  callCase(
    medicines.submitMedicine,
    async (app) => {
      const draft = await makeDraft(app);
      return { id: draft.id, version: draft.version };
    },
    { foreign: async () => none },
  ),
  callCase(
    medicines.changeMedicineState,
    async (app) => {
      const { medicine } = await makeOn(app);
      return { id: medicine.id, version: medicine.version, action: 'takeOff' as const, opinion: '召回' };
    },
    { foreign: async () => ({ ...none, action: 'takeOff', opinion: '召回' }) as const },
  ),
  callCase(
    medicines.delMedicine,
    async (app) => {
      const draft = await makeDraft(app);
      return { id: draft.id, version: draft.version };
    },
    { foreign: async () => none },
  ),
  callCase(medicines.copyMedicine, async (app) => ({ id: (await makeDraft(app)).id, approvalNo: newApprovalNo() }), {
    foreign: async () => ({ id: NONE, approvalNo: newApprovalNo() }),
  }),
  callCase(medicines.moveMedicineCategory, async (app) => ({
    medicineIds: [(await makeDraft(app)).id],
    categoryId: (await makeCategory(app)).id,
  })),
  callCase(medicines.exportMedicineList, async (app) => ({ keyword: (await makeDraft(app)).medicineNo })),
  callCase(medicines.importMedicine, async (app, as) => ({
    fileId: await uploadTable(app, as!, tableOf(medicineImporter, [newApprovalNo(), '导入药品'])),
  })),
  callCase(medicines.importSkuPrice, async (app, as) => ({ fileId: await uploadTable(app, as!, tableOf(priceImporter, ['G00000001'])) })),

  callCase(skus.querySkuList, async (app) => ({ medicineId: (await makeDraft(app)).id })),
  callCase(skus.addSku, async (app) => ({ medicineId: (await makeDraft(app)).id, ...skuFields }), {
    foreign: async () => ({ medicineId: NONE, ...skuFields }),
  }),
  callCase(
    skus.modifySku,
    async (app) => {
      const sku = await makeSku(app, (await makeDraft(app)).id);
      return { id: sku.id, version: sku.version, ...skuFields };
    },
    { foreign: async () => ({ ...none, ...skuFields }) },
  ),
  callCase(
    skus.changeSkuState,
    async (app) => {
      const sku = await makeSku(app, (await makeDraft(app)).id);
      return { id: sku.id, version: sku.version, action: 'off' as const };
    },
    { foreign: async () => ({ ...none, action: 'off' }) as const },
  ),
  callCase(skus.querySkuPriceList, async () => ({ period: 'FUTURE', priceType: 'MARKET' }) as const),
  callCase(
    skus.addSkuPrice,
    async (app) => ({
      skuId: (await makeSku(app, (await makeDraft(app)).id)).id,
      priceType: 'MARKET' as const,
      priceFen: 100,
      effectiveFrom: '2026-11-21',
      reason: '首次定价',
    }),
    {
      foreign: async () => ({ skuId: NONE, priceType: 'MARKET', priceFen: 100, effectiveFrom: '2026-11-21', reason: '首次定价' }) as const,
    },
  ),
  callCase(
    skus.revokeSkuPrice,
    async (app) => {
      const sku = await makeSku(app, (await makeDraft(app)).id);
      return { id: (await makePrice(app, sku.id, { effectiveFrom: '2026-12-01' })).priceId! };
    },
    { foreign: async () => ({ id: NONE }) },
  ),
  callCase(skus.exportSkuPriceList, async (app) => {
    const sku = await makeSku(app, (await makeDraft(app)).id);
    await makePrice(app, sku.id);
    return { skuId: sku.id };
  }),
  callCase(skus.exportReimburseList, async (app) => {
    const { id: medicineId } = await makeDraft(app);
    await app.ok(
      skus.saveReimburse,
      { medicineId, provinceAdcode: '330000', reimburseClass: 'DUAL', effectiveFrom: '2026-01-01' },
      { as: await operator(app) },
    );
    return { medicineId };
  }),
  callCase(skus.queryReimburseList, async () => ({ provinceAdcode: '330000' })),
  callCase(
    skus.saveReimburse,
    async (app) => ({
      medicineId: (await makeDraft(app)).id,
      provinceAdcode: '330000',
      reimburseClass: 'DUAL' as const,
      effectiveFrom: '2026-01-01',
    }),
    {
      foreign: async () => ({ medicineId: NONE, provinceAdcode: '330000', reimburseClass: 'DUAL', effectiveFrom: '2026-01-01' }) as const,
    },
  ),
  callCase(skus.importReimburse, async (app, as) => ({
    fileId: await uploadTable(app, as!, tableOf(reimburseImporter, [newApprovalNo(), '浙江省'])),
  })),

  callCase(applies.queryMedicineApplyList, async () => ({ state: 'PENDING' }) as const),
  callCase(applies.exportMedicineApplyList, async (app) => ({ applyId: (await waitingApply(app)).id })),
  callCase(
    applies.auditMedicineApply,
    async (app) => {
      const apply = await waitingApply(app);
      return { id: apply.id, version: apply.version, action: 'reject' as const, opinion: '资料不全' };
    },
    { foreign: async () => ({ ...none, action: 'reject', opinion: '资料不全' }) as const },
  ),
  callCase(
    applies.withdrawMedicineApply,
    async (app, as) => {
      const draft = await makeDraft(app);
      await app.ok(medicines.submitMedicine, { id: draft.id, version: draft.version }, { as: as! });
      const apply = await openApplyOf(app, draft.id);
      return { id: apply.id, version: apply.version };
    },
    { foreign: async () => none },
  ),
  callCase(applies.batchAuditMedicineApply, async (app) => ({ applyIds: [(await waitingApply(app)).id], action: 'approve' as const })),

  callCase(categories.queryDrugCategoryTree, async () => ({ kind: 'THERAPY' }) as const),
  callCase(categories.addDrugCategory, async () => ({ kind: 'SHOP', name: '新分类' }) as const, {
    foreign: async () => ({ kind: 'SHOP', parentId: NONE, name: '新分类' }) as const,
  }),
  callCase(
    categories.modifyDrugCategory,
    async (app) => {
      const node = await makeCategory(app);
      return { id: node.id, version: node.version, name: '改名' };
    },
    { foreign: async () => ({ ...none, name: '改名' }) },
  ),
  callCase(
    categories.moveDrugCategory,
    async (app) => {
      const node = await makeCategory(app);
      return { id: node.id, version: node.version, parentId: null, index: 0 };
    },
    { foreign: async () => ({ ...none, parentId: null, index: 0 }) },
  ),
  callCase(
    categories.delDrugCategory,
    async (app) => {
      const node = await makeCategory(app);
      return { id: node.id, version: node.version };
    },
    { foreign: async () => none },
  ),
  callCase(
    categories.mergeDrugCategory,
    async (app) => {
      const [node, target] = [await makeCategory(app, { kind: 'SHOP' }), await makeCategory(app, { kind: 'SHOP' })];
      return { id: node.id, version: node.version, targetId: target.id };
    },
    { foreign: async () => ({ ...none, targetId: NONE }) },
  ),

  callCase(agents.queryAgentList, async () => ({ filing: 'EXPIRING', mobile: '13900000000' }) as const),
  callCase(agents.queryAgentDetail, async (app) => ({ agentId: (await agentWithLine(app)).agent.id }), {
    foreign: async () => ({ agentId: NONE }),
  }),
  callCase(agents.queryAgentTree, async (app) => ({ companyId: (await agentWithLine(app)).company.id })),
  callCase(agents.addAgent, async (app) => agentInput((await makeCompany(app)).id), { foreign: async () => agentInput(NONE) }),
  callCase(
    agents.modifyAgent,
    async (app) => {
      const { agent, line } = await agentWithLine(app);
      return { id: agent.id, version: agent.version, name: '改名', rank: 'MR' as const, lineIds: [line.id] };
    },
    { foreign: async () => ({ ...none, name: '改名', rank: 'MR' }) as const },
  ),
  callCase(
    agents.changeAgentState,
    async (app) => {
      const { agent } = await agentWithLine(app);
      return { id: agent.id, version: agent.version, action: 'freeze' as const, opinion: '违规推广' };
    },
    { foreign: async () => ({ ...none, action: 'freeze', opinion: '违规推广' }) as const },
  ),
  callCase(
    agents.changeAgentParent,
    async (app) => {
      const { agent } = await agentWithLine(app);
      return { id: agent.id, version: agent.version, parentId: null };
    },
    { foreign: async () => ({ ...none, parentId: null }) },
  ),
  callCase(
    agents.addAgentLines,
    async (app) => {
      const { agent, company } = await agentWithLine(app);
      return { id: agent.id, version: agent.version, lineIds: [(await makeLine(app, company.id)).id] };
    },
    { foreign: async () => ({ ...none, lineIds: [NONE] }) },
  ),
  callCase(agents.importAgent, async (app, as) => ({
    fileId: await uploadTable(app, as!, tableOf(agentImporter(app.kernel.secrets), ['测试药业', '周敏'])),
  })),
  callCase(agents.exportAgentList, async (app) => ({ agentNo: (await agentWithLine(app)).agent.agentNo })),
  callCase(agents.revealAgentField, async (app) => ({ id: (await agentWithLine(app)).agent.id, field: 'mobile' }) as const, {
    foreign: async () => ({ id: NONE, field: 'mobile' }) as const,
  }),

  callCase(handovers.queryAgentHandoverList, async () => ({ state: 'PENDING' }) as const),
  callCase(handovers.exportAgentHandoverList, async (app) => ({ handoverId: (await makeHandover(app, true)).row.id })),
  callCase(handovers.queryAgentHandoverTrail, async (app) => ({ handoverId: (await makeHandover(app, true)).row.id }), {
    foreign: async () => ({ handoverId: NONE }),
  }),
  callCase(handovers.addAgentHandover, async (app) => {
    const { agent, fields } = await leaving(app);
    return { fromAgentId: agent.id, ...fields, submit: true };
  }),
  callCase(handovers.modifyAgentHandover, async (app) => {
    const { row, fields } = await makeHandover(app, false);
    return { id: row.id, version: row.version, ...fields };
  }),
  callCase(
    handovers.previewAgentHandover,
    async (app) => {
      const { agent, successor } = await leaving(app);
      return { fromAgentId: agent.id, plan: {}, shareOver: [successor.id] };
    },
    { foreign: async () => ({ fromAgentId: NONE, plan: {} }) },
  ),
  callCase(handovers.auditAgentHandover, async (app) => {
    const { row } = await makeHandover(app, true);
    return { id: row.id, version: row.version, action: 'approve' as const };
  }),
  callCase(handovers.cancelAgentHandover, async (app) => {
    const { row } = await makeHandover(app, true);
    return { id: row.id, version: row.version, opinion: '继续任职' };
  }),

  callCase(adverse.queryAdverseReportList, async () => ({ overdue: true })),
  callCase(adverse.queryAdverseReportTrail, async (app) => ({ id: await makeReport(app, (await makeDraft(app)).id) }), {
    foreign: async () => ({ id: NONE }),
  }),
  callCase(
    adverse.forwardAdverseReport,
    async (app) => {
      const company = await makeCompany(app, { pvContact: { name: '药警', email: 'pv@example.com' } });
      return { id: await makeReport(app, (await makeDraft(app, { holderId: company.id })).id), version: 1 };
    },
    { foreign: async () => none },
  ),
  callCase(
    adverse.closeAdverseReport,
    async (app) => {
      const company = await makeCompany(app, { pvContact: { name: '药警', email: 'pv@example.com' } });
      const id = await makeReport(app, (await makeMedicine(app, { holderId: company.id })).id);
      const { version } = await app.ok(adverse.forwardAdverseReport, { id, version: 1 }, { as: await operator(app) });
      return { id, version, receiptNo: 'HZ-001' };
    },
    { foreign: async () => ({ ...none, receiptNo: 'HZ-001' }) },
  ),
  callCase(
    adverse.invalidAdverseReport,
    async (app) => ({ id: await makeReport(app, (await makeDraft(app)).id), version: 1, opinion: '重复上报' }),
    { foreign: async () => ({ ...none, opinion: '重复上报' }) },
  ),
  callCase(adverse.exportAdverseReportList, async (app) => {
    await makeReport(app, (await makeDraft(app)).id);
    return {};
  }),
  callCase(adverse.revealAdverseReport, async (app) => ({ id: await makeReport(app, (await makeDraft(app)).id) }), {
    foreign: async () => ({ id: NONE }),
  }),

  callCase(options.queryDrugSelectOptions, async () => ({ type: 'CATEGORY', keyword: '肿瘤', limit: 50 }) as const),
  callCase(options.queryAgentSelectOptions, async () => ({ type: 'AGENT', keyword: 'zm' }) as const),
];
