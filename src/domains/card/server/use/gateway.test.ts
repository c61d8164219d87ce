import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partnerStore, signedHeaders, type MachineWish } from '#testing/signing.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { openBalance, openHoldCard, openHoldState } from '../../contract/calls/use.ts';
import { openCard, openHoldOf } from '../testing/documents.ts';
import { nextId } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function tryHold(storeId: string, wish: MachineWish = {}) {
  const orderId = nextId();
  const input = {
    cardNo: (await openCard(app)).cardNo,
    orderId,
    orderNo: `DD${orderId}`,
    orderType: 'STORE_DIRECT',
    drugstoreId: storeId,
    drugstoreName: '自称的药店',
    lines: [{ orderLineId: nextId(), goodsName: '药', quantity: 1, amount: 100, merchantId: storeId, merchantName: '自称的商户' }],
  };
  const headers = await signedHeaders(app, openHoldCard, input, wish);
  return (await app.send(openHoldCard, input, { headers, idempotencyKey: `gateway-${orderId}` })).envelope;
}

describe('a chain’s counter', () => {
  it('spends at open stores of its own chain and region alone, under their own names', async () => {
    const { storeId, chainId } = await partnerStore(app);
    expect(await tryHold('999999999')).toMatchObject({ code: 'SCM17070', message: expect.stringContaining('999999999') });
    expect(await tryHold(storeId, { partyId: String(BigInt(chainId) + 1n) })).toMatchObject({ code: 'SCM17070' });
    expect(await tryHold(storeId, { scope: { region: ['310000'] } })).toMatchObject({ code: 'SCM17070' });
    await sql`update institution_drugstore set state = 'SUSPENDED' where id = ${storeId}`.execute(app.db);
    expect(await tryHold(storeId)).toMatchObject({ code: 'SCM17070' });
    await sql`update institution_drugstore set state = 'OPEN' where id = ${storeId}`.execute(app.db);
    expect(await tryHold(storeId, { scope: { region: ['330000'] } })).toMatchObject({ code: '0000000' });
    const { rows } = await sql<{ name: string }>`select drugstore_name as name from card_hold order by id desc limit 1`.execute(app.db);
    expect(rows).toEqual([{ name: '康桥大药房' }]);
  });

  it('sees what it set aside itself', async () => {
    const input = { holdId: await openHoldOf(app) };
    const see = async (wish: MachineWish) =>
      app.send(openHoldState, input, { headers: await signedHeaders(app, openHoldState, input, wish) });
    expect((await see({})).envelope).toMatchObject({ code: '0000000' });
    expect((await see({ name: '另一台收银' })).envelope).toMatchObject({ code: 'SCM90040' });
  });
});

it('an insurer’s machine sees cards of its own insurer alone', async () => {
  const { cardId, cardNo } = await openCard(app);
  const input = { cardNo };
  const balance = async (partyId: string, insurer: string[] | null = null) => {
    const headers = await signedHeaders(app, openBalance, input, { party: 'INSURER', partyId, scope: { insurer } });
    return (await app.send(openBalance, input, { headers })).envelope.code;
  };
  expect(await balance('71')).toBe('SCM90040');
  await sql`
    insert into card_funder (id, funder, name, insurer_id, created_by_name, created_at) overriding system value
      select t.funder_id, 'INSURER', t.funder_name, 71, '系统', ${app.clock.now()}
        from card_card c
        join card_type t on t.id = c.card_type_id
        where c.id = ${cardId}`.execute(app.db);
  expect(await balance('71')).toBe('0000000');
  expect(await balance('72')).toBe('SCM90040');
  // What it was given beside its own insurer widens nothing.
  expect(await balance('72', ['71'])).toBe('SCM90040');
});
