import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { contentOf, controlHashOf } from './controls/content.ts';
import { own } from './database.ts';
import { definitionOf, hashOfDefinition } from './entitlements/definitions.ts';
import { formularyHash } from './formulary/lines.ts';
import { contentHashOf } from './products/document.ts';

// What holds of every document that anybody published, over all that the demonstration holds in every state (invariants V6, V7, V8, V12).
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
});
afterAll(() => app.close());

const kinds = [
  { table: 'insurance_product_version', parent: 'product_id', states: ['PUBLISHED'] },
  { table: 'insurance_formulary_version', parent: 'formulary_id', states: ['PUBLISHED'] },
  { table: 'insurance_control_rule_version', parent: 'control_rule_id', states: ['PUBLISHED', 'PAUSED'] },
  { table: 'insurance_entitlement_def', parent: 'entitlement_code', states: ['PUBLISHED'] },
] as const;

describe.each(kinds)('published documents of $table', ({ table, parent, states }) => {
  const live = [...states];
  it('V8: were passed by another person than handed them in, and no statement makes it one person', async () => {
    const { rows } = await sql<{ id: string; same: boolean }>`select id::text, maker_id is not distinct from checker_id as same
      from ${sql.table(table)} where state = any(${live}) order by id`.execute(app.db);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ same }) => same)).toEqual([]);
    await expect(sql`update ${sql.table(table)} set checker_id = maker_id where id = ${rows[0]!.id}`.execute(app.db)).rejects.toThrow();
  });

  it('V6: share no day within one parent, and no statement makes them', async () => {
    const { rows } = await sql<{ id: string }>`select a.id::text from ${sql.table(table)} a join ${sql.table(table)} b
      on b.${sql.ref(parent)} = a.${sql.ref(parent)} and b.id <> a.id and b.state = 'PUBLISHED'
        and daterange(a.effective_from, a.effective_to, '[]') && daterange(b.effective_from, b.effective_to, '[]')
      where a.state = 'PUBLISHED'`.execute(app.db);
    expect(rows).toEqual([]);
    const defined = await sql<{ n: number }>`select count(*)::int as n from pg_constraint
      where conrelid = ${table}::regclass and contype = 'x'`.execute(app.db);
    expect(defined.rows[0]!.n).toBe(1);
  });
});

describe('V7: what was published is what it was', () => {
  it('of product versions with all that hangs on them', async () => {
    const rows = await own(app.db)
      .selectFrom('insuranceProductVersion')
      .select(['id', 'contentHash'])
      .where('state', 'in', ['PUBLISHED', 'WITHDRAWN'])
      .execute();
    expect(rows.length).toBeGreaterThan(10);
    for (const { id, contentHash } of rows) expect(await contentHashOf(app.db, id)).toBe(contentHash);
    // A part of one cannot be changed behind its hash.
    for (const part of ['insurance_plan', 'insurance_benefit', 'insurance_limit_group', 'insurance_right'])
      await expect(
        sql`delete from ${sql.table(part)} where product_version_id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(app.db),
      ).rejects.toThrow();
  });

  it('of drug lists, control rules and entitlements', async () => {
    const lists = await own(app.db).selectFrom('insuranceFormularyVersion').selectAll().where('state', '=', 'PUBLISHED').execute();
    expect(lists.length).toBeGreaterThan(0);
    for (const one of lists) expect(await formularyHash(app.db, one)).toBe(one.contentHash);
    const rules = await own(app.db)
      .selectFrom('insuranceControlRuleVersion')
      .selectAll()
      .where('state', 'in', ['PUBLISHED', 'PAUSED'])
      .execute();
    expect(rules.length).toBeGreaterThan(0);
    for (const one of rules) expect(controlHashOf(contentOf(one))).toBe(one.contentHash);
    const definitions = await own(app.db).selectFrom('insuranceEntitlementDef').selectAll().where('state', '=', 'PUBLISHED').execute();
    expect(definitions.length).toBeGreaterThan(0);
    for (const one of definitions) expect(hashOfDefinition(definitionOf(one))).toBe(one.contentHash);
  });
});

it('V12: riders hang one layer deep, and no renewal comes back to where it began', async () => {
  const links = await own(app.db)
    .selectFrom('insuranceProductLink')
    .select(['linkType', 'mainProductId', 'otherProductId'])
    .where('status', '=', 'ENABLED')
    .execute();
  const riders = links.filter(({ linkType }) => linkType === 'APPENDED');
  expect(riders.length).toBeGreaterThan(0);
  const mains = new Set(riders.map(({ mainProductId }) => mainProductId));
  expect(riders.filter(({ otherProductId }) => mains.has(otherProductId))).toEqual([]);
  // A chain of renewals without a circle runs out within as many rounds as there are renewals.
  let left = links.filter(({ linkType }) => linkType === 'RENEWAL_OF');
  expect(left.length).toBeGreaterThan(0);
  for (const _round of left) {
    const continued = new Set(left.map(({ mainProductId }) => mainProductId));
    left = left.filter(({ otherProductId }) => continued.has(otherProductId));
  }
  expect(left).toEqual([]);
});
