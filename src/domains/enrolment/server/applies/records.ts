import type { Selectable } from 'kysely';
import { scopedResource } from '#kernel/server/auth/scope.ts';
import { caseDesk, casesOf } from '#kernel/server/desk/caseDesk.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { sql } from 'kysely';
import { applyDesk } from '../../contract/applyDesk.ts';
import { own } from '../database.ts';
import { ENROL_APPLY } from '../review.ts';
import type { EnrolmentApply } from '../tables.ts';

/** In the audit trail, and of the files. */
export const APPLY_TARGET = 'enrolment.apply';

/** An insurer's people see the applications of their own; regions, channels and who entered one limit nobody here. */
export const applyScope = scopedResource({ region: 'free', insurer: { column: 'a.insurerId' }, channel: 'free', own: 'free' });
export const applyRecords = recordOf((db) => own(db).selectFrom('enrolmentApply as a').selectAll('a')).with({
  noun: '入组申请',
  type: APPLY_TARGET,
  id: 'a.id',
  scope: applyScope,
});
export type ApplyRecord = Selectable<EnrolmentApply>;

/** Whose materials, supplements and duplicates they are. */
export const ownerOf = ({ id }: Pick<ApplyRecord, 'id'>) => ({ type: ENROL_APPLY, id });

/** Whoever asked for a supplement, or was given the case, is served it first; then what is due first. */
export const desk = caseDesk(applyDesk, casesOf(applyRecords), {
  table: 'enrolmentApply',
  alias: 'a',
  numberOf: ({ applyNo }) => applyNo,
  own: ['enteredBy'],
  leaseColumns: true,
  order: ({ staff }) => [sql`(a.prefer_user_id = ${staff.userId}::bigint) desc nulls last`, sql.ref('a.slaDueAt')],
});
