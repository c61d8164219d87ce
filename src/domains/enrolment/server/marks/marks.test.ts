import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusDays } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { idNoHash, mobileHash } from '#domains/patient/server/index.ts';
import {
  addSpecialUser,
  auditSpecialUser,
  delSpecialUser,
  modifySpecialUser,
  querySpecialUserDetail,
  querySpecialUserList,
  querySpecialUserOverlap,
  revealSpecialUser,
} from '../../contract/calls/marks.ts';
import { own } from '../database.ts';
import { evidence, freshIdNo, hmoProduct, markInput, markKeeper, passedMark, waitingMark } from '../testing/marks.ts';
import { countHits, personMarks } from './read.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await markKeeper(app);
  checker = await markKeeper(app);
});
afterAll(() => app.close());

const today = () => app.clock.today();
const detail = (id: string) => app.ok(querySpecialUserDetail, { id }, { as: checker });
const approve = (id: string, version = 1) => ({ id, version, action: 'approve' as const, opinion: '' });
const wrong = (change: object) => app.refused(addSpecialUser, { ...markInput(app), ...change }, { as: maker });
const faultsOf = async (change: object) => (await wrong(change)).fields?.map(({ message }) => message);

describe('a mark of a special user', () => {
  it('is refused where it names nobody, no right days or no paper', async () => {
    expect(await wrong({ idNo: undefined })).toMatchObject({ code: 'SCM14074', message: '手机号与证件号至少填写一项' });
    expect(await faultsOf({ mobile: '12345' })).toEqual(['手机号格式不正确']);
    expect(await faultsOf({ idNo: '110105194912310021' })).toEqual(['证件号校验位不正确']);
    expect(await wrong({ startDate: '2027-02-01', endDate: '2027-01-31' })).toMatchObject({ code: 'SCM14071' });
    expect(await faultsOf({ startDate: '2027-01-01', endDate: '2029-01-01' })).toEqual(['有效期不能超过2年']);
    expect(await faultsOf({ markType: 'BLOCK' })).toEqual(['禁止入组、免服务费的标记须上传佐证附件']);
    expect(await faultsOf({ reason: '' })).toEqual(['请输入原因']);
    const { otherId } = await hmoProduct(app);
    expect(await faultsOf({ productIds: [otherId] })).toEqual(['特药险不是HMO产品，请重新选择']);
    expect(await faultsOf({ productIds: ['999999'] })).toEqual(['适用产品不存在或已删除，请重新选择']);
  });

  it('is one of its kind on each day for a person, as long as it waits or holds', async () => {
    const { input, id, version } = await waitingMark(app, { mobile: '13900001111' }, maker);
    expect(await wrong({ ...input, startDate: input.endDate, endDate: plusDays(input.endDate, 9) })).toMatchObject({ code: 'SCM14070' });
    expect(await wrong({ idNo: undefined, mobile: input.mobile })).toMatchObject({ code: 'SCM14070' });
    const { markType, startDate, endDate } = input;
    const seen = await app.ok(querySpecialUserOverlap, { idNo: input.idNo, markType, startDate, endDate }, { as: maker });
    expect(seen).toMatchObject([{ id, state: 'PENDING' }]);
    await app.ok(addSpecialUser, { ...input, markType: 'TEST' }, { as: maker });
    await app.ok(addSpecialUser, { ...input, startDate: plusDays(endDate, 1), endDate: plusDays(endDate, 30) }, { as: maker });
    await app.ok(addSpecialUser, { ...markInput(app), mobile: input.mobile }, { as: maker });
    await app.ok(auditSpecialUser, { id, version, action: 'reject', opinion: '原因不充分' }, { as: checker });
    await app.ok(addSpecialUser, input, { as: maker });
  });

  it('is written once when two people save it at the same time', async () => {
    const input = markInput(app);
    const results = await Promise.all([maker, checker].map((as) => app.send(addSpecialUser, input, { as })));
    expect(results.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM14070']);
  });

  it('holds when another person has passed it, and is taken back by another one', async () => {
    const { id, version, input } = await waitingMark(app, { startDate: today() }, maker);
    expect(await app.refused(auditSpecialUser, approve(id), { as: maker })).toMatchObject({
      code: 'SCM14072',
      message: '标记创建人与审批人不能为同一人',
    });
    const listed = await app.ok(querySpecialUserList, { idNo: input.idNo, toDecide: true }, { as: checker });
    expect(listed.rows).toMatchObject([{ id, allowedActions: ['approve', 'reject'], hits: 0, productNames: [] }]);
    expect((await app.ok(querySpecialUserList, { idNo: input.idNo, toDecide: true }, { as: maker })).rows).toEqual([]);
    const own = await app.ok(querySpecialUserList, { idNo: input.idNo }, { as: maker });
    expect(own.rows).toMatchObject([{ id, allowedActions: [] }]);
    const passed = await app.ok(auditSpecialUser, approve(id, version), { as: checker });
    expect(passed).toMatchObject({ state: 'EFFECTIVE' });
    const taken = { id, version: passed.version, action: 'revoke' as const, opinion: '' };
    expect(await app.refused(auditSpecialUser, taken, { as: checker })).toMatchObject({ code: 'SCM90020' });
    const revoked = await app.ok(auditSpecialUser, { ...taken, opinion: '情况已消除' }, { as: checker });
    expect(revoked).toMatchObject({ state: 'REVOKED', allowedActions: [] });
    expect(await app.refused(modifySpecialUser, { ...input, id, version: revoked.version }, { as: maker })).toMatchObject({
      code: 'SCM14073',
    });
  });

  it('is corrected after it was sent back, and then waits again', async () => {
    const { id, version, input } = await waitingMark(app, {}, maker);
    const sent = await app.ok(auditSpecialUser, { id, version, action: 'reject', opinion: '请写明依据' }, { as: checker });
    const { idNo: _kept, ...facts } = input;
    const corrected = { ...facts, id, version: sent.version, reason: '三次提交他人报告' };
    expect(await app.refused(modifySpecialUser, { ...corrected, version }, { as: maker })).toMatchObject({
      code: 'SCM90030',
      data: { current: { name: input.name, markType: input.markType, startDate: input.startDate, evidenceFileIds: [] } },
    });
    expect(await app.ok(modifySpecialUser, corrected, { as: maker })).toMatchObject({ id, state: 'PENDING' });
    expect(await detail(id)).toMatchObject({ mark: { reason: '三次提交他人报告', checkerName: null }, opinion: null });
  });

  it('in force is followed by its edit the day before which it ends', async () => {
    const files = await evidence(app, maker);
    const old = await passedMark(app, { markType: 'BLOCK', startDate: today(), evidenceFileIds: files }, maker);
    const { idNo: _kept, ...facts } = old.input;
    const startDate = plusDays(today(), 10);
    const edit = { ...facts, id: old.id, version: old.version, startDate, reason: '延长核查' };
    const refusedEdit = (change: object) => app.refused(modifySpecialUser, { ...edit, ...change }, { as: checker });
    expect(await refusedEdit({ idNo: freshIdNo() })).toMatchObject({ fields: [{ path: 'idNo' }] });
    expect(await refusedEdit({ startDate: today() })).toMatchObject({ fields: [{ path: 'startDate' }] });
    const successor = await app.ok(modifySpecialUser, edit, { as: checker });
    expect(successor).toMatchObject({ state: 'PENDING', version: 1 });
    expect(successor.id).not.toBe(old.id);
    expect(await refusedEdit({})).toMatchObject({ code: 'SCM14070', message: expect.stringContaining('待审批') });
    expect(await detail(old.id)).toMatchObject({ successorId: successor.id, mark: { state: 'EFFECTIVE', endDate: old.input.endDate } });
    expect(await app.refused(auditSpecialUser, approve(successor.id), { as: checker })).toMatchObject({ code: 'SCM14072' });
    await app.ok(auditSpecialUser, approve(successor.id), { as: maker });
    expect(await detail(old.id)).toMatchObject({ mark: { state: 'EFFECTIVE', endDate: plusDays(startDate, -1) }, successorId: null });
    expect(await detail(successor.id)).toMatchObject({ mark: { state: 'EFFECTIVE', startDate }, evidenceFileIds: files });
  });

  it('is deleted by its maker alone, while it waits', async () => {
    const { id, version } = await waitingMark(app, {}, maker);
    expect(await app.refused(delSpecialUser, { id, version }, { as: checker })).toMatchObject({ code: 'SCM90010' });
    await app.ok(delSpecialUser, { id, version }, { as: maker });
    expect(await app.refused(querySpecialUserDetail, { id }, { as: maker })).toMatchObject({ code: 'SCM90040' });
    const held = await passedMark(app, {}, maker);
    expect(await app.refused(delSpecialUser, { id: held.id, version: held.version }, { as: maker })).toMatchObject({ code: 'SCM90031' });
  });

  it('keeps numbers as ciphers, and shows them by a logged act', async () => {
    const { id, input } = await waitingMark(app, { mobile: '13812345678' }, maker);
    const stored = await own(app.db).selectFrom('enrolmentSpecialUser').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain(input.idNo);
    expect(JSON.stringify(stored)).not.toContain('13812345678');
    expect((await detail(id)).mark).toMatchObject({ mobileMasked: '138****5678' });
    expect(await app.ok(revealSpecialUser, { id, field: 'idNo' }, { as: checker })).toEqual({ value: input.idNo });
    const { rows } = await app.ok(querySpecialUserList, { mobile: '13812345678' }, { as: maker });
    expect(rows.map((row) => row.id)).toEqual([id]);
  });

  it('concerns its products, its person and its days alone, and counts what it did', async () => {
    const { productId } = await hmoProduct(app);
    const { productId: another } = await hmoProduct(app);
    const files = await evidence(app, maker);
    const made = await passedMark(
      app,
      { markType: 'BLOCK', mobile: '13700002222', productIds: [productId], startDate: today(), evidenceFileIds: files },
      maker,
    );
    const person = { idNoHash: idNoHash(app.kernel.secrets, made.input.idNo ?? ''), mobileHash: null };
    const marks = (id: string, day = today(), of: Parameters<typeof personMarks>[1] = person) =>
      personMarks(app.db, of, { productId: id, productLine: 'HMO' }, day);
    expect(await marks(productId)).toMatchObject([{ markId: made.id, markType: 'BLOCK', reason: made.input.reason }]);
    expect(await marks(another)).toEqual([]);
    expect(await personMarks(app.db, person, { productId, productLine: 'STANDARD' }, today())).toEqual([]);
    expect(await marks(productId, plusDays(today(), -1))).toEqual([]);
    expect(await marks(productId, plusDays(made.input.endDate, 1))).toEqual([]);
    const sameMobile = mobileHash(app.kernel.secrets, '13700002222');
    expect(await marks(productId, today(), { idNoHash: 'another', mobileHash: sameMobile })).toEqual([]);
    expect(await marks(productId, today(), { idNoHash: null, mobileHash: sameMobile })).toHaveLength(1);
    await app.kernel.transactions.run('test', ({ tx }) => countHits(tx, [made.id]));
    expect((await detail(made.id)).mark.hits).toBe(1);
  });

  it('is over the day after its last one', async () => {
    const { id } = await passedMark(app, { startDate: today(), endDate: plusDays(today(), 1) }, maker);
    const seen = async () => app.ok(querySpecialUserDetail, { id }, { as: await markKeeper(app) });
    await app.advance(days(1));
    expect((await seen()).mark.state).toBe('EFFECTIVE');
    await app.advance(days(1));
    const { mark, trail } = await seen();
    expect(mark.state).toBe('EXPIRED');
    expect(trail.at(-1)).toMatchObject({ action: 'expire', displayName: '系统' });
  });
});
