import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { NodeBus } from '#kernel/server/realtime/nodeBus.ts';
import { modifyDutyState, releaseGroup } from '../../contract/calls/queue.ts';
import { queryGetUserSign } from '../../contract/calls/runtime.ts';
import type { LiveSignal } from '../../contract/im/wire.ts';
import { own } from '../database.ts';
import { connectRaw } from '../testing/imWorld.ts';
import { groupRowOf, makeColleague, makeInquiry, makePractice, type Colleague } from '../testing/inquiryWorld.ts';
import { QueueSignals } from './signals.ts';

let app: TestApp;
let address: string;
beforeAll(async () => {
  app = await startTestApp({ config: { trustedProxies: ['loopback'] } });
  address = await app.listen();
});
afterAll(() => app.close());

async function listening({ staff }: Colleague) {
  const { userID, userSig } = await app.ok(queryGetUserSign, {}, { as: staff });
  const { socket } = await connectRaw(address, userID, userSig);
  const heard: Record<string, number>[] = [];
  socket.on('live', (signal: LiveSignal) => void (signal.type === 'queue' && heard.push(signal.counts)));
  return { socket, heard };
}
const soon = (read: () => unknown) => expect.poll(read, { timeout: 10_000 });

it('tells assistants the counts of their own pool when the queue changes, once for many changes', async () => {
  const [primary, other] = [await makeColleague(app), await makeColleague(app)];
  const practice = await makePractice(app, {}, primary);
  const theirs = await makePractice(app, {}, other);
  const [mine, foreign] = [await listening(primary), await listening(other)];
  const served = [await makeInquiry(app, { practice }), await makeInquiry(app, { practice })];
  await soon(() => mine.heard.at(-1)).toEqual({ queued: 0, serving: 2, snoozed: 0, overSla: 0 });
  await soon(() => foreign.heard.at(-1)).toEqual({ queued: 0, serving: 0, snoozed: 0, overSla: 0 });
  const [before, elsewhere] = [mine.heard.length, foreign.heard.length];
  await Promise.all(
    served.map(async ({ groupId }) =>
      app.ok(releaseGroup, { groupId, version: (await groupRowOf(app, groupId)).version, reason: '暂时离开' }, { as: primary.staff }),
    ),
  );
  await soon(() => mine.heard.at(-1)).toEqual({ queued: 2, serving: 0, snoozed: 0, overSla: 0 });
  expect(mine.heard.length - before).toBeLessThanOrEqual(2);
  // The doctor's own assistant is on: what waits there is not the other one's business, and he hears of his own alone.
  await makeInquiry(app, { practice: theirs });
  await soon(() => foreign.heard.at(-1)).toEqual({ queued: 0, serving: 1, snoozed: 0, overSla: 0 });
  expect(foreign.heard.length).toBe(elsewhere + 1);
  await app.ok(modifyDutyState, { state: 'OFF' }, { as: primary.staff });
  await soon(() => foreign.heard.at(-1)).toEqual({ queued: 2, serving: 1, snoozed: 0, overSla: 0 });
  for (const { socket } of [mine, foreign]) socket.disconnect();
});

it('reaches the other processes, and hears from them', async () => {
  const colleague = await makeColleague(app);
  const practice = await makePractice(app, {}, colleague);
  // Connected before the inquiry: a signal sent earlier is not repeated for those who come later.
  const { socket, heard } = await listening(colleague);
  const { groupId } = await makeInquiry(app, { practice });
  await soon(() => heard.at(-1)).toMatchObject({ serving: 1 });
  const topics = new Map<string, (payload: never, node: string) => void>();
  const bus: NodeBus = {
    redisUp: () => null,
    node: 'here',
    publish: vi.fn(),
    subscribe: (topic, hear) => void topics.set(topic, hear),
    close: () => Promise.resolve(),
  };
  const signals = new QueueSignals(app.kernel);
  signals.attach(bus);
  // What another process did, this one learns by the bus alone.
  await own(app.db)
    .updateTable('consultationMedicalGroup')
    .set({ workState: 'DONE', ownerAssistantId: null })
    .where('groupId', '=', groupId)
    .execute();
  topics.get('im.queue')?.(null as never, 'there');
  await soon(() => heard.at(-1)).toMatchObject({ serving: 0 });
  expect(bus.publish).not.toHaveBeenCalled();
  signals.changed();
  expect(bus.publish).toHaveBeenCalledExactlyOnceWith('im.queue', null);
  signals.close();
  socket.disconnect();
});
