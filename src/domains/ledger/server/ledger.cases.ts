import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  exportLedgerAccountList,
  freezeLedgerAccount,
  queryLedgerAccountDetail,
  queryLedgerAccountList,
  queryLedgerAccountTotal,
  queryLedgerChart,
  revealLedgerOwnerName,
  unfreezeLedgerAccount,
} from '../contract/calls/accounts.ts';
import { exportLedgerEntryList, queryLedgerEntryList, queryLedgerTransferDetail } from '../contract/calls/entries.ts';
import {
  exportLedgerHoldList,
  exportLedgerLotList,
  queryLedgerHoldList,
  queryLedgerLotList,
  queryLedgerLotMoveList,
} from '../contract/calls/holds.ts';
import {
  addLedgerAdjustment,
  auditLedgerAdjustment,
  cancelLedgerAdjustment,
  exportLedgerAdjustmentList,
  modifyLedgerAdjustment,
  queryLedgerAdjustmentDetail,
  queryLedgerAdjustmentList,
  submitLedgerAdjustment,
} from '../contract/calls/adjustments.ts';
import {
  assignLedgerFinding,
  explainLedgerFinding,
  exportLedgerFindingList,
  exportLedgerPeriodList,
  exportLedgerProofList,
  exportTrialBalance,
  queryLedgerBookState,
  queryLedgerFindingList,
  queryLedgerMender,
  queryLedgerPeriodList,
  queryLedgerProofList,
  queryTrialBalance,
  rebuildLedgerProjection,
  resolveLedgerFinding,
  runLedgerProof,
} from '../contract/calls/proofs.ts';
import { own } from './database.ts';
import { facts, makeDraft, makeFinding, maker, makePending, makePosted } from './testing/adjusting.ts';
import { inTransaction, ledgerIn, makeBooked, makeFunded, makeHeld } from './testing/funded.ts';

const CARD = 'ledger.book.card';
const viewer = { as: { permissions: ['ledger.account.view', CARD] } };
const freezer = { as: { permissions: ['ledger.account.freeze', CARD] } };
const making = { as: { permissions: ['ledger.adjust.make', CARD] } };
const prover = { as: { permissions: ['ledger.proof.view', CARD] } };
const mending = { as: { permissions: ['ledger.proof.manage', CARD] } };
const NONE = '999999999';
const numbers = async (app: TestApp) => {
  const { id, version } = await makeFinding(app);
  return { id, version };
};
const NO_ACCOUNT = 'LAC9999999999';
const book = 'CARD' as const;

export const ledgerCases: readonly CallCase[] = [
  callCase(queryLedgerChart, async (app) => {
    await ledgerIn(app);
    return {};
  }),
  callCase(queryLedgerAccountList, async (app) => ({ book, accountNo: (await makeFunded(app)).accountNo }), viewer),
  callCase(exportLedgerAccountList, async (app) => ({ book, accountNo: (await makeFunded(app)).accountNo }), viewer),
  callCase(queryLedgerAccountTotal, async (app) => ({ book, accountNo: (await makeFunded(app)).accountNo }), viewer),
  callCase(queryLedgerAccountDetail, async (app) => ({ accountNo: (await makeFunded(app)).accountNo }), {
    ...viewer,
    foreign: async () => ({ accountNo: NO_ACCOUNT }),
  }),
  callCase(freezeLedgerAccount, async (app) => ({ accountNo: (await makeFunded(app)).accountNo, version: 1, opinion: '持卡人报失' }), {
    ...freezer,
    foreign: async () => ({ accountNo: NO_ACCOUNT, version: 1, opinion: '持卡人报失' }),
  }),
  callCase(
    unfreezeLedgerAccount,
    async (app) => {
      const { ledger, account, accountNo } = await makeFunded(app);
      await inTransaction(app, (posting) => ledger.freeze(posting, account, { reason: '核查', actor: { id: '0', name: 'SYSTEM' } }));
      return { accountNo, version: 2, opinion: '核查完毕' };
    },
    { ...freezer, foreign: async () => ({ accountNo: NO_ACCOUNT, version: 1, opinion: '核查完毕' }) },
  ),
  callCase(revealLedgerOwnerName, async (app) => ({ accountNo: (await makeFunded(app)).accountNo, reason: '核对户名' }), {
    as: { permissions: ['ledger.owner.reveal', CARD] },
    foreign: async () => ({ accountNo: NO_ACCOUNT, reason: '核对户名' }),
  }),
  callCase(queryLedgerEntryList, async (app) => ({ book, accountNos: [(await makeFunded(app)).accountNo] }), viewer),
  callCase(exportLedgerEntryList, async (app) => ({ book, accountNos: [(await makeFunded(app)).accountNo] }), viewer),
  callCase(queryLedgerTransferDetail, async (app) => ({ transferNo: (await makeFunded(app)).transfer.transferNo }), {
    ...viewer,
    foreign: async () => ({ transferNo: 'LT2026112199999999' }),
  }),
  callCase(queryLedgerHoldList, async (app) => ({ book, holdNo: (await makeHeld(app)).holdNo }), viewer),
  callCase(exportLedgerHoldList, async (app) => ({ book, holdNo: (await makeHeld(app)).holdNo }), viewer),
  callCase(queryLedgerLotList, async (app) => ({ book, accountNos: [(await makeHeld(app)).accountNo], onlyRemaining: true }), viewer),
  callCase(exportLedgerLotList, async (app) => ({ book, accountNos: [(await makeHeld(app)).accountNo] }), viewer),
  callCase(
    queryLedgerLotMoveList,
    async (app) => {
      const { accountNo } = await makeHeld(app);
      const { lotNo } = await own(app.db)
        .selectFrom('ledgerLot as l')
        .innerJoin('ledgerAccount as a', 'a.id', 'l.accountId')
        .select('l.lotNo')
        .where('a.accountNo', '=', accountNo)
        .executeTakeFirstOrThrow();
      return { lotNo };
    },
    { ...viewer, foreign: async () => ({ lotNo: 'LB0000000000' }) },
  ),
  callCase(queryLedgerAdjustmentList, async (app) => ({ book, adjustNo: (await makeDraft(app, await maker(app))).adjustNo }), viewer),
  callCase(exportLedgerAdjustmentList, async (app) => ({ book, adjustNo: (await makeDraft(app, await maker(app))).adjustNo }), viewer),
  callCase(queryLedgerAdjustmentDetail, async (app) => ({ id: (await makeDraft(app, await maker(app))).id }), {
    ...viewer,
    foreign: async () => ({ id: NONE }),
  }),
  callCase(addLedgerAdjustment, async (app) => facts(await makeBooked(app)), making),
  callCase(
    modifyLedgerAdjustment,
    async (app, as) => {
      const draft = await makeDraft(app, as!);
      return { ...facts(draft, 600), id: draft.id, version: draft.version };
    },
    { ...making, foreign: async (app) => ({ ...facts(await makeBooked(app)), id: NONE, version: 1 }) },
  ),
  callCase(
    submitLedgerAdjustment,
    async (app, as) => {
      const { id, version } = await makeDraft(app, as!);
      return { id, version };
    },
    { ...making, foreign: async () => ({ id: NONE, version: 1 }) },
  ),
  callCase(
    cancelLedgerAdjustment,
    async (app, as) => {
      const { id, version } = await makeDraft(app, as!);
      return { id, version };
    },
    { ...making, foreign: async () => ({ id: NONE, version: 1 }) },
  ),
  callCase(
    auditLedgerAdjustment,
    async (app) => {
      const { id, version } = await makePending(app, await maker(app));
      return { id, version, decision: 'PASS' as const, opinion: '核对无误' };
    },
    {
      as: { permissions: ['ledger.adjust.check', CARD] },
      foreign: async () => ({ id: NONE, version: 1, decision: 'PASS' as const, opinion: '核对无误' }),
    },
  ),
  callCase(queryLedgerPeriodList, async (app) => (await ledgerIn(app), { book }), viewer),
  callCase(exportLedgerPeriodList, async (app) => (await ledgerIn(app), { book }), viewer),
  callCase(queryTrialBalance, async (app) => (await makeFunded(app), { book, period: app.kernel.clock.today().slice(0, 7) }), prover),
  callCase(exportTrialBalance, async (app) => (await makeFunded(app), { book, period: app.kernel.clock.today().slice(0, 7) }), prover),
  callCase(queryLedgerProofList, async (app) => (await makeFinding(app), { book }), prover),
  callCase(exportLedgerProofList, async (app) => (await makeFinding(app), { book }), prover),
  callCase(queryLedgerBookState, async (app) => (await makeFinding(app), {}), prover),
  callCase(runLedgerProof, async (app) => (await ledgerIn(app), { book }), mending),
  callCase(queryLedgerFindingList, async (app) => (await makeFinding(app), { book }), prover),
  callCase(exportLedgerFindingList, async (app) => (await makeFinding(app), { book }), prover),
  callCase(queryLedgerMender, async () => ({}), mending),
  callCase(assignLedgerFinding, async (app, as) => ({ ...(await numbers(app)), userId: as!.userId }), {
    ...mending,
    foreign: async (_app, as) => ({ id: NONE, version: 1, userId: as!.userId }),
  }),
  callCase(resolveLedgerFinding, async (app) => ({ ...(await numbers(app)), adjustNo: (await makePosted(app)).adjustNo }), {
    ...mending,
    foreign: async () => ({ id: NONE, version: 1, adjustNo: 'LJ1' }),
  }),
  callCase(explainLedgerFinding, async (app) => ({ ...(await numbers(app)), opinion: '测试数据，已核对' }), {
    ...mending,
    foreign: async () => ({ id: NONE, version: 1, opinion: '测试数据，已核对' }),
  }),
  callCase(rebuildLedgerProjection, numbers, { ...mending, foreign: async () => ({ id: NONE, version: 1 }) }),
];
