import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from './database.ts';

export interface PayerEntityBrief {
  payerEntityId: string;
  entityCode: string;
  entityName: string;
  taxNo: string;
  enabled: boolean;
}

/** Our legal companies by id, also those that are not used any longer; unknown ids are left out. */
export async function getPayerEntities(db: Db | Tx, ids: readonly string[]): Promise<PayerEntityBrief[]> {
  if (ids.length === 0) return [];
  return own(db)
    .selectFrom('settlementPayer')
    .select(['id as payerEntityId', 'entityCode', 'entityName', 'taxNo', 'enabled'])
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .execute();
}
