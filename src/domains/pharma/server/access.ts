import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { own } from './database.ts';

// What somebody sees of representatives is asked by `accessAgent`; everything else here is the same for everybody.
export const companyRecords = recordOf((db) => own(db).selectFrom('pharmaCompany as r').selectAll('r')).with({
  type: 'pharma.company',
  id: 'r.id',
  scope: unscoped,
});
export const lineRecords = recordOf((db) => own(db).selectFrom('pharmaProductLine as r').selectAll('r')).with({
  type: 'pharma.productLine',
  id: 'r.id',
  scope: unscoped,
});
export const medicineRecords = recordOf((db) => own(db).selectFrom('pharmaMedicine as r').selectAll('r')).with({
  type: 'pharma.medicine',
  id: 'r.id',
  scope: unscoped,
});
export const skuRecords = recordOf((db) => own(db).selectFrom('pharmaSku as r').selectAll('r')).with({
  type: 'pharma.sku',
  id: 'r.id',
  scope: unscoped,
});
export const applyRecords = recordOf((db) => own(db).selectFrom('pharmaMedicineApply as r').selectAll('r')).with({
  type: 'pharma.medicineApply',
  id: 'r.id',
  scope: unscoped,
});
export const categoryRecords = recordOf((db) => own(db).selectFrom('pharmaCategory as r').selectAll('r')).with({
  type: 'pharma.category',
  id: 'r.id',
  scope: unscoped,
});
export const agentRecords = recordOf((db) => own(db).selectFrom('pharmaAgent as r').selectAll('r')).with({
  type: 'pharma.agent',
  id: 'r.id',
  scope: unscoped,
});
export const handoverRecords = recordOf((db) => own(db).selectFrom('pharmaAgentHandover as r').selectAll('r')).with({
  type: 'pharma.agentHandover',
  id: 'r.id',
  scope: unscoped,
});
export const adverseRecords = recordOf((db) => own(db).selectFrom('pharmaAdverseReport as r').selectAll('r')).with({
  type: 'pharma.adverseReport',
  id: 'r.id',
  scope: unscoped,
});

/** Display names of staff, by id; unknown ids are left out. */
export async function namesOf(db: Parameters<typeof userBrief>[0], ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
  const wanted = ids.filter((id) => id !== null);
  return new Map((await userBrief(db, wanted)).map((user) => [user.userId, user.displayName]));
}
