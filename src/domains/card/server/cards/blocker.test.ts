import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addPrivacyRequest } from '#domains/patient/contract/calls/privacy.ts';
import { operatePatient } from '#domains/patient/contract/calls/sufferer.ts';
import { keeper, makeWithId } from '#domains/patient/server/testing/fixtures.ts';
import { own } from '../database.ts';
import { makeCard, makeType, openBooks } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
});
afterAll(() => app.close());

describe('a person who is cancelled', () => {
  it('is not while he has a card with value or uses, frozen or not; what is used up holds nobody', async () => {
    const { id } = await makeWithId(app);
    const money = await makeCard(app, await makeType(app), { funding: [{ amount: 5_000n }] });
    const uses = await makeCard(app, await makeType(app, { kind: 'BENEFIT_CARD' }), { times: [{ benefitId: 'a', times: 2 }] });
    const empty = await makeCard(app, await makeType(app));
    const set = (cardId: string, columns: object) => own(app.db).updateTable('cardCard').set(columns).where('id', '=', cardId).execute();
    for (const { cardId } of [money, uses, empty]) await set(cardId, { patientId: id });
    const [maker, checker] = [await keeper(app), await keeper(app)];
    const request = await app.ok(addPrivacyRequest, { patientId: id, kind: 'DELETE', detail: '本人申请注销' }, { as: maker });
    const cancel = { patientId: id, version: 1, action: 'cancel' as const, opinion: '本人申请', requestId: request.id };
    const refused = async (n: number) =>
      expect(await app.refused(operatePatient, cancel, { as: checker })).toMatchObject({
        code: 'SCM09020',
        message: `存在未结业务（卡券余额${n}项），暂不能注销`,
        data: { blockers: [{ count: n, link: '/cardInformation' }] },
      });
    await refused(2);
    await set(uses.cardId, { state: 'VOIDED' });
    await set(money.cardId, { state: 'FROZEN' });
    await refused(1);
    await set(money.cardId, { state: 'EXPIRED' });
    await app.ok(operatePatient, cancel, { as: checker });
  });
});
