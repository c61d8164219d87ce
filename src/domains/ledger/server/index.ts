/** All that other domains may use of the ledger on the server. */
export { declareBook, ledgerOf } from './books.ts';
export type { AccountTypeDeclaration, BookDeclaration } from './chart.ts';
export {
  SYSTEM,
  type AccountRef,
  type Actor,
  type Fen,
  type Leg,
  type LotPick,
  type PostCommand,
  type Posting,
  type Reference,
  type TransferResult,
} from './commands.ts';
export type { LotLeft } from './accounts/balances.ts';
export { makeLedger, tryLedger, type Ledger } from './ledger.ts';
export { allowAnyOrder } from './accounts/lockAccounts.ts';
