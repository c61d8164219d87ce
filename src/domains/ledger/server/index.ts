/** All that other domains may use of the ledger on the server. */
export { declareBook, ledgerOf } from './books.ts';
export type { AccountTypeDeclaration, BookDeclaration, DocumentDeclaration, DocumentLink, TransferTypeDeclaration } from './chart.ts';
export {
  SYSTEM,
  type AccountRef,
  type Actor,
  type EntryResult,
  type Fen,
  type HoldCommand,
  type Leg,
  type LotGrant,
  type LotPick,
  type LotUse,
  type PostCommand,
  type Posting,
  type Reference,
  type TransferResult,
} from './commands.ts';
export type { Account } from './accounts/accounts.ts';
export type { Balance, LotLeft } from './accounts/balances.ts';
export type { Movement } from './accounts/statement.ts';
export type { SweepTarget } from './lots/expire.ts';
export type { CaptureCommand, HoldResult } from './holds/holds.ts';
export { MOST_AT_ONCE } from './transfers/post.ts';
export type { RefundCommand } from './transfers/refunds.ts';
export { makeLedger, tryLedger, type Ledger } from './ledger.ts';
export { allowAnyOrder } from './accounts/lockAccounts.ts';
