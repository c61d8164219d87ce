import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { withDatabase, type DatabaseAddress } from './address.ts';
import { connectOwner, migrate, readMigrations, type Migration } from './migrator.ts';
import { ensureMonthPartitions } from './partitions.ts';

const NOW = '2026-11-21T02:00:00.000Z';

describe('migrator', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const empty = async () => {
    const name = `kq_migrator_${process.pid}_${Math.random().toString(36).slice(2)}`;
    const owner = await connectOwner(withDatabase(database.address, 'postgres'));
    await owner.query(`create database ${name} encoding 'UTF8' template template0`);
    return {
      address: withDatabase(database.address, name),
      drop: async () => {
        await owner.query(`drop database ${name} with (force)`);
        await owner.end();
      },
    };
  };
  const migration = (name: string, sql: string, appendOnly: string[] = []): Migration => ({ name, sql, checksum: sql, appendOnly });

  it('refuses changed and unknown migrations, and leaves nothing of a failing one', async () => {
    const { address, drop } = await empty();
    try {
      const first = migration('1_kernel_a.sql', 'create table kernel_a (id int)');
      expect(await migrate(address, NOW, [first])).toEqual([first.name]);
      expect(await migrate(address, NOW, [first])).toEqual([]);
      await expect(migrate(address, NOW, [{ ...first, checksum: 'other' }])).rejects.toThrow(/was changed after/);
      await expect(migrate(address, NOW, [])).rejects.toThrow(/newer version/);
      const broken = migration('2_kernel_b.sql', 'create table kernel_b (id int);\nselect nonsense');
      await expect(migrate(address, NOW, [first, broken])).rejects.toThrow(/2_kernel_b\.sql failed: .*nonsense.*line 2/);
      const corrected = migration('2_kernel_b.sql', 'create table kernel_b (id int)');
      expect(await migrate(address, NOW, [first, corrected])).toEqual([corrected.name]);
    } finally {
      await drop();
    }
  });

  it('goes on where a text was changed before that was refused, and the schema is the same', async () => {
    const { address, drop } = await empty();
    try {
      const name = '202611270600_policy_abnormal.sql';
      const then = {
        ...migration(name, 'create table kernel_a (id int)'),
        checksum: 'bd20fe0d90dff29fa90092ba2029be629294ee9075b54bd8fdf620b410e042ba',
      };
      const now = { ...then, checksum: readMigrations().find((one) => one.name === name)!.checksum };
      expect(await migrate(address, NOW, [then])).toEqual([name]);
      expect(await migrate(address, NOW, [now])).toEqual([]);
    } finally {
      await drop();
    }
  });

  it('runs each migration once when several processes start at the same time', async () => {
    const { address, drop } = await empty();
    try {
      const ran = await Promise.all(Array.from({ length: 4 }, () => migrate(address, NOW)));
      expect(ran.flat().sort()).toEqual(readMigrations().map((one) => one.name));
    } finally {
      await drop();
    }
  });

  it('lets the application read and write rows, but neither change tables nor rewrite what is append-only', async () => {
    const { address, drop } = await empty();
    const owner = await (async () => {
      await migrate(address, NOW, [
        migration('1_kernel_a.sql', 'create table kernel_free (id int); create table kernel_log (at timestamptz) partition by range (at)', [
          'kernel_log',
        ]),
      ]);
      return connectOwner(address);
    })();
    try {
      await owner.query('set role kangqiao_app');
      await owner.query(
        `
          insert into kernel_free
            values (1); update kernel_free
            set id = 2;
          delete from kernel_free;
          insert into kernel_log
            values ('${NOW}')`,
      );
      for (const refused of [
        'update kernel_log set at = at',
        'delete from kernel_log',
        'truncate kernel_log',
        'truncate kernel_free',
        'delete from kernel_log_2026_11',
        'create table public.more (id int)',
        'drop table kernel_free',
        `insert into kernel_migration values ('x', 'x', '${NOW}')`,
      ]) {
        await expect(owner.query(refused), refused).rejects.toThrow(/permission denied|must be owner/);
      }
    } finally {
      await owner.end();
      await drop();
    }
  });

  it('tells the administrator of the database what to run where its user may not give itself the role', async () => {
    const { address, drop } = await empty();
    const user = `kq_owner_${process.pid}`;
    const owner = await connectOwner(address);
    try {
      const { rows } = await owner.query<{ name: string }>('select current_database() as name');
      await owner.query(
        `create role ${user} login password 'owner'; alter database ${rows[0]?.name} owner to ${user}; alter schema public owner to ${user}`,
      );
      const own: DatabaseAddress =
        'url' in address
          ? { url: Object.assign(new URL(address.url), { username: user, password: 'owner' }).href }
          : { ...address, user, password: 'owner' };
      const refusal = await migrate(own, NOW).then(
        () => '',
        (error: Error) => error.message,
      );
      expect(refusal).toContain(`grant kangqiao_app to "${user}";`);
      await owner.query(refusal.split('\n').slice(1).join('\n'));
      expect(await migrate(own, NOW)).toEqual([]); // everything but the rights was done before
      await owner.query(`set role kangqiao_app; select count(*) from kernel_outbox`);
    } finally {
      await owner.end();
      await drop();
      await database.asOwner(`drop role ${user}`);
    }
  });

  it('makes partitions by months of Shanghai, thirteen from the current one, once', async () => {
    const owner = await connectOwner(database.address);
    try {
      await owner.query('create table kernel_probe (at timestamptz not null) partition by range (at)');
      const made = await ensureMonthPartitions(owner, 'kernel_probe', NOW, 12, 0);
      expect(made).toHaveLength(13);
      expect(await ensureMonthPartitions(owner, 'kernel_probe', NOW, 12, 0)).toEqual([]);
      await owner.query(`insert into kernel_probe values ('2026-11-30T15:59:59.999Z'), ('2026-11-30T16:00:00.000Z')`);
      const { rows } = await owner.query('select tableoid::regclass::text as part from kernel_probe order by at');
      expect(rows).toEqual([{ part: 'kernel_probe_2026_11' }, { part: 'kernel_probe_2026_12' }]);
    } finally {
      await owner.end();
    }
  });
});
