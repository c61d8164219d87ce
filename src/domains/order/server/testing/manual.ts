import { sql } from 'kysely';
import type { InputOf } from '#kernel/contract/call.ts';
import { rightsChanged } from '#events/enrolment.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { makeCard, makeType, openBooks } from '#domains/card/server/testing/fixtures.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import { partnerStore } from '#testing/signing.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { addManualOrder, auditManualOrder, submitManualOrder } from '../../contract/calls/manualOrders.ts';
import { MANUAL_PROOF } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { keeper } from './fixtures.ts';
import { bySystem, goodsOf } from './orders.ts';

type Wish = InputOf<typeof addManualOrder>;
let made = 0;
const serial = () => (made += 1);
export const manualKey = () => `manual-order-${serial()}`;

/** A purchase of 100 yuan at the partner's store, paid in cash. */
export async function manualInput(app: TestApp, as: TestStaff, more: Partial<Wish> = {}): Promise<Wish> {
  const lines = more.lines ?? [{ goodsCode: await goodsOf(app), quantity: 2, unitPriceFen: 5_000 }];
  return {
    drugstoreId: (await partnerStore(app)).storeId,
    receiptNo: `XP${serial()}-TEST`,
    purchaseDate: plusDays(app.clock.today(), -3),
    reasonCode: 'OFFLINE_SALE',
    // Like nobody else: who is like another person is proposed to be merged with him.
    buyerName: `补录${'甲乙丙丁戊己庚辛壬癸'[serial() % 10]}${'子丑寅卯辰巳午未申酉戌亥'[serial() % 12]}`,
    mobile: `135${String(10_000_000 + serial())}`,
    benefitFen: 0,
    cardFen: 0,
    selfPayFen: lines.reduce((sum, { quantity, unitPriceFen }) => sum + quantity * unitPriceFen, 0),
    attachmentFileIds: [await uploadPaper(app, as, MANUAL_PROOF)],
    ...more,
    lines,
  };
}

export interface MadeManual {
  manualOrderId: string;
  version: number;
  author: TestStaff;
}
export const on = ({ manualOrderId, version }: MadeManual) => ({ manualOrderId, version });
export async function makeManual(app: TestApp, more: Partial<Wish> = {}, by?: TestStaff): Promise<MadeManual> {
  const author = by ?? (await keeper(app));
  const { id, version } = await app.ok(addManualOrder, await manualInput(app, author, more), { as: author, idempotencyKey: manualKey() });
  return { manualOrderId: id, version, author };
}
export async function makeSubmittedManual(app: TestApp, more: Partial<Wish> = {}, by?: TestStaff): Promise<MadeManual> {
  const draft = await makeManual(app, more, by);
  const { version } = await app.ok(submitManualOrder, on(draft), { as: draft.author, idempotencyKey: manualKey() });
  return { ...draft, version };
}
export const approval = { level: 'NORMAL' as const, decision: 'approve' as const };
/** Passed by somebody else: its job waits. */
export async function makeApproved(app: TestApp, more: Partial<Wish> = {}): Promise<MadeManual> {
  const waiting = await makeSubmittedManual(app, more);
  const { version } = await app.ok(
    auditManualOrder,
    { ...on(waiting), ...approval },
    { as: await keeper(app), idempotencyKey: manualKey() },
  );
  return { ...waiting, version };
}
/** Passed, but nothing came of it: its store has closed meanwhile, and opens again. */
export async function makeFailed(app: TestApp, more: Partial<Wish> = {}): Promise<MadeManual> {
  const approved = await makeApproved(app, more);
  await withStoreClosed(app, () => app.runDue());
  return { ...approved, version: (await manualRow(app, approved.manualOrderId)).version };
}
export async function withStoreClosed(app: TestApp, run: () => Promise<unknown>): Promise<void> {
  const { storeId } = await partnerStore(app);
  await sql`update institution_drugstore set state = 'CLOSED' where id = ${storeId}`.execute(app.db);
  await run();
  await sql`update institution_drugstore set state = 'OPEN' where id = ${storeId}`.execute(app.db);
}

export const manualRow = (app: TestApp, id: string) =>
  own(app.db).selectFrom('orderManual').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** A patient with a mobile of his own and a stored-value card. */
export async function cardholder(app: TestApp, amount = 6_000n) {
  await openBooks(app);
  const mobile = `137${String(10_000_000 + serial())}`;
  const patient = await makePatient(app, { mobile });
  const card = await makeCard(app, await makeType(app), { funding: [{ amount }] });
  await sql`update card_card set patient_id = ${patient.id} where id = ${card.cardId}`.execute(app.db);
  return { patientId: patient.id, buyerName: patient.name, mobile, cardId: card.cardId, card };
}

/** A contract as enrolment tells it. */
export async function makeContract(app: TestApp, patientId: string, more: { drugList?: string[]; effectiveFrom?: string } = {}) {
  const contractId = String(900_000 + serial());
  const today = app.clock.today();
  await bySystem(app, (ctx) =>
    ctx.publish(rightsChanged, contractId, {
      contractId,
      contractNo: `HT-T${contractId}`,
      patientId,
      state: 'ACTIVE',
      productLine: 'HMO',
      productId: '1',
      productCode: 'HMO-T',
      insurerId: null,
      policyId: '1',
      planCode: 'A',
      coverageStart: plusDays(today, -100),
      coverageEnd: plusDays(today, 200),
      effectiveFrom: plusDays(today, -100),
      effectiveTo: plusDays(today, 200),
      drugList: [],
      limits: [{ key: 'drug', label: '特药年度额度', unit: 'FEN', subject: 'PERSON', period: 'YEAR', limitAmount: 10_000_000 }],
      ...more,
    }),
  );
  await app.runDue();
  return { contractId, contractNo: `HT-T${contractId}` };
}
