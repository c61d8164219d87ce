import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PayloadOf } from '#kernel/contract/event.ts';
import { days, plusDays, plusMs } from '#kernel/contract/time.ts';
import { contractActivated } from '#events/enrolment.ts';
import { jobContext } from '#testing/jobContext.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult, queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { idNoHash } from '#domains/patient/server/index.ts';
import {
  addGrant,
  auditGrant,
  importGrant,
  queryGrantDetail,
  queryGrantLineList,
  queryGrantList,
  retryGrant,
  revokeGrant,
  submitGrant,
} from '../../contract/calls/grants.ts';
import { batchDetails } from '../../contract/calls/batches.ts';
import { addFundPrepay, auditFundPrepay } from '../../contract/calls/funds.ts';
import { previewSettlement } from '../../contract/calls/settlement.ts';
import { CARD_VOUCHER } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { lookAll } from '../findings/invariants.ts';
import { hold, holdRequest, inTransaction, keeper, nextId, useLine } from '../testing/fixtures.ts';
import { doneGrant, draftGrant, passGrant, shortGrant, someone, stockedType, submittedGrant } from '../testing/grants.ts';
import { captureHold } from '../use/capture.ts';
import { enabledType } from '../testing/issue.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { dueLinesJob } from './execute.ts';
import { grantColumns } from './importer.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  checker = await keeper(app);
});
afterAll(() => app.close());

let keys = 0;
const key = (as: TestStaff) => ({ as, idempotencyKey: `card-grant-test-${(keys += 1)}` });
const linesOf = async (grantId: string) => (await app.ok(queryGrantLineList, { grantId }, { as: maker })).rows;
const grantOf = (grantId: string) => app.ok(queryGrantDetail, { grantId }, { as: maker });
const cardOf = (cardId: string) =>
  own(app.db)
    .selectFrom('cardCard')
    .select(['state', 'principalAvail', 'bonusAvail', 'holderName', 'patientId'])
    .where('id', '=', cardId)
    .executeTakeFirstOrThrow();
const sound = async () => expect(await inTransaction(app, (use) => lookAll(use, ledgerOf(app.kernel), []))).toMatchObject({ found: 0 });
const dueOfType = async (cardTypeId: string) =>
  (await own(app.db).selectFrom('cardGrantDue').select(['amount']).where('cardTypeId', '=', cardTypeId).orderBy('id').execute()).map(
    ({ amount }) => Number(amount),
  );

describe('one person', () => {
  it('gets value only by somebody else, on a card of the stock, and more of it on the same card', async () => {
    const cardTypeId = await stockedType(app);
    const person = someone();
    expect(await app.refused(addGrant, { cardTypeId, ...person, idNo: '110101199003070012', amount: 1 }, { as: maker })).toMatchObject({
      fields: [{ message: '请输入正确的证件号' }],
    });
    expect(await app.refused(addGrant, { cardTypeId, ...person, mobile: '123', amount: 1 }, { as: maker })).toMatchObject({
      fields: [{ message: '请输入正确的手机号' }],
    });
    expect(await app.refused(addGrant, { cardTypeId, ...person, amount: 0 }, { as: maker })).toMatchObject({
      fields: [{ message: '发放金额须大于0' }],
    });
    const waiting = await submittedGrant(app, maker, { cardTypeId, ...person, amount: 20_000, bonus: 500, outerSerialNo: 'WB-1' });
    const decide = { ...waiting, stage: 'FIRST' as const, decision: 'approve' as const };
    const offered = async (as: TestStaff) => (await app.ok(queryGrantDetail, { grantId: waiting.grantId }, { as })).allowedActions;
    expect(await offered(maker)).not.toContain('approve');
    expect(await offered(checker)).toContain('approve');
    expect(await app.refused(auditGrant, decide, key(maker))).toMatchObject({ code: 'SCM17003' });
    await passGrant(app, waiting);
    const [line] = await linesOf(waiting.grantId);
    expect(line).toMatchObject({ state: 'SUCCESS', amount: 20_000, bonus: 500, outerSerialNo: 'WB-1' });
    expect(await cardOf(line!.cardId!)).toMatchObject({ state: 'ACTIVE', principalAvail: '20000', bonusAvail: '500' });
    // The bonus that a funder gives is owed at once, the principal when it is used.
    expect(await dueOfType(cardTypeId)).toEqual([500]);
    expect(await app.refused(addGrant, { cardTypeId, ...person, amount: 1, outerSerialNo: 'WB-1' }, { as: maker })).toMatchObject({
      code: 'SCM17020',
    });
    const again = await doneGrant(app, maker, { cardTypeId, ...person, amount: 3_000 });
    expect((await linesOf(again.grantId))[0]!.cardId).toBe(line!.cardId);
    expect(await cardOf(line!.cardId!)).toMatchObject({ principalAvail: '23000', bonusAvail: '500' });
    await sound();
  });

  it('is said to wait while nobody works on what was passed, since when, and gets it once', async () => {
    const cardTypeId = await stockedType(app);
    const waiting = await submittedGrant(app, maker, { cardTypeId });
    const { id: grantId } = await app.ok(auditGrant, { ...waiting, stage: 'FIRST', decision: 'approve' }, key(checker));
    const job = (set: string) =>
      app.database.asOwner(`update pgboss.job set ${set} where name = 'card.grant' and data ->> 'grantId' = '${grantId}'`);
    const ago = (n: number) => plusMs(app.clock.now(), -n * 1000);
    const since = async () => {
      const { status, waitingSince } = await grantOf(grantId);
      const { rows } = await app.ok(queryGrantList, { status: ['EXECUTING'] }, { as: maker });
      expect(rows.find(({ id }) => id === grantId)?.waitingSince ?? null).toBe(waitingSince);
      return `${status} ${waitingSince === null ? 'runs' : 'waits'}`;
    };
    expect(await since()).toBe('EXECUTING runs');
    await job(`state = 'active', started_on = '${ago(90)}', heartbeat_on = '${ago(20)}'`);
    expect(await since()).toBe('EXECUTING runs');
    await job(`heartbeat_on = '${ago(31)}'`);
    expect(await since()).toBe('EXECUTING waits');
    await job(`state = 'retry'`);
    expect(await since()).toBe('EXECUTING waits');
    await app.runDue();
    expect(await since()).toBe('DONE runs');
    expect((await linesOf(grantId)).map(({ state }) => state)).toEqual(['SUCCESS']);
  });

  it('gets what begins later on its day, with the card that it is on', async () => {
    const cardTypeId = await stockedType(app);
    const today = app.clock.today();
    const wish = { cardTypeId, ...someone(), amount: 20_000 };
    const refusals = [
      { effectiveFrom: plusDays(today, 181) },
      { expireOn: plusDays(today, -1) },
      { effectiveFrom: plusDays(today, 9), expireOn: plusDays(today, 8) },
    ];
    const told = [];
    for (const more of refusals) told.push((await app.refused(addGrant, { ...wish, ...more }, { as: maker })).fields?.[0]);
    expect(told).toEqual([
      { path: 'effectiveFrom', message: '生效日期不能晚于180天后' },
      { path: 'expireOn', message: '失效日期不能早于今天' },
      { path: 'expireOn', message: '失效日期不能早于生效日期' },
    ]);
    const waiting = await submittedGrant(app, maker, { ...wish, effectiveFrom: plusDays(today, 2) });
    const { grantId } = await passGrant(app, waiting);
    expect(await grantOf(grantId)).toMatchObject({ status: 'EXECUTING', okCount: 0 });
    const [line] = await linesOf(grantId);
    expect(line).toMatchObject({ state: 'PENDING', effectiveFrom: plusDays(today, 2), cardId: null });
    await app.advance(days(2), ['card', 'ledger']);
    [maker, checker] = [await keeper(app), await keeper(app)];
    await inTransaction(app, (use) => ledgerOf(app.kernel).openPeriods(use, app.clock.today()));
    await app.runDue();
    const ctx = jobContext(app);
    await dueLinesJob(app.kernel).run({}, { ...ctx, transaction: (work) => app.kernel.transactions.run('test', work) });
    await app.runDue();
    expect(await grantOf(grantId)).toMatchObject({ status: 'DONE', okCount: 1 });
    expect((await linesOf(grantId))[0]).toMatchObject({ state: 'SUCCESS' });
    await sound();
  });

  it('who holds a card of a type that is given once, or finds none in stock, gets none; what failed is tried again', async () => {
    const short = await shortGrant(app, maker);
    expect(await grantOf(short.grantId)).toMatchObject({ status: 'PART_DONE', failCount: 1, okCount: 0 });
    expect((await linesOf(short.grantId))[0]).toMatchObject({ state: 'FAILED', failReason: '库存卡不足：需1张，在库0张' });
    await app.ok(retryGrant, short, key(maker));
    await app.runDue();
    expect(await grantOf(short.grantId)).toMatchObject({ status: 'PART_DONE', failCount: 1 });

    const cardTypeId = await stockedType(app, { oneCardPerPerson: true });
    const person = someone();
    await doneGrant(app, maker, { cardTypeId, ...person });
    const second = await doneGrant(app, maker, { cardTypeId, ...person });
    expect((await linesOf(second.grantId))[0]).toMatchObject({ state: 'FAILED', failReason: '同一人同卡种已持卡，不支持重复发放' });
    await sound();
  });

  it('gets no more than the funder has paid before, and two look at 100,000 yuan', async () => {
    const cardTypeId = await stockedType(app, { fundingMode: 'PREPAID' });
    const waiting = await submittedGrant(app, maker, { cardTypeId, amount: 30_000 });
    const decide = { ...waiting, stage: 'FIRST' as const, decision: 'approve' as const };
    expect(await app.refused(auditGrant, decide, key(checker))).toMatchObject({
      code: 'SCM17002',
      message: '出资方预付余额不足，缺300.00元',
    });
    const paid = await app.ok(
      addFundPrepay,
      {
        cardTypeId,
        amount: 50_000,
        bankSerialNo: `YH${nextId()}`,
        receivedOn: '2026-11-01',
        voucherFileId: await uploadPaper(app, maker, CARD_VOUCHER),
      },
      key(maker),
    );
    await app.ok(auditFundPrepay, { prepayId: paid.id, version: paid.version, decision: 'approve' }, key(checker));
    const done = await passGrant(app, waiting);
    expect(await grantOf(done.grantId)).toMatchObject({ status: 'DONE', okCount: 1 });

    const big = await submittedGrant(app, maker, { cardTypeId: await stockedType(app), amount: 10_000_000 });
    const first = await app.ok(auditGrant, { ...big, stage: 'FIRST', decision: 'approve' }, key(checker));
    expect(first.status).toBe('PENDING_SECOND');
    const next = { grantId: first.id, version: first.version, stage: 'SECOND' as const, decision: 'approve' as const };
    expect(await app.refused(auditGrant, next, key(checker))).toMatchObject({ code: 'SCM17003' });
    expect(await app.ok(auditGrant, next, key(await keeper(app)))).toMatchObject({ status: 'EXECUTING' });
    await app.runDue();
    await sound();
  });
});

describe('a contract that begins', () => {
  it('gives its holder value by numbers that travel enciphered; in clear they are not published at all', async () => {
    const productCode = `TY${nextId()}`;
    const cardTypeId = await stockedType(app, { productCode });
    const { holderName: name, idType, idNo, mobile } = someone();
    const contractId = nextId();
    const begin = (holder: PayloadOf<typeof contractActivated>['holder']) =>
      inTransaction(app, ({ publish }) =>
        publish(contractActivated, contractId, {
          contractId,
          contractNo: `HT${contractId}`,
          chainId: '1',
          patientId: '1',
          hospitalId: null,
          productLine: 'SPECIAL',
          productCode,
          productName: '特药保障计划',
          productId: '1',
          productVersionId: '1',
          policyId: null,
          policyNo: null,
          insuredItemId: null,
          holder,
          startDate: app.clock.today(),
          endDate: plusDays(app.clock.today(), 364),
          seq: 1,
        }),
      );
    const { encrypt } = app.kernel.secrets;
    await expect(begin({ name, idType, idNoCipher: idNo, mobileCipher: encrypt(mobile) })).rejects.toThrow('idNoCipher');
    await expect(begin({ name, idType, idNoCipher: encrypt(idNo), mobileCipher: mobile })).rejects.toThrow('mobileCipher');
    await begin({ name, idType, idNoCipher: encrypt(idNo), mobileCipher: encrypt(mobile) });
    await app.runDue();
    const { id } = await own(app.db)
      .selectFrom('cardGrant')
      .select('id')
      .where('sourceKey', '=', `contract:${contractId}:${cardTypeId}`)
      .executeTakeFirstOrThrow();
    const line = await own(app.db).selectFrom('cardGrantLine').selectAll().where('grantId', '=', id).executeTakeFirstOrThrow();
    expect(line).toMatchObject({ holderName: name, idNoHash: idNoHash(app.kernel.secrets, idNo), state: 'SUCCESS' });
    expect([line.idNoCipher, line.mobileCipher].map((cipher) => app.kernel.secrets.decrypt(cipher))).toEqual([idNo, mobile]);
  });
});

describe('a grant is taken back', () => {
  it('as far as it is neither spent nor held', async () => {
    const cardTypeId = await stockedType(app, { fundingMode: 'ON_GRANT' });
    const done = await doneGrant(app, maker, { cardTypeId, amount: 20_000 });
    const [line] = await linesOf(done.grantId);
    const [spent] = await hold(app, holdRequest([line!.cardId!], [useLine(6_500)]));
    await inTransaction(app, (use) => captureHold(use, ledgerOf(app.kernel), { holdId: spent!.holdId, by: { ...SYSTEM, type: 'AUTO' } }));
    await hold(app, holdRequest([line!.cardId!], [useLine(1_000)]));
    const ask = { ...done, lineId: line!.id, opinion: '误发' };
    expect(await app.refused(revokeGrant, { ...ask, amount: 12_501 }, key(checker))).toMatchObject({
      code: 'SCM17024',
      message: '已使用75.00元，仅可撤回125.00元',
    });
    const part = await app.ok(revokeGrant, { ...ask, amount: 2_500 }, key(checker));
    expect(part.status).toBe('DONE');
    const rest = await app.ok(revokeGrant, { ...ask, version: part.version }, key(checker));
    expect((await linesOf(done.grantId))[0]).toMatchObject({ state: 'PART_REVOKED', revokedAmount: 12_500 });
    expect(await app.refused(revokeGrant, { ...ask, version: rest.version }, key(checker))).toMatchObject({ code: 'SCM17024' });
    const { batchId } = await own(app.db)
      .selectFrom('cardCard')
      .select('batchId')
      .where('id', '=', line!.cardId!)
      .executeTakeFirstOrThrow();
    const { amounts } = await app.ok(batchDetails, { batchId }, { as: maker });
    expect(amounts).toEqual({
      total: 60_000,
      unsold: 40_000,
      voidedStock: 0,
      granted: 20_000,
      available: 0,
      held: 1_000,
      spent: 6_500,
      expired: 0,
      takenBack: 12_500,
      moved: 0,
    });
    // Who settles by grants owes what was granted, less what was taken back.
    expect(await dueOfType(cardTypeId)).toEqual([20_000, -2_500, -10_000]);
    const { funderId } = await own(app.db).selectFrom('cardType').select('funderId').where('id', '=', cardTypeId).executeTakeFirstOrThrow();
    const preview = await app.ok(
      previewSettlement,
      {
        direction: 'RECEIVABLE',
        kind: 'STORED_VALUE',
        bizLine: 'HMO',
        periodFrom: '2026-11-01',
        periodTo: '2026-11-21',
        cutoffAt: app.clock.now(),
        counterpartyIds: [funderId!],
      },
      { as: maker },
    );
    expect(preview.bills).toMatchObject([{ lineCount: 3, gross: 20_000, reversal: 12_500, net: 7_500 }]);
    await sound();
  });
});

describe('a list of people', () => {
  const run = async (cardTypeId: string, rows: readonly Record<string, string>[]) => {
    const fileId = await uploadRows(app, maker, { columns: grantColumns }, rows);
    const { importTaskId } = await app.ok(importGrant, { cardTypeId, fileId }, { as: maker });
    await app.runDue();
    return { importTaskId, checked: await app.ok(queryImportResult, { importTaskId }, { as: maker }) };
  };
  const faultsOf = async (importTaskId: string) =>
    (await app.ok(queryImportRowList, { importTaskId, hasError: true }, { as: maker })).rows.map(({ rowNo, errors }) => [
      rowNo,
      ...errors.map(({ columnLabel, message }) => `${columnLabel}：${message}`),
    ]);
  const row = (serialNo: string, more: object = {}) => ({
    ...someone(),
    idType: '身份证',
    amount: '200.00',
    outerSerialNo: serialNo,
    ...more,
  });

  it('names what is wrong by row and column and writes nothing; without fault it becomes a grant, once', async () => {
    const cardTypeId = await stockedType(app, { oneCardPerPerson: true }, 2);
    const holder = someone();
    await doneGrant(app, maker, { cardTypeId, ...holder, outerSerialNo: 'LB-0' });
    const bad = await run(cardTypeId, [
      row('LB-1', { idNo: '110101199003070012' }),
      row('LB-2'),
      row('LB-2'),
      row('LB-0'),
      row('LB-3', { ...holder, idType: '身份证' }),
      row('LB-5', { effectiveFrom: plusDays(app.clock.today(), 3), expireOn: plusDays(app.clock.today(), 2) }),
    ]);
    expect(bad.checked).toMatchObject({ state: 'INVALID', errorRows: 5 });
    expect(await faultsOf(bad.importTaskId)).toEqual([
      [2, '证件号：第2行证件号校验不通过'],
      [4, '外部流水号：外部流水号在文件中重复'],
      [5, '外部流水号：第5行外部流水号已发放'],
      [6, '证件号：同一人同卡种已持卡，不支持重复发放'],
      [7, '失效日期：失效日期不能早于生效日期'],
    ]);
    expect((await app.ok(queryGrantList, { cardTypeId, source: 'IMPORT' }, { as: maker })).rows).toEqual([]);

    // Three lines, one card in stock: two lines fail, the first does not.
    const rows = [row('LC-1'), row('LC-2'), row('LC-3')];
    const good = await run(cardTypeId, rows);
    expect(good.checked).toMatchObject({ state: 'READY', newRows: 3 });
    await app.ok(commitImportTask, { importTaskId: good.importTaskId, version: good.checked.version }, key(maker));
    await app.runDue();
    const [grant] = (await app.ok(queryGrantList, { cardTypeId, source: 'IMPORT' }, { as: maker })).rows;
    expect(grant).toMatchObject({ status: 'DRAFT', totalCount: 3, totalAmount: 60_000 });
    const sent = await app.ok(submitGrant, { grantId: grant!.id, version: grant!.version }, { as: maker });
    const done = await passGrant(app, { grantId: sent.id, version: sent.version });
    expect(await grantOf(done.grantId)).toMatchObject({ status: 'PART_DONE', okCount: 1, failCount: 2 });
    expect((await linesOf(done.grantId)).map(({ state }) => state).toSorted()).toEqual(['FAILED', 'FAILED', 'SUCCESS']);

    // The same file is refused as such; the same lines in another one are known by their serial numbers.
    const fileId = await uploadRows(app, maker, { columns: grantColumns }, rows);
    expect(await app.refused(importGrant, { cardTypeId, fileId }, { as: maker })).toMatchObject({ code: 'SCM02038' });
    const again = await run(cardTypeId, [...rows, row('LC-4')]);
    expect(again.checked.state).toBe('INVALID');
    expect((await faultsOf(again.importTaskId)).map(([rowNo]) => rowNo)).toEqual([2, 3, 4]);

    const back = await app.ok(revokeGrant, { ...done, opinion: '名单有误' }, key(checker));
    expect(back.status).toBe('REVOKED');
    await sound();
  });

  it('is not taken for a type that is not in use', async () => {
    const draft = await draftGrant(app, maker, { cardTypeId: await enabledType(app) });
    expect(await grantOf(draft.grantId)).toMatchObject({ status: 'DRAFT', needsSecond: false });
    const { checked } = await run('999999999', [row('LD-1')]);
    expect(checked).toMatchObject({ state: 'INVALID', errorRows: 1 });
  });
});
