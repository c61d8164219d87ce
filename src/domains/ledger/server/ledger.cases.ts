import { callCase, type CallCase } from '../../../testing/cases.ts';
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
import { own } from './database.ts';
import { inTurn, ledgerIn, makeFunded, makeHeld } from './testing/funded.ts';

const CARD = 'ledger.book.card';
const viewer = { as: { permissions: ['ledger.account.view', CARD] } };
const freezer = { as: { permissions: ['ledger.account.freeze', CARD] } };
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
      await inTurn(app, (posting) => ledger.freeze(posting, account, { reason: '核查', actor: { id: '0', name: 'SYSTEM' } }));
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
];
