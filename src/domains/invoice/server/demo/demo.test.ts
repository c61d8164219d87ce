import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { brokenInvariants } from '../invariants.ts';
import { anOrder, playOrders } from '../testing/orders.ts';
import { writeInvoiceDemo } from './writeDemo.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
  playOrders();
});
afterAll(() => app.close());

const states = async (table: string): Promise<string[]> =>
  (await sql<{ status: string }>`select distinct status from ${sql.table(table)} order by 1`.execute(app.db)).rows.map(
    ({ status }) => status,
  );

it('shows refunds and batches in their states, and adds up', async () => {
  const now = app.clock.now();
  const orders = Array.from({ length: 20 }, (_none, n) =>
    anOrder(app, { payFen: 12_000 + n * 1_700, payDeadline: plusMs(now, -minutes(60 * 24 * 5 - n)) }),
  );
  const demo: DemoContext = {
    kernel: app.kernel,
    now,
    db: app.db,
    transaction: (work) => app.kernel.transactions.run('demo', work),
  };
  await writeInvoiceDemo(demo, orders);
  expect(await states('invoice_refund_batch')).toEqual(['APPROVED', 'DONE', 'DRAFT', 'PART_FAILED', 'RUNNING', 'VOIDED']);
  expect(await states('invoice_refund')).toEqual([
    'APPROVED',
    'CHECKING',
    'FAILED',
    'IN_BATCH',
    'PENDING_AUDIT',
    'PROCESSING',
    'REJECTED',
    'SUCCESS',
  ]);
  expect(await brokenInvariants(app.db)).toEqual([]);
  await app.runDue();
  expect(await brokenInvariants(app.db)).toEqual([]);
});
