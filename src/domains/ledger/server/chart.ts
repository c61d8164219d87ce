import type { Book, Side } from '../contract/books.ts';

/** A row of the chart of accounts, declared by the domain that owns the book. */
export interface AccountTypeDeclaration {
  /** 科目, as pages show it. */
  label: string;
  /** On which its balance grows. */
  normalSide: Side;
  /** Its owner: cardAccount, doctor, insurer. */
  ownerType: string;
  /** Fen below which its available balance never falls; null: an open account of the platform, without floor and without balance after each entry. */
  floorFen: bigint | null;
  /** Rows among which an open account spreads its postings, so that they seldom wait for each other; 1 for guarded ones. */
  stripes: number;
  /** Its balance consists of lots with their own sources and expiries. */
  lotted?: boolean;
  /** Of lots that end together, those of such accounts are used first: what was given before what was paid. */
  usedFirst?: boolean;
}

export interface TransferTypeDeclaration {
  /** 凭证类型, as pages show it. */
  label: string;
  debit: readonly string[];
  credit: readonly string[];
  reversible: boolean;
}

export interface BookDeclaration {
  book: Book;
  accountTypes: Readonly<Record<string, AccountTypeDeclaration>>;
  transferTypes: Readonly<Record<string, TransferTypeDeclaration>>;
}

export interface Chart {
  readonly books: readonly Book[];
  accountType(book: Book, name: string): AccountTypeDeclaration | undefined;
  transferType(book: Book, name: string): TransferTypeDeclaration | undefined;
}

/**
 * The chart of accounts and the kinds of transfers of all books.
 * @throws Error for a book declared twice, a transfer between unknown account types, a guarded account with stripes, lots without a floor.
 */
export function makeChart(declarations: readonly BookDeclaration[]): Chart {
  const byBook = new Map<Book, BookDeclaration>();
  for (const declaration of declarations) {
    const { book, accountTypes, transferTypes } = declaration;
    if (byBook.has(book)) throw new Error(`The book ${book} is declared twice`);
    byBook.set(book, declaration);
    for (const [name, type] of Object.entries(accountTypes)) {
      if (type.floorFen !== null && type.stripes !== 1) throw new Error(`${book}.${name} has a floor, so it has one balance`);
      if (type.lotted && (type.floorFen === null || type.normalSide !== 'C'))
        throw new Error(`${book}.${name} has lots, so it owes and has a floor`);
    }
    for (const [name, { debit, credit }] of Object.entries(transferTypes))
      for (const one of [...debit, ...credit])
        if (!(one in accountTypes)) throw new Error(`${book}.${name} moves an unknown account type ${one}`);
  }
  const within = <T>(table: Readonly<Record<string, T>> | undefined, name: string) =>
    table && Object.hasOwn(table, name) ? table[name] : undefined;
  return {
    books: [...byBook.keys()],
    accountType: (book, name) => within(byBook.get(book)?.accountTypes, name),
    transferType: (book, name) => within(byBook.get(book)?.transferTypes, name),
  };
}
