import { expect } from 'vitest';
import { plusMs } from '#kernel/contract/time.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { addLedgerAdjustment, auditLedgerAdjustment, submitLedgerAdjustment } from '../../contract/calls/adjustments.ts';
import { ADJUST_FILES } from '../adjustments/access.ts';
import { own } from '../database.ts';
import { abandonProofs } from '../proofs/prove.ts';
import { makeBooked, makeFunded, type Booked, type Funded } from './funded.ts';

const BOOK = ['ledger.account.view', 'ledger.book.card'] as const;
export const maker = (app: TestApp) => app.staff({ permissions: ['ledger.adjust.make', ...BOOK] });
export const checker = (app: TestApp) => app.staff({ permissions: ['ledger.adjust.check', ...BOOK] });
export const second = (app: TestApp) => app.staff({ permissions: ['ledger.adjust.check2', ...BOOK] });

let count = 0;
const key = () => `ledger-test-${(count += 1)}-${Math.floor(performance.now() * 1000)}`;

/** Takes so much back of what was booked. */
export const facts = ({ accountNo, cashNo }: Pick<Booked, 'accountNo' | 'cashNo'>, amountFen = 500, files: string[] = []) => ({
  book: 'CARD' as const,
  legs: [
    { accountNo, side: 'D' as const, amountFen },
    { accountNo: cashNo, side: 'C' as const, amountFen },
  ],
  reasonCode: 'POSTING_ERROR' as const,
  reason: '录入金额有误，按银行回单更正',
  attachmentIds: files,
});

export interface Draft extends Booked {
  id: string;
  version: number;
  adjustNo: string;
}

export async function makeDraft(app: TestApp, as: TestStaff, amountFen = 500, known?: Booked): Promise<Draft> {
  const booked = known ?? (await makeBooked(app, 2_000_000n));
  const file = await uploadPaper(app, as, ADJUST_FILES);
  return { ...booked, ...(await app.ok(addLedgerAdjustment, facts(booked, amountFen, [file]), { as })) };
}

export async function makePending(app: TestApp, as: TestStaff, amountFen = 500): Promise<Draft> {
  const draft = await makeDraft(app, as, amountFen);
  return { ...draft, ...(await app.ok(submitLedgerAdjustment, { id: draft.id, version: draft.version }, { as })) };
}

export const decide = (
  app: TestApp,
  as: TestStaff,
  { id, version }: Pick<Draft, 'id' | 'version'>,
  more: Partial<InputOf<typeof auditLedgerAdjustment>> = {},
) => app.ok(auditLedgerAdjustment, { id, version, decision: 'PASS', opinion: '核对无误', ...more }, { as, idempotencyKey: key() });
export const refusedDecision = (
  app: TestApp,
  as: TestStaff,
  { id, version }: Pick<Draft, 'id' | 'version'>,
  more: Partial<InputOf<typeof auditLedgerAdjustment>> = {},
) => app.refused(auditLedgerAdjustment, { id, version, decision: 'PASS', opinion: '核对无误', ...more }, { as, idempotencyKey: key() });

export async function makePosted(app: TestApp): Promise<Draft> {
  const pending = await makePending(app, await maker(app));
  return { ...pending, ...(await decide(app, await checker(app), pending)) };
}

/** A balance that no longer agrees with its entries, as a fault of the database would leave it. */
export async function breakBalance(app: TestApp): Promise<Funded> {
  const funded = await makeFunded(app);
  await app.database.asOwner(
    `
      update ledger_balance
        set credit_total_fen = credit_total_fen + 700
        where account_id = (select id from ledger_account where account_no = '${funded.accountNo}')`,
  );
  return funded;
}

/** A difference that a proof found in the balance of an account. */
export async function makeFinding(app: TestApp): Promise<{ id: string; version: number; funded: Funded }> {
  const funded = await breakBalance(app);
  await app.kernel.transactions.run('test', async ({ tx }) => {
    const posting = { tx, now: app.kernel.clock.now() };
    // One that another case has left to a job.
    await abandonProofs(posting, plusMs(posting.now, 1));
    await funded.ledger.prove(posting, 'CARD', 'MANUAL');
  });
  const finding = await own(app.db)
    .selectFrom('ledgerFinding as f')
    .innerJoin('ledgerAccount as a', 'a.id', 'f.accountId')
    .select(['f.id', 'f.version'])
    .where('a.accountNo', '=', funded.accountNo)
    .where('f.findingCode', '=', 'P5')
    .executeTakeFirstOrThrow();
  expect(finding.version).toBe(1);
  return { ...finding, funded };
}
