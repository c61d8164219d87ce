import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { csvRows } from '../../../../kernel/server/importing/readCsv.ts';
import type { ServerModuleFactory } from '../../../../kernel/server/module.ts';
import { joinParts } from '../../../../kernel/server/modulePart.ts';
import type { TestStaff } from '../../../../testing/staff.ts';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import {
  addQueryView,
  exportQueryTable,
  modifyQueryView,
  queryDatasetList,
  queryTableData,
  queryViewList,
  removeQueryView,
  shareQueryView,
} from '../../contract/calls/query.ts';
import { queryPermissions as may } from '../../contract/permissions.ts';
import { datasets, queryDictionaries } from '../../contract/query.ts';
import { own } from '../database.ts';
import { keeper, makeProduct, passed, personWish, policyWish } from '../testing/fixtures.ts';
import { withinTime } from './answers.ts';
import { datasetOf } from './datasets.ts';
import { queryPart } from './part.ts';

/** The query table before its page is there. */
const queryTable: ServerModuleFactory = (kernel) => ({
  domain: 'policy',
  permissions: Object.values(may),
  routes: [],
  errors: {},
  dictionaries: queryDictionaries,
  events: [],
  ...joinParts(kernel, [queryPart]),
});

type Asked = InputOf<typeof queryTableData>;
type Config = Asked['config'];
const columns = (...keys: string[]): Config => ({ columns: keys.map((key) => ({ key })) });
const where = (variable: string, operator: '=' | 'contains' | 'in' | '>=' | 'range', value: string): Config['filters'] => ({
  op: 'AND',
  items: [{ variable, operator, value }],
});

let app: TestApp;
let asker: TestStaff;
let narrow: TestStaff;
let mine: string[];
const certificateNo = personWish().idNo ?? '';

beforeAll(async () => {
  app = await startTestApp({ besides: [queryTable] });
  const maker = await keeper(app);
  const checker = await keeper(app);
  const made: { insurerId: string; nos: string[] }[] = [];
  for (const persons of [2, 1]) {
    const { productId, insurerId } = await makeProduct(app);
    const wish = policyWish(productId, { holderName: persons === 2 ? '江南科技有限公司' : '苏北制造有限公司' });
    const policy = await app.ok(addPolicy, wish, { as: maker });
    for (let n = 0; n < persons; n += 1)
      await passed(app, maker, checker, {
        policyId: policy.id,
        kind: 'ADD',
        effectiveOn: '2026-11-01',
        after: { person: personWish(made.length === 0 && n === 0 ? { idNo: certificateNo, name: "O'Brien" } : {}), planCode: 'P1' },
      });
    made.push({ insurerId, nos: [wish.policyNo] });
  }
  mine = made[0]!.nos;
  expect(made[0]!.insurerId).not.toBe(made[1]!.insurerId);
  asker = await app.staff({ permissions: Object.values(may).map(({ code }) => code) });
  narrow = await app.staff({
    permissions: [may['query.view'].code, may['query.export'].code],
    scope: { insurer: [made[0]!.insurerId] },
  });
});
afterAll(() => app.close());

const ask = (dataset: Asked['dataset'], config: Config, as = asker) => app.ok(queryTableData, { dataset, config }, { as });

describe('a question', () => {
  it('is refused where it names what is not there or mixes rows with groups', async () => {
    const refused = (config: Config) => app.refused(queryTableData, { dataset: 'policy', config }, { as: asker });
    expect(await refused(columns('policyNo', 'passwordHash'))).toMatchObject({ code: 'SCM13070', message: '列passwordHash不存在' });
    expect((await refused({ ...columns('policyNo'), filters: where('p.id', '=', '1') })).code).toBe('SCM13070');
    expect((await refused({ ...columns('policyNo'), sort: [{ key: 'policy_no; drop table x' }] })).code).toBe('SCM13070');
    expect(await refused({ ...columns('policyNo', 'insurerName'), groupBy: ['insurerName'] })).toMatchObject({
      code: 'SCM13072',
      message: '分组查询不能包含明细列保单号',
    });
    expect((await refused({ columns: [{ key: 'policyNo' }, { key: 'premiumFen', agg: 'SUM' }] })).code).toBe('SCM13072');
    expect(JSON.stringify(await refused({ columns: [{ key: 'policyNo', agg: 'SUM' }] }))).toContain('保单号不能求和');
    expect(JSON.stringify(await refused({ ...columns('policyNo'), filters: where('holderIdNo', '=', '1') }))).toContain('不能作为筛选条件');
    expect(JSON.stringify(await refused({ ...columns('policyNo'), filters: where('coverageStart', '=', '2026-13-45') }))).toContain(
      '日期不正确',
    );
    expect(JSON.stringify(await refused(columns(...Array.from({ length: 31 }, () => 'policyNo'))))).toContain('最多选择30列');
    const stranger = await app.staff({ permissions: [] });
    expect((await app.refused(queryTableData, { dataset: 'policy', config: columns('policyNo') }, { as: stranger })).code).toBe('SCM90010');
  });

  it('stops when it takes too long', async () => {
    const long = withinTime(app.kernel.transactions, (db) => sql`select count(*) from generate_series(1, 1000000000)`.execute(db), 50);
    await expect(long).rejects.toMatchObject({ code: 'SCM13071' });
  });

  it('takes SQL in a value as a value', async () => {
    const found = async (value: string) =>
      (await ask('insured', { ...columns('name', 'policyNo'), filters: where('name', '=', value) })).totalRecordCount;
    expect(await found("' or '1'='1")).toBe(0);
    expect(await found("x'); drop table policy_policy; --")).toBe(0);
    expect(await found("O'Brien")).toBe(1);
    expect((await ask('insured', { ...columns('name'), filters: where('name', 'contains', '%') })).rows).toEqual([]);
  });

  it('answers each data set with all of its columns, in rows and in groups', async () => {
    for (const code of datasets.codes) {
      const all = datasetOf[code].columns;
      const keys = all.map(({ key }) => key);
      expect(new Set(keys).size, code).toBe(keys.length);
      const rows = await ask(code, { ...columns(...keys.slice(0, 30)), sort: [{ key: keys[0]!, descending: true }] });
      expect(rows.rows.length, code).toBe(rows.totalRecordCount);
      const groups = all.filter(({ groups }) => groups).slice(0, 2);
      const sums = all.flatMap(({ key, aggregations }) => aggregations.map((agg) => ({ key, agg }))).slice(0, 26);
      const groupBy = groups.map(({ key }) => key);
      const put = await ask(code, { columns: [...groupBy.map((key) => ({ key })), ...sums], groupBy });
      expect(put.rows.length, code).toBe(put.totalRecordCount);
    }
    expect((await app.ok(queryDatasetList, {}, { as: asker })).datasets.map(({ code }) => code)).toEqual([...datasets.codes]);
  });

  it('sums what the rows say, of one insurer alone for who sees one', async () => {
    const config: Config = {
      columns: [{ key: 'insurerName' }, { key: 'policyNo', agg: 'COUNT' }, { key: 'insuredCount', agg: 'SUM' }],
      groupBy: ['insurerName'],
    };
    const whole = await ask('policy', config);
    expect(whole.totals).toEqual([null, '2', '3']);
    const part = await ask('policy', config, narrow);
    expect(part.totals).toEqual([null, '1', '2']);
    expect(part.totalRecordCount).toBe(1);
    expect((await ask('policy', columns('policyNo'), narrow)).rows).toEqual(mine.map((no) => [no]));
    expect((await ask('policy', { columns: [{ key: 'policyNo', agg: 'COUNT' }] }, narrow)).rows).toEqual([['1']]);
  });

  it('earns a premium over its months to the last fen', async () => {
    await sql`update policy_premium_order set state = 'APPROVED'`.execute(app.db);
    const { rows } = await ask('premiumMonth', {
      columns: [
        { key: 'writtenFen', agg: 'SUM' },
        { key: 'earnedFen', agg: 'SUM' },
      ],
    });
    const { total } = await own(app.db)
      .selectFrom('policyPremiumOrder')
      .select(sql<string>`sum(amount_fen)::text`.as('total'))
      .executeTakeFirstOrThrow();
    expect(rows).toEqual([[total, total]]);
  });
});

describe('an export', () => {
  const config = columns('name', 'idNo', 'annualPremiumFen');
  const cells = async (more: Partial<InputOf<typeof exportQueryTable>>) => {
    const { body } = await app.file(exportQueryTable, { dataset: 'insured', config, format: 'CSV', ...more }, { as: asker });
    return [...csvRows(body.toString('utf8').replace(/^\uFEFF/, ''), 1_000)];
  };
  it('is masked, unless a right and a reason say otherwise', async () => {
    const raw = { dataset: 'insured' as const, config, masked: false };
    expect((await app.refused(exportQueryTable, { ...raw, reason: '保司对账需要' }, { as: narrow })).code).toBe('SCM90010');
    expect((await app.refused(exportQueryTable, raw, { as: asker })).code).toBe('SCM13074');
    expect((await app.refused(exportQueryTable, { ...raw, config: columns('nothing') }, { as: narrow })).code).toBe('SCM90010');
    const masked = await cells({});
    expect(masked[0]).toEqual(['姓名', '证件号', '年保费']);
    expect(JSON.stringify(masked)).not.toContain(certificateNo);
    const plain = await cells({ masked: false, reason: '保司对账需要' });
    expect(plain.find(([name]) => name === "O'Brien")?.[1]).toBe(certificateNo);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from identity_operation_log
      where call like '%exportQueryTable' and user_id = ${asker.userId} and input::text like '%保司对账需要%'`.execute(app.db);
    expect(rows[0]?.n).toBe(1);
  });
});

describe('a view', () => {
  it('is its owner’s, until he shares it', async () => {
    const config = columns('policyNo');
    const view = await app.ok(addQueryView, { dataset: 'policy', config, viewName: '月度承保清单' }, { as: asker });
    const wish = { dataset: 'policy' as const, config, viewName: '月度承保清单' };
    expect((await app.refused(addQueryView, wish, { as: asker })).code).toBe('SCM13073');
    expect((await app.refused(addQueryView, { ...wish, config: columns('nothing') }, { as: asker })).code).toBe('SCM13070');
    const { id, version } = view;
    expect((await app.refused(modifyQueryView, { id, version, viewName: '别的', config }, { as: narrow })).message).toContain('视图不存在');
    expect((await app.refused(shareQueryView, { id, version, scope: 'ALL' }, { as: narrow })).code).toBe('SCM90010');
    const seen = async (as: TestStaff) => (await app.ok(queryViewList, {}, { as })).views.map(({ id: one, mine: own }) => [one, own]);
    expect(await seen(narrow)).toEqual([]);
    const shared = await app.ok(shareQueryView, { id, version, scope: 'ALL' }, { as: asker });
    expect(await seen(narrow)).toEqual([[id, false]]);
    const role = await app.ok(shareQueryView, { id, version: shared.version, scope: 'ROLE' }, { as: asker });
    expect(await seen(narrow)).toEqual([]);
    expect((await app.refused(removeQueryView, { id, version: 1 }, { as: asker })).code).toBe('SCM90030');
    const changed = await app.ok(modifyQueryView, { id, version: role.version, viewName: '保单清单', config }, { as: asker });
    await app.ok(removeQueryView, { id, version: changed.version }, { as: asker });
    expect(await seen(asker)).toEqual([]);
  });
});
