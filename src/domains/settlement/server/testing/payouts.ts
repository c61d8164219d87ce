import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Instant } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadTable } from '#testing/uploads.ts';
import { commitImportTask } from '#domains/files/contract/calls/imports.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { auditSettlementBill, querySettlementBillList, startSettleRun, submitSettlementBill } from '../../contract/calls/bills.ts';
import {
  addPayoutBatch,
  auditPayoutBatch,
  exportPayoutBankFile,
  importPayoutResult,
  queryPayoutBatchDetail,
  queryPayoutItemList,
  submitPayoutBatch,
} from '../../contract/calls/payouts.ts';
import { findFaults } from '../invariants.ts';
import { acting, completed, goTo, keeper, key, makeRules, newDoctor, openBooks, verifiedAccount } from './fixtures.ts';

const LABELS = ['业务参考号', '金额(元)', '处理结果', '银行流水号', '交易日期', '失败原因'];
/** A line of the bank's result file. */
type Line = readonly [ref: string, fen: number, result: string, serial?: string, reason?: string];

export const opinion = '核对无误';
export const reason = '网银代付';
export const on = ({ id, version }: { id: string; version: number }) => ({ id, version });

/** From incomes to paid doctors, with the people who do it: each step as the pages take it. */
export class Paying {
  readonly app: TestApp;
  readonly payerId: string;
  maker!: TestStaff;
  checker!: TestStaff;
  cashier!: TestStaff;

  constructor(app: TestApp, payerId: string) {
    this.app = app;
    this.payerId = payerId;
  }

  static async begin(app: TestApp, rules: { isPlatform?: boolean } = {}): Promise<Paying> {
    await openBooks(app);
    const { payerId } = await makeRules(app, rules);
    const paying = new Paying(app, payerId);
    await paying.people();
    return paying;
  }

  async people(): Promise<void> {
    this.maker = await keeper(this.app);
    this.checker = await keeper(this.app);
    this.cashier = await keeper(this.app);
  }
  async later(to: Instant): Promise<void> {
    await goTo(this.app, to);
    await openBooks(this.app);
    await this.people();
  }
  today() {
    return this.app.clock.today();
  }

  /** Somebody who earned so much of this month, with an account that was looked at. */
  async earned(payFen: number): Promise<string> {
    const doctorId = await newDoctor(this.app);
    await this.earns(doctorId, payFen);
    await verifiedAccount(this.app, doctorId);
    return doctorId;
  }
  async earns(doctorId: string, payFen: number): Promise<void> {
    for (let left = payFen; left > 0; left -= 500_000)
      await completed(this.app, doctorId, { payFen: Math.min(left, 500_000), listFen: Math.min(left, 500_000) });
  }
  /** The month before is run for everybody, and the bills of these doctors are passed. */
  async billed(doctors: readonly string[], next: Instant): Promise<void> {
    const period = this.today().slice(0, 7);
    await this.later(next);
    await this.app.ok(startSettleRun, { period, payerEntityId: this.payerId }, key(this.maker));
    await this.app.runDue();
    for (const doctorId of doctors) await this.passBill(doctorId);
  }
  async passBill(doctorId: string): Promise<void> {
    const bill = await this.billOf(doctorId);
    const { version } = await this.app.ok(submitSettlementBill, on(bill), { as: this.maker });
    await this.app.ok(auditSettlementBill, { id: bill.id, version, decision: 'approve', opinion }, { as: this.checker });
  }
  /** Doctors who earned in this month, and their bills passed in the next one. */
  async doctors(amounts: readonly number[], next: Instant): Promise<string[]> {
    const doctors: string[] = [];
    for (const payFen of amounts) doctors.push(await this.earned(payFen));
    await this.billed(doctors, next);
    return doctors;
  }

  /** The newest one. */
  async billOf(doctorId: string) {
    return (await this.app.ok(querySettlementBillList, { doctorId }, { as: this.maker })).rows.toSorted(
      (a, b) => Number(b.id) - Number(a.id),
    )[0]!;
  }
  async batchOf(doctors: readonly string[]) {
    return this.batchOfBills(await Promise.all(doctors.map(async (doctorId) => (await this.billOf(doctorId)).id)));
  }
  batchOfBills(billIds: readonly string[]) {
    return this.app.ok(addPayoutBatch, { payerEntityId: this.payerId, planPayDate: this.today(), billIds: [...billIds] }, key(this.maker));
  }
  submitted(made: { id: string; version: number }) {
    return this.app.ok(submitPayoutBatch, { ...on(made), planPayDate: this.today() }, key(this.maker));
  }
  async passed(doctors: readonly string[]) {
    return this.passedBatch(await this.batchOf(doctors));
  }
  async passedBatch(made: { id: string; version: number }) {
    const sent = await this.submitted(made);
    return this.app.ok(auditPayoutBatch, { ...on(sent), decision: 'approve', opinion }, key(this.checker));
  }
  async sent(doctors: readonly string[]) {
    const batch = await this.passed(doctors);
    const { body } = await this.app.file(exportPayoutBankFile, { ...on(batch), reason }, { as: this.cashier });
    return { batchId: batch.id, file: new TextDecoder('gb18030').decode(body) };
  }
  async itemsOf(batchId: string) {
    return (await this.app.ok(queryPayoutItemList, { batchId, pageSize: 100 }, { as: this.maker })).rows;
  }
  async stateOf(batchId: string) {
    return (await this.app.ok(queryPayoutBatchDetail, { id: batchId }, { as: this.maker })).batch.status;
  }

  /** The bank's file is checked. */
  async checked(batchId: string, lines: readonly Line[]): Promise<{ importTaskId: string; reader: TestStaff }> {
    const rows = lines.map(([ref, fen, result, serial = '', why = '']) => [
      ref,
      (fen / 100).toFixed(2),
      result,
      serial,
      result === '失败' ? '' : this.today(),
      why,
    ]);
    const reader = await this.app.staff({ permissions: this.app.kernel.registry.permissions.map(({ code }) => code) });
    const fileId = await uploadTable(this.app, reader, [LABELS, ...rows]);
    const { importTaskId } = await this.app.ok(importPayoutResult, { batchId, fileId, mode: 'VALID_ONLY' }, { as: reader });
    await this.app.runDue();
    return { importTaskId, reader };
  }
  /** What is right of the bank's file is written; where nothing is, there is nothing to write. */
  async answered(batchId: string, lines: readonly Line[]): Promise<void> {
    const { importTaskId, reader } = await this.checked(batchId, lines);
    await this.app.send(commitImportTask, { importTaskId, version: 2 }, key(reader));
    await this.app.runDue();
  }
  /** The whole batch is paid. */
  async paid(doctors: readonly string[]): Promise<string> {
    const { batchId } = await this.sent(doctors);
    const items = await this.itemsOf(batchId);
    await this.answered(
      batchId,
      items.map(({ bizRef, netFen }) => [bizRef, netFen, '成功', `S${bizRef}`]),
    );
    return batchId;
  }

  /** What must hold after whatever was tried. */
  async sound(): Promise<void> {
    const proof = await acting(this.app, (ctx) => ledgerOf(this.app.kernel).prove(ctx, 'DOCTOR', 'MANUAL'));
    expect(proof).toMatchObject({ status: 'PASSED' });
    expect(await acting(this.app, (ctx) => findFaults(ctx.tx, ledgerOf(this.app.kernel), ctx.now))).toEqual([]);
    // What is on its way is what the bank has not answered; what is owed to the tax office is what the records add
    // up to, less what was declared.
    const { rows } = await sql<{ transit: string; tax: string; open: string; records: string }>`
      select coalesce(sum(b.credit_total_fen - b.debit_total_fen) filter (where a.account_type = 'DR_IN_TRANSIT'), 0)::text as transit,
          coalesce(sum(b.credit_total_fen - b.debit_total_fen) filter (where a.account_type = 'DR_TAX_PAYABLE'), 0)::text as tax,
          (select coalesce(sum(net_fen), 0) from settlement_payout_item where status in ('PENDING', 'UNKNOWN'))::text as open,
          (
            (select coalesce(sum(tax_fen), 0) from settlement_tax_record)
              - (select coalesce(sum(declared_fen), 0) from settlement_tax_month)
          )::text as records
        from ledger_account a
        join ledger_balance b on b.account_id = a.id
        where a.book = 'DOCTOR'`.execute(this.app.db);
    expect(rows[0]!.transit).toBe(rows[0]!.open);
    expect(rows[0]!.tax).toBe(rows[0]!.records);
  }
}
