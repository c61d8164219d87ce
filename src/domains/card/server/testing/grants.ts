import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { freshIdNo, freshMobile, freshName } from '#domains/patient/server/testing/fixtures.ts';
import { addBatch, auditBatch, generateBatch, submitBatch } from '../../contract/calls/batches.ts';
import { addGrant, auditGrant, submitGrant } from '../../contract/calls/grants.ts';
import type { addCardType } from '../../contract/calls/types.ts';
import { keeper, nextId, openBooks } from './fixtures.ts';
import { batchWish, enabledType } from './issue.ts';

/** A type of which cards are in stock. */
export async function stockedType(app: TestApp, wish: Partial<InputOf<typeof addCardType>> = {}, quantity = 3): Promise<string> {
  await openBooks(app);
  const [as, checker] = [await keeper(app), await keeper(app)];
  const cardTypeId = await enabledType(app, { funderName: `保司${nextId()}`, ...wish });
  const made = await app.ok(addBatch, batchWish(cardTypeId, quantity, wish.faceAmount ?? 20_000), { as });
  const sent = await app.ok(submitBatch, { batchId: made.id, version: made.version }, { as });
  const passed = await app.ok(
    auditBatch,
    { batchId: sent.id, version: sent.version, stage: 'FIRST', decision: 'approve' },
    { as: checker },
  );
  await app.ok(generateBatch, { batchId: passed.id, version: passed.version }, { as, idempotencyKey: `card-stock-${passed.id}` });
  await app.runDue();
  return cardTypeId;
}

export const someone = () => ({ holderName: freshName(), idType: 'ID' as const, idNo: freshIdNo().idNo, mobile: freshMobile() });
export interface MadeGrant {
  grantId: string;
  version: number;
}
export async function draftGrant(app: TestApp, as: TestStaff, wish: Partial<InputOf<typeof addGrant>> = {}): Promise<MadeGrant> {
  const cardTypeId = wish.cardTypeId ?? (await stockedType(app));
  const { id, version } = await app.ok(addGrant, { ...someone(), amount: 20_000, ...wish, cardTypeId }, { as });
  return { grantId: id, version };
}
export async function submittedGrant(app: TestApp, as: TestStaff, wish: Partial<InputOf<typeof addGrant>> = {}): Promise<MadeGrant> {
  const { id, version } = await app.ok(submitGrant, await draftGrant(app, as, wish), { as });
  return { grantId: id, version };
}
/** Passes a grant that waits and lets its job run. */
export async function passGrant(app: TestApp, waiting: MadeGrant): Promise<MadeGrant> {
  const passed = await app.ok(
    auditGrant,
    { ...waiting, stage: 'FIRST', decision: 'approve' },
    { as: await keeper(app), idempotencyKey: `card-grant-${waiting.grantId}-${waiting.version}` },
  );
  await app.runDue();
  return { grantId: passed.id, version: passed.version + 1 };
}
export const doneGrant = async (app: TestApp, as: TestStaff, wish: Partial<InputOf<typeof addGrant>> = {}): Promise<MadeGrant> =>
  passGrant(app, await submittedGrant(app, as, wish));
/** One whose line found no card in stock. */
export const shortGrant = async (app: TestApp, as: TestStaff): Promise<MadeGrant> =>
  doneGrant(app, as, { cardTypeId: await enabledType(app, { funderName: `保司${nextId()}` }) });
