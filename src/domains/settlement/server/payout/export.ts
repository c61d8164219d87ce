import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { BankTemplate } from '#kernel/contract/bank.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { bankFile } from '#kernel/server/bank/bankFile.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { ledgerOf, type Actor, type Ledger } from '#domains/ledger/server/index.ts';
import { exportPayoutBankFile, reexportPayoutBankFile } from '../../contract/calls/payouts.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { payoutItemMachine } from '../../contract/payoutStates.ts';
import { payerRecords, payoutRecords, type PayoutRecord } from '../access.ts';
import { frozenWith } from '../accounts/ledgerFreezes.ts';
import { cashOf, inTransitOf, taxPayableOf } from '../chart.ts';
import { own } from '../database.ts';
import { noteTaxChange } from '../taxes/month.ts';
import { moveBatch } from './batches.ts';
import { lockTaxes, lockTaxMethod, taxesOf } from './tax.ts';

/** Rows of a batch that are to be paid, in their order, with the holds of their bills. */
const rowsOf = (tx: Tx, batchId: string) =>
  own(tx)
    .selectFrom('settlementPayoutItem as i')
    .innerJoin('settlementBill as b', 'b.id', 'i.billId')
    .innerJoin('settlementAccount as a', 'a.doctorId', 'i.doctorId')
    .selectAll('i')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 'i.doctorId')
    .select(['b.period', 'b.holdId', 'b.billNo', 'd.name as doctorName', 'a.payeeNo as payeeNow', 'a.verifyStatus', 'a.settleState'])
    .where('i.batchId', '=', batchId)
    .where('i.status', '<>', 'CANCELLED')
    .orderBy('i.doctorId')
    .forUpdate('i')
    .execute();
type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const fileOf = (secrets: Secrets, template: BankTemplate, rows: readonly Row[]) =>
  bankFile(
    template,
    rows.map((row) => ({
      ref: row.bizRef,
      amountFen: Number(row.netFen),
      payeeName: row.payeeName,
      account: secrets.decrypt(row.accountCipher),
      bankName: row.bankName,
      bankPlace: row.branchName,
      cnapsCode: row.cnapsCode,
      purpose: `医生服务费${row.period}`,
    })),
  );

/**
 * @throws Refusal SCM19038 where an account of the books is frozen; SCM19044 where somebody's account is another one by now; SCM19051 where
 *   the tax would be another one
 */
async function requireUnchanged(tx: Tx, batch: PayoutRecord, rows: readonly Row[], today: string): Promise<void> {
  const changed = rows.filter((row) => row.payeeNow !== row.payeeNo || row.verifyStatus !== 'VERIFIED' || row.settleState === 'FROZEN');
  if (changed.length > 0) throw refuse(settlementErrors.PAYEE_CHANGED, { n: changed.length });
  const frozen = await frozenWith(
    tx,
    batch.payerEntityId,
    rows.map(({ doctorId }) => doctorId),
  );
  const stopped = rows.find(({ doctorId }) => frozen.has(doctorId));
  if (stopped) throw refuse(settlementErrors.LEDGER_FROZEN, { name: stopped.doctorName });
  if (today.slice(0, 7) !== batch.taxMonth) throw refuse(settlementErrors.OTHER_MONTH);
  const taxes = await taxesOf(tx, batch.payerEntityId, batch.taxMonth, rows);
  if (rows.some((row) => taxes.get(row.doctorId)!.taxFen !== BigInt(row.taxFen))) throw refuse(settlementErrors.OTHER_MONTH);
}

async function keepTaxes(ctx: Acting, batch: PayoutRecord, rows: readonly Row[]): Promise<void> {
  const { tx, now } = ctx;
  await noteTaxChange(ctx, batch.payerEntityId, batch.taxMonth);
  const taxes = await taxesOf(tx, batch.payerEntityId, batch.taxMonth, rows);
  for (const row of rows) {
    const tax = taxes.get(row.doctorId)!;
    await own(tx)
      .insertInto('settlementTaxRecord')
      .values({
        payerEntityId: batch.payerEntityId,
        doctorId: row.doctorId,
        payoutItemId: row.id,
        taxMonth: batch.taxMonth,
        method: tax.method,
        runFrom: tax.runFrom,
        grossFen: row.grossFen,
        taxableFen: String(tax.taxableFen),
        rateBp: tax.rateBp,
        cumTaxFen: String(tax.cumTaxFen),
        previousTaxFen: String(tax.previousTaxFen),
        taxFen: String(tax.taxFen),
        createdAt: now,
      })
      .execute();
  }
}

/** What was set aside leaves the doctors' accounts: what they get is on its way, what is withheld is owed to the tax office. */
async function captureAll(ctx: Acting, ledger: Ledger, batch: PayoutRecord, rows: readonly Row[], actor: Actor): Promise<void> {
  const [transit, tax] = [inTransitOf(batch.payerEntityId), taxPayableOf(batch.payerEntityId)];
  const payer = await own(ctx.tx)
    .selectFrom('settlementPayer')
    .select('entityName')
    .where('id', '=', batch.payerEntityId)
    .executeTakeFirstOrThrow();
  await ledger.openAccounts(
    ctx,
    [transit, tax, cashOf(batch.payerEntityId)].map((ref) => ({ ref, ownerName: payer.entityName })),
  );
  await ledger.lockHolds(
    ctx,
    rows.map(({ holdId }) => holdId!),
    [transit, tax],
  );
  for (const row of rows) {
    const { transferId } = await ledger.capture(ctx, {
      holdId: row.holdId!,
      businessKey: `settlement:payout:${row.id}:capture`,
      type: 'DR_PAYOUT',
      amount: BigInt(row.grossFen),
      credit: [
        { account: transit, amount: BigInt(row.netFen) },
        ...(BigInt(row.taxFen) > 0n ? [{ account: tax, amount: BigInt(row.taxFen) }] : []),
      ],
      final: true,
      ref: { type: 'settlementPayout', id: row.id, no: row.bizRef },
      actor,
    });
    await own(ctx.tx)
      .updateTable('settlementPayoutItem')
      .set({ captureTransferId: transferId, status: 'PENDING', version: row.version + 1, updatedAt: ctx.now })
      .where('id', '=', row.id)
      .execute();
  }
}

/**
 * The batch goes out: taxes are kept, money is on its way, the file is made of the rows and read again.
 * @throws Refusal SCM19038, SCM19044, SCM19051, SCM19054
 */
export async function sendBatch(
  ctx: Acting,
  { secrets, ledger }: { secrets: Secrets; ledger: Ledger },
  batch: PayoutRecord,
  by: Actor,
): Promise<{ bytes: Buffer; batch: PayoutRecord }> {
  const rows = await rowsOf(ctx.tx, batch.id);
  await lockTaxes(ctx.tx, batch.payerEntityId, batch.taxMonth, rows);
  await lockTaxMethod(ctx.tx, batch.payerEntityId);
  await requireUnchanged(ctx.tx, batch, rows, dayOf(ctx.now));
  const { bankTemplate } = await payerRecords.get(ctx.tx, payerRecords.everyone, batch.payerEntityId);
  const { bytes, sha256, totalFen } = fileOf(secrets, bankTemplate, rows);
  if (totalFen !== Number(batch.netFen)) throw refuse(settlementErrors.FILE_DIFFERS);
  const moved = await moveBatch(ctx, batch, 'export', '', {
    exportedBy: by.id,
    exportedByName: by.name,
    exportedAt: ctx.now,
    exportCount: 1,
    fileSha256: sha256,
    bankTemplate,
  });
  for (const row of rows)
    await moveState(ctx, payoutItemMachine, {
      targetType: 'settlement.payoutItem',
      targetId: row.id,
      targetNo: row.bizRef,
      action: 'send',
      from: row.status,
    });
  await keepTaxes(ctx, batch, rows);
  await sql`update settlement_bill set hold_id = null where id = any(${rows.map(({ billId }) => billId)}::bigint[])`.execute(ctx.tx);
  await captureAll(ctx, ledger, batch, rows, by);
  return { bytes, batch: moved };
}

const answered = (batchNo: string, bytes: Buffer) =>
  new FileAnswer({ name: `银行代付_${batchNo}.csv`, contentType: 'text/csv; charset=gb18030', body: bytes });

export const exportFile = (kernel: Kernel) =>
  command(exportPayoutBankFile, async ({ id, version }, ctx) => {
    const batch = await payoutRecords.lockVersion(ctx, id, version);
    const actor = { id: ctx.staff.userId, name: ctx.staff.displayName };
    const { bytes } = await sendBatch(ctx, { secrets: kernel.secrets, ledger: ledgerOf(kernel) }, batch, actor);
    return answered(batch.batchNo, bytes);
  });

/** The same bytes again: nothing is posted. @throws Refusal SCM19054 where they would be others */
export const reexportFile = (kernel: Kernel) =>
  command(reexportPayoutBankFile, async ({ id }, ctx) => {
    const batch = await payoutRecords.lock(ctx.tx, ctx.staff, id);
    if (batch.exportedAt === null || batch.bankTemplate === null) throw refuse(settlementErrors.NOT_SENT);
    const { bytes, sha256 } = fileOf(kernel.secrets, batch.bankTemplate, await rowsOf(ctx.tx, id));
    if (sha256 !== batch.fileSha256) throw refuse(settlementErrors.FILE_DIFFERS);
    await own(ctx.tx)
      .updateTable('settlementPayoutBatch')
      .set((eb) => ({ exportCount: eb('exportCount', '+', 1) }))
      .where('id', '=', id)
      .execute();
    ctx.target({ type: payoutRecords.type, id, no: batch.batchNo, looked: true });
    return answered(batch.batchNo, bytes);
  });
