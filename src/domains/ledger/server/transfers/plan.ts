import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, type Day, type Instant } from '#kernel/contract/time.ts';
import { MOST_FEN, type Book, type Side } from '../../contract/books.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import type { Chart, TransferTypeDeclaration } from '../chart.ts';
import {
  payloadHash,
  refKey,
  type AccountRef,
  type Actor,
  type Fen,
  type Leg,
  type LotGrant,
  type LotPick,
  type PostCommand,
  type Reference,
} from '../commands.ts';

/** An account by what it is, or by its id where it is known already. */
export type Place = AccountRef | { id: string };

export interface LotAmount {
  lotId: string;
  amount: Fen;
}

/** What a line does to lots. Chosen ones are found when the accounts are locked. */
export type LotPlan =
  | { kind: 'GRANT'; grant: LotGrant }
  | { kind: 'CHOOSE'; from: readonly AccountRef[]; picks: readonly LotPick[] | null }
  | { kind: 'CAPTURE' | 'CONSUME' | 'EXPIRE' | 'RESTORE'; lots: readonly LotAmount[] };

export interface PlanLine {
  account: Place;
  side: Side;
  amount: Fen;
  lots: LotPlan | null;
  originalEntryId: string | null;
}

/** One transfer before it is written. */
export interface Plan {
  businessKey: string;
  book: Book;
  type: string;
  day: Day;
  /** Absent: the posting's now. */
  at?: Instant;
  ref: Reference;
  memo: string;
  actor: Actor;
  hash: string;
  total: Fen;
  lines: readonly PlanLine[];
  holdId: string | null;
  originalId: string | null;
  /** Mirrors the original as a whole. */
  whole: boolean;
  /** What a capture takes off what is held. */
  unheld: readonly { accountId: string; amount: Fen }[];
  /** What was promised before a freeze is kept: captures, and what comes back. */
  outOfFrozen: boolean;
}

const isGroup = (account: Leg['account']): account is readonly AccountRef[] => Array.isArray(account);
export const accountsOf = ({ account }: Pick<Leg, 'account'>): readonly AccountRef[] => (isGroup(account) ? account : [account]);
const sum = (legs: readonly { amount: Fen }[]): Fen => legs.reduce((total, { amount }) => total + amount, 0n);

/** @throws Refusal SCM18006 */
export function requireAmounts(amounts: readonly Fen[]): void {
  if (amounts.some((amount) => amount <= 0n || amount > MOST_FEN)) throw refuse(ledgerErrors.WRONG_AMOUNT);
}

/** @throws Refusal SCM18005 */
export function requireBalance(debit: Fen, credit: Fen): void {
  if (debit !== credit) throw refuse(ledgerErrors.UNBALANCED, { d: yuan(debit), c: yuan(credit) });
}

function requireDeclared(chart: Chart, type: TransferTypeDeclaration | undefined, command: PostCommand): void {
  const { book, debit, credit } = command;
  const all = [...debit, ...credit].flatMap(accountsOf);
  if (all.some((ref) => ref.book !== book)) throw refuse(ledgerErrors.OTHER_BOOK);
  const fits = (legs: readonly Leg[], allowed: readonly string[] | undefined) =>
    legs.flatMap(accountsOf).every((ref) => allowed?.includes(ref.type) && chart.accountType(book, ref.type)?.ownerType === ref.owner.type);
  if (!type || !fits(debit, type.debit) || !fits(credit, type.credit)) throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
}

function debitLots(chart: Chart, leg: Leg): LotPlan | null {
  const from = accountsOf(leg);
  const lotted = from.filter((ref) => chart.accountType(ref.book, ref.type)?.lotted);
  if (lotted.length === 0 && from.length === 1 && !leg.lots) return null;
  if (lotted.length !== from.length) throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
  return { kind: 'CHOOSE', from, picks: leg.lots ?? null };
}

function creditLots(chart: Chart, leg: Leg, ref: AccountRef): LotPlan | null {
  const lotted = chart.accountType(ref.book, ref.type)?.lotted ?? false;
  // A programming error: money would come without saying until when it is good, or a lot without an account of lots.
  if (lotted !== (leg.lot !== undefined)) throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
  return leg.lot ? { kind: 'GRANT', grant: leg.lot } : null;
}

/**
 * Checks a command as far as it can be without the database.
 * @throws Refusal SCM18005–18008
 */
export function planOf(chart: Chart, command: PostCommand, now: Instant): Plan {
  requireBalance(sum(command.debit), sum(command.credit));
  return halfPlanOf(chart, command, now);
}

/** The same where the other half comes from elsewhere: what a hold fixed. @throws Refusal SCM18006–18008 */
export function halfPlanOf(chart: Chart, command: PostCommand, now: Instant): Plan {
  const { businessKey, book, type, debit, credit, postingDate, at, ref, memo, actor } = command;
  requireAmounts([...debit, ...credit].map(({ amount }) => amount));
  requireDeclared(chart, chart.transferType(book, type), command);
  const lines = [
    ...debit.map((leg): PlanLine => {
      const [first] = accountsOf(leg);
      if (!first) throw refuse(ledgerErrors.NO_ACCOUNT);
      return { account: first, side: 'D', amount: leg.amount, lots: debitLots(chart, leg), originalEntryId: null };
    }),
    ...credit.map((leg): PlanLine => {
      const [only, ...others] = accountsOf(leg);
      if (!only || others.length > 0) throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
      return { account: only, side: 'C', amount: leg.amount, lots: creditLots(chart, leg, only), originalEntryId: null };
    }),
  ];
  const shape = (legs: readonly Leg[]) =>
    legs.map((leg) => ({ accounts: accountsOf(leg).map(refKey), amount: leg.amount, lot: leg.lot, lots: leg.lots }));
  return {
    businessKey,
    book,
    type,
    day: postingDate ?? dayOf(at ?? now),
    ...(at !== undefined && { at }),
    ref,
    memo: memo ?? '',
    actor,
    hash: payloadHash({ book, type, debit: shape(debit), credit: shape(credit), postingDate, ref, memo }),
    total: sum(debit),
    lines,
    holdId: null,
    originalId: null,
    whole: false,
    unheld: [],
    outOfFrozen: false,
  };
}
