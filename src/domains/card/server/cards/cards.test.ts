import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractResumed, contractSuspended } from '#events/enrolment.ts';
import { jobContext } from '#testing/jobContext.ts';
import { signedHeaders } from '#testing/signing.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { freezeLedgerAccount } from '#domains/ledger/contract/calls/accounts.ts';
import { ledgerPermissions } from '#domains/ledger/contract/permissions.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { idNoHash } from '#domains/patient/server/index.ts';
import {
  activateCard,
  batchFreezeCard,
  cardDetails,
  exportCardList,
  freezeCard,
  openBindCard,
  queryCardList,
  queryCardStatement,
  queryCardTotal,
  querySelectOptions,
  resetCardSecret,
  revealCardHolder,
  unfreezeCard,
} from '../../contract/calls/cards.ts';
import { querySettlementLineList } from '../../contract/calls/settlement.ts';
import { exportOrderCardList } from '../../contract/calls/use.ts';
import { exportWriteOffList } from '../../contract/calls/writeOffs.ts';
import { queryDataset, queryPageByToken } from '#domains/lowcode/contract/calls/data.ts';
import { billIn } from '../testing/documents.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import {
  cardRow,
  hold,
  holdRequest,
  inTransaction,
  keeper,
  lotsLeft,
  makeCard,
  makeType,
  openBooks,
  useLine,
  type MadeCard,
} from '../testing/fixtures.ts';
import { principalOf } from '../chart.ts';
import { captureHold } from '../use/capture.ts';
import { hashOfSecret } from './cardNo.ts';
import { expiryNotices } from './events.ts';

let app: TestApp;
let staff: TestStaff;
let other: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
  staff = await keeper(app);
  other = await keeper(app);
});
afterAll(() => app.close());

const RIGHT = 'ABCDEFGH2345';
const ID_NO = '11010519491231002X';
const valued = async (rules: object = {}): Promise<MadeCard> =>
  makeCard(app, await makeType(app, { rules }), { funding: [{ amount: 100_000n }] });
const versionOf = async (cardId: string) =>
  (await own(app.db).selectFrom('cardCard').select('version').where('id', '=', cardId).executeTakeFirstOrThrow()).version;
/** A card as it is when it was handed out and waits for its holder. */
async function waiting(rules: object = { needActivation: true, validMode: 'DAYS', validDays: 30 }): Promise<MadeCard> {
  const card = await valued(rules);
  await own(app.db)
    .updateTable('cardCard')
    .set({
      state: 'ISSUED',
      secretHash: hashOfSecret(app.kernel.secrets, card.cardNo, RIGHT),
      holderIdHash: idNoHash(app.kernel.secrets, ID_NO),
      holderIdMasked: '110105********002X',
      holderIdCipher: app.kernel.secrets.encrypt(ID_NO),
    })
    .where('id', '=', card.cardId)
    .execute();
  return card;
}
const acted = async (cardId: string) => ({ cardId, version: await versionOf(cardId) });

describe('the secret of a card', () => {
  it('is locked for half an hour after five wrong ones, against the right one too', async () => {
    const { cardId } = await waiting();
    const attempt = async (secret: string) => app.refused(activateCard, { ...(await acted(cardId)), secret }, { as: staff });
    for (const left of [4, 3, 2, 1])
      expect(await attempt('WRONG2345678')).toMatchObject({ code: 'SCM17010', message: `卡密错误，还可尝试${left}次` });
    expect(await attempt('WRONG2345678')).toMatchObject({ code: 'SCM17011', message: '卡密已锁定，30分钟后再试' });
    expect(await attempt(RIGHT)).toMatchObject({ code: 'SCM17011' });
    await app.advance(31 * 60_000);
    expect(await attempt('WRONG2345678')).toMatchObject({ code: 'SCM17010', message: '卡密错误，还可尝试4次' });
    const done = await app.ok(activateCard, { ...(await acted(cardId)), secret: RIGHT.toLowerCase() }, { as: staff });
    expect(done.state).toBe('ACTIVE');
    const { card, lots } = await app.ok(cardDetails, { cardId }, { as: staff });
    // The value had no end as long as nobody used the card.
    expect(card.expireAt).not.toBeNull();
    expect(lots.filter(({ left }) => left > 0).map(({ expireAt, left }) => [expireAt, left])).toEqual([[card.expireAt, 100_000]]);
    const logged = await own(app.db).selectFrom('cardSecretLog').select('action').where('cardId', '=', cardId).orderBy('id').execute();
    expect(logged.map(({ action }) => action)).toEqual(['WRONG', 'WRONG', 'WRONG', 'WRONG', 'LOCK', 'WRONG', 'ACTIVATE']);
  });

  it('goes with the holder where his name is asked for, and a reset one is told once', async () => {
    const { cardId } = await waiting({ needActivation: true, needRealName: true, validMode: 'DAYS', validDays: 30 });
    expect(
      await app.refused(activateCard, { ...(await acted(cardId)), secret: RIGHT, holderName: '李四', idNo: ID_NO }, { as: staff }),
    ).toMatchObject({ code: 'SCM17012', message: '实名信息与持卡人不一致' });
    const { secret } = await app.ok(resetCardSecret, { ...(await acted(cardId)), opinion: '持卡人遗失卡密' }, { as: staff });
    expect(await app.refused(activateCard, { ...(await acted(cardId)), secret: RIGHT }, { as: staff })).toMatchObject({ code: 'SCM17010' });
    const proof = { secret, holderName: '张三', idNo: ID_NO };
    expect(await app.ok(activateCard, { ...(await acted(cardId)), ...proof }, { as: staff })).toMatchObject({ state: 'ACTIVE' });
    const { timeline } = await app.ok(cardDetails, { cardId }, { as: staff });
    expect(JSON.stringify(timeline)).not.toContain(secret);
  });

  it('serves the holder in a partner’s app, who is told who he is not', async () => {
    const { cardNo } = await waiting();
    const wrong = { cardNo, secret: RIGHT, holderName: '李四', idNo: ID_NO };
    const bind = async (input: typeof wrong) => ({ headers: await signedHeaders(app, openBindCard, input) });
    expect(await app.refused(openBindCard, wrong, await bind(wrong))).toMatchObject({ code: 'SCM17012' });
    const right = { ...wrong, holderName: '张三' };
    expect(await app.ok(openBindCard, right, await bind(right))).toMatchObject({ state: 'ACTIVE' });
    // Sent again, it is the same card in use.
    expect(await app.ok(openBindCard, right, await bind(right))).toMatchObject({ state: 'ACTIVE' });
  });
});

describe('a frozen card', () => {
  it('sets nothing new aside, what it holds is still captured', async () => {
    const card = await valued();
    const [held] = await hold(app, holdRequest([card.cardId], [useLine(3_000)]));
    const stale = { cardId: card.cardId, version: 1, reasonCode: 'LOST' as const, opinion: '持卡人挂失' };
    expect(await app.refused(freezeCard, stale, { as: staff })).toMatchObject({ code: 'SCM90030' });
    await app.ok(freezeCard, { ...stale, ...(await acted(card.cardId)) }, { as: staff });
    await expect(hold(app, holdRequest([card.cardId], [useLine(100)]))).rejects.toMatchObject({
      code: 'SCM17030',
      message: '卡状态为已冻结，不能使用',
    });
    await inTransaction(app, (use) => captureHold(use, ledgerOf(app.kernel), { holdId: held!.holdId, by: { ...SYSTEM, type: 'AUTO' } }));
    expect(await lotsLeft(app, card)).toEqual([[97_000, 0]]);
    expect(await app.refused(freezeCard, { ...stale, ...(await acted(card.cardId)) }, { as: staff })).toMatchObject({ code: 'SCM90031' });
    await app.ok(unfreezeCard, { ...(await acted(card.cardId)), opinion: '持卡人找回' }, { as: staff });
    await hold(app, holdRequest([card.cardId], [useLine(100)]));
  });

  it('is set free by somebody else where it was frozen for a risk', async () => {
    const { cardId } = await valued();
    await app.ok(freezeCard, { ...(await acted(cardId)), reasonCode: 'RISK', opinion: '疑似盗用' }, { as: staff });
    const free = { ...(await acted(cardId)), opinion: '已核实' };
    expect(await app.refused(unfreezeCard, free, { as: staff })).toMatchObject({ code: 'SCM17003', message: '风险冻结的卡须由他人解冻' });
    expect(await app.ok(unfreezeCard, free, { as: other })).toMatchObject({ state: 'ACTIVE' });
  });

  it('is one of many, each by itself', async () => {
    const [one, two] = [await valued(), await valued()];
    await app.ok(freezeCard, { ...(await acted(two.cardId)), reasonCode: 'OTHER', opinion: '核查中' }, { as: staff });
    const many = { cardIds: [one.cardId, two.cardId], reasonCode: 'REQUEST' as const, opinion: '企业要求' };
    const { done, failures } = await app.ok(batchFreezeCard, many, { as: staff });
    expect(done).toBe(1);
    expect(failures).toMatchObject([{ cardId: two.cardId, message: '当前状态为已冻结，不能执行该操作，请刷新后重试' }]);
  });

  it('follows its contract and the books', async () => {
    const type = await makeType(app);
    const card = await makeCard(app, type, { funding: [{ amount: 5_000n }], contractId: '770001' });
    const event = {
      contractId: '770001',
      contractNo: 'HT770001',
      patientId: '1',
      insuredItemId: null,
      productLine: 'HMO',
      reason: '欠费',
      onDate: '2026-11-24',
      seq: 1,
    };
    const told = (which: typeof contractSuspended) => inTransaction(app, ({ publish }) => publish(which, event.contractId, event));
    await told(contractSuspended);
    await app.runDue();
    expect((await cardRow(app, card.cardId)).state).toBe('FROZEN');
    await told(contractResumed);
    await app.runDue();
    expect((await cardRow(app, card.cardId)).state).toBe('ACTIVE');
    const { accountNo } = await inTransaction(app, (use) =>
      ledgerOf(app.kernel).openAccount(use, principalOf(card.cardId), { ownerName: '' }),
    );
    const bookkeeper = await app.staff({ permissions: Object.values(ledgerPermissions).map(({ code }) => code) });
    await app.ok(freezeLedgerAccount, { accountNo, version: 3, opinion: '账务核查' }, { as: bookkeeper });
    await app.runDue();
    const { card: frozen } = await app.ok(cardDetails, { cardId: card.cardId }, { as: staff });
    expect(frozen).toMatchObject({ state: 'FROZEN', frozenReason: 'LEDGER' });
  });
});

describe('who looks at a card', () => {
  it('finds its holder by the whole name alone, masked without the right to read it', async () => {
    const card = await makeCard(app, await makeType(app), { funding: [{ amount: 7_700n }], holder: '欧阳明月' });
    const looker = await app.staff({ permissions: [may['card.view'].code] });
    expect((await app.ok(queryCardList, { holderKeyword: '欧阳' }, { as: staff })).rows).toEqual([]);
    const found = await app.ok(queryCardList, { holderKeyword: '欧阳明月' }, { as: looker });
    expect(found.rows.map(({ id }) => id)).toEqual([card.cardId]);
    expect(found.rows[0]!.holderName).not.toContain('明月');
    const plain = await app.ok(queryCardList, { holderKeyword: '欧阳明月' }, { as: staff });
    expect(plain.rows[0]!.holderName).toBe('欧阳明月');
    expect(await app.ok(queryCardTotal, { holderKeyword: '欧阳明月' }, { as: looker })).toMatchObject({ count: 1, available: 7_700 });
    const asked = { cardId: card.cardId, field: 'cardNo' as const, reason: '核对卡号' };
    expect(await app.refused(revealCardHolder, asked, { as: looker })).toMatchObject({ code: 'SCM90010' });
    expect(await app.ok(revealCardHolder, asked, { as: staff })).toEqual({ value: card.cardNo });
    const { rows: looks } = await sql<{ label: string; targetId: string }>`
      select label, target_id
        from identity_operation_log
        where kind = 'REVEAL' and user_id = ${staff.userId} and result_code = '0000000'`.execute(app.db);
    expect(looks).toEqual([{ label: '查看持卡人明文', targetId: card.cardId }]);
  });

  it('without the right to read it meets him masked in details, statements, exports and pages of definitions', async () => {
    const name = '诸葛孔明';
    const type = await makeType(app, { bizLine: 'HMO' });
    const card = await makeCard(app, type, { funding: [{ amount: 6_000n }], holder: name });
    const request = holdRequest([card.cardId], [useLine(2_000)]);
    const [held] = await hold(app, request);
    await inTransaction(app, (use) => captureHold(use, ledgerOf(app.kernel), { holdId: held!.holdId, by: { ...SYSTEM, type: 'AUTO' } }));
    const exporting = [may['card.view'].code, may['card.export'].code];
    const [looker, reader] = [
      await app.staff({ permissions: exporting }),
      await app.staff({ permissions: [...exporting, may['card.reveal'].code] }),
    ];
    const csv = { format: 'CSV' } as const;
    const told = async (as: TestStaff) => [
      JSON.stringify(await app.ok(cardDetails, { cardId: card.cardId }, { as })),
      JSON.stringify(await app.ok(queryCardStatement, { cardId: card.cardId }, { as })),
      (await app.file(exportCardList, { ...csv, holderKeyword: name }, { as })).body.toString(),
      (await app.file(exportOrderCardList, { ...csv, orderNo: request.bizNo }, { as })).body.toString(),
      (await app.file(exportWriteOffList, { ...csv, cardId: card.cardId }, { as })).body.toString(),
    ];
    const [masked, plain] = [await told(looker), await told(reader)];
    expect(masked.map((text) => [text.includes(name), text.includes('诸')])).toEqual(masked.map(() => [false, true]));
    // A sheet leaves the house: it is masked for everybody who does not ask for it in plain with a reason.
    expect(plain.map((text) => text.includes(name))).toEqual([true, true, false, false, false]);
    // Card numbers are nobody's to read in full but one by one.
    for (const text of [...masked, ...plain]) expect(text).not.toContain(card.cardNo);
    const { billId } = await billIn(app, 'PENDING_CONFIRM');
    const { versionId } = await app.ok(queryPageByToken, { token: 'tHmoCardSettlement' }, { as: looker });
    const place = { pageToken: 'tHmoCardSettlement', versionId, operation: 'list' };
    const lines = await app.ok(querySettlementLineList, { billId }, { as: looker });
    const shown = [await app.ok(queryDataset, { ...place, datasetCode: 'tHmoCardSettlement' }, { as: looker }), lines];
    expect(shown.map(({ total }) => total > 0)).toEqual([true, true]);
    expect(JSON.stringify(shown)).not.toContain(name);
  });

  it('reads all of it without changing anything, and its statement adds up', async () => {
    const card = await makeCard(app, await makeType(app), { funding: [{ amount: 10_000n }, { amount: 3_000n, bonus: true }] });
    const [held] = await hold(app, holdRequest([card.cardId], [useLine(4_000)]));
    await inTransaction(app, (use) => captureHold(use, ledgerOf(app.kernel), { holdId: held!.holdId, by: { ...SYSTEM, type: 'AUTO' } }));
    const before = await versionOf(card.cardId);
    const answer = await app.send(cardDetails, { cardId: card.cardId }, { as: staff });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await versionOf(card.cardId)).toBe(before);
    const details = await app.ok(cardDetails, { cardId: card.cardId }, { as: staff });
    expect(details).toMatchObject({
      card: { available: 9_000, held: 0, spent: 4_000 },
      writeOffs: [{ amount: 4_000 }],
      holds: [{ captured: 4_000 }],
    });
    const statement = await app.ok(queryCardStatement, { cardId: card.cardId }, { as: staff });
    expect(statement).toMatchObject({ opening: 0, income: 13_000, outgo: 4_000, closing: 9_000 });
    expect(statement.entries.at(-1)?.balance).toBe(9_000);
    const inverted = { cardId: card.cardId, dateFrom: '2026-11-02', dateTo: '2026-11-01' };
    expect(await app.refused(queryCardStatement, inverted, { as: staff })).toMatchObject({ code: 'SCM90020' });
    const options = await app.ok(querySelectOptions, { type: 'CARD_TYPE', ids: [card.cardTypeId] }, { as: staff });
    expect(options.map(({ value }) => value)).toEqual([card.cardTypeId]);
  });
});

it('tells the end of a card once at each step', async () => {
  const card = await makeCard(app, await makeType(app), {
    funding: [{ amount: 500n }],
    expireAt: new Date(Date.parse(app.clock.now()) + 6 * 86_400_000).toISOString(),
  });
  await own(app.db).updateTable('cardCard').set({ patientId: '1' }).where('id', '=', card.cardId).execute();
  const run = () => expiryNotices().run({}, jobContext(app));
  await run();
  await run();
  const told = () => own(app.db).selectFrom('cardExpiryNotice').select('days').where('cardId', '=', card.cardId).execute();
  expect(await told()).toEqual([{ days: 7 }]);
  await app.advance(5 * 86_400_000);
  await run();
  expect((await told()).map(({ days }) => days).toSorted()).toEqual([1, 7]);
});
