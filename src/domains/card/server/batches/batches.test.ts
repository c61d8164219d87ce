import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productStatusChanged } from '#events/insurance.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { usccOf } from '#kernel/contract/uscc.ts';
import { jobContext } from '#testing/jobContext.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { own as identity } from '#domains/identity/server/database.ts';
import { openStore } from '#domains/institution/server/testing/fixtures.ts';
import { addInsurer, modifyInsurer } from '#domains/insurance/contract/insurers/calls.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { makeCompany } from '#domains/pharma/server/testing/fixtures.ts';
import {
  addBatch,
  auditBatch,
  batchDetails,
  closeBatch,
  exportBatchSecret,
  modifyBatch,
  revealBatchPassword,
  submitBatch,
  voidBatch,
} from '../../contract/calls/batches.ts';
import { querySelectOptions } from '../../contract/calls/cards.ts';
import { addCardType, disableCardType, enableCardType, modifyCardType, queryCardTypeList } from '../../contract/calls/types.ts';
import { isCardNo } from '../cards/cardNo.ts';
import { own } from '../database.ts';
import { inTransaction, keeper } from '../testing/fixtures.ts';
import { batchWish, draftBatch, enabledType, generatedBatch, generatingBatch, submittedBatch, typeWish } from '../testing/issue.ts';
import { unsoldOf } from '../chart.ts';
import { generateJob } from './generate.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  checker = await keeper(app);
});
afterAll(() => app.close());

const cardsOf = (batchId: string) =>
  own(app.db).selectFrom('cardCard').select(['cardNo', 'state', 'secretHash']).where('batchId', '=', batchId).execute();
const unsold = async (batchId: string) =>
  inTransaction(app, async ({ tx, now }) => (await ledgerOf(app.kernel).balance(tx, unsoldOf(batchId), now)).posted);

describe('a card type', () => {
  const add = (more: Partial<InputOf<typeof addCardType>> = {}) => app.ok(addCardType, { ...typeWish(), ...more }, { as: maker });
  const rowOf = async (id: string) =>
    (await app.ok(queryCardTypeList, { pageSize: 100 }, { as: maker })).rows.find((row) => row.id === id)!;

  it('is paid for by an insurer that works with us, under one number whatever he is called', async () => {
    const desk = await app.staff({ permissions: ['insurance.insurer.view', 'insurance.insurer.edit'] });
    const facts: InputOf<typeof addInsurer> = {
      insurerCode: 'CARD1',
      insurerName: '长江健康保险股份有限公司',
      shortName: '长江健康',
      insurerType: 'HEALTH',
      uscc: usccOf('91310000MA1K9CARD'),
      contacts: [{ name: '王敏', role: 'CLAIM', mobile: '13800138000' }],
      auditMode: 'PLATFORM',
      fundMode: 'ADVANCE',
      invoiceVariant: 'STANDARD',
    };
    const paidBy = (funderName: string) => ({ funder: 'INSURER' as const, funderName });
    const unknown = await app.refused(addCardType, { ...typeWish(), ...paidBy(facts.insurerName) }, { as: maker });
    expect(unknown.fields).toMatchObject([{ path: 'funderId', message: '请选择已启用的保司，没有时先在产品后台的保司中新增' }]);
    const made = await app.ok(addInsurer, facts, { as: desk });
    const first = await rowOf((await add(paidBy(facts.insurerName))).id);
    expect(first).toMatchObject({ funder: 'INSURER', funderName: facts.insurerName });
    const renamed = { ...facts, insurerName: '长江人寿健康保险股份有限公司' };
    await app.ok(modifyInsurer, { ...renamed, id: made.id, version: made.version }, { as: desk });
    expect((await app.refused(addCardType, { ...typeWish(), ...paidBy(facts.insurerName) }, { as: maker })).fields).toHaveLength(1);
    expect(await rowOf((await add(paidBy(renamed.insurerName))).id)).toMatchObject({
      funderId: first.funderId,
      funderName: renamed.insurerName,
    });
  });

  it('names its funder by a register, so that two of one name are one account in the books', async () => {
    const refused = async (more: Partial<InputOf<typeof addCardType>>) =>
      (await app.refused(addCardType, { ...typeWish(), ...more }, { as: maker })).fields?.[0];
    expect(await refused({ funderName: ' ' })).toMatchObject({ path: 'funderId', message: '请选择出资方' });
    expect(await refused({ funder: 'SPONSOR', funderId: '999999999' })).toMatchObject({ path: 'funderId' });
    expect(await refused({ funder: 'PHARMA', funderName: '某药企' })).toMatchObject({ path: 'funderId', message: '请选择出资药企' });
    const names = ['甲企业', '乙企业', '甲企业'];
    const ids = [];
    for (const funderName of names) ids.push((await rowOf((await add({ funder: 'SPONSOR', funderName })).id)).funderId);
    expect(ids[0]).toBe(ids[2]);
    expect(new Set(ids).size).toBe(2);
    const options = await app.ok(querySelectOptions, { type: 'SPONSOR', keyword: '甲' }, { as: maker });
    expect(options).toEqual([{ value: ids[0], label: '甲企业' }]);
    const company = await makeCompany(app);
    const byCompany = await add({ funder: 'PHARMA', funderId: company.id, funderName: '别的名字' });
    expect(await rowOf(byCompany.id)).toMatchObject({ funderId: company.id, funderName: company.name });
    const own = await add({ kind: 'COUPON', funder: 'PLATFORM', faceAmount: 0, couponRule: { mode: 'CASH', threshold: 0, value: 100 } });
    expect(await rowOf(own.id)).toMatchObject({ funderId: null, funderName: '平台' });
    const store = await openStore(app);
    expect(await app.ok(querySelectOptions, { type: 'DRUGSTORE', ids: [store.id] }, { as: maker })).toEqual([
      { value: store.id, label: store.name },
    ]);
    expect(await app.ok(querySelectOptions, { type: 'CATEGORY', ids: ['NO-SUCH'] }, { as: maker })).toEqual([]);
  });

  it('is offered for being taken out of use when its product is no longer sold, once each time', async () => {
    const type = await add({ productCode: 'P-WITHDRAWN' });
    const enabled = await app.ok(enableCardType, type, { as: maker });
    const tell = async (from: string, to: string) => {
      await inTransaction(app, (use) => use.publish(productStatusChanged, '77', { productId: '77', productCode: 'P-WITHDRAWN', from, to }));
      await app.runDue();
    };
    const todos = async () =>
      (
        await identity(app.db)
          .selectFrom('identityNotice')
          .select(['title', 'state'])
          .where('businessKey', 'like', `card.type.${type.id}.%`)
          .orderBy('id')
          .execute()
      ).map(({ title, state }) => `${state} ${title}`);
    const asked = (word: string) => `产品P-WITHDRAWN${word}，请确认是否停用卡种“门诊储值卡”`;
    await tell('ON_SALE', 'SUSPENDED');
    expect(await todos()).toEqual([`PUBLISHED ${asked('已停售')}`]);
    expect(await rowOf(type.id)).toMatchObject({ productState: 'SUSPENDED', status: 'ENABLED' });
    await tell('SUSPENDED', 'ON_SALE');
    expect(await todos()).toEqual([`DONE ${asked('已停售')}`]);
    expect(await rowOf(type.id)).toMatchObject({ productState: null });
    await tell('ON_SALE', 'RETIRED');
    await app.ok(disableCardType, enabled, { as: maker });
    expect(await todos()).toEqual([`DONE ${asked('已停售')}`, `DONE ${asked('已下架')}`]);
  });

  it('has a code of its own, and stays in use as long as a batch of it is open', async () => {
    const wish = typeWish();
    const type = await app.ok(addCardType, wish, { as: maker });
    expect(await app.refused(addCardType, wish, { as: maker })).toMatchObject({ code: 'SCM17006', message: '卡种编码已存在' });
    expect(await app.refused(addBatch, batchWish(type.id), { as: maker })).toMatchObject({ code: 'SCM17001', message: '卡种未启用' });
    const enabled = await app.ok(enableCardType, type, { as: maker });
    await app.ok(addBatch, batchWish(type.id), { as: maker });
    expect(await app.refused(disableCardType, enabled, { as: maker })).toMatchObject({
      code: 'SCM17007',
      message: '存在未关闭批次，不能停用',
    });
  });

  it('keeps what its value is owed and settled under once it is in use: product, business line, funder', async () => {
    const { typeCode, kind: _kind, ...facts } = { ...typeWish(), productCode: 'P-ONE' };
    const { id, version } = await app.ok(addCardType, { ...facts, typeCode, kind: 'STORED_VALUE' }, { as: maker });
    const draft = await app.ok(modifyCardType, { ...facts, id, version, productCode: 'P-TWO', bizLine: 'DAAS' }, { as: maker });
    const enabled = await app.ok(enableCardType, { id, version: draft.version }, { as: maker });
    const kept = { ...facts, id, version: enabled.version, productCode: 'P-TWO', bizLine: 'DAAS' as const };
    const wishes = [
      ['productCode', { productCode: 'P-ONE' }],
      ['productCode', { productCode: null }],
      ['bizLine', { bizLine: 'HMO' as const }],
      ['funder', { fundingMode: 'PREPAID' as const }],
      ['funder', { funderName: '另一家企业' }],
    ] as const;
    for (const [path, change] of wishes)
      expect(await app.refused(modifyCardType, { ...kept, ...change }, { as: maker })).toMatchObject({
        code: 'SCM90020',
        fields: [{ path }],
      });
    const renamed = await app.ok(modifyCardType, { ...kept, typeName: '门诊储值卡二期' }, { as: maker });
    await app.ok(disableCardType, { id, version: renamed.version }, { as: maker });
    expect(await app.refused(modifyCardType, { ...kept, version: renamed.version + 1, productCode: 'P-ONE' }, { as: maker })).toMatchObject(
      { code: 'SCM90020' },
    );
  });
});

describe('a batch is worth', () => {
  it('no more than the settings allow, as written and as changed', async () => {
    const cardTypeId = await enabledType(app);
    const wish = { ...batchWish(cardTypeId, 100_000, 100_000_000), bonusAmount: 100_000_000 };
    expect(await app.refused(addBatch, wish, { as: maker })).toMatchObject({
      code: 'SCM17008',
      message: '批次总金额200000000000.00元超过上限10000000.00元，请减少数量或面额',
    });
    const most = { ...batchWish(cardTypeId, 1000, 1_000_000), bonusAmount: 0 };
    expect(await app.refused(addBatch, { ...most, bonusAmount: 1 }, { as: maker })).toMatchObject({ code: 'SCM17008' });
    const made = await app.ok(addBatch, most, { as: maker });
    const { cardTypeId: _type, ...change } = most;
    const more = { ...change, batchId: made.id, version: made.version, quantity: 1001 };
    expect(await app.refused(modifyBatch, more, { as: maker })).toMatchObject({ code: 'SCM17008' });
    const allow = (yuan: number) =>
      identity(app.db)
        .updateTable('identitySecurityPolicy')
        .set({ settings: sql`settings || ${JSON.stringify({ cardBatchMaxYuan: yuan })}::jsonb` })
        .where('id', '=', 1)
        .execute();
    await allow(10_010_000);
    await app.ok(modifyBatch, more, { as: maker });
    await allow(10_000_000);
    expect(await app.refused(submitBatch, { batchId: made.id, version: made.version + 1 }, { as: maker })).toMatchObject({
      code: 'SCM17008',
    });
  });
});

describe('a batch is passed', () => {
  it('by nobody who asked for it, and at 500,000 yuan by two', async () => {
    const waiting = await submittedBatch(app, maker, 1, 50_000_000);
    const first = { ...waiting, stage: 'FIRST' as const, decision: 'approve' as const };
    const offered = async (as: TestStaff) => (await app.ok(batchDetails, { batchId: waiting.batchId }, { as })).allowedActions;
    expect(await offered(maker)).toEqual(['reject']);
    expect(await offered(checker)).toEqual(['approve', 'reject']);
    expect(await app.refused(auditBatch, first, { as: maker })).toMatchObject({ code: 'SCM17003', message: '不能审批本人提交的单据' });
    const passed = await app.ok(auditBatch, first, { as: checker });
    expect(passed.status).toBe('PENDING_SECOND');
    const second = { batchId: passed.id, version: passed.version, stage: 'SECOND' as const, decision: 'approve' as const, opinion: '同意' };
    expect(await offered(checker)).toEqual(['reject']);
    expect(await app.refused(auditBatch, second, { as: checker })).toMatchObject({ code: 'SCM17003' });
    expect(await app.ok(auditBatch, second, { as: await keeper(app) })).toMatchObject({ status: 'APPROVED' });
  });

  it('once below, and sent back only with a reason', async () => {
    const waiting = await submittedBatch(app, maker, 2_499, 20_000);
    const back = { ...waiting, stage: 'FIRST' as const, decision: 'reject' as const };
    expect(await app.refused(auditBatch, back, { as: checker })).toMatchObject({ code: 'SCM90020' });
    const rejected = await app.ok(auditBatch, { ...back, opinion: '用途不清' }, { as: checker });
    const again = await app.ok(submitBatch, { batchId: rejected.id, version: rejected.version }, { as: maker });
    expect(
      await app.ok(auditBatch, { batchId: again.id, version: again.version, stage: 'FIRST', decision: 'approve' }, { as: checker }),
    ).toMatchObject({ status: 'APPROVED' });
  });
});

describe('cards are made', () => {
  it('exactly as many as asked for, however often the work is broken off', async () => {
    const { batchId } = await generatingBatch(app, maker, 2_300);
    let chunks = 0;
    const ctx = jobContext(app);
    const job = generateJob(app.kernel);
    await expect(
      job.run(
        { batchId },
        {
          ...ctx,
          transaction(work) {
            chunks += 1;
            if (chunks > 1) throw new Error('killed');
            return app.kernel.transactions.run('test', work);
          },
        },
      ),
    ).rejects.toThrow('killed');
    expect(await app.ok(batchDetails, { batchId }, { as: maker })).toMatchObject({ status: 'GENERATING', generatedCount: 1_000 });
    await app.runDue();
    const cards = await cardsOf(batchId);
    expect(cards).toHaveLength(2_300);
    expect(new Set(cards.map(({ cardNo }) => cardNo)).size).toBe(2_300);
    expect(cards.filter(({ cardNo, state }) => !isCardNo(cardNo) || state !== 'IN_STOCK')).toEqual([]);
    expect(await unsold(batchId)).toBe(2_300n * 20_000n);
    expect(await app.ok(batchDetails, { batchId }, { as: maker })).toMatchObject({ status: 'GENERATED', generatedCount: 2_300 });
  });
});

describe('the secrets of a batch', () => {
  it('are taken three times at most, their password once by somebody else, and each look is kept', async () => {
    const { batchId, version: first } = await generatedBatch(app, maker, 2);
    let version = first;
    const offered = async () => (await app.ok(batchDetails, { batchId }, { as: checker })).allowedActions.includes('reveal');
    expect(await offered()).toBe(false);
    expect(await app.refused(revealBatchPassword, { batchId }, { as: checker })).toMatchObject({
      code: 'SCM17009',
      message: '卡密尚未导出，导出后再查看该文件的密码',
    });
    const take = async () => {
      const answer = await app.send(exportBatchSecret, { batchId, version, opinion: '交付印刷' }, { as: maker });
      version += 1;
      return answer;
    };
    const { file } = await take();
    expect(file?.subarray(0, 2).toString()).toBe('PK');
    expect(await app.refused(revealBatchPassword, { batchId }, { as: maker })).toMatchObject({
      fields: [{ message: '提交人和下载人不能查看文件密码，请由审批人查看' }],
    });
    expect(await offered()).toBe(true);
    const { password } = await app.ok(revealBatchPassword, { batchId }, { as: checker });
    expect(password).toHaveLength(16);
    version += 1;
    expect(await offered()).toBe(false);
    expect(await app.refused(revealBatchPassword, { batchId }, { as: checker })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(exportBatchSecret, { batchId, version, opinion: '核对' }, { as: checker })).toMatchObject({
      fields: [{ message: '已查看文件密码的人不能下载卡密文件，请由他人下载' }],
    });
    // The next file has another password, which is told once again.
    await take();
    const next = await app.ok(revealBatchPassword, { batchId }, { as: checker });
    expect(next.password).toHaveLength(16);
    expect(next.password).not.toBe(password);
    version += 1;
    await take();
    expect(await app.refused(exportBatchSecret, { batchId, version, opinion: '再次下载' }, { as: maker })).toMatchObject({
      code: 'SCM17004',
      message: '卡密文件最多下载3次',
    });
    const { exports } = await app.ok(batchDetails, { batchId }, { as: maker });
    expect(exports.map(({ action }) => action).toSorted()).toEqual(['EXPORT', 'EXPORT', 'EXPORT', 'REVEAL', 'REVEAL']);
    await app.ok(closeBatch, { batchId, version, opinion: '项目结束' }, { as: checker });
    const closed = await own(app.db)
      .selectFrom('cardBatch')
      .select(['secretSeed', 'passwordCipher'])
      .where('id', '=', batchId)
      .executeTakeFirstOrThrow();
    expect(closed).toEqual({ secretSeed: null, passwordCipher: null });
    expect((await cardsOf(batchId)).map(({ state }) => state)).toEqual(['VOIDED', 'VOIDED']);
    expect(await unsold(batchId)).toBe(0n);
  });
});

describe('a batch is made void', () => {
  it('never with a card that somebody has', async () => {
    const { batchId, version } = await generatedBatch(app, maker, 2);
    const first = await own(app.db)
      .selectFrom('cardCard')
      .select('id')
      .where('batchId', '=', batchId)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const setState = (state: 'ISSUED' | 'IN_STOCK') =>
      own(app.db).updateTable('cardCard').set({ state }).where('id', '=', first.id).execute();
    const ask = { batchId, version, opinion: '印刷有误' };
    await setState('ISSUED');
    expect(await app.refused(voidBatch, ask, { as: checker, idempotencyKey: 'card-void-1' })).toMatchObject({
      code: 'SCM17005',
      message: '已有1张卡发放，不能整批作废',
    });
    await setState('IN_STOCK');
    expect(await app.ok(voidBatch, ask, { as: checker, idempotencyKey: 'card-void-2' })).toMatchObject({ status: 'VOIDED' });
    expect(await unsold(batchId)).toBe(0n);
  });

  it('and is asked for in GET without changing anything', async () => {
    const { batchId, version } = await draftBatch(app, maker);
    const answer = await app.send(batchDetails, { batchId }, { as: maker });
    expect(answer.headers['cache-control']).toContain('no-store');
    expect(await app.ok(batchDetails, { batchId }, { as: maker })).toMatchObject({ status: 'DRAFT', version });
  });
});
