import type { TestApp } from '#testing/testApp.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { openHoldCard } from '../../contract/calls/use.ts';
import { partnerStore, signedHeaders } from '#testing/signing.ts';
import { json, own } from '../database.ts';
import { addFinding } from '../findings/add.ts';
import { captureHold } from '../use/capture.ts';
import { requestReversal } from '../use/reverse.ts';
import { hold, holdRequest, inTransaction, makeCard, makeType, nextId, openBooks, useLine, type MadeCard } from './fixtures.ts';

let counter = 0;
const serial = () => String((counter += 1)).padStart(6, '0');

/** A card with 1,000 yuan, in open books. */
export async function openCard(app: TestApp): Promise<MadeCard> {
  await openBooks(app);
  return makeCard(app, await makeType(app), { funding: [{ amount: 100_000n }] });
}
export async function aHold(app: TestApp): Promise<string> {
  const card = await openCard(app);
  return (await hold(app, holdRequest([card.cardId], [useLine(100)])))[0]!.holdId;
}
export async function aWriteOff(app: TestApp): Promise<string> {
  const holdId = await aHold(app);
  const done = await inTransaction(app, (use) => captureHold(use, ledgerOf(app.kernel), { holdId, by: { ...SYSTEM, type: 'AUTO' } }));
  return done.writeOffs[0]!.writeOffId;
}
export async function aReversal(app: TestApp): Promise<string> {
  const writeOffId = await aWriteOff(app);
  const asked = await inTransaction(app, (use) =>
    requestReversal(use, { writeOffId, amount: 10n, key: `case:${serial()}`, reasonCode: 'RETURN', opinion: '退货', requestedBy: SYSTEM }),
  );
  return asked.reversalId;
}
/** Value that a machine caller of the tests set aside. */
export async function openHoldOf(app: TestApp): Promise<string> {
  const card = await openCard(app);
  const { storeId } = await partnerStore(app);
  const orderId = nextId();
  const input = {
    cardNo: card.cardNo,
    orderId,
    orderNo: `DD${orderId}`,
    orderType: 'STORE_DIRECT',
    drugstoreId: storeId,
    drugstoreName: '康桥大药房',
    lines: [{ orderLineId: nextId(), goodsName: '药', quantity: 1, amount: 100, merchantId: storeId, merchantName: '康桥大药房' }],
  };
  const held = await app.ok(openHoldCard, input, {
    headers: await signedHeaders(app, openHoldCard, input),
    idempotencyKey: `open-${serial()}`,
  });
  return held.holdId;
}

const bizLines = ['HMO', 'SAAS', 'DAAS', 'OWN'] as const;
/** A settlement that no other one of the tests stands in the way of. */
export async function freshScope(app: TestApp) {
  await own(app.db)
    .updateTable('cardSettlementBatch')
    .set({ status: 'CONFIRMING' })
    .where('status', 'in', ['GENERATING', 'DRAFT', 'PENDING_AUDIT', 'REJECTED'])
    .execute();
  return {
    direction: 'PAYABLE' as const,
    kind: 'STORED_VALUE' as const,
    bizLine: bizLines[0],
    periodFrom: '2026-10-01',
    periodTo: '2026-10-31',
    cutoffAt: app.clock.now(),
    counterpartyIds: [],
  };
}

/** A bill of one line in a state, with its batch. */
export async function billIn(
  app: TestApp,
  status: 'DRAFT' | 'PENDING_CONFIRM' | 'DISPUTED',
  batchStatus: 'DRAFT' | 'PENDING_AUDIT' | 'CONFIRMING' = status === 'DRAFT' ? 'DRAFT' : 'CONFIRMING',
): Promise<{ batchId: string; billId: string; lineId: string }> {
  const scope = await freshScope(app);
  const n = serial();
  const now = app.clock.now();
  const sums = { grossAmount: '100', reversalAmount: '0', feeAmount: '0', netAmount: '100', lineCount: 1 };
  const { id: batchId } = await own(app.db)
    .insertInto('cardSettlementBatch')
    .values({
      ...scope,
      ...sums,
      billCount: 1,
      batchNo: `SB${n}`,
      checks: json([]),
      status: batchStatus,
      createdByName: '制单人',
      createdAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: billId } = await own(app.db)
    .insertInto('cardSettlementBill')
    .values({
      ...sums,
      adjustAmount: '0',
      billNo: `SL${n}`,
      batchId,
      direction: 'PAYABLE',
      counterpartyType: 'MERCHANT',
      counterpartyId: '501',
      counterpartyName: '康桥大药房',
      status,
      createdAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: lineId } = await own(app.db)
    .insertInto('cardSettlementLine')
    .values({
      billId,
      direction: 'PAYABLE',
      lineNo: 1,
      sourceType: 'GRANT',
      sourceId: nextId(),
      sourceNo: `WO${n}`,
      amount: '100',
      fee: '0',
      net: '100',
      ...(status === 'DISPUTED' && { matchState: 'AMOUNT_DIFF' as const, theirAmount: '90' }),
      createdAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { batchId, billId, lineId };
}

export async function aPrepay(app: TestApp): Promise<string> {
  await openBooks(app);
  const n = serial();
  const { id } = await own(app.db)
    .insertInto('cardFundPrepay')
    .values({
      prepayNo: `YF${n}`,
      funderType: 'INSURER',
      funderId: '77',
      funderName: '众安保险',
      amount: '100',
      bankSerialNo: `SERIAL${n}`,
      receivedOn: '2026-11-01',
      createdBy: '1',
      createdByName: '财务',
      createdAt: app.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function aFinding(app: TestApp): Promise<string> {
  const { cardId, cardNo } = await openCard(app);
  await inTransaction(app, (use) =>
    addFinding(use, { code: 'I9', subjectType: 'card', subjectId: cardId, subject: `卡 ${cardNo}`, expected: '1', actual: '2' }),
  );
  return (await own(app.db).selectFrom('cardFinding').select('id').where('subjectId', '=', cardId).executeTakeFirstOrThrow()).id;
}
