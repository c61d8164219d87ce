import { sql } from 'kysely';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { caseDesk, casesOf } from '#kernel/server/desk/caseDesk.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { otherMaterialDesk } from '../../contract/materialDesk.ts';
import { contractScope } from '../contracts/access.ts';
import { own } from '../database.ts';
import { OTHER_MATERIAL } from '../review.ts';

/** In the audit trail, and of the files. */
export const MATERIAL_TARGET = 'enrolment.otherMaterial';

/** Whoever sees the contract sees what was handed in for it. */
export const otherMaterialRecords = recordOf((db) =>
  own(db)
    .selectFrom('enrolmentOtherMaterial as m')
    .innerJoin('enrolmentContract as c', 'c.id', 'm.contractId')
    .selectAll('m')
    .select(['c.contractNo', 'c.insuredName']),
).with({
  noun: '其他材料',
  type: MATERIAL_TARGET,
  id: 'm.id',
  scope: (viewer) => scopeFilter(contractScope('c.insurerId'), viewer),
  locks: 'm',
});
export type OtherMaterialRecord = Awaited<ReturnType<typeof otherMaterialRecords.get>>;

/** Whose papers, supplements and duplicates they are. */
export const ownerOf = ({ id }: Pick<OtherMaterialRecord, 'id'>) => ({ type: OTHER_MATERIAL, id });

/** What is due first is taken first. */
export const materialDesk = caseDesk(otherMaterialDesk, casesOf(otherMaterialRecords), {
  table: 'enrolmentOtherMaterial',
  alias: 'm',
  locks: ['m'],
  numberOf: ({ materialNo }) => materialNo,
  own: ['enteredBy'],
  leaseColumns: true,
  order: () => [sql.ref('m.slaDueAt')],
});
