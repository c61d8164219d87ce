import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionEnded } from '../../../../events/identity.ts';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { queryGetUserSign } from '../../contract/calls/runtime.ts';
import { connectRaw } from '../testing/imWorld.ts';
import { makeColleague } from '../testing/inquiryWorld.ts';

let app: TestApp;
let address: string;
beforeAll(async () => {
  app = await startTestApp({ config: { trustedProxies: ['loopback'] } });
  address = await app.listen();
});
afterAll(() => app.close());

it('a session that ended takes its signs and connections along, and not those of a login since then', async () => {
  const { staff } = await makeColleague(app);
  const sign = () => app.ok(queryGetUserSign, {}, { as: staff });
  const before = await sign();
  expect(Object.keys(before).toSorted()).toEqual(['sdkAppID', 'userID', 'userSig']);
  const old = await connectRaw(address, before.userID, before.userSig);
  const told = new Promise((resolve) => old.socket.once('kicked', resolve));
  await app.kernel.transactions.run('test', (writing) => writing.publish(sessionEnded, staff.sessionId, { userId: staff.userId, sessionId: staff.sessionId, reason: 'LOGOUT' }));
  // The event is heard of late: meanwhile the same person has logged in again.
  app.clock.advance(5_000);
  const after = await sign();
  const fresh = await connectRaw(address, after.userID, after.userSig);
  await app.runDue();
  await expect(told).resolves.toEqual({ reason: 'userSigExpired' });
  await expect(connectRaw(address, before.userID, before.userSig)).rejects.toMatchObject({ data: { code: 70_001 } });
  expect(await fresh.ask('conversations', {})).toMatchObject({ code: 0 });
  (await connectRaw(address, after.userID, after.userSig)).socket.disconnect();
  fresh.socket.disconnect();
});
