import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { access } from '../../contract/call.ts';
import { field } from '../../contract/field.ts';
import { fenOut, flag, id, idOut, several, text } from '../../contract/fields.ts';
import { dictionary } from '../../contract/dictionary.ts';
import { exportOf } from '../../contract/exportOf.ts';
import { declareService } from '../../contract/service.ts';
import { sortedBy, sortKeysOf } from '../../contract/sorting.ts';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { everyone } from '../auth/viewer.ts';
import type { Db, Staff } from '../context.ts';
import { contains, hasOneOf, isNumber, isSet } from './conditions.ts';
import { listExport } from './listExport.ts';
import { listOf, type FilterOf, type ListAsk } from './listOf.ts';
import { rowsOf } from './rowsOf.ts';

const ROWS = 10_500;
const kinds = dictionary('kind', { A: '甲', B: '乙', C: '丙' });

type ProbeTables = {
  listProbe: { id: string; probeNo: string; name: string | null; kind: 'A' | 'B' | 'C'; tags: string[]; amountFen: string };
};
const own = (db: Db): Kysely<ProbeTables> => db.withTables<ProbeTables>();

const queryProbeList = declareService('ProbeService').list({
  operation: 'queryProbeList',
  label: '查询样本',
  access: access.session,
  filter: {
    ...sortedBy('name', 'amountFen'),
    probeNo: z.optional(text('编号', 20)),
    name: z.optional(text('名称', 20)),
    kind: z.optional(several(kinds.schema)),
    tag: z.optional(several(z.string().check(z.maxLength(10)))),
    named: z.optional(flag),
    id: z.optional(id),
  },
  output: z.strictObject({
    id: idOut,
    probeNo: field('编号', z.string(), { width: 160 }),
    name: field('名称', z.nullable(z.string())),
    kind: field('类型', kinds.schema),
    tags: field('标签', z.array(z.string()), { text: (tags) => tags.join('、') }),
    amountFen: field('金额（元）', fenOut),
  }),
});
const exportProbeList = exportOf(queryProbeList, { operation: 'exportProbeList', label: '导出样本', access: access.session });

const probes = listOf(queryProbeList)
  .from(({ db }) => own(db).selectFrom('listProbe as p'))
  .with({
    where: {
      probeNo: isNumber('p.probeNo'),
      name: contains('p.name'),
      kind: 'p.kind',
      tag: hasOneOf('p.tags'),
      named: isSet('p.name'),
      id: 'p.id',
    },
    absent: { kind: (eb) => eb('p.kind', '<>', 'C') },
    id: 'p.id',
    order: [['p.kind', 'asc']],
    sorts: { name: 'p.name', amountFen: 'p.amountFen' },
    select: (query) => query.selectAll('p'),
    present: (rows) => rows,
  });
const source = listExport(probes, { call: exportProbeList, title: '样本', routeKey: 'probes' });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.asOwner(`
    create table list_probe (
      id bigint primary key, probe_no text not null, name text, kind text not null, tags text[] not null, amount_fen bigint not null
    );
    insert into list_probe
      select n, 'P' || n, case when n % 7 = 0 then null else 'N_' || (n % 500) || '%' end, (array['A', 'B', 'C'])[1 + n % 3],
        array['t' || (n % 4)], (n * 7919) % 100000
      from generate_series(1, ${ROWS + ROWS / 2}) n;
    create index on list_probe (name);
    create index on list_probe (kind);
    grant select on list_probe to kangqiao_app;
    analyze list_probe;`);
});
afterAll(() => database.close());

type Filter = FilterOf<typeof queryProbeList>;
const ask = (filter: Filter, db: Db = database.db): ListAsk<Filter> => ({
  db,
  staff: everyone,
  now: '2026-11-21T02:00:00.000Z',
  today: '2026-11-21',
  filter,
  has: () => true,
});
const snapshot = <T>(work: (db: Db) => Promise<T>) => database.db.transaction().setIsolationLevel('repeatable read').execute(work);

describe('a declared list', () => {
  it('limits nothing by empty filters, and answers what is given, wildcards as they stand', async () => {
    const total = async (filter: Filter) => probes.count(ask(filter));
    const all = await total({});
    expect(all).toBe(ROWS);
    expect(await total({ kind: [], name: '' })).toBe(all);
    expect(await total({ kind: ['C'] })).toBe(ROWS / 2);
    expect(await total({ kind: ['A', 'B', 'C'] })).toBe(ROWS + ROWS / 2);
    expect(await total({ name: '%' })).toBe(await total({ named: true }));
    expect(await total({ name: 'N_1%' })).toBeLessThan(await total({ name: 'N_1' }));
    expect(await total({ name: 'NX1' })).toBe(0);
    expect(await total({ probeNo: ' p12 ' })).toBe(1);
    expect(await total({ named: false })).toBe(all - (await total({ named: true })));
    expect(await total({ tag: ['t1', 't2'] })).toBe((await total({ tag: ['t1'] })) + (await total({ tag: ['t2'] })));
  });

  it('counts exactly for an export what its page counts up to 10,001', async () => {
    expect((await probes.page(ask({}), { pageNo: 1, pageSize: 5 })).total).toBe(10_001);
    expect(await probes.count(ask({}))).toBe(ROWS);
  });

  it('answers an empty page beyond its end', async () => {
    expect(await probes.page(ask({ probeNo: 'P12' }), { pageNo: 2, pageSize: 5 })).toEqual({ rows: [], total: 1 });
  });

  it('answers the same page when the rows have become few or many since it was asked last', async () => {
    const shift = (by: number) =>
      database.asOwner(`update list_probe set tags = array['${by > 0 ? 'late' : 't0'}'] where tags && array['late', 't0'] and id > 2`);
    await database.asOwner(`update list_probe set tags = array['late'] where id in (1, 2)`);
    const page = () => probes.page(ask({ tag: ['late'], kind: ['A', 'B', 'C'] }), { pageNo: 1, pageSize: 3, orderBy: 'name desc' });
    const few = await page();
    expect([few.total, (await page()).total]).toEqual([2, 2]);
    await shift(1);
    const many = await page();
    expect(many.total).toBeGreaterThan(1_000);
    expect(await page()).toEqual(many);
    await shift(-1);
    expect(await page()).toEqual(few);
    expect(await page()).toEqual(few);
  });

  it.each([undefined, 'name asc', 'name desc', 'amountFen asc', 'amountFen desc'])(
    'gives pages, chunks and the export the same rows in the order %s',
    async (orderBy) => {
      const pages = await Promise.all(
        [1, 2, 3].map(async (pageNo) => (await probes.page(ask({}), { pageNo, pageSize: 400, orderBy })).rows),
      );
      const ids = pages.flat().map((row) => row.id);
      expect(new Set(ids).size).toBe(1_200);
      await snapshot(async (db) => {
        const all: string[] = [];
        for await (const rows of probes.rows(ask({}, db), { orderBy })) all.push(...rows.map((row) => row.id));
        expect(all).toHaveLength(ROWS);
        expect(new Set(all).size).toBe(ROWS);
        expect(all.slice(0, 1_200)).toEqual(ids);
        const cells: unknown[] = [];
        const staff: Pick<Staff, keyof typeof everyone | 'permissions'> = { ...everyone, permissions: new Set<string>() };
        const reading = { db, staff: staff as Staff, now: '2026-11-21T02:00:00.000Z', filter: { orderBy } };
        for await (const rows of source.chunks(reading, ['probeNo'], { pageNo: 2, pageSize: 400 })) cells.push(...rows.flat());
        expect(cells).toEqual(pages[1]!.map((row) => row.probeNo));
      });
    },
  );

  it('sorts few rows by themselves instead of walking down an index', async () => {
    const plan = async (few: boolean) => {
      const term = few ? sql`greatest(${sql.ref('p.name')})` : sql.ref('p.name');
      const { sql: statement, parameters } = own(database.db).selectFrom('listProbe as p').selectAll('p').orderBy(term).limit(10).compile();
      const { rows } = await sql<Record<string, string>>`${sql.raw(`explain ${statement.replace('$1', String(parameters[0]))}`)}`.execute(
        database.db,
      );
      return rows.map((row) => Object.values(row)[0]).join('\n');
    };
    expect(await plan(false)).toContain('Index Scan');
    expect(await plan(true)).toContain('Sort');
  });

  it('declares what it can be sorted by to the page', () => {
    expect([...sortKeysOf(queryProbeList.input)]).toEqual(['name', 'amountFen']);
    expect(queryProbeList.input.safeParse({ orderBy: 'id desc' }).success).toBe(false);
    expect(exportProbeList.input.safeParse({ orderBy: 'name desc', kind: ['A'], pageNo: 1 }).success).toBe(false);
    expect(exportProbeList.input.safeParse({ orderBy: 'name desc', kind: ['A'] }).success).toBe(true);
  });
});

describe('the export of a declared list', () => {
  it('has every labelled field under its label, codes with their dictionary, several things in words', () => {
    expect(source.columns.map(({ key, label, kind }) => [key, label, kind])).toEqual([
      ['probeNo', '编号', 'text'],
      ['name', '名称', 'text'],
      ['kind', '类型', 'text'],
      ['tags', '标签', 'text'],
      ['amountFen', '金额（元）', 'money'],
    ]);
    expect(source.columns.find(({ key }) => key === 'kind')?.dictionary?.label('B')).toBe('乙');
    expect(source.list).toBe(queryProbeList);
  });
});

it('reads through a cursor in a transaction alone', async () => {
  await expect(rowsOf(database.db, own(database.db).selectFrom('listProbe as p').selectAll('p')).next()).rejects.toThrow(/transaction/);
});
