import { sql } from 'kysely';
import { caseDesk, casesOf } from '#kernel/server/desk/caseDesk.ts';
import { premiumDesk } from '../../contract/premiumDesk.ts';
import { premiumRecords } from '../access.ts';

/** Orders are taken by the day on which they are due. */
export const desk = caseDesk(premiumDesk, casesOf(premiumRecords), {
  table: 'policyPremiumOrder',
  alias: 'o',
  numberOf: ({ premiumOrderNo }) => premiumOrderNo,
  own: ['makerId', 'createdBy'],
  order: () => [sql.ref('o.dueOn')],
});
