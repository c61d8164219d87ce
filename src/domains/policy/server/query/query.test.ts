import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#kernel/contract/call.ts';
import { unzipEntry, zipEntries } from '#kernel/server/documents/zipRead.ts';
import { csvRows } from '#kernel/server/importing/readCsv.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import { addReceipt, allocateReceipt, queryPremiumOrderDetail, queryReceiptList, suggestAllocation } from '../../contract/calls/premium.ts';
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
import { premiumPermissions as premium, queryPermissions as may } from '../../contract/permissions.ts';
import { datasets } from '../../contract/query.ts';
import { own } from '../database.ts';
import { itemOf, keeper, makeProduct, passed, personWish, policyWish } from '../testing/fixtures.ts';
import { withinTime } from './tableData.ts';
import { datasetOf } from './datasets.ts';

type Asked = InputOf<typeof queryTableData>;
type Config = Asked['config'];
const columns = (...keys: string[]): Config => ({ columns: keys.map((key) => ({ key })) });
const where = (variable: string, operator: '=' | 'contains' | 'in' | '>=' | 'range', value: string): Config['filters'] => ({
  op: 'AND',
  items: [{ variable, operator, value }],
});

/** An order as its earning is computed anew. */
interface Order {
  amount: bigint;
  from: string;
  to: string;
}
const dayNo = (day: string) => BigInt(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
/** What an order earns within a month, rounded half up at both its ends. */
function earnedIn({ amount, from, to }: Order, month: string): bigint {
  const total = dayNo(to) - dayNo(from) + 1n;
  const until = (day: bigint) => {
    const past = day - dayNo(from);
    const used = past < 0n ? 0n : past > total ? total : past;
    return (2n * amount * used + total) / (2n * total);
  };
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next = number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`;
  return until(dayNo(next)) - until(dayNo(`${month}-01`));
}

let app: TestApp;
let asker: TestStaff;
let narrow: TestStaff;
let blind: TestStaff;
let mine: string[];
let mineInsurer: string;
let mineInsurerId: string;
let paidFen = 0;
let orders: Order[];
const certificateNo = personWish().idNo ?? '';

beforeAll(async () => {
  app = await startTestApp();
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
    // The orders of these hold lines of two plans.
    await passed(app, maker, checker, {
      policyId: policy.id,
      kind: 'PLAN',
      effectiveOn: '2026-11-11',
      after: { insuredItemIds: [await itemOf(app, policy.id, persons === 2 ? "O'Brien" : '张建国')], planCode: 'P2' },
    });
    made.push({ insurerId, nos: [wish.policyNo] });
  }
  // What came in is shared among the orders; both insurers have bank money of their own.
  await sql`update policy_premium_order set state = 'APPROVED'`.execute(app.db);
  const found = await own(app.db)
    .selectFrom('policyPremiumOrder')
    .select(['id', 'amountFen', 'periodFrom', 'periodTo'])
    .orderBy('id')
    .execute();
  orders = found.map(({ amountFen, periodFrom, periodTo }) => ({ amount: BigInt(amountFen), from: periodFrom, to: periodTo }));
  for (const { id: premiumOrderId } of found) {
    const amountFen = 1_234;
    const { id: receiptId } = await app.ok(
      addReceipt,
      {
        direction: 'COLLECT',
        amountFen,
        paidOn: app.clock.today(),
        payerName: '江南科技有限公司',
        bankFlowNo: `FLOW${premiumOrderId}`,
        bankAccount: '6222020200112233',
      },
      { as: maker },
    );
    const shares = [{ premiumOrderId, amountFen }];
    await app.ok(allocateReceipt, { receiptId, shares }, { as: maker, idempotencyKey: `query-share-${premiumOrderId}` });
    paidFen += amountFen;
  }
  mine = made[0]!.nos;
  mineInsurerId = made[0]!.insurerId;
  expect(made[0]!.insurerId).not.toBe(made[1]!.insurerId);
  // Made products are of insurers of one name; here they are told apart.
  mineInsurer = '江南保险';
  await own(app.db).updateTable('policyPolicy').set({ insurerName: mineInsurer }).where('policyNo', '=', mine[0]!).execute();
  blind = await app.staff({ permissions: [may['query.view'].code], scope: { insurer: ['999999999'] } });
  asker = await app.staff({ permissions: Object.values(may).map(({ code }) => code) });
  narrow = await app.staff({
    permissions: [may['query.view'].code, may['query.export'].code],
    scope: { insurer: [made[0]!.insurerId] },
  });
});
afterAll(() => app.close());

const ask = (dataset: Asked['dataset'], config: Config, as = asker) => app.ok(queryTableData, { dataset, config }, { as });

describe('a question', () => {
  // policy.md acceptance 21
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
      '请输入1900年至2199年之间的日期',
    );
    expect(JSON.stringify(await refused(columns(...Array.from({ length: 31 }, () => 'policyNo'))))).toContain('最多选择30列');
    const stranger = await app.staff({ permissions: [] });
    expect((await app.refused(queryTableData, { dataset: 'policy', config: columns('policyNo') }, { as: stranger })).code).toBe('SCM90010');
  });

  it('stops when it takes too long', async () => {
    const long = withinTime(app.kernel.transactions, (db) => sql`select count(*) from generate_series(1, 1000000000)`.execute(db), 50);
    await expect(long).rejects.toMatchObject({ code: 'SCM13071' });
  });

  // policy.md acceptance 21
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

  // policy.md acceptance 21
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

  it('shows somebody of one insurer the rows of that insurer alone, in every data set', async () => {
    for (const code of datasets.codes.filter((one) => one !== 'receipt')) {
      const config = columns('insurerName', ...(code === 'premiumMonth' ? ['month', 'planCode'] : ['policyNo']));
      const [whole, part] = [await ask(code, config), await ask(code, config, narrow)];
      const named = whole.rows.filter(([insurer]) => insurer !== null);
      const own = named.filter(([insurer]) => insurer === mineInsurer);
      expect(own.length, code).toBeGreaterThan(0);
      expect(named.length, code).toBeGreaterThan(own.length);
      expect(part.rows.toSorted(), code).toEqual(own.toSorted());
      expect(part.totalRecordCount, code).toBe(own.length);
      const counted = await ask(
        code,
        { columns: [{ key: 'insurerName' }, { key: 'insurerName', agg: 'COUNT' }], groupBy: ['insurerName'] },
        narrow,
      );
      expect(counted.rows, code).toEqual([[mineInsurer, String(own.length)]]);
      // Somebody of no insurer that there is sees nothing at all.
      expect((await ask(code, config, blind)).rows, code).toEqual([]);
    }
  });

  it('shows an insurer’s people no bank money, as their list of it does', async () => {
    const { id: premiumOrderId } = await own(app.db)
      .selectFrom('policyPremiumOrder as o')
      .innerJoin('policyPolicy as p', 'p.id', 'o.policyId')
      .where('p.policyNo', '=', mine[0]!)
      .select('o.id')
      .orderBy('o.id')
      .executeTakeFirstOrThrow();
    const finance = { permissions: [premium['premium.view'].code, premium['premium.receipt'].code] };
    const theirs = await app.staff({ ...finance, scope: { insurer: [mineInsurerId] } });
    const shares = async (as: TestStaff) => (await app.ok(queryPremiumOrderDetail, { premiumOrderId }, { as })).allocations.length;
    const found = async (as: TestStaff) => (await ask('receipt', columns('policyNo'), as)).rows.filter(([no]) => no === mine[0]).length;
    const listed = async (as: TestStaff) => (await app.send(queryReceiptList, {}, { as })).envelope.totalRecordCount;
    expect([await found(narrow), await shares(theirs), await listed(theirs)]).toEqual([0, 0, 0]);
    expect(await found(asker)).toBeGreaterThan(0);
    const accountant = await app.staff(finance);
    expect([await shares(accountant), await listed(accountant)]).toEqual([1, expect.any(Number)]);
    expect(
      (await ask('receipt', columns('bankFlowNo'), await app.staff({ permissions: [may['query.view'].code], scope: { insurer: [] } })))
        .rows,
    ).toEqual([]);
    expect((await ask('receipt', { columns: [{ key: 'shareFen', agg: 'SUM' }] }, narrow)).rows).toEqual([['0']]);
    // Bank money that he does not see he does not move either.
    const { id: receiptId } = await own(app.db).selectFrom('policyPremiumReceipt').select('id').limit(1).executeTakeFirstOrThrow();
    const wish = { receiptId, shares: [{ premiumOrderId, amountFen: 1 }] };
    const refused = await app.refused(allocateReceipt, wish, { as: theirs, idempotencyKey: 'query-share-unseen' });
    expect(refused.message).toContain('到账记录不存在');
    expect((await app.refused(suggestAllocation, { receiptId }, { as: theirs })).message).toContain('到账记录不存在');
  });

  it('ends after so many rows, on its pages and in its sums', async () => {
    const config: Config = { ...columns('name', 'annualPremiumFen'), sort: [{ key: 'annualPremiumFen', descending: true }] };
    const refused = await app.refused(queryTableData, { dataset: 'insured', config: { ...config, limit: 10_001 } }, { as: asker });
    expect(JSON.stringify(refused)).toContain('最多行数不能超过10000');
    const two = await ask('insured', { ...config, limit: 2 });
    expect([two.rows.length, two.totalRecordCount, two.totals]).toEqual([2, 2, [null, '480000']]);
    const page = (pageNo: number) =>
      app.ok(queryTableData, { dataset: 'insured', config: { ...config, limit: 3 }, pageNo, pageSize: 2 }, { as: asker });
    expect([(await page(1)).rows.length, (await page(2)).rows.length, (await page(3)).rows.length]).toEqual([2, 1, 0]);
    const groups = await ask('insured', {
      columns: [{ key: 'policyNo' }, { key: 'name', agg: 'COUNT' }],
      groupBy: ['policyNo'],
      sort: [{ key: 'name', agg: 'COUNT', descending: true }],
      limit: 1,
    });
    expect([groups.rows, groups.totals, groups.totalRecordCount]).toEqual([[[mine[0], '2']], [null, '2'], 1]);
  });

  it('is paged to the 10,000th row, and told so beyond', async () => {
    const refused = await app.refused(
      queryTableData,
      { dataset: 'policy', config: columns('policyNo'), pageNo: 101, pageSize: 100 },
      { as: asker },
    );
    expect(JSON.stringify(refused)).toContain('最多翻看前10000条，请导出或缩小范围');
  });

  it('earns a premium over its months to the last fen', async () => {
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

  it('divides what an order earns each month among its plans, and nothing is lost between them', async () => {
    const sums = ['writtenFen', 'earnedFen', 'settledFen'].map((key) => ({ key, agg: 'SUM' as const }));
    const by = async (...keys: string[]) =>
      (
        await ask('premiumMonth', {
          columns: [...keys.map((key) => ({ key })), ...sums],
          groupBy: keys,
          sort: keys.map((key) => ({ key })),
        })
      ).rows;
    const plans = await by('planCode');
    expect(plans.map(([plan]) => plan)).toEqual(['P1', 'P2']);
    for (const [plan, written, earned] of plans) expect(earned, plan!).toBe(written);
    const whole = await by('month');
    const parts = await by('month', 'planCode');
    for (const [month, ...figures] of whole) {
      const mineOf = parts.filter(([of]) => of === month);
      const added = figures.map((_one, at) => String(mineOf.reduce((sum, row) => sum + Number(row[at + 2]), 0)));
      expect(added, month!).toEqual(figures);
    }
    // Money came in for whole orders.
    expect(plans.reduce((sum, [, , , settled]) => sum + Number(settled), 0)).toBe(paidFen);
    // One of the orders returns one plan's rest and charges another's: what it earns is rounded once, not for each of the two.
    for (const [of, , earned] of whole) expect(BigInt(earned!), of!).toBe(orders.reduce((sum, order) => sum + earnedIn(order, of!), 0n));
  });
});

describe('an export', () => {
  const config = columns('name', 'idNo', 'annualPremiumFen');
  const cells = async (more: Partial<InputOf<typeof exportQueryTable>>) => {
    const { body } = await app.file(exportQueryTable, { dataset: 'insured', config, format: 'CSV', ...more }, { as: asker });
    return [...csvRows(body.toString('utf8').replace(/^\uFEFF/, ''))];
  };
  // policy.md acceptance 22
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

  it('is as wide as the view, and as declared where the view says nothing', async () => {
    const wide = { columns: [{ key: 'name', width: 320 }, { key: 'idNo' }, { key: 'annualPremiumFen', width: 64 }] };
    const { body } = await app.file(exportQueryTable, { dataset: 'insured', config: wide, format: 'XLSX' }, { as: asker });
    const entry = zipEntries(body).find(({ name }) => name === 'xl/worksheets/sheet1.xml')!;
    const sheet = (await unzipEntry(body, entry, 1_000_000)).toString();
    const widths = [...sheet.matchAll(/<col [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
    expect(widths).toEqual([40, 21, 10]);
  });

  it('has the first rows alone where so many were asked for', async () => {
    const sheet = await cells({ config: { ...config, limit: 2 } });
    expect(sheet).toHaveLength(3);
  });

  it('is refused above 200,000 rows, and made at 200,000', async () => {
    const now = app.clock.now();
    const missing = async () =>
      200_001 - (await ask('receipt', { columns: [{ key: 'bankFlowNo', agg: 'COUNT' }] })).rows.map(([n]) => Number(n))[0]!;
    const add = (from: number, count: number) =>
      sql`
      insert into policy_premium_receipt (direction, amount_fen, paid_on, payer_name, bank_flow_no, bank_account_cipher,
        bank_account_masked, bank_account_hash, source, created_at)
      select 'COLLECT', 100, '2026-11-01', '批量付款人', 'BULK' || n, 'c', '6222****', 'bulk', 'IMPORT', ${now}
      from generate_series(${sql.lit(from)}::int, ${sql.lit(from + count - 1)}) n`.execute(app.db);
    const first = (await missing()) - 1;
    await add(1, first);
    await app.database.asOwner('analyze policy_premium_receipt');
    const wish = { dataset: 'receipt' as const, config: columns('bankFlowNo'), format: 'CSV' as const };
    const { envelope } = await app.send(exportQueryTable, wish, { as: asker });
    expect(envelope).toMatchObject({ code: '0000000', data: { rowsTotal: 200_000 } });
    await add(first + 1, 1);
    expect(await app.refused(exportQueryTable, wish, { as: asker })).toMatchObject({
      code: 'SCM13075',
      message: '导出超过20万行，请缩小范围',
    });
    // On the page they are told from those that are counted exactly.
    expect((await ask('receipt', columns('bankFlowNo'))).totalRecordCount).toBe(10_001);
    await sql`delete from policy_premium_receipt where bank_account_hash = 'bulk'`.execute(app.db);
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

  it('of two that get one name at once keeps the one and says so of the other', async () => {
    const config = columns('policyNo');
    const wish = (viewName: string) => ({ dataset: 'policy' as const, config, viewName });
    const two = await Promise.all(['甲', '乙'].map((name) => app.ok(addQueryView, wish(name), { as: asker })));
    const answers = await Promise.all([
      ...two.map(({ id, version }) => app.send(modifyQueryView, { id, version, viewName: '同名', config }, { as: asker })),
      app.send(addQueryView, wish('同名'), { as: asker }),
    ]);
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM13073', 'SCM13073']);
    for (const { id, version } of (await app.ok(queryViewList, {}, { as: asker })).views)
      await app.ok(removeQueryView, { id, version }, { as: asker });
  });

  it('stays in the list where what it asks can no longer be read, and can be put together anew', async () => {
    const config = columns('policyNo');
    const { id, version } = await app.ok(addQueryView, { dataset: 'policy', config, viewName: '旧视图' }, { as: asker });
    await app.ok(addQueryView, { dataset: 'policy', config, viewName: '好视图' }, { as: asker });
    await sql`update policy_query_view set config = '{"columns": []}' where id = ${id}`.execute(app.db);
    const { views } = await app.ok(queryViewList, {}, { as: asker });
    expect(views.map(({ viewName, config: shown }) => [viewName, shown === null])).toEqual([
      ['好视图', false],
      ['旧视图', true],
    ]);
    const anew = await app.ok(modifyQueryView, { id, version, viewName: '旧视图', config }, { as: asker });
    expect(anew.config).toMatchObject(config);
  });
});
