import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addBatch, auditBatch, exportBatchSecret, generateBatch, submitBatch } from '../../contract/calls/batches.ts';
import { addCardType, enableCardType } from '../../contract/calls/types.ts';
import { keeper, nextId, openBooks } from './fixtures.ts';

/** What a form says of a stored-value type. */
export const typeWish = (): InputOf<typeof addCardType> => ({
  typeCode: `CZ-${nextId()}`,
  kind: 'STORED_VALUE',
  typeName: '门诊储值卡',
  bizLine: 'HMO',
  funder: 'SPONSOR',
  funderName: '江城制造有限公司',
  fundingMode: 'ON_USE',
  validDays: 365,
  faceAmount: 20_000,
});

/** A type in use. @returns its id */
export async function enabledType(app: TestApp, wish: Partial<InputOf<typeof addCardType>> = {}): Promise<string> {
  const as = await keeper(app);
  const type = await app.ok(addCardType, { ...typeWish(), ...wish }, { as });
  return (await app.ok(enableCardType, { id: type.id, version: type.version }, { as })).id;
}

export interface MadeBatch {
  batchId: string;
  version: number;
}
export const batchWish = (cardTypeId: string, quantity = 3, faceAmount = 20_000) => ({
  cardTypeId,
  quantity,
  faceAmount,
  medium: 'PHYSICAL' as const,
  purpose: '门诊项目发卡',
});

/** A batch that waits for its submission. */
export async function draftBatch(app: TestApp, maker: TestStaff, quantity?: number, faceAmount?: number): Promise<MadeBatch> {
  const { id, version } = await app.ok(addBatch, batchWish(await enabledType(app), quantity, faceAmount), { as: maker });
  return { batchId: id, version };
}
export async function submittedBatch(app: TestApp, maker: TestStaff, quantity?: number, faceAmount?: number): Promise<MadeBatch> {
  const { id, version } = await app.ok(submitBatch, await draftBatch(app, maker, quantity, faceAmount), { as: maker });
  return { batchId: id, version };
}
/** Passed by somebody else. */
export async function approvedBatch(app: TestApp, maker: TestStaff, quantity?: number): Promise<MadeBatch> {
  const waiting = await submittedBatch(app, maker, quantity);
  const passed = await app.ok(auditBatch, { ...waiting, stage: 'FIRST', decision: 'approve' }, { as: await keeper(app) });
  return { batchId: passed.id, version: passed.version };
}
/** Of which the cards are about to be made. */
export async function generatingBatch(app: TestApp, maker: TestStaff, quantity?: number): Promise<MadeBatch> {
  await openBooks(app);
  const batch = await approvedBatch(app, maker, quantity);
  const { version } = await app.ok(generateBatch, batch, { as: maker, idempotencyKey: `card-generate-${batch.batchId}` });
  return { batchId: batch.batchId, version };
}
/** In stock. */
export async function generatedBatch(app: TestApp, maker: TestStaff, quantity?: number): Promise<MadeBatch> {
  const { batchId, version } = await generatingBatch(app, maker, quantity);
  await app.runDue();
  return { batchId, version: version + 1 };
}
/** Of which the maker took the file of secrets. */
export async function exportedBatch(app: TestApp, maker: TestStaff, quantity?: number): Promise<MadeBatch> {
  const { batchId, version } = await generatedBatch(app, maker, quantity);
  await app.file(exportBatchSecret, { batchId, version, opinion: '交付印刷' }, { as: maker });
  return { batchId, version: version + 1 };
}
