import { sql } from 'kysely';
import { caseDesk, casesOf } from '#kernel/server/desk/caseDesk.ts';
import { qualDesk } from '../../contract/qualDesk.ts';
import { applyRecords } from './payload.ts';

/** Applications are taken by the time they were handed in, each with its doctor. */
export const desk = caseDesk(qualDesk, casesOf(applyRecords), {
  table: 'doctorQualApply',
  alias: 'q',
  locks: ['d', 'q'],
  numberOf: ({ applyNo }) => applyNo,
  own: ['enteredBy'],
  leaseColumns: true,
  order: () => [sql.ref('q.submittedAt')],
});
