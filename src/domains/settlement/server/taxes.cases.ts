import { sql } from 'kysely';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  abortDoctorPeriodClose,
  closeDoctorPeriod,
  exportDoctorPeriodList,
  exportTaxDeclaration,
  exportTaxMonthList,
  markTaxDeclared,
  queryDoctorPeriodList,
  queryTaxMonthList,
  startDoctorPeriodClose,
} from '../contract/calls/taxes.ts';

import { own } from './database.ts';
import { keeper, key, makeRules, NONE, openBooks } from './testing/fixtures.ts';

const opinion = '各主体已申报';
const reason = '每月申报';
/** The month of the books that comes next; what they were before is over. */
let months = 0;

/** A month that is over, in which nothing was withheld. */
async function aTaxMonth(app: TestApp) {
  const { payerId } = await makeRules(app);
  months += 1;
  const taxMonth = `2024-${String((months % 12) + 1).padStart(2, '0')}`;
  const now = app.clock.now();
  return own(app.db)
    .insertInto('settlementTaxMonth')
    .values({ payerEntityId: payerId, taxMonth, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.columns(['payerEntityId', 'taxMonth']).doUpdateSet({ updatedAt: now }))
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
}
/** A month of the doctors' book that may be closed: before all that there is. */
async function aPeriod(app: TestApp): Promise<string> {
  await openBooks(app);
  const { rows } = await sql<{ period: string }>`
    insert into ledger_period (book, period, opened_at)
      select 'DOCTOR', to_char(to_date(min(period), 'YYYY-MM') - interval '2 month', 'YYYY-MM'), ${app.clock.now()}::timestamptz
        from ledger_period
        where book = 'DOCTOR'
      returning period`.execute(app.db);
  return rows[0]!.period;
}
async function closing(app: TestApp) {
  const period = await aPeriod(app);
  const { id, version } = await app.ok(startDoctorPeriodClose, { period }, key(await keeper(app)));
  return { id, version, opinion };
}
const missing = { id: NONE, version: 1, opinion };

export const taxesCases: readonly CallCase[] = [
  callCase(queryTaxMonthList, async (app) => {
    await aTaxMonth(app);
    return {};
  }),
  callCase(exportTaxMonthList, async (app) => {
    await aTaxMonth(app);
    return {};
  }),
  callCase(exportTaxDeclaration, async (app) => ({ id: (await aTaxMonth(app)).id, reason }), {
    foreign: async () => ({ id: NONE, reason }),
  }),
  callCase(markTaxDeclared, async (app) => ({ ...(await aTaxMonth(app)), taxFen: 0 }), {
    foreign: async () => ({ id: NONE, version: 1, taxFen: 0 }),
  }),
  callCase(queryDoctorPeriodList, async (app) => {
    await closing(app);
    return {};
  }),
  callCase(exportDoctorPeriodList, async (app) => {
    await closing(app);
    return {};
  }),
  callCase(startDoctorPeriodClose, async (app) => ({ period: await aPeriod(app) })),
  callCase(closeDoctorPeriod, closing, { foreign: async () => missing }),
  callCase(abortDoctorPeriodClose, closing, { foreign: async () => missing }),
];
