import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewedDocument } from '../kernel/contract/stateMachine.ts';
import { permissionCodesOf } from '../kernel/server/registry.ts';
import { allCases } from './allCases.ts';
import { PAIRS } from './fourEyesPairs.ts';
import { startTestApp, type TestApp } from './testApp.ts';

/** Tables of the reviewed documents that are not named as their type is: the row, and the column that names the document. */
const TABLES: Readonly<Record<string, readonly (readonly [table: string, id: string])[]>> = {
  'content.banner': [],
  'content.advert': [],
  'policy.batch': [['policy_insured_batch', 'id']],
  'policy.finding': [['policy_abnormal_finding', 'id']],
  'corpus.review': [],
  'corpus.revision': [],
};
const EXTRA: readonly (readonly [type: string, table: string, id: string])[] = [
  ['corpus.material', 'corpus_material', 'id'],
  ['corpus.questionnaire', 'corpus_questionnaire', 'id'],
];
const snake = (type: string) => type.replace('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const watched = [
  ...Object.keys(PAIRS).flatMap((type) => (TABLES[type] ?? [[snake(type), 'id'] as const]).map(([table, id]) => [type, table, id] as const)),
  ...EXTRA,
];

/** Commands that write a row of a reviewed document and contribute nothing to it, each with its reason. */
const CONTRIBUTES_NOTHING: Readonly<Record<string, string>> = {};

const DOMAINS = new Set(watched.map(([type]) => type.split('.')[0]));

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  if (process.env['EYES_FK']) {
    const { rows } = await sql<{ t: string; c: string; r: string }>`
      select c.conrelid::regclass::text as t, a.attname as c, c.confrelid::regclass::text as r from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' and cardinality(c.conkey) = 1`.execute(app.db);
    for (const { t, c, r } of rows) {
      const of = watched.find(([, table]) => table === r);
      if (of) watched.push([of[0] + ' ' + t, t, c]);
    }
  }
  await app.database.asOwner(`
    create table eyes_write (at_tx text not null, type text not null, id text not null);
    create function eyes_note() returns trigger language plpgsql security definer as $$
      begin
        insert into eyes_write
          select pg_current_xact_id()::xid::text, tg_argv[0], of.id from (select to_jsonb(new) ->> tg_argv[1]) of (id) where of.id is not null;
        return null;
      end $$;
    grant select, delete on eyes_write to public;
    ${watched
      .map(([type, table, id], n) => `create trigger eyes_${n} after insert or update on ${table} for each row execute function eyes_note('${type}', '${id}');`)
      .join('\n')}
    create trigger eyes_banner after insert or update on content_delivery
      for each row when (new.kind = 'BANNER') execute function eyes_note('content.banner', 'id');
    create trigger eyes_advert after insert or update on content_delivery
      for each row when (new.kind = 'AD') execute function eyes_note('content.advert', 'id');`);
});
afterAll(() => app.close());

/** Documents that the command wrote and nobody was kept with. */
const unnoted = async (userId: string): Promise<string[]> => {
  const { rows } = await sql<{ type: string }>`
    select distinct w.type from eyes_write w
      where not exists (
        select from kernel_contribution c
          where c.xmin::text = w.at_tx and c.document_type = split_part(w.type, ' ', 1) and c.document_id = w.id and c.user_id = ${userId})`.execute(app.db);
  return rows.map(({ type }) => type);
};

describe('every command that writes a document which needs another person', () => {
  const missing: string[] = [];
  const commands = allCases.filter(
    ({ call, as }) =>
      call.kind === 'command' && as !== null && (call.access.kind === 'permission' || call.access.kind === 'byAction'),
  );
  it.each(commands.map((entry) => [entry.call.name, entry] as const))('%s', async (name, entry) => {
    const as = await app.staff(entry.as ?? { permissions: permissionCodesOf(entry.call) });
    await entry.prepare?.(app, as);
    const input = await entry.valid(app, as);
    await sql`delete from eyes_write`.execute(app.db);
    const headers = await entry.headers?.(app);
    await app.ok(entry.call, input, { as, idempotencyKey: 'four-eyes-of-the-case', ...(headers && { headers }) });
    const rights = permissionCodesOf(entry.call);
    for (const type of await unnoted(as.userId)) {
      // What is done with the right of the second person is no contribution.
      if (rights.every((right) => reviewedDocument(type.split(' ')[0]!)?.deciders.has(right))) continue;
      missing.push(`${name} ${type}`);
    }
  });

  it('is kept with it as a contribution of his', () => {
    expect(missing.filter((one) => !(one in CONTRIBUTES_NOTHING))).toEqual([]);
    expect(Object.keys(CONTRIBUTES_NOTHING).filter((one) => !missing.includes(one))).toEqual([]);
    expect(DOMAINS.size).toBeGreaterThan(9);
  });
});
