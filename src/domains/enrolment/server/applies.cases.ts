import type { Call } from '#kernel/contract/call.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import { machineClient } from '#testing/signing.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadPaper } from '#testing/uploads.ts';
import {
  exportSignContractList,
  querySignContractCounts,
  querySignContractDetail,
  querySignContractList,
  querySignReviewStat,
  revealSignContract,
} from '../contract/calls/applies.ts';
import {
  addEnrolApply,
  delEnrolApply,
  modifyEnrolApply,
  pushInsurerDecision,
  queryEnrolProgress,
  queryInsuredForEnrol,
  submitEnrolApply,
  supplyEnrolApply,
  supplySignContract,
  withdrawEnrolApply,
} from '../contract/calls/appliesEntry.ts';
import {
  auditSignContract,
  batchAssignSignContract,
  claimNextSignContract,
  claimSignContract,
  heartbeatSignContract,
  recheckSignContractRules,
  releaseSignContract,
  saveSignContractWork,
  takeoverSignContract,
} from '../contract/calls/appliesWork.ts';
import { ENROL_MATERIAL } from '../contract/purposes.ts';
import {
  agreed,
  applyWish,
  claimed,
  decided,
  decision,
  enterer,
  makePerson,
  makePlace,
  passedApply,
  reviewer,
  waitingApply,
  type Place,
} from './testing/applies.ts';

const NONE = '999999999';
const places = { STANDARD: new WeakMap<TestApp, Promise<Place>>(), SAAS: new WeakMap<TestApp, Promise<Place>>() };
const placeOf = (app: TestApp, line: 'STANDARD' | 'SAAS' = 'STANDARD'): Promise<Place> => {
  const known = places[line].get(app) ?? makePlace(app, { line });
  places[line].set(app, known);
  return known;
};
const waiting = async (app: TestApp, more: Parameters<typeof waitingApply>[2] = {}) => waitingApply(app, await placeOf(app), more);
async function draft(app: TestApp) {
  const as = await enterer(app);
  const wish = await applyWish(app, await placeOf(app), as, { submit: false });
  return { ...(await app.ok(addEnrolApply, wish, { as })), wish };
}
async function held(app: TestApp, as: TestStaff | null) {
  const { applyId } = await waiting(app);
  const { leaseToken } = await claimed(app, applyId, as!);
  return { applyId, leaseToken };
}
async function asked(app: TestApp) {
  const { applyId, applyNo } = await waiting(app);
  const as = await reviewer(app);
  const { leaseToken } = await claimed(app, applyId, as);
  const supplement = { items: [{ materialType: 'PRESCRIPTION' as const, wording: '' }], days: 15 };
  const { version } = await decided(app, applyId, 'supplement', as, { leaseToken, supplement });
  return { applyId, applyNo, version };
}
const paper = async (app: TestApp, as: TestStaff) => [
  { materialType: 'PRESCRIPTION' as const, fileId: await uploadPaper(app, as, ENROL_MATERIAL) },
];
/** A paper that the machine caller of the call uploaded. */
async function machinePaper<T extends string>(app: TestApp, call: Call, materialType: T) {
  const { id } = await machineClient(app, call);
  const { fileId } = await app.kernel.transactions.run('test', ({ tx }) =>
    app.kernel.ports.files.store(
      tx,
      { purpose: ENROL_MATERIAL, name: '材料.pdf', body: Buffer.from('%PDF-1.4'), contentType: 'application/pdf', createdBy: `-${id}` },
      app.clock.now(),
    ),
  );
  return [{ materialType, fileId }];
}
async function machineWish(app: TestApp) {
  const place = await placeOf(app);
  const { insuredItemId, person } = await makePerson(app, place);
  const { submit: _submit, insuredItemId: _item, ...fields } = await applyWish(app, place, await enterer(app), { insuredItemId });
  return {
    ...fields,
    externalRequestNo: `case-${insuredItemId}`,
    idNo: person.idNo ?? '',
    policyNo: place.policyNo,
    materials: await machinePaper(app, submitEnrolApply, 'DIAGNOSIS'),
  };
}
const lost = { applyId: NONE, leaseToken: 'none' };

export const applyCases: readonly CallCase[] = [
  callCase(querySignContractList, async (app) => {
    await waiting(app);
    return {};
  }),
  callCase(exportSignContractList, async (app) => {
    await waiting(app);
    return {};
  }),
  callCase(querySignContractCounts, async () => ({})),
  callCase(querySignReviewStat, async () => ({ from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' })),
  callCase(querySignContractDetail, async (app) => ({ applyId: (await waiting(app)).applyId }), {
    foreign: async () => ({ applyId: NONE }),
  }),
  callCase(revealSignContract, async (app) => ({ applyId: (await waiting(app)).applyId }), { foreign: async () => ({ applyId: NONE }) }),
  callCase(claimSignContract, async (app) => ({ applyId: (await waiting(app)).applyId }), { foreign: async () => ({ applyId: NONE }) }),
  callCase(claimNextSignContract, async (app) => {
    await waiting(app);
    return {};
  }),
  callCase(heartbeatSignContract, held, { foreign: async () => lost }),
  callCase(releaseSignContract, held, { foreign: async () => lost }),
  callCase(saveSignContractWork, held, { foreign: async () => lost }),
  callCase(takeoverSignContract, async (app) => ({ applyId: (await held(app, await reviewer(app))).applyId, opinion: '经办请假' }), {
    foreign: async () => ({ applyId: NONE, opinion: '经办请假' }),
  }),
  callCase(batchAssignSignContract, async (app) => ({
    applyIds: [(await waiting(app)).applyId],
    userId: (await reviewer(app)).userId,
  })),
  callCase(recheckSignContractRules, async (app) => ({ applyId: (await waiting(app)).applyId }), {
    foreign: async () => ({ applyId: NONE }),
  }),
  callCase(
    auditSignContract,
    async (app, as) => {
      const { applyId, leaseToken } = await held(app, as);
      const seer = await reviewer(app);
      await agreed(app, applyId, as!, leaseToken, undefined, seer);
      return decision(app, applyId, 'pass', seer, { leaseToken });
    },
    { foreign: async () => ({ applyId: NONE, version: 1, action: 'withdraw' as const, opinion: '申请人放弃' }) },
  ),
  callCase(addEnrolApply, async (app, as) => applyWish(app, await placeOf(app), as!)),
  callCase(
    modifyEnrolApply,
    async (app) => {
      const { applyId, version, wish } = await draft(app);
      const { insuredItemId: _insured, materials: _materials, ...fields } = wish;
      return { ...fields, applyId, version };
    },
    {
      foreign: async (app) => {
        const { insuredItemId: _insured, materials: _materials, ...fields } = await applyWish(app, await placeOf(app), await enterer(app));
        return { ...fields, applyId: NONE, version: 1 };
      },
    },
  ),
  callCase(
    delEnrolApply,
    async (app) => {
      const { applyId, version } = await draft(app);
      return { applyId, version };
    },
    { foreign: async () => ({ applyId: NONE, version: 1 }) },
  ),
  callCase(
    supplySignContract,
    async (app, as) => {
      const { applyId, version } = await asked(app);
      return { applyId, version, materials: await paper(app, as!) };
    },
    { foreign: async () => ({ applyId: NONE, version: 1, materials: [] }) },
  ),
  callCase(queryInsuredForEnrol, async (app) => {
    const place = await placeOf(app);
    await makePerson(app, place);
    return { policyNo: place.policyNo };
  }),
  callCase(submitEnrolApply, machineWish),
  callCase(
    supplyEnrolApply,
    async (app) => ({ applyNo: (await asked(app)).applyNo, materials: await machinePaper(app, supplyEnrolApply, 'PRESCRIPTION') }),
    { foreign: async () => ({ applyNo: 'RZ0', materials: [] }) },
  ),
  callCase(queryEnrolProgress, async (app) => ({ applyNo: (await waiting(app)).applyNo }), { foreign: async () => ({ applyNo: 'RZ0' }) }),
  callCase(withdrawEnrolApply, async (app) => ({ applyNo: (await waiting(app)).applyNo, opinion: '申请人放弃' }), {
    foreign: async () => ({ applyNo: 'RZ0', opinion: '申请人放弃' }),
  }),
  callCase(
    pushInsurerDecision,
    async (app) => {
      const place = await placeOf(app, 'SAAS');
      const { applyId, applyNo } = await waitingApply(app, place);
      await passedApply(app, applyId);
      return { applyNo, insurerCaseNo: `BS${applyId}`, decision: 'ACCEPT' as const, opinion: '同意承保', decidedAt: app.clock.now() };
    },
    {
      insurer: async (app) => (await placeOf(app, 'SAAS')).insurerId,
      foreign: async (app) => ({
        applyNo: 'RZ0',
        insurerCaseNo: 'BS0',
        decision: 'ACCEPT' as const,
        opinion: '同意承保',
        decidedAt: app.clock.now(),
      }),
    },
  ),
];
