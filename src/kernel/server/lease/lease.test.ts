import { afterAll, beforeAll, expect, it } from 'vitest';
import { minutes, plusMs } from '../../contract/time.ts';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { holdsLease, releaseLease, takeLease } from './lease.ts';

const NOW = '2026-11-21T02:00:00.000Z';
const later = (n: number) => plusMs(NOW, minutes(n));
const people = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({ userId: String(n), displayName: `审核员${n}` }));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const take = (id: string, holder: (typeof people)[number], options: { now?: string; takeover?: boolean } = {}) =>
  database.db.transaction().execute((tx) =>
    takeLease(tx, { type: 'case', id }, holder, {
      minutes: 15,
      now: options.now ?? NOW,
      ...(options.takeover ? { takeover: true } : {}),
    }),
  );
const holds = (id: string, userId: string, now = NOW) =>
  database.db.transaction().execute((tx) => holdsLease(tx, { type: 'case', id }, userId, now));

it('goes to one of many who ask at once, and names him to the others', async () => {
  const leases = await Promise.all(people.map((holder) => take('1', holder)));
  const [winner] = new Set(leases.map(({ userId }) => userId));
  expect(new Set(leases.map(({ userId }) => userId)).size).toBe(1);
  const held = await Promise.all(people.map(({ userId }) => holds('1', userId)));
  expect(people.filter((_, index) => held[index]).map(({ userId }) => userId)).toEqual([winner]);
});

it('ends by the clock, is prolonged by its holder, taken over by a supervisor, and given back', async () => {
  const [one, two] = [people[0]!, people[1]!];
  await take('2', one);
  expect(await take('2', two, { now: later(14) })).toMatchObject({ userId: '1' });
  expect(await take('2', one, { now: later(14) })).toMatchObject({ userId: '1', until: later(29) });
  expect(await holds('2', '1', later(29))).toBe(false);
  expect(await take('2', two, { now: later(29) })).toMatchObject({ userId: '2' });
  expect(await take('2', one, { now: later(30), takeover: true })).toMatchObject({ userId: '1' });
  await database.db.transaction().execute((tx) => releaseLease(tx, { type: 'case', id: '2' }, '2'));
  expect(await holds('2', '1', later(31))).toBe(true);
  await database.db.transaction().execute((tx) => releaseLease(tx, { type: 'case', id: '2' }, '1'));
  expect(await holds('2', '1', later(31))).toBe(false);
});
