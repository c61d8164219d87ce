import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { noScope } from '../ports.ts';
import type { Scope } from '../context.ts';
import { regionPrefix, scopedResource, scopeFilter, type ScopedResource } from './scope.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const resource = scopedResource({
  region: { column: 'adcode' },
  insurer: { column: 'insurer' },
  channel: 'free',
  own: { columns: ['creator', 'assignee'] },
});

/** Names of the rows that a scope shows of five fixed ones. */
async function seen(scope: Partial<Scope>, of: ScopedResource = resource): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with r(name, adcode, insurer, creator, assignee) as (values
      ('xuhui', '310104', 7, 1, null), ('gusu', '320508', 7, 2, 1), ('nantong', '320600', 7, 2, 2), ('other', '310101', 8, 2, null),
      ('nowhere', null, null, 1, null))
    select name from r where ${scopeFilter(of, { userId: '1', scope: { ...noScope, ...scope } })} order by name`.execute(database.db);
  return rows.map(({ name }) => name);
}

it('cuts trailing zero pairs of a region', () => {
  expect(['310000', '320500', '320506', '100000'].map(regionPrefix)).toEqual(['31', '3205', '320506', '10']);
});

it('shows all without a restriction, and joins dimensions with AND, values with OR', async () => {
  expect(await seen({})).toHaveLength(5);
  expect(await seen({ region: ['310000', '320500'] })).toEqual(['gusu', 'other', 'xuhui']);
  expect(await seen({ region: ['310000', '320500'], insurer: ['7'] })).toEqual(['gusu', 'xuhui']);
  expect(await seen({ own: true })).toEqual(['gusu', 'nowhere', 'xuhui']);
  expect(await seen({ channel: ['3'] })).toHaveLength(5);
});

it('shows nothing where a restricted dimension is denied, empty, or the column holds nothing', async () => {
  expect(await seen({ region: [] })).toEqual([]);
  expect(await seen({ channel: ['3'] }, { ...resource, channel: 'deny' })).toEqual([]);
  expect(await seen({ own: true }, { ...resource, own: 'deny' })).toEqual([]);
  expect(await seen({ insurer: ['7', '8'] })).not.toContain('nowhere');
});

it('takes values as values, whatever they contain', async () => {
  expect(await seen({ insurer: ["7' or '1'='1"] })).toEqual([]);
});
