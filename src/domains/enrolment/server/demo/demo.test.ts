import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import { contractMachine, contractPayMachine } from '../../contract/contractStates.ts';
import { otherMaterialMachine } from '../../contract/materialStates.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
});
afterAll(() => app.close());

/** States in which the demonstration shows nothing. */
async function unseen(table: string, { states }: { states: object }): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select distinct state from ${sql.table(table)}`.execute(app.db);
  const seen = new Set(rows.map(({ state }) => state));
  return Object.keys(states).filter((state) => !seen.has(state));
}

describe('the demonstration of enrolment', () => {
  it('has applications and other materials in every state', async () => {
    expect(await unseen('enrolment_apply', applyMachine)).toEqual([]);
    expect(await unseen('enrolment_other_material', otherMaterialMachine)).toEqual([]);
  });

  it('has contracts in every state, those that begin tomorrow too, and their payments', async () => {
    expect(await unseen('enrolment_contract', contractMachine)).toEqual([]);
    // A page that a payer has open is no story, and an outcome that is never known is the nightly check's.
    expect(await unseen('enrolment_contract_pay', contractPayMachine)).toEqual(['PENDING', 'UNKNOWN']);
  });

  it('names a payer and a person by names as long as there are', async () => {
    const { rows } = await sql<{ longest: number }>`
      select max(length(payer_name))::int as longest from enrolment_contract_pay
      union all
      select max(length(name))::int from enrolment_special_user`.execute(app.db);
    expect(rows.map(({ longest }) => longest >= 12)).toEqual([true, true]);
  });
});
