import { sql } from 'kysely';
import { allYes } from '#domains/content/server/testing/deliveries.ts';
import { act, editor, makeEnabled, words } from '#domains/corpus/server/testing/materialFixtures.ts';
import { modifyMaterial } from '#domains/corpus/contract/materials/calls.ts';
import type { TestApp } from './testApp.ts';

export type Fields = Record<string, unknown>;

/** How a document that waits for another person is decided about, on top of the case of its call. */
export interface Pair {
  /** The call that decides, by its operation. */
  call: string;
  /** Field of the decision's input that names the document, or a query that does. */
  id: string | ((app: TestApp, input: Fields) => Promise<string>);
  /** The act of the machine; absent: `approve`. */
  action?: string;
  /** Type of the document; absent: the machine's name. */
  document?: string;
  /** What the case hands in or the decision that it gives, made into the decision of the walk. */
  verdict?: (app: TestApp, input: Fields, answer: Fields) => Promise<Fields> | Fields;
  /** The case writes its row itself, or its document comes from outside: nobody was seen to write it (`fourEyesWrites.test.ts`). */
  bare?: true;
}

export const textOf = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error(`no text: ${JSON.stringify(value)}`);
  return value;
};
const one = async (app: TestApp, query: ReturnType<typeof sql<{ id: string }>>): Promise<string> => {
  const { rows } = await query.execute(app.db);
  return rows[0]!.id;
};
const reject = (_app: TestApp, input: Fields, { version }: Fields): Fields => ({
  ...input,
  version,
  action: 'reject',
  opinion: '请修改后再提交',
});

/** By the name of the machine: one for every machine that asks for another person. */
export const PAIRS: Readonly<Record<string, Pair>> = {
  'card.batch': { call: 'auditBatch', id: 'batchId' },
  'card.change': { call: 'auditCardChange', id: 'changeId', bare: true },
  'card.fundPrepay': { call: 'auditFundPrepay', id: 'prepayId', bare: true },
  'card.grant': { call: 'auditGrant', id: 'grantId' },
  'card.reversal': { call: 'auditReversal', id: 'reversalId', bare: true },
  'card.settlementBatch': { call: 'auditSettlementBatch', id: 'batchId', bare: true },
  'channel.vip': { call: 'auditChannelVip', id: 'id', action: 'reject' },
  'content.advert': {
    call: 'auditAdvertise',
    id: 'id',
    verdict: (_app, input, { version }) => ({ ...input, version, action: 'approve', checks: allYes }),
  },
  'content.banner': { call: 'auditBanner', id: 'id' },
  'content.pageRelease': {
    call: 'auditPage',
    id: 'releaseId',
    verdict: (_app, { pageCode }, { id }) => ({ pageCode, releaseId: id, action: 'approve' }),
  },
  'corpus.autoMessage': { call: 'auditWelcomeMessage', id: 'id' },
  'corpus.campaign': { call: 'auditCampaign', id: 'id' },
  'corpus.packageVersion': {
    call: 'auditScenePackage',
    id: 'versionId',
    action: 'reject',
    verdict: async (app, { scenePackageId }) => ({
      scenePackageId,
      versionId: await one(
        app,
        sql`select id from corpus_package_version where scene_package_id = ${scenePackageId} order by seq desc limit 1`,
      ),
      action: 'reject',
      opinion: '请修改后再提交',
    }),
  },
  'corpus.review': { call: 'auditMaterial', id: 'id', document: 'corpus.material' },
  'corpus.revision': {
    call: 'auditMaterial',
    id: 'id',
    document: 'corpus.material',
    verdict: async (app) => {
      const [as, { id, version }] = [await editor(app), await makeEnabled(app)];
      const wish = { id, version, title: '改写的素材', content: words('{{患者称呼:您}}早') };
      const changed = await app.ok(modifyMaterial, wish, { as });
      return { ...reject(app, { id }, await act(app, as, { id, version: changed.version }, 'submit')) };
    },
    action: 'reject',
  },
  'doctor.attributionChange': { call: 'auditAttributionChange', id: 'id' },
  'doctor.consultRefund': { call: 'auditConsultRefund', id: 'refundId' },
  'doctor.openingApply': { call: 'auditServiceOpening', id: 'applyId', action: 'reject' },
  'doctor.qualApply': { call: 'auditQualApply', id: 'applyId', action: 'pass', bare: true },
  'enrolment.amendment': { call: 'auditContractAmendment', id: 'amendmentId' },
  'enrolment.apply': { call: 'auditSignContract', id: 'applyId', action: 'pass' },
  'enrolment.contractPay': { call: 'auditOfflinePay', id: 'payId' },
  'enrolment.contractRefund': { call: 'auditContractRefund', id: 'refundId' },
  'enrolment.otherMaterial': { call: 'auditOtherMaterial', id: 'materialId', action: 'pass' },
  'enrolment.specialUser': { call: 'auditSpecialUser', id: 'id' },
  'enrolment.termination': { call: 'auditContractTermination', id: 'id' },
  'institution.drugstore': { call: 'auditDrugstore', id: 'id' },
  'institution.hospitalApply': { call: 'auditHospital', id: 'applyId' },
  'institution.hospitalMerge': { call: 'auditMergeHospital', id: 'mergeId' },
  'institution.storeChange': { call: 'auditStoreChange', id: 'changeId' },
  'insurance.controlRuleVersion': { call: 'auditControlRule', id: 'id' },
  'insurance.entitlementDef': { call: 'auditEntitlementDef', id: 'id' },
  'insurance.formularyVersion': { call: 'auditFormularyVersion', id: 'id', action: 'reject', verdict: reject },
  'insurance.productVersion': { call: 'auditProductVersion', id: 'id' },
  'invoice.refund': { call: 'auditRefund', id: 'refundId' },
  'invoice.refundBatch': { call: 'auditRefundBatch', id: 'refundBatchId' },
  'ledger.adjustment': { call: 'auditLedgerAdjustment', id: 'id' },
  'lowcode.page': {
    call: 'publishPage',
    id: 'pageId',
    action: 'publish',
    verdict: async (app, input) => {
      await sql`update identity_security_policy set settings = settings || '{"fourEyesLowcode": true}'::jsonb where id = 1`.execute(app.db);
      return input;
    },
  },
  'patient.inspection': { call: 'checkInspection', id: 'id', action: 'check' },
  'patient.merge': { call: 'auditPatientMerge', id: 'id' },
  'order.afterSale': { call: 'auditAfterSale', id: 'afterSaleId' },
  'order.manualOrder': { call: 'auditManualOrder', id: 'manualOrderId' },
  'order.rule': { call: 'auditAllocationRule', id: 'id' },
  'order.supplier': { call: 'auditSupplier', id: 'id' },
  'pharma.agentHandover': { call: 'auditAgentHandover', id: 'id' },
  'pharma.medicine': {
    call: 'auditMedicineApply',
    id: (app, { id }) => one(app, sql`select medicine_id as id from pharma_medicine_apply where id = ${id}`),
    action: 'reject',
  },
  'pharma.medicineApply': { call: 'auditMedicineApply', id: 'id', action: 'reject' },
  'policy.batch': {
    call: 'auditInsuredBatch',
    id: 'batchId',
    action: 'reject',
    verdict: async (app, { batchId, version }) => {
      await sql`update policy_insured_batch set state = 'PENDING_AUDIT' where id = ${batchId}`.execute(app.db);
      return { batchId, version, action: 'reject', opinion: '名单有误' };
    },
  },
  'policy.endorsement': { call: 'auditEndorsement', id: 'id' },
  'policy.finding': {
    call: 'auditFinding',
    id: 'id',
    action: 'approveIgnore',
    bare: true,
    verdict: async (app, { id, version }) => {
      await sql`
        update policy_abnormal_finding set state = 'IGNORE_PENDING', ignore_until = '2026-12-20', ignore_by = 0
          where id = ${id}`.execute(app.db);
      return { id, version, action: 'approveIgnore' };
    },
  },
  'policy.premiumOrder': { call: 'auditPremiumOrder', id: 'id' },
  'settlement.account': {
    call: 'verifyDoctorPayAccount',
    id: (app, { doctorId }) => one(app, sql`select id from settlement_account where doctor_id = ${textOf(doctorId)}`),
    action: 'verify',
  },
  'settlement.adjust': { call: 'auditIncomeAdjust', id: 'id' },
  'settlement.bill': { call: 'auditSettlementBill', id: 'id' },
  'settlement.payoutBatch': { call: 'auditPayoutBatch', id: 'id' },
  'settlement.perfChange': { call: 'auditPerfChange', id: 'id' },
  'settlement.period': { call: 'closeDoctorPeriod', id: 'id', action: 'close' },
  'settlement.program': { call: 'auditIncentiveProgram', id: 'id' },
  'settlement.programChange': { call: 'auditIncentiveChange', id: 'id' },
  'settlement.ruleVersion': { call: 'auditSettlementRule', id: 'id' },
};
