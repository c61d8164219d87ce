import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, minutes, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { signedHeaders } from '#testing/signing.ts';
import { addConsent, addConsentText, queryConsentList, withdrawConsent } from '../../contract/calls/consent.ts';
import { submitConsent } from '../../contract/calls/intranet.ts';
import { fresh, keeper, makePatient, makeText, requestNo, upload } from '../testing/fixtures.ts';
import { hasConsent } from './state.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const agrees = (patientId: string, type: 'FOLLOW_UP' | 'PRIVACY' | 'MARKETING' | 'TELEMED' = 'FOLLOW_UP', at = app.clock.now()) =>
  hasConsent(app.db, patientId, type, at);
async function submit(patientId: string, more: object = {}) {
  const input = {
    externalRequestNo: requestNo(),
    patientId,
    consentType: 'FOLLOW_UP' as const,
    act: 'GRANT' as const,
    by: 'SELF' as const,
    channel: 'MINI',
    ...more,
  };
  return (await app.send(submitConsent, input, { headers: await signedHeaders(app, submitConsent, input) })).envelope;
}

describe('agreeing', () => {
  it('is registered by staff with the paper, to a text in force', async () => {
    const { id } = await makePatient(app);
    const as = await keeper(app);
    const act = { patientId: id, consentType: 'TELEMED' as const, by: 'STAFF' as const };
    expect(await app.refused(addConsent, act, { as })).toMatchObject({ code: 'SCM09050' });
    const evidenceFileId = await upload(app, as);
    expect(await app.refused(addConsent, { ...act, evidenceFileId }, { as })).toMatchObject({ code: 'SCM09052' });
    const text = await makeText(app, 'TELEMED');
    expect(await app.refused(addConsent, { ...act, evidenceFileId, docVersion: 'V999' }, { as })).toMatchObject({ code: 'SCM09052' });
    expect(await app.ok(addConsent, { ...act, evidenceFileId }, { as })).toMatchObject({ state: 'VALID', docVersion: text.docVersion });
  });

  it('ends in the moment of the withdrawal, and one purpose says nothing of another', async () => {
    await makeText(app, 'FOLLOW_UP');
    await makeText(app, 'MARKETING');
    const { id } = await makePatient(app);
    await submit(id);
    expect([await agrees(id), await agrees(id, 'MARKETING')]).toEqual([true, false]);
    const as = await keeper(app);
    await app.ok(withdrawConsent, { patientId: id, consentType: 'FOLLOW_UP', by: 'SELF' }, { as });
    expect(await agrees(id)).toBe(false);
    expect(await app.refused(withdrawConsent, { patientId: id, consentType: 'FOLLOW_UP', by: 'SELF' }, { as })).toMatchObject({
      code: 'SCM90031',
    });
    const { rows } = await sql<{ state: string }>`
      select payload->>'state' as state
        from kernel_outbox
        where name = 'patient.consent.changed' and aggregate_id = ${id}
        order by id`.execute(app.db);
    expect(rows.map(({ state }) => state)).toEqual(['VALID', 'WITHDRAWN']);
  });

  it('of a minor is the guardian’s act, which stays when he comes of age', async () => {
    await makeText(app, 'FOLLOW_UP');
    const { id } = await makePatient(app, { birthDate: '2008-11-22' });
    expect(await submit(id)).toMatchObject({ code: 'SCM09051' });
    expect(await submit(id, { by: 'GUARDIAN' })).toMatchObject({ code: '0000000' });
    expect(await agrees(id)).toBe(true);
    expect(await agrees(id, 'FOLLOW_UP', plusMs(app.clock.now(), days(3)))).toBe(true);
  });

  it('of somebody dead or gone counts no more', async () => {
    await makeText(app, 'FOLLOW_UP');
    const { id } = await makePatient(app);
    await submit(id);
    await sql`update patient_patient set life_state = 'DECEASED', deceased_on = '2026-11-01' where id = ${id}`.execute(app.db);
    expect(await agrees(id)).toBe(false);
  });
});

it('lapses when a text that all must sign again comes into force, not before', async () => {
  await makeText(app, 'PRIVACY');
  const people = [await makePatient(app), await makePatient(app)];
  for (const { id } of people) await submit(id, { consentType: 'PRIVACY' });
  const as = await keeper(app);
  const from = plusMs(app.clock.now(), minutes(10));
  const docVersion = fresh('R');
  const text = { consentType: 'PRIVACY' as const, docVersion, title: '隐私政策', effectiveFrom: from, resign: true };
  await app.ok(addConsentText, text, { as });
  expect(await app.refused(addConsentText, text, { as })).toMatchObject({ fields: [{ path: 'docVersion' }] });
  const [one, two] = people.map(({ id }) => id) as [string, string];
  await app.advance(minutes(9));
  expect(await agrees(one, 'PRIVACY')).toBe(true);
  app.clock.advance(minutes(1));
  expect(await agrees(one, 'PRIVACY')).toBe(false);
  const shown = async (patientId: string) =>
    (await app.ok(queryConsentList, { patientId }, { as })).states.find(({ consentType }) => consentType === 'PRIVACY');
  expect(await shown(two)).toMatchObject({ state: 'LAPSED', currentVersion: docVersion });
  await app.advance(minutes(2));
  const { rows } = await sql<{
    state: string;
  }>`select state from patient_consent_state where patient_id in (${one}, ${two}) and consent_type = 'PRIVACY'`.execute(app.db);
  expect(rows).toEqual([{ state: 'LAPSED' }, { state: 'LAPSED' }]);
  await submit(one, { consentType: 'PRIVACY', docVersion });
  expect([await agrees(one, 'PRIVACY'), await agrees(two, 'PRIVACY')]).toEqual([true, false]);
});
