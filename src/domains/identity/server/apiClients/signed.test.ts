import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { access, type InputOf } from '#kernel/contract/call.ts';
import { declareMachinePermissions } from '#kernel/contract/permission.ts';
import { declareService } from '#kernel/contract/service.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { query } from '#kernel/server/handler.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { modules } from '../../../../modules.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makeChain } from '#domains/institution/server/testing/fixtures.ts';
import { addApiClient, modifyApiClient, queryApiClientList, queryApiRightList } from '../../contract/calls/apiClients.ts';
import { administrator, clientBody, makeClient } from '../testing/fixtures.ts';
import { isAddressRule, isAllowedAddress } from './address.ts';
import { signatureOf, signedText } from './verifier.ts';

const probeRights = declareMachinePermissions('probe', { ping: { label: '探测' } });
const ping = declareService('ProbeService', 'intranet').read({
  operation: 'ping',
  label: '探测',
  access: access.signed(probeRights.ping, 'OTHER'),
  input: { text: z.string() },
  output: z.string(),
});
const probe: ServerModuleFactory = () => ({
  domain: 'probe',
  permissions: Object.values(probeRights),
  routes: [],
  errors: {},
  handlers: [query(ping, async ({ text }, { client }) => `${client?.name}:${text}`)],
});

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [...modules, probe] });
});
afterAll(() => app.close());

describe('a machine caller', () => {
  it('is known by its signature, once, in time, from its own address', async () => {
    const { client, keyId, secret } = await makeClient(app, { permissions: [probeRights.ping.code] });
    const send = async (
      change: { body?: string; at?: string; nonce?: string; ip?: string; signed?: string; query?: string; signedQuery?: string } = {},
    ) => {
      const body = change.body ?? '{"text":"hi"}';
      const at = change.at ?? app.clock.now();
      const nonce = change.nonce ?? randomBytes(8).toString('hex');
      const url = `/intranet/${ping.name}${change.query ?? ''}`;
      const path = `/intranet/${ping.name}${change.signedQuery ?? change.query ?? ''}`;
      const headers = {
        'content-type': 'application/json',
        'x-client-id': client.clientId,
        'x-key-id': keyId,
        'x-timestamp': at,
        'x-nonce': nonce,
        'x-signature': signatureOf(secret, signedText('POST', path, at, nonce, Buffer.from(change.signed ?? body))),
      };
      const { body: answer } = await app.inject({ method: 'POST', url, headers, payload: body, remoteAddress: change.ip ?? '127.0.0.1' });
      return JSON.parse(answer.toString()) as { code: string; data: unknown };
    };
    expect(await send()).toMatchObject({ code: '0000000', data: `${client.name}:hi` });
    expect(await send({ body: '{"text":"changed"}', signed: '{"text":"hi"}' })).toMatchObject({ code: 'SCM01070' });
    expect(await send({ at: plusMs(app.clock.now(), -minutes(6)) })).toMatchObject({ code: 'SCM01071' });
    expect(await send({ nonce: 'once-and-never-again' })).toMatchObject({ code: '0000000' });
    expect(await send({ nonce: 'once-and-never-again' })).toMatchObject({ code: 'SCM90050' });
    expect(await send({ query: '?a=1&b=%20' })).toMatchObject({ code: '0000000' });
    expect(await send({ query: '?a=2', signedQuery: '?a=1' })).toMatchObject({ code: 'SCM01070' });
    expect(await send({ query: '?a=1', signedQuery: '' })).toMatchObject({ code: 'SCM01070' });
    expect(await send({ ip: '10.0.0.9' })).toMatchObject({ code: 'SCM90010' });
  });
});

describe('a client', () => {
  it('is given what its party may call, and names its house where there are many', async () => {
    const as = await administrator(app);
    const add = async (change: Partial<InputOf<typeof addApiClient>>) =>
      (await app.refused(addApiClient, { ...clientBody, name: '不成立', ...change }, { as })).fields?.[0];
    expect(await add({ permissions: ['identity.user.view'] })).toMatchObject({
      path: 'permissions',
      message: expect.stringContaining('没有这个系统调用权限'),
    });
    expect(await add({ permissions: ['card.machine.use'] })).toMatchObject({
      path: 'permissions',
      message: expect.stringContaining('不能授予其他'),
    });
    expect(await add({ party: 'CHAIN', permissions: ['card.machine.use'] })).toMatchObject({ path: 'partyId', message: '请选择药店连锁' });
    expect(await add({ party: 'PAY', partyId: '7' })).toMatchObject({ path: 'partyId' });
    expect(await add({ scope: { own: true, region: null, insurer: null, channel: null } })).toMatchObject({ path: 'scope.own' });
    const till = { ...clientBody, name: '连锁收银', party: 'CHAIN' as const, permissions: ['card.machine.use'] };
    expect(await add({ ...till, partyId: '987654321' })).toMatchObject({ path: 'partyId', message: '没有这家药店连锁，请重新选择' });
    const { id: partyId } = await makeChain(app);
    const { client } = await app.ok(addApiClient, { ...till, partyId }, { as });
    expect(client).toMatchObject({ partyId, partyName: expect.stringMatching(/./) });
    expect(await app.ok(queryApiClientList, { name: till.name }, { as })).toMatchObject({ rows: [{ partyName: client.partyName }] });
    // Another party with the same rights is another client.
    const { fields } = await app.refused(modifyApiClient, { id: client.id, version: client.version, party: 'PAY', partyId: null }, { as });
    expect(fields?.[0]).toMatchObject({ path: 'permissions' });
    const rights = await app.ok(queryApiRightList, {}, { as });
    expect(rights.find(({ permission }) => permission === 'card.machine.use')).toMatchObject({
      parties: ['CHAIN'],
      calls: expect.arrayContaining([expect.objectContaining({ label: '外部预占卡' })]),
    });
  });
});

describe('white lists', () => {
  it('know addresses and networks of both kinds', () => {
    expect(isAllowedAddress('203.0.113.77', ['203.0.113.0/24'])).toBe(true);
    expect(isAllowedAddress('203.0.114.1', ['203.0.113.0/24'])).toBe(false);
    expect(isAllowedAddress('::ffff:10.1.2.3', ['10.0.0.0/8'])).toBe(true);
    expect(isAllowedAddress('2001:db8::1', ['2001:db8::/32'])).toBe(true);
    expect(isAllowedAddress('10.1.2.3', [])).toBe(false);
    expect(['10.0.0.1/33', 'somewhere', '10.0.0.1/8/8'].some(isAddressRule)).toBe(false);
  });
});
