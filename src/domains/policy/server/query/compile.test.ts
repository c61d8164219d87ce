import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { datasets, queryConfig, type DatasetCode, type QueryConfig } from '../../contract/query.ts';
import { compile } from './compile.ts';
import { datasetOf } from './datasets.ts';

const db = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const viewer: Viewer = { userId: '1', roleCode: 'FINANCE', scope: { own: false, region: null, insurer: ['4711'], channel: null } };
const asked = (code: DatasetCode, config: QueryConfig) => compile(datasetOf[code], config, { viewer, today: '2026-11-27' });
const sqlOf = (statement: RawBuilder<unknown>) => statement.compile(db);

const conditions = [
  { variable: 'policyNo', operator: '=', value: "x'; drop table policy_policy; --" },
  { variable: 'policyNo', operator: 'contains', value: "%' or '1'='1" },
  { variable: 'holderName', operator: '=', value: '"p"."id"' },
] as const;

describe('a compiled question', () => {
  it('holds what was typed as parameters alone', () => {
    for (const condition of conditions) {
      const config = queryConfig.parse({ columns: [{ key: 'policyNo' }], filters: { op: 'OR', items: [condition] } });
      const { sql, parameters } = sqlOf(asked('policy', config).rows(false));
      expect(sql).not.toContain(condition.value);
      expect(parameters).toContain(condition.value);
    }
  });

  it('keeps to the insurers of the viewer in each of its statements, of every data set', () => {
    for (const code of datasets.codes) {
      const [first] = datasetOf[code].columns;
      const detail = queryConfig.parse({ columns: [{ key: first?.key }] });
      const grouped = queryConfig.parse({ columns: [{ key: first?.key }, { key: first?.key, agg: 'COUNT' }], groupBy: [first?.key] });
      for (const compiled of [asked(code, detail), asked(code, grouped)])
        for (const statement of [compiled.rows(false), compiled.rows(true), compiled.facts, compiled.found(10)])
          expect(JSON.stringify(sqlOf(statement).parameters), code).toContain('["4711"]');
    }
  });

  it('joins groups of conditions by their own word', () => {
    const filters = {
      op: 'AND',
      items: [
        { variable: 'insuredCount', operator: 'range', value: '2,5' },
        {
          op: 'OR',
          items: [
            { variable: 'renewed', operator: '=', value: '1' },
            { variable: 'policyType', operator: 'not in', value: 'CITY' },
          ],
        },
      ],
    };
    const { sql } = sqlOf(asked('policy', queryConfig.parse({ columns: [{ key: 'policyNo' }], filters })).rows(false));
    expect(sql.replaceAll(/\$\d+/g, '?')).toContain(
      '((p.insured_count between ?::text::numeric and ?::text::numeric) and ' +
        '(((p.renewal_of_policy_id is not null) = ?::boolean) or (p.policy_type <> all(?::text[]))))',
    );
  });
});
