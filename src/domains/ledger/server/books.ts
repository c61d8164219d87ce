import type { Kernel } from '../../../kernel/server/kernel.ts';
import type { BookDeclaration } from './chart.ts';
import { makeLedger, type Ledger } from './ledger.ts';

const ledgers = new WeakMap<Kernel, Ledger>();

/** The one ledger of a process. Its chart is complete once all modules are built. */
export function ledgerOf(kernel: Kernel): Ledger {
  const made = ledgers.get(kernel) ?? makeLedger([], { strict: kernel.config.mode === 'test' });
  ledgers.set(kernel, made);
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
