import type { Kernel } from '#kernel/server/kernel.ts';
import type { BookDeclaration } from './chart.ts';
import { type Ledger, makeLedger } from './ledger.ts';
import type { Book } from '../contract/books.ts';

/** By the process' ports: a demonstration writes with a kernel of its own that shares them. */
const ledgers = new WeakMap<Kernel['ports'], Ledger>();

/** The one ledger of a process. Its chart is complete once all modules are built. */
export function ledgerOf(kernel: Kernel): Ledger {
  const made = ledgers.get(kernel.ports) ?? makeLedger([], { strict: kernel.config.mode === 'test' });
  ledgers.set(kernel.ports, made);
  return made;
}

/**
 * Declares the chart of a book; the domain that owns it does this once, as its module is built.
 * @throws Error for a chart that contradicts itself, and for a book that is declared already
 */
export function declareBook(kernel: Kernel, declaration: BookDeclaration): Ledger {
  const ledger = ledgerOf(kernel);
  ledger.chart.declare(declaration);
  return ledger;
}

/** The page on which a book is shown, as its owner says; nothing where it has none yet. */
export function pageLink(kernel: Kernel, book: Book): { link?: string } {
  const page = ledgerOf(kernel).chart.pageOf(book);
  return page === undefined ? {} : { link: page };
}
