import type { Db, Tx } from '#kernel/server/context.ts';
import type { Book } from '../../contract/books.ts';
import { own } from '../database.ts';

/** Differences of a book that nobody has closed, the oldest first: while there is one, its month is not closed. */
export const openFindings = (db: Db | Tx, book: Book) =>
  own(db)
    .selectFrom('ledgerFinding')
    .select(['id', 'findingCode', 'objectKey', 'accountId', 'expectedFen', 'actualFen', 'status', 'ownerUserId', 'createdAt'])
    .where('book', '=', book)
    .where('status', 'in', ['OPEN', 'ASSIGNED'])
    .orderBy('id')
    .execute();
