import { sql, type SqlBool } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { ProductLine } from '#domains/insurance/contract/businessLines.ts';
import type { MarkType } from '../../contract/markStates.ts';
import { own } from '../database.ts';
import { isOfPerson, type PersonHashes } from './person.ts';

export interface PersonMark {
  markId: string;
  markType: MarkType;
  reason: string;
  startDate: Day;
  endDate: Day;
}

/** Marks that hold on a day for a person who applies for a product; they concern the HMO line alone. */
export async function personMarks(
  db: Db | Tx,
  person: PersonHashes,
  product: { productId: string; productLine: ProductLine },
  day: Day,
): Promise<PersonMark[]> {
  if (product.productLine !== 'HMO') return [];
  return own(db)
    .selectFrom('enrolmentSpecialUser as u')
    .select(['u.id as markId', 'u.markType', 'u.reason', 'u.startDate', 'u.endDate'])
    .where('u.state', '=', 'EFFECTIVE')
    .where('u.startDate', '<=', day)
    .where('u.endDate', '>=', day)
    .where(isOfPerson(person))
    .where(sql<SqlBool>`(cardinality(u.product_ids) = 0 or ${product.productId}::bigint = any(u.product_ids))`)
    .orderBy('u.id')
    .execute();
}

/** Says that marks changed what became of an application: refused it, sent it on, made it free. */
export async function countHits(tx: Tx, markIds: readonly string[]): Promise<void> {
  if (markIds.length === 0) return;
  await own(tx)
    .updateTable('enrolmentSpecialUser')
    .set((eb) => ({ hits: eb('hits', '+', 1) }))
    .where('id', 'in', [...new Set(markIds)])
    .execute();
}
