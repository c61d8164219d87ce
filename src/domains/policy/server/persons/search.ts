import { sql } from 'kysely';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { offsetOf, totalUpTo } from '#kernel/server/http/paging.ts';
import type { Day } from '#kernel/contract/time.ts';
import { coveredRun } from '../../contract/rules/cover.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';
import { liveSlices } from '../cover/live.ts';

interface InsuredSearch {
  policyNo: string;
  today: Day;
  /** Whose data scope it is in. */
  seer: Viewer;
  /** As a list's own call bounds it. */
  page: { pageNo: number; pageSize: number };
}

/**
 * Insured persons by the number of their policy alone, families together, for whoever enters something on their behalf: numbers masked.
 * Of a number that several insurers gave, the persons of all whose policies somebody sees.
 * @throws Refusal SCM90020 beyond the 10,000th person
 */
export async function searchInsured(db: Db | Tx, { policyNo, today, seer, page }: InsuredSearch) {
  const offset = offsetOf(page);
  const policies = await own(db)
    .selectFrom('policyPolicy as p')
    .select('p.id')
    .where('p.policyNoNorm', '=', normalPolicyNo(policyNo))
    .where(scopeFilter(insurerScope('p.insurerId'), seer))
    .execute();
  if (policies.length === 0) return { rows: [], total: 0 };
  const found = own(db)
    .selectFrom('policyInsuredItem as i')
    .innerJoin('policyPolicy as p', 'p.id', 'i.policyId')
    .innerJoin('policyEndorsement as b', 'b.id', 'i.createdByEndorsementId')
    .where('b.visibleAt', 'is not', null)
    .where(
      'i.policyId',
      'in',
      policies.map(({ id }) => id),
    );
  const total = await totalUpTo(db, found);
  const rows = await found
    .select([
      'i.id as insuredItemId',
      'i.policyId',
      'p.policyNo',
      'p.productId',
      'p.insurerId',
      'i.name',
      'i.idType',
      'i.idNoMasked',
      'i.gender',
      'i.birthDate',
      'i.mobileMasked',
      'i.relation',
      'i.mainInsuredItemId',
      'i.stateCache as state',
      'i.planCache as planCode',
      'i.realNameState',
    ])
    .orderBy('i.policyId')
    .orderBy(sql`coalesce(i.main_insured_item_id, i.id)`, 'desc')
    .orderBy('i.id')
    .limit(page.pageSize)
    .offset(offset)
    .execute();
  const slices = await liveSlices(
    db,
    rows.map(({ insuredItemId }) => insuredItemId),
  );
  return {
    rows: rows.map((row) => {
      const run = coveredRun(slices.get(row.insuredItemId) ?? [], today);
      return { ...row, coveredFrom: run?.from ?? null, coveredTo: run?.to ?? null };
    }),
    total,
  };
}
