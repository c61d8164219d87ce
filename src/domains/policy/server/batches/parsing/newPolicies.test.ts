import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addInsuredBatch,
  auditInsuredBatch,
  modifyInsuredBatchRow,
  queryInsuredBatchRowList,
  reparseInsuredBatch,
} from '../../../contract/calls/batches.ts';
import { queryPolicyList } from '../../../contract/calls/policies.ts';
import { makeProduct, serial } from '../../testing/fixtures.ts';
import {
  cellsOf,
  detailOf,
  handedIn,
  HEADERS,
  killed,
  listColumns,
  listPerson,
  makeTemplate,
  parsed,
  setListScene,
  uploadList,
  type ListPerson,
  type ListScene,
} from '../../testing/lists.ts';
import { parseJob } from './parseJob.ts';

let app: TestApp;
let maker: TestStaff;
let product: ListScene['product'];
let seen: ListScene['seen'];
let templateId: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ maker, product, seen } = await setListScene(app));
  templateId = await makeTemplate(app, maker, {
    insurerId: product.insurerId,
    columns: [...listColumns, ...POLICY_HEADERS.map(([target, header]) => ({ target, headerAliases: [header] }))],
  });
});
afterAll(() => app.close());

const POLICY_HEADERS = [
  ['policyNo', '保单号'],
  ['productCode', '产品编码'],
  ['holderName', '投保人'],
  ['coverageStart', '起保日期'],
  ['coverageEnd', '终保日期'],
] as const;
interface OfPolicy {
  policyNo: string;
  productCode?: string;
  holderName?: string;
  coverageStart?: string;
  coverageEnd?: string;
}
type Line = [person: ListPerson, of: OfPolicy];
const newNo = () => `QD-XB${String(serial()).padStart(6, '0')}`;
const ofNew = (policyNo: string, more: Partial<OfPolicy> = {}): OfPolicy => ({
  policyNo,
  productCode: product.productCode,
  holderName: '江南科技有限公司',
  coverageStart: '2026-12-01',
  coverageEnd: '2027-11-30',
  ...more,
});
const fileOf = (lines: readonly Line[], as = maker) =>
  uploadList(app, as, [
    [...HEADERS, ...POLICY_HEADERS.map(([, header]) => header)],
    ...lines.map(([person, of]) => [...cellsOf(person), ...POLICY_HEADERS.map(([target]) => of[target] ?? '')]),
  ]);
const wish = { policyId: '', policyIds: [], mode: 'INITIAL' as const };
const read = async (lines: readonly Line[], more: object = {}) =>
  parsed(app, maker, [], { templateId, ...wish, ...more, fileId: await fileOf(lines) });
const rowsOf = async ({ id }: { id: string }) => (await app.ok(queryInsuredBatchRowList, { batchId: id }, { as: maker })).rows;
const faultsOf = async (batch: { id: string }) =>
  (await rowsOf(batch)).map(({ errors }) => errors.map(({ column, message }) => [column, message]));
const found = async (policyNo: string) => (await app.ok(queryPolicyList, { policyNo }, { as: maker })).rows;

describe('a first list that names policies which are not there', () => {
  it('asks for the right to enter policies, and for a first list', async () => {
    const operator = await app.staff({ permissions: ['policy.batch.view', 'policy.batch.import'] });
    const policyNo = newNo();
    const fileId = await fileOf([[listPerson('张一'), ofNew(policyNo)]]);
    expect(await app.refused(addInsuredBatch, { templateId, mode: 'INITIAL', policyIds: [], fileId }, { as: operator })).toMatchObject({
      code: 'SCM90010',
    });
    const later = await read([[listPerson('张一'), ofNew(policyNo)]], { mode: 'ADD' });
    expect(await faultsOf(later)).toEqual([[['policyNo', `保单号${policyNo}不存在或已终止`]]]);
    expect(await found(policyNo)).toEqual([]);
  });

  it('says in which cell it says too little or something wrong of a policy, and makes none of that', async () => {
    const other = await makeProduct(app);
    const [a, b, c, d, e] = [newNo(), newNo(), newNo(), newNo(), newNo()];
    const batch = await read([
      [listPerson('张一'), ofNew(a, { productCode: 'KEINE' })],
      [listPerson('张二'), ofNew(b, { productCode: other.productCode })],
      [listPerson('张三'), ofNew(c, { coverageEnd: '2026-11-01' })],
      [listPerson('张四'), ofNew(d, { holderName: '' })],
      [listPerson('张五'), ofNew(e)],
      [listPerson('张六'), ofNew(e, { coverageEnd: '2027-10-31' })],
      [listPerson('张七'), { policyNo: e }],
    ]);
    expect(batch.state).toBe('HAS_ERROR');
    expect(await faultsOf(batch)).toEqual([
      [['productCode', expect.stringContaining('没有产品编码为“KEINE”的产品')]],
      [['productCode', expect.stringContaining(`没有产品编码为“${other.productCode}”的产品`)]],
      [['coverageEnd', '终保日期不能早于起保日期']],
      [['holderName', `保单号${d}不存在，新增保单须填写投保人`]],
      [],
      [['coverageEnd', `终保日期与保单${e}不一致`]],
      [],
    ]);
    expect((await Promise.all([a, b, c, d, e].map(found))).map((rows) => rows.length)).toEqual([0, 0, 0, 0, 1]);
    const [wrong] = await rowsOf(batch);
    const operator = await app.staff({ permissions: ['policy.batch.view', 'policy.batch.import'] });
    const mended = { batchId: batch.id, version: batch.version, rowId: wrong!.id, values: { productCode: product.productCode } };
    expect(await app.refused(modifyInsuredBatchRow, mended, { as: operator })).toMatchObject({ code: 'SCM90010' });
    // what is corrected in place makes the policy too, and the list may be handed in then
    const fixed = await app.ok(modifyInsuredBatchRow, mended, { as: maker });
    expect(fixed.row).toMatchObject({ result: 'ADD', errors: [] });
    expect(await found(a)).toMatchObject([{ insuredCount: 0, state: 'PENDING' }]);
  });

  it('makes each of them once, also when its reading is broken off, and brings their persons in when it takes effect', async () => {
    const [one, two] = [newNo(), newNo()];
    const lines: Line[] = [
      [listPerson('李一'), ofNew(one)],
      [listPerson('李二'), ofNew(two)],
      [listPerson('李三'), { policyNo: one.toLowerCase() }],
    ];
    const fileId = await fileOf(lines);
    const made = await app.ok(addInsuredBatch, { templateId, mode: 'INITIAL', policyIds: [], fileId }, { as: maker });
    await app.ok(auditInsuredBatch, { batchId: made.id, version: made.version, action: 'parse' }, { as: maker });
    await expect(parseJob(app.kernel).run({ batchId: made.id }, killed(app, 1))).rejects.toThrow('killed');
    expect(await found(one)).toEqual([]);
    await app.runDue();
    const batch = await detailOf(app, maker, made);
    expect(batch).toMatchObject({ state: 'PREVIEW', addRows: 3, policyCount: 2 });
    const [policy] = await found(one);
    expect(policy).toMatchObject({
      productName: expect.any(String),
      holderName: '江南科技有限公司',
      policyType: 'GROUP',
      state: 'PENDING',
    });
    expect(await seen(policy!.id)).toBe(0);
    expect((await handedIn(app, maker, batch)).state).toBe('APPLYING');
    await app.runDue();
    expect(await detailOf(app, maker, batch)).toMatchObject({ state: 'APPLIED', appliedRows: 3 });
    expect(await seen(policy!.id)).toBe(2);
    const again = await read(lines);
    expect(again).toMatchObject({ sameRows: 3, addRows: 0, errorRows: 0 });
    expect((await found(one)).length + (await found(two)).length).toBe(2);
  });

  it('takes its policies along when it is read from another file or given up', async () => {
    const [one, two] = [newNo(), newNo()];
    const batch = await read([[listPerson('王一'), ofNew(one)]]);
    expect((await found(one)).length).toBe(1);
    const fileId = await fileOf([[listPerson('王一'), ofNew(two)]]);
    await app.ok(reparseInsuredBatch, { batchId: batch.id, version: batch.version, fileId }, { as: maker });
    await app.runDue();
    expect([(await found(one)).length, (await found(two)).length]).toEqual([0, 1]);
    const { version, state } = await detailOf(app, maker, batch);
    expect(state).toBe('PREVIEW');
    await app.ok(auditInsuredBatch, { batchId: batch.id, version, action: 'discard', opinion: '名单有误' }, { as: maker });
    expect(await found(two)).toEqual([]);
    expect(await rowsOf(batch)).toMatchObject([{ name: '王一', policyNo: null }]);
  });

  it('is of the insurer whose product it names, where everybody’s template reads it', async () => {
    const columns = [...listColumns, ...POLICY_HEADERS.map(([target, header]) => ({ target, headerAliases: [header] }))];
    const everybodys = await makeTemplate(app, maker, { columns });
    const other = await makeProduct(app);
    const [a, b, silent] = [newNo(), newNo(), newNo()];
    const refused = async (lines: readonly Line[], more: object = {}, as = maker) =>
      app.refused(
        addInsuredBatch,
        { templateId: everybodys, mode: 'INITIAL', policyIds: [], fileId: await fileOf(lines, as), ...more },
        { as },
      );
    const told = (name: string, sentence: string) => ({
      code: 'SCM90020',
      fields: [{ path: name, message: expect.stringContaining(sentence) }],
    });
    expect(await refused([[listPerson('孙一'), ofNew(a)]], { mode: 'ADD' })).toMatchObject(told('policyIds', '请先选择保单'));
    expect(await refused([[listPerson('孙一'), { policyNo: a }]])).toMatchObject(told('policyIds', '没有写明产品编码'));
    expect(await refused([[listPerson('孙一'), ofNew(a, { productCode: 'KEINE' })]])).toMatchObject(told('fileId', '产品编码“KEINE”'));
    const narrow = await app.staff({
      permissions: ['policy.batch.view', 'policy.batch.import', 'policy.policy.edit'],
      scope: { insurer: [other.insurerId] },
    });
    expect(await refused([[listPerson('孙一'), ofNew(a)]], {}, narrow)).toMatchObject({ code: expect.stringMatching(/SCM900[24]0/) });
    expect(await found(a)).toEqual([]);

    // a row before the first that says it says nothing of it; one of another insurer is wrong
    const lines: Line[] = [
      [listPerson('孙二'), { policyNo: silent }],
      [listPerson('孙三'), ofNew(a)],
      [listPerson('孙四'), ofNew(b, { productCode: other.productCode })],
    ];
    const batch = await parsed(app, maker, [], { templateId: everybodys, ...wish, fileId: await fileOf(lines) });
    expect(batch).toMatchObject({ insurerId: product.insurerId, state: 'HAS_ERROR' });
    expect((await faultsOf(batch))[2]).toEqual([['productCode', expect.stringContaining(`没有产品编码为“${other.productCode}”的产品`)]]);
    expect([(await found(a)).length, (await found(b)).length]).toEqual([1, 0]);

    // another file may be another insurer's
    const again = await fileOf([[listPerson('孙四'), ofNew(b, { productCode: other.productCode })]]);
    await app.ok(reparseInsuredBatch, { batchId: batch.id, version: batch.version, fileId: again }, { as: maker });
    await app.runDue();
    expect(await detailOf(app, maker, batch)).toMatchObject({ insurerId: other.insurerId, state: 'PREVIEW', addRows: 1 });
    expect([(await found(a)).length, (await found(b)).length]).toEqual([0, 1]);
    expect((await handedIn(app, maker, batch)).state).toBe('APPLYING');
    await app.runDue();
    expect(await found(b)).toMatchObject([{ insuredCount: 0, state: 'PENDING', endorsementCount: 1 }]);
  });
});
