import { sql } from 'kysely';
import { consultOrderCompleted, consultOrderRefunded } from '#events/doctor.ts';
import type { PayloadOf } from '#kernel/contract/event.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { days, plusDays, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { makeDoctor } from '#domains/doctor/server/testing/doctors.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import type { addPayerEntity, addSettlementRule } from '../../contract/calls/rules.ts';
import { modifyDoctorPayAccount, queryDoctorAccountDetail, verifyDoctorPayAccount } from '../../contract/calls/accounts.ts';
import { queryIncomeDetailList } from '../../contract/calls/income.ts';
import { settlementPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';

let counter = 0;
export const serial = (): number => (counter += 1);
export const NONE = '999999999';

/** Somebody who may do all that the domain offers; each call makes another person. */
export const keeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({
    permissions: [...Object.values(settlementPermissions).map(({ code }) => code), 'ledger.account.view', 'ledger.book.doctor'],
  });

/** Headers of a call that moves money. */
export const key = (as: TestStaff) => ({ as, idempotencyKey: `settlement-${serial()}` });

export const acting = <T>(app: TestApp, work: (ctx: Acting) => Promise<T>): Promise<T> =>
  app.kernel.transactions.run('test', (writing) => work(asSystem(writing, { now: app.clock.now(), traceId: 'test' })));

/** The months of the books begin as the product does; a test begins without that. */
export const openBooks = (app: TestApp): Promise<void> => acting(app, (ctx) => ledgerOf(app.kernel).openPeriods(ctx, app.clock.today()));

export const payerFields = (): InputOf<typeof addPayerEntity> => ({
  entityCode: `P${100 + serial()}`,
  entityName: '康桥测试主体',
  taxNo: '91310115MA1K4A7X3P',
  bankName: '招商银行张江支行',
  bankTemplate: 'GENERIC_CSV',
  isPlatform: true,
  bankAccountNo: '121909876510801',
});
export const shareFields = (today: Day, change: Partial<InputOf<typeof addSettlementRule>> = {}): InputOf<typeof addSettlementRule> => ({
  ruleType: 'SHARE',
  ruleName: '默认分成',
  effectiveFrom: plusDays(today, 1),
  incomeType: 'CONSULT',
  baseType: 'PAID',
  ratioBp: 7_000,
  fixedFen: 0,
  testCases: [{ paidFen: 9_900, listFen: 9_900, expectFen: 6_930 }],
  ...change,
});

/** A payer, and rules for everybody that hold since long: 70 % of what was paid, three days frozen; once in a product. */
export async function makeRules(app: TestApp, { isPlatform = true, minPayoutFen = 10_000 } = {}): Promise<{ payerId: string }> {
  const known = await own(app.db)
    .selectFrom('settlementRuleVersion')
    .select('payerEntityId')
    .where('ruleType', '=', 'CYCLE')
    .where('scopeWeight', '=', 0)
    .where('status', '=', 'PUBLISHED')
    .executeTakeFirst();
  if (known?.payerEntityId) return { payerId: known.payerEntityId };
  const now = app.clock.now();
  const stamps = { createdAt: now, updatedAt: now };
  const payer = await own(app.db)
    .insertInto('settlementPayer')
    .values({
      entityCode: `T${100 + serial()}`,
      entityName: '康桥测试主体',
      taxNo: '91310115MA1K4A7X3P',
      bankName: '招商银行',
      bankAccountCipher: app.kernel.secrets.encrypt('121909876510801'),
      bankAccountMasked: '***********0801',
      isPlatform,
      ...stamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const kind of ['CONSULT', 'FOLLOW_UP', 'CYCLE'] as const) {
    const ruleType = kind === 'CYCLE' ? ('CYCLE' as const) : ('SHARE' as const);
    const rule = await own(app.db)
      .insertInto('settlementRule')
      .values({ ruleCode: `SRT${serial()}`, ruleName: `默认${kind}`, ruleType, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    await own(app.db)
      .insertInto('settlementRuleVersion')
      .values({
        ruleId: rule.id,
        ruleType,
        versionNo: 1,
        status: 'PUBLISHED',
        effectiveFrom: '2026-01-01',
        scopeText: '默认（全部）',
        ...(kind === 'CYCLE'
          ? { freezeDays: 3, cycleDay: 5, minPayoutFen: String(minPayoutFen), payerEntityId: payer.id }
          : { incomeType: kind, baseType: 'PAID' as const, ratioBp: 7_000, fixedFen: '0' }),
        publishedAt: now,
        makerName: '测试',
        ...stamps,
      })
      .execute();
  }
  return { payerId: payer.id };
}

type Completed = PayloadOf<typeof consultOrderCompleted>;
/** An order that is over, as the doctors' domain tells it. */
export async function completed(app: TestApp, doctorId: string, change: Partial<Completed> = {}): Promise<Completed> {
  const n = 700_000 + serial();
  const order: Completed = {
    orderId: String(n),
    orderNo: `DC${n}`,
    doctorId,
    patientId: '10001',
    itemId: '1',
    serviceType: 'TEXT',
    productLineId: null,
    payFen: 9_900,
    listFen: 9_900,
    refundedFen: 0,
    channelId: null,
    agentId: null,
    at: app.clock.now(),
    ...change,
  };
  await acting(app, (ctx) => ctx.publish(consultOrderCompleted, order.orderId, order));
  await app.runDue();
  return order;
}
/** Money of an order goes back; `refundedFen` is all that went back so far. */
export async function refunded(app: TestApp, order: Completed, refundedFen: number): Promise<void> {
  await acting(app, (ctx) =>
    ctx.publish(consultOrderRefunded, order.orderId, {
      ...order,
      refundedFen,
      refundNo: `TK${serial()}`,
      refundFen: refundedFen,
      result: refundedFen === order.payFen ? 'ALL' : 'PART',
      refundedAt: app.clock.now(),
    }),
  );
  await app.runDue();
}

export const newDoctor = async (app: TestApp): Promise<string> => (await makeDoctor(app)).doctorId;

/** A doctor with one income of 69.30 that is not due yet. */
export async function earner(app: TestApp, change: Partial<Completed> = {}) {
  await openBooks(app);
  const { payerId } = await makeRules(app);
  const doctorId = await newDoctor(app);
  const order = await completed(app, doctorId, change);
  const income = await own(app.db).selectFrom('settlementIncome').selectAll().where('doctorId', '=', doctorId).executeTakeFirstOrThrow();
  return { doctorId, payerId, order, income };
}

export const incomesOf = async (app: TestApp, as: TestStaff, doctorId: string) =>
  (await app.ok(queryIncomeDetailList, { doctorId, pageSize: 100 }, { as })).rows;

/** An account that was written by one and passed by another. */
export async function verifiedAccount(app: TestApp, doctorId: string): Promise<void> {
  const [maker, checker] = [await keeper(app), await keeper(app)];
  const { account } = await app.ok(queryDoctorAccountDetail, { doctorId }, { as: maker });
  const { version } = await app.ok(modifyDoctorPayAccount, { doctorId, version: account.version, ...payeeInput() }, { as: maker });
  await app.ok(verifyDoctorPayAccount, { doctorId, version, decision: 'approve' }, { as: checker });
}
export const payeeInput = () => ({
  realName: '张医生',
  idType: 'ID_CARD' as const,
  idNo: '11010519491231002X',
  taxResident: true,
  bankName: '招商银行',
  branchName: '上海分行',
  cnapsCode: '308290003020',
  bankAccountNo: '6225881234567890',
  mobile: '13812345678',
});

/** Balances of a doctor in the books by account type, in fen. */
export async function booksOf(app: TestApp, doctorId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; fen: number }>`
    select a.account_type as name, sum(b.sign * (b.debit_total_fen - b.credit_total_fen))::int as fen
      from ledger_account a
      join ledger_balance b on b.account_id = a.id
      where a.book = 'DOCTOR' and a.owner_type = 'doctor' and a.owner_id = ${doctorId}
      group by 1`.execute(app.db);
  return Object.fromEntries(rows.map(({ name, fen }) => [name, fen]));
}

/** Goes on to a moment: the day before it is lived through with all its jobs, what lies further back is passed over. */
export async function goTo(app: TestApp, to: Instant): Promise<void> {
  const lastDay = plusMs(to, -days(1));
  if (lastDay > app.clock.now()) app.clock.set(lastDay);
  await app.advance(Date.parse(to) - Date.parse(app.clock.now()), ['settlement', 'doctor']);
}
