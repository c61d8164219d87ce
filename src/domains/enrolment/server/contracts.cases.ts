import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { addContractAmendment, auditContractAmendment, cancelContractAmendment } from '../contract/calls/contractAmendments.ts';
import {
  addContractTermination,
  auditContractTermination,
  cancelContract,
  cancelContractTermination,
  exportContractList,
  previewContractTerminate,
  queryContractDetail,
  queryContractList,
  queryContractListByContractId,
  renewContract,
  resendSignLink,
  resumeContract,
  revealContract,
  signContractOnPaper,
  suspendContract,
} from '../contract/calls/contracts.ts';
import {
  addContractRefund,
  auditContractRefund,
  auditOfflinePay,
  exportContractPayList,
  queryContractPayDetail,
  queryContractPayList,
  registerOfflinePay,
  syncContractPay,
} from '../contract/calls/contractPays.ts';
import {
  aContract,
  activeContract,
  contractKeeper,
  key,
  NONE,
  payOf,
  renewableContract,
  signedContract,
  signedPaper,
  stored,
  voucher,
} from './testing/contracts.ts';

const FEE = { enrol: { payMode: 'PLATFORM' as const, feeFen: 19_900 } };
const opinion = '按约定处理';
const approve = 'approve' as const;

const onContract = async (app: TestApp, contractId: string) => ({ contractId, version: (await stored(app, contractId)).version });
const waiting = async (app: TestApp) => onContract(app, (await aContract(app)).contractId);
const active = async (app: TestApp) => onContract(app, (await activeContract(app, await contractKeeper(app))).contractId);
const missing = { contractId: NONE, version: 1 };

const registerInput = async (app: TestApp, as: TestStaff) => {
  const { contractId } = await signedContract(app, await contractKeeper(app), FEE);
  const pay = await payOf(app, await contractKeeper(app), contractId);
  return {
    payId: pay.id,
    version: pay.version,
    channel: 'BANK' as const,
    amountFen: pay.amountFen,
    paidOn: app.clock.today(),
    payerName: '张建国',
    bankSerialNo: `SN${contractId}CASE`,
    proofFileId: await voucher(app, as),
  };
};
const someone = (as: TestStaff | null): TestStaff => {
  if (!as) throw new Error('nobody is logged in');
  return as;
};
async function registered(app: TestApp) {
  const as = await contractKeeper(app);
  const { id, version } = await app.ok(registerOfflinePay, await registerInput(app, as), key(as));
  return { payId: id, version };
}
async function paid(app: TestApp) {
  const pay = await registered(app);
  await app.ok(auditOfflinePay, { ...pay, decision: approve }, { as: await contractKeeper(app) });
  return pay.payId;
}
async function refund(app: TestApp) {
  const as = await contractKeeper(app);
  const { id, version } = await app.ok(addContractRefund, { payId: await paid(app), amountFen: 900, reason: '客户申请' }, key(as));
  return { refundId: id, version };
}
const extension = async (app: TestApp, found: { contractId: string; version: number }) => ({
  ...found,
  type: 'CONTACT' as const,
  effectiveOn: app.clock.today(),
  reason: '更换手机号',
  mobile: '13900000002',
});
async function amendment(app: TestApp) {
  const as = await contractKeeper(app);
  const { id, version } = await app.ok(addContractAmendment, await extension(app, await active(app)), key(as));
  return { amendmentId: id, version };
}
const termination = async (app: TestApp, found: { contractId: string; version: number }) => ({
  ...found,
  terminatedOn: app.clock.today(),
  reason: 'REQUEST' as const,
  opinion,
});
async function proposed(app: TestApp) {
  const as = await contractKeeper(app);
  const { id, version, confirmToken } = await app.ok(addContractTermination, await termination(app, await active(app)), key(as));
  return { id, version, confirmToken };
}

export const contractCases: readonly CallCase[] = [
  callCase(queryContractList, async (app) => ({ contractNo: (await aContract(app)).contractNo })),
  callCase(exportContractList, async (app) => ({ contractNo: (await aContract(app)).contractNo })),
  callCase(queryContractDetail, async (app) => ({ contractId: (await aContract(app)).contractId }), {
    foreign: async () => ({ contractId: NONE }),
  }),
  callCase(queryContractListByContractId, async (app) => ({ contractId: (await aContract(app)).contractId }), {
    foreign: async () => ({ contractId: NONE }),
  }),
  callCase(revealContract, async (app) => ({ id: (await aContract(app)).contractId, field: 'mobile' as const }), {
    foreign: async () => ({ id: NONE, field: 'mobile' as const }),
  }),
  callCase(
    signContractOnPaper,
    async (app, as) => ({ ...(await waiting(app)), signedOn: app.clock.today(), fileId: await signedPaper(app, someone(as)) }),
    { foreign: async (app) => ({ ...missing, signedOn: app.clock.today(), fileId: NONE }) },
  ),
  callCase(resendSignLink, async (app) => ({ contractId: (await aContract(app)).contractId }), {
    foreign: async () => ({ contractId: NONE }),
  }),
  callCase(suspendContract, async (app) => ({ ...(await active(app)), reason: 'RISK' as const, opinion }), {
    foreign: async () => ({ ...missing, reason: 'RISK' as const, opinion }),
  }),
  callCase(
    resumeContract,
    async (app) => {
      const found = await active(app);
      await app.ok(suspendContract, { ...found, reason: 'RISK', opinion }, { as: await contractKeeper(app) });
      return { ...(await onContract(app, found.contractId)), opinion };
    },
    { foreign: async () => ({ ...missing, opinion }) },
  ),
  callCase(cancelContract, async (app) => ({ ...(await waiting(app)), opinion }), { foreign: async () => ({ ...missing, opinion }) }),
  callCase(renewContract, async (app) => onContract(app, (await renewableContract(app, await contractKeeper(app))).contractId), {
    foreign: async () => missing,
  }),
  callCase(previewContractTerminate, async (app) => ({ contractId: (await active(app)).contractId, terminatedOn: app.clock.today() }), {
    foreign: async (app) => ({ contractId: NONE, terminatedOn: app.clock.today() }),
  }),
  callCase(addContractTermination, async (app) => termination(app, await active(app)), {
    foreign: async (app) => termination(app, missing),
  }),
  callCase(auditContractTermination, async (app) => ({ ...(await proposed(app)), decision: approve, opinion }), {
    foreign: async () => ({ id: NONE, version: 1, decision: approve, opinion }),
  }),
  callCase(
    cancelContractTermination,
    async (app) => {
      const { id, version } = await proposed(app);
      return { id, version };
    },
    { foreign: async () => ({ id: NONE, version: 1 }) },
  ),
  callCase(addContractAmendment, async (app) => extension(app, await active(app)), { foreign: async (app) => extension(app, missing) }),
  callCase(auditContractAmendment, async (app) => ({ ...(await amendment(app)), decision: approve }), {
    foreign: async () => ({ amendmentId: NONE, version: 1, decision: approve }),
  }),
  callCase(cancelContractAmendment, (app) => amendment(app), { foreign: async () => ({ amendmentId: NONE, version: 1 }) }),
  callCase(queryContractPayList, async (app) => {
    await registered(app);
    return {};
  }),
  callCase(exportContractPayList, async (app) => {
    await registered(app);
    return {};
  }),
  callCase(
    queryContractPayDetail,
    async (app) => ({ contractId: (await signedContract(app, await contractKeeper(app), FEE)).contractId }),
    { foreign: async () => ({ contractId: NONE }) },
  ),
  callCase(syncContractPay, async (app) => ({ payId: (await registered(app)).payId }), { foreign: async () => ({ payId: NONE }) }),
  callCase(registerOfflinePay, (app, as) => registerInput(app, someone(as)), {
    foreign: async (app, as) => ({ ...(await registerInput(app, someone(as))), payId: NONE }),
  }),
  callCase(auditOfflinePay, async (app) => ({ ...(await registered(app)), decision: approve }), {
    foreign: async () => ({ payId: NONE, version: 1, decision: approve }),
  }),
  callCase(addContractRefund, async (app) => ({ payId: await paid(app), amountFen: 900, reason: '客户申请' }), {
    foreign: async () => ({ payId: NONE, amountFen: 900, reason: '客户申请' }),
  }),
  callCase(
    auditContractRefund,
    async (app, as) => {
      const { refundId, version } = await refund(app);
      const proofFileId = await voucher(app, someone(as));
      return { refundId, version, decision: approve, bankSerialNo: `TK${refundId}CASE`, paidOn: app.clock.today(), proofFileId };
    },
    { foreign: async () => ({ refundId: NONE, version: 1, decision: approve }) },
  ),
];
