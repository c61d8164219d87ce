import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hours, minutes, plusMs } from '#kernel/contract/time.ts';
import { sessionEnded } from '#events/identity.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryGetUserSign } from '../../../contract/calls/runtime.ts';
import { imCodes } from '../../../contract/im/codes.ts';
import { connectRaw } from '../../testing/imWorld.ts';
import { makeColleague } from '../../testing/inquiryWorld.ts';
import { signKey } from '../accounts/userSign.ts';
import { readUserSig } from '../accounts/userSign.ts';
import { EMBEDDED_APP_ID } from '../engine.ts';

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
  await app.kernel.transactions.run('test', (writing) =>
    writing.publish(sessionEnded, staff.sessionId, { userId: staff.userId, sessionId: staff.sessionId, reason: 'LOGOUT' }),
  );
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

it('a sign lives twelve hours at most and never longer than the session as it stands', async () => {
  const { staff } = await makeColleague(app);
  const endOf = async () => {
    const { userSig } = await app.ok(queryGetUserSign, {}, { as: staff });
    const facts = readUserSig(userSig, await signKey(app.kernel), EMBEDDED_APP_ID);
    return (facts!.time + facts!.expire) * 1000;
  };
  const session = (idle: number, absolute: number) => {
    const now = app.clock.now();
    return sql`
      update identity_session
        set last_seen_at = ${now}, idle_expires_at = ${plusMs(now, idle)}, absolute_expires_at = ${plusMs(now, absolute)}
        where id = ${staff.sessionId}`.execute(app.db);
  };
  const second = () => Math.floor(Date.parse(app.clock.now()) / 1000) * 1000;
  await session(hours(24), hours(24));
  expect(await endOf()).toBe(second() + hours(12));
  await session(minutes(30), hours(24));
  expect(await endOf()).toBe(second() + minutes(30));
  await session(minutes(30), minutes(10));
  expect(await endOf()).toBe(second() + minutes(10));
  // Whoever comes with it after that is refused, although nothing told of the session's end.
  const { userID, userSig } = await app.ok(queryGetUserSign, {}, { as: staff });
  app.clock.advance(minutes(10));
  await expect(connectRaw(address, userID, userSig)).rejects.toMatchObject({ data: { code: 70_001 } });
});

it('a request that is nested too deep is refused, and the connection goes on', async () => {
  const { staff } = await makeColleague(app);
  const { userID, userSig } = await app.ok(queryGetUserSign, {}, { as: staff });
  const client = await connectRaw(address, userID, userSig);
  const deep = Array.from({ length: 2_000 }).reduce<unknown>((inner) => [inner], 1);
  const signal = (data: unknown) => client.ask('rtc', { roomId: 1, to: userID, kind: 'offer', data });
  expect(await signal(deep)).toMatchObject({ code: imCodes.MALFORMED[0] });
  expect(await signal(1)).not.toMatchObject({ code: imCodes.MALFORMED[0] });
  client.socket.disconnect();
});
