import type { Kernel } from '../../../kernel/server/kernel.ts';
import type { Book } from '../contract/books.ts';
import { ledgerOf } from './books.ts';

/** The page on which a book is shown, as its owner says; nothing where it has none yet. */
export function pageLink(kernel: Kernel, book: Book): { link?: string } {
  const page = ledgerOf(kernel).chart.pageOf(book);
  return page === undefined ? {} : { link: page };
}
