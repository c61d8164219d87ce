import type { TestApp } from '#testing/testApp.ts';
import { startOfDay } from '#kernel/contract/time.ts';
import { declareBook, ledgerOf } from '../books.ts';
import type { AccountRef, Fen, Posting, TransferResult } from '../commands.ts';
import { ADJUST } from '../chart.ts';
import type { Ledger } from '../ledger.ts';
import { MAKER, next } from './bank.ts';
import { testBooks } from './books.ts';

/** The ledger of an app, with books of the tests where no domain has declared them. */
export async function ledgerIn(app: TestApp): Promise<Ledger> {
  const ledger = ledgerOf(app.kernel);
  for (const declaration of testBooks) if (!ledger.chart.books.includes(declaration.book)) declareBook(app.kernel, declaration);
  await inTransaction(app, (posting) => ledger.openPeriods(posting, app.kernel.clock.today()));
  return ledger;
}

/** One business transaction of the app. */
export const inTransaction = <T>(app: TestApp, work: (posting: Posting) => Promise<T>): Promise<T> =>
  app.kernel.transactions.run('test', (writing) => work({ ...writing, now: app.kernel.clock.now(), traceId: 'test' }));

const cash = (ledger: Ledger): AccountRef => {
  const type = ledger.chart.accountTypesOf('CARD').find(({ name }) => name === 'CARD_CASH')!;
  return { book: 'CARD', type: type.name, owner: { type: type.ownerType, id: 'test' } };
};
const principal = (ledger: Ledger, owner: string): AccountRef => ({
  book: 'CARD',
  type: 'CARD_PRINCIPAL',
  owner: { type: ledger.chart.accountType('CARD', 'CARD_PRINCIPAL')!.ownerType, id: owner },
});

export interface Funded {
  ledger: Ledger;
  /** The card's account, of lots. */
  account: AccountRef;
  accountNo: string;
  cash: AccountRef;
  cashNo: string;
  transfer: TransferResult;
}

/** A card account with one lot; by the one kind of transfer that every book has. */
export async function makeFunded(app: TestApp, amount: Fen = 20_000n): Promise<Funded> {
  const ledger = await ledgerIn(app);
  const card = `test-${app.kernel.clock.today()}-${next()}-${Math.floor(performance.now() * 1000)}`;
  const [account, from] = [principal(ledger, card), cash(ledger)];
  return inTransaction(app, async (posting) => {
    const opened = await ledger.openAccount(posting, account, { ownerName: '王建国' });
    const { accountNo: cashNo } = await ledger.openAccount(posting, from, { ownerName: '平台' });
    const transfer = await ledger.post(posting, {
      businessKey: `test:funded:${card}`,
      book: 'CARD',
      type: ADJUST,
      debit: [{ account: from, amount }],
      credit: [{ account, amount, lot: { refType: 'test', refId: card, expiresAt: startOfDay('2027-12-01') } }],
      ref: { type: 'test', id: card },
      actor: MAKER,
    });
    return { ledger, account, accountNo: opened.accountNo, cash: from, cashNo, transfer };
  });
}

/** What a funder paid in advance: an account that nobody keeps lots or rows of. */
export interface Booked {
  ledger: Ledger;
  accountNo: string;
  cashNo: string;
}
export async function makeBooked(app: TestApp, amount: Fen = 20_000n): Promise<Booked> {
  const ledger = await ledgerIn(app);
  const type = ledger.chart.accountTypesOf('CARD').find((one) => one.name === 'CARD_FUND')!;
  const owner = `test-${app.kernel.clock.today()}-${next()}-${Math.floor(performance.now() * 1000)}`;
  const account: AccountRef = { book: 'CARD', type: type.name, owner: { type: type.ownerType, id: owner } };
  return inTransaction(app, async (posting) => {
    const { accountNo } = await ledger.openAccount(posting, account, { ownerName: '康健保险' });
    const { accountNo: cashNo } = await ledger.openAccount(posting, cash(ledger), { ownerName: '平台' });
    await ledger.post(posting, {
      businessKey: `test:booked:${owner}`,
      book: 'CARD',
      type: ADJUST,
      debit: [{ account: cash(ledger), amount }],
      credit: [{ account, amount }],
      ref: { type: 'test', id: owner },
      actor: MAKER,
    });
    return { ledger, accountNo, cashNo };
  });
}

/** What a merchant is owed: its write-offs say how much. */
export async function makeShop(app: TestApp): Promise<{ account: string }> {
  const ledger = await ledgerIn(app);
  const type = ledger.chart.accountTypesOf('CARD').find(({ name }) => name === 'CARD_MERCHANT_PAYABLE')!;
  const account: AccountRef = { book: 'CARD', type: type.name, owner: { type: type.ownerType, id: `test-${next()}` } };
  const opened = await inTransaction(app, (posting) => ledger.openAccount(posting, account, { ownerName: '康桥大药房' }));
  return { account: opened.accountNo };
}

/** The same with a part of it held. */
export async function makeHeld(app: TestApp): Promise<Funded & { holdNo: string; holdId: string }> {
  const funded = await makeFunded(app);
  const held = await inTransaction(app, (posting) =>
    funded.ledger.hold(posting, {
      businessKey: `test:held:${funded.accountNo}`,
      book: 'CARD',
      legs: [{ account: funded.account, amount: 6_000n }],
      expiresAt: null,
      ref: { type: 'test', id: funded.accountNo },
      actor: MAKER,
    }),
  );
  return { ...funded, holdNo: held.holdNo, holdId: held.holdId };
}
