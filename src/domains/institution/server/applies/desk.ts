import { caseDesk, casesOf } from '#kernel/server/desk/caseDesk.ts';
import { applyDesk } from '../../contract/applyDesk.ts';
import { applyRecords } from '../access.ts';

export const desk = caseDesk(applyDesk, casesOf(applyRecords), {
  table: 'institutionHospitalApply',
  alias: 'p',
  numberOf: ({ applyNo }) => applyNo,
  own: ['createdBy'],
});
