import type { Book, Side } from '../contract/books.ts';

/** A row of the chart of accounts, declared by the domain that owns the book. */
export interface AccountTypeDeclaration {
  /** 科目, as pages show it. */
  label: string;
  /** On which its balance grows. */
  normalSide: Side;
  /** Its owner: cardAccount, doctor, insurer. */
  ownerType: string;
  /**
   * Fen below which its available balance never falls; null: an open account of the platform, without floor and without balance after
   * each entry.
   */
  floorFen: bigint | null;
  /** Rows among which an open account spreads its postings, so that they seldom wait for each other; 1 for guarded ones. */
  stripes: number;
  /** Its balance consists of lots with their own sources and expiries. */
  lotted?: boolean;
  /** Its owner's rows say what its balance is (unsettled write-offs, unsold cards): as of lots, no adjustment moves it. */
  kept?: boolean;
  /** Of lots that end together, those of such accounts are used first: what was given before what was paid. */
  usedFirst?: boolean;
  /** Its owner is a person, whose name is masked in lists. */
  personal?: boolean;
}

/** Whether an entry by hand may move it: what its owner keeps lots or rows of is moved by the owner's documents alone. */
export const isAdjustable = (type: Pick<AccountTypeDeclaration, 'lotted' | 'kept'> | undefined): boolean =>
  type !== undefined && !type.lotted && !type.kept;

export interface TransferTypeDeclaration {
  /** 凭证类型, as pages show it. */
  label: string;
  debit: readonly string[];
  credit: readonly string[];
  reversible: boolean;
}

/** A page of the domain that owns a document. */
interface DocumentLink {
  path: string;
  search: Readonly<Record<string, string>>;
}

/** A kind of business document to which transfers and holds refer. */
interface DocumentDeclaration {
  label: string;
  /** Absent, or null: no page shows it. */
  link?(document: { id: string; no: string | null }): DocumentLink | null;
}

export interface BookDeclaration {
  book: Book;
  accountTypes: Readonly<Record<string, AccountTypeDeclaration>>;
  transferTypes: Readonly<Record<string, TransferTypeDeclaration>>;
  /** By the `ref.type` of commands. */
  documents?: Readonly<Record<string, DocumentDeclaration>>;
  /** Address of the page that shows the book, for notices: `/storedCardBatchManage?tab=ledger`. */
  page?: string;
}

/** 调账: the one kind of transfer that every book has; it may move all of its accounts. */
export const ADJUST = 'ADJUST';

export interface Chart {
  readonly books: readonly Book[];
  accountType(book: Book, name: string): AccountTypeDeclaration | undefined;
  transferType(book: Book, name: string): TransferTypeDeclaration | undefined;
  /** Names of a book's account types in their declared order. */
  accountTypesOf(book: Book): readonly (AccountTypeDeclaration & { name: string })[];
  transferTypesOf(book: Book): readonly (TransferTypeDeclaration & { name: string })[];
  document(book: Book, refType: string): DocumentDeclaration | undefined;
  pageOf(book: Book): string | undefined;
  /** Adds the book of a domain that comes later. @throws Error as `makeChart` does */
  declare(declaration: BookDeclaration): void;
}

const OWN_DOCUMENTS: Readonly<Record<string, DocumentDeclaration>> = { 'ledger.adjustment': { label: '调账' } };

function requireSound({ book, accountTypes, transferTypes }: BookDeclaration): void {
  for (const [name, type] of Object.entries(accountTypes)) {
    if (type.floorFen !== null && type.stripes !== 1) throw new Error(`${book}.${name} has a floor, so it has one balance`);
    if (type.lotted && (type.floorFen === null || type.normalSide !== 'C'))
      throw new Error(`${book}.${name} has lots, so it owes and has a floor`);
  }
  if (ADJUST in transferTypes) throw new Error(`${book}.${ADJUST} is declared by the ledger itself`);
  for (const [name, { debit, credit }] of Object.entries(transferTypes))
    for (const one of [...debit, ...credit])
      if (!(one in accountTypes)) throw new Error(`${book}.${name} moves an unknown account type ${one}`);
}

function withAdjusting(declaration: BookDeclaration): BookDeclaration {
  const all = Object.keys(declaration.accountTypes);
  return {
    ...declaration,
    transferTypes: { ...declaration.transferTypes, [ADJUST]: { label: '调账', debit: all, credit: all, reversible: false } },
  };
}

const named = <T extends object>(table: Readonly<Record<string, T>> = {}) =>
  Object.entries(table).map(([name, declared]) => ({ ...declared, name }));
const within = <T>(table: Readonly<Record<string, T>> | undefined, name: string) =>
  table && Object.hasOwn(table, name) ? table[name] : undefined;

/**
 * The chart of accounts and the kinds of transfers of all books.
 * @throws Error for a book declared twice, a transfer between unknown account types, a guarded account with stripes, lots without a floor.
 */
export function makeChart(declarations: readonly BookDeclaration[]): Chart {
  const byBook = new Map<Book, BookDeclaration>();
  const chart: Chart = {
    get books() {
      return [...byBook.keys()];
    },
    accountType: (book, name) => within(byBook.get(book)?.accountTypes, name),
    transferType: (book, name) => within(byBook.get(book)?.transferTypes, name),
    accountTypesOf: (book) => named(byBook.get(book)?.accountTypes),
    transferTypesOf: (book) => named(byBook.get(book)?.transferTypes),
    document: (book, refType) => within(byBook.get(book)?.documents, refType) ?? within(OWN_DOCUMENTS, refType),
    pageOf: (book) => byBook.get(book)?.page,
    declare(declaration) {
      if (byBook.has(declaration.book)) throw new Error(`The book ${declaration.book} is declared twice`);
      requireSound(declaration);
      byBook.set(declaration.book, withAdjusting(declaration));
    },
  };
  for (const declaration of declarations) chart.declare(declaration);
  return chart;
}
