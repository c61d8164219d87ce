import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Db, Tx } from '../context.ts';
import { noScope } from '../ports.ts';
import { lockWithin } from './lockWithin.ts';
import { recordOf } from './recordOf.ts';

interface Tables {
  probePlace: { id: string; adcode: string };
  probeGuest: { placeId: string; userId: string };
  probeVisit: { id: string; placeId: string; payFen: string; version: number; updatedBy: string | null };
}
const own = (db: Db | Tx) => db.withTables<Pick<Tables, keyof Tables>>();
const WHO: Viewer = { userId: '7', roleCode: null, scope: noScope };

const seesVisit = ({ userId, scope }: Viewer): RawBuilder<SqlBool> =>
  scope.own ? sql<SqlBool>`exists (select from probe_guest g where g.place_id = v.place_id and g.user_id = ${userId})` : sql<SqlBool>`true`;
const joined = (db: Db | Tx) =>
  own(db).selectFrom('probeVisit as v').innerJoin('probePlace as p', 'p.id', 'v.placeId').selectAll('v').select('p.adcode');
const visits = recordOf(joined)
  .as(({ payFen, ...row }) => ({ ...row, payFen: Number(payFen) }))
  .with({ noun: '就诊', type: 'probe.visit', id: 'v.id', scope: seesVisit, locks: 'v' });
const nameless = recordOf(joined).with({
  type: 'probe.visit',
  id: 'v.id',
  scope: { region: { column: 'p.adcode' }, insurer: 'free', channel: 'free', own: 'free' },
});

describe('a record', () => {
  let database: TestDatabase;
  const only = (userId: string): Viewer => ({ ...WHO, userId, scope: { ...noScope, own: true } });
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => database.db.transaction().execute(work);
  /** Whether somebody else could have the row at once. */
  const isFree = async (table: 'probe_visit' | 'probe_place') =>
    (await sql`select id from ${sql.table(table)} where id = 1 for update skip locked`.execute(database.db)).rows.length === 1;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.asOwner(`
      create table probe_place (id bigint primary key, adcode text);
      create table probe_guest (place_id bigint, user_id bigint);
      create table probe_visit (id bigint primary key, place_id bigint, pay_fen bigint, version int, updated_by bigint);
      grant select, insert, update, delete on probe_place, probe_guest, probe_visit to kangqiao_app`);
  });
  afterAll(() => database.close());
  beforeEach(() =>
    database.asOwner(`
      truncate probe_place, probe_guest, probe_visit;
      insert into probe_place values (1, '310104'), (2, '440100');
      insert into probe_guest values (1, 7), (1, 7);
      insert into probe_visit values (1, 1, 1250, 3, null), (2, 2, 0, 1, null)`),
  );

  it('of another scope is answered as a missing one, by its noun or as any record', async () => {
    const missing = { code: 'SCM90040', message: '就诊不存在或已删除' };
    await expect(visits.get(database.db, only('8'), '1')).rejects.toMatchObject(missing);
    await expect(visits.get(database.db, WHO, '9')).rejects.toMatchObject(missing);
    await expect(inTransaction((tx) => visits.lock(tx, only('8'), '1'))).rejects.toMatchObject(missing);
    expect(await visits.find(database.db, only('8'), '1')).toBeUndefined();
    const elsewhere: Viewer = { ...WHO, scope: { ...noScope, region: ['440000'] } };
    await expect(nameless.get(database.db, elsewhere, '1')).rejects.toMatchObject({
      code: 'SCM90040',
      message: nameless.missing().message,
    });
    expect(nameless.missing().message).not.toBe(visits.missing().message);
  });

  it('within the scope is found once, however many rows say that it is, and read as it is declared', async () => {
    expect(await visits.get(database.db, only('7'), '1')).toMatchObject({ id: '1', payFen: 1250, adcode: '310104' });
    expect(await visits.find(database.db, WHO, '2')).toMatchObject({ payFen: 0 });
    expect(await visits.seen(database.db, only('7')).select('v.id').execute()).toEqual([{ id: '1' }]);
    expect(await nameless.get(database.db, { ...WHO, scope: { ...noScope, region: ['440000'] } }, '2')).toMatchObject({ payFen: '0' });
  });

  it('is locked alone where it says so, with what it is joined to otherwise', async () => {
    await inTransaction(async (tx) => {
      await visits.lock(tx, only('7'), '1');
      expect([await isFree('probe_visit'), await isFree('probe_place')]).toEqual([false, true]);
    });
    await inTransaction(async (tx) => {
      await nameless.lock(tx, WHO, '1');
      expect([await isFree('probe_visit'), await isFree('probe_place')]).toEqual([false, false]);
    });
  });

  it('of an older version is refused with what it is now', async () => {
    const seenAt = (version: number | null) =>
      inTransaction((tx) =>
        visits.lockVersion({ tx, staff: WHO, nameOf: async () => '李医助' }, '1', version, ({ payFen }) => ({ payFen })),
      );
    await expect(seenAt(2)).rejects.toMatchObject({ code: 'SCM90030', data: { current: { payFen: 1250, version: 3 } } });
    expect(await seenAt(3)).toMatchObject({ id: '1' });
    expect(await seenAt(null)).toMatchObject({ id: '1' });
  });

  it('that hangs on another is locked after it, and looked at again where it moved meanwhile', async () => {
    const places: string[] = [];
    const lockVisit = (tx: Tx, meanwhile: (placeId: string) => Promise<unknown>) =>
      lockWithin(own(tx).selectFrom('probeVisit').selectAll().where('id', '=', '1'), {
        key: ({ placeId }) => placeId,
        async lock(placeId) {
          places.push(placeId);
          await own(tx).selectFrom('probePlace').selectAll().where('id', '=', placeId).forUpdate().execute();
          await meanwhile(placeId);
          return placeId;
        },
      });
    await inTransaction(async (tx) => {
      const { row, place } = await lockVisit(tx, async () => expect(await isFree('probe_visit')).toBe(true));
      expect([row.id, place, await isFree('probe_visit'), await isFree('probe_place')]).toEqual(['1', '1', false, false]);
    });
    const moves = (placeId: string) =>
      placeId === '1' ? database.asOwner('update probe_visit set place_id = 2 where id = 1') : Promise.resolve();
    expect(await inTransaction((tx) => lockVisit(tx, moves))).toMatchObject({ row: { placeId: '2' }, place: '2' });
    expect(places).toEqual(['1', '1', '2']);
    const none = inTransaction((tx) =>
      lockWithin(
        own(tx).selectFrom('probeVisit').selectAll().where('id', '=', '9'),
        { key: () => null, lock: async () => null },
        visits.missing,
      ),
    );
    await expect(none).rejects.toMatchObject({ code: 'SCM90040', message: '就诊不存在或已删除' });
  });
});
