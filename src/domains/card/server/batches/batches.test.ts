import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '../../../../testing/staff.ts';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { ledgerOf } from '../../../ledger/server/index.ts';
import {
  auditBatch,
  batchDetails,
  closeBatch,
  exportBatchSecret,
  revealBatchPassword,
  submitBatch,
  voidBatch,
} from '../../contract/calls/batches.ts';
import { isCardNo } from '../cards/cardNo.ts';
import { own } from '../database.ts';
import { inTurn, keeper } from '../testing/fixtures.ts';
import { draftBatch, generatedBatch, generatingBatch, submittedBatch } from '../testing/issue.ts';
import { unsoldOf } from '../use/accounts.ts';
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
  inTurn(app, async ({ tx, now }) => (await ledgerOf(app.kernel).balance(tx, unsoldOf(batchId), now)).posted);

describe('a batch is passed', () => {
  it('by nobody who asked for it, and at 500,000 yuan by two', async () => {
    const waiting = await submittedBatch(app, maker, 1, 50_000_000);
    const first = { ...waiting, stage: 'FIRST' as const, decision: 'approve' as const };
    expect(await app.refused(auditBatch, first, { as: maker })).toMatchObject({ code: 'SCM17003', message: '不能审批本人提交的单据' });
    const passed = await app.ok(auditBatch, first, { as: checker });
    expect(passed.status).toBe('PENDING_SECOND');
    const second = { batchId: passed.id, version: passed.version, stage: 'SECOND' as const, decision: 'approve' as const, opinion: '同意' };
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
    const ctx = { kernel: app.kernel, db: app.db, now: app.clock.now(), traceId: 'test', signal: new AbortController().signal };
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
    const { password } = await app.ok(revealBatchPassword, { batchId }, { as: checker });
    expect(password).toHaveLength(16);
    version += 1;
    expect(await app.refused(revealBatchPassword, { batchId }, { as: checker })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(exportBatchSecret, { batchId, version, opinion: '核对' }, { as: checker })).toMatchObject({
      fields: [{ message: '已查看文件密码的人不能下载卡密文件，请由他人下载' }],
    });
    await take();
    await take();
    expect(await app.refused(exportBatchSecret, { batchId, version, opinion: '再次下载' }, { as: maker })).toMatchObject({
      code: 'SCM17004',
      message: '卡密文件最多下载3次',
    });
    const { exports } = await app.ok(batchDetails, { batchId }, { as: maker });
    expect(exports.map(({ action }) => action).toSorted()).toEqual(['EXPORT', 'EXPORT', 'EXPORT', 'REVEAL']);
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
