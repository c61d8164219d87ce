import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { brokenInvariants } from '../invariants.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
});
afterAll(() => app.close());

const states = async (table: string): Promise<string[]> =>
  (await sql<{ status: string }>`select distinct status from ${sql.table(table)} order by 1`.execute(app.db)).rows.map(
    ({ status }) => status,
  );

it('shows payments, refunds and batches in their states, and adds up', async () => {
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

it('has a payment for each order that was paid over a channel, and a refund for each return of it', async () => {
  const { rows } = await sql<{ orders: number; payments: number }>`
    select (select count(*)::int from order_payment where answer = 'ACCEPTED' and channel in ('WECHAT', 'ALIPAY')) as orders,
        (select count(*)::int from invoice_payment where status = 'SUCCESS' and flag is null) as payments`.execute(app.db);
  expect(rows[0]!.payments).toBe(rows[0]!.orders);
  expect(rows[0]!.orders).toBeGreaterThan(10);
});
