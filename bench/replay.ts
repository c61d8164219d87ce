import { control } from '#domains/insurance/contract/testing/specs.ts';
import { MOST_CASES } from '#domains/insurance/contract/replays/calls.ts';
import { own } from '#domains/insurance/server/database.ts';
import { headColumns, writeChildren } from '#domains/insurance/server/products/document.ts';
import { ReplayRun } from '#domains/insurance/server/replays/batch.ts';
import { documentFrom, makeFormulary } from '#domains/insurance/server/testing/products.ts';
import { decideClaims } from '#domains/insurance/server/testing/snapshots.ts';
import { systemClock } from '#kernel/server/clock.ts';
import { json } from '#kernel/server/database/json.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { atMostRow, type Row } from './table.ts';
import { withKernel } from './withKernel.ts';

const DAY = '2026-06-15';

/** A version in which 20,000 claims were decided. */
async function decided(kernel: Kernel): Promise<void> {
  const timestamps = { createdAt: systemClock.now(), updatedAt: systemClock.now() };
  const document = documentFrom('2026-01-01', await makeFormulary(kernel));
  const insured = await own(kernel.db)
    .insertInto('insuranceInsurer')
    .values({
      insurerCode: 'BENCH',
      insurerName: '压测保险',
      shortName: '压测',
      namePinyin: 'yace',
      insurerType: 'PROPERTY',
      uscc: '913100000000000001',
      auditMode: 'PLATFORM',
      fundMode: 'ADVANCE',
      invoiceVariant: 'STANDARD',
      status: 'ENABLED',
      ...timestamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const product = await own(kernel.db)
    .insertInto('insuranceProduct')
    .values({
      productCode: 'BENCH-2026',
      productName: '压测特药险',
      shortName: '压测',
      productLine: 'STANDARD',
      productType: 'SPECIAL_DRUG',
      insurerId: insured.id,
      status: 'ON_SALE',
      ...timestamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const version = await own(kernel.db)
    .insertInto('insuranceProductVersion')
    .values({
      ...headColumns({ ...document, clauseFileId: null }),
      clauseSha256: null,
      productId: product.id,
      versionNo: 1,
      state: 'DRAFT',
      ...timestamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await kernel.transactions.run('bench', ({ tx }) => writeChildren(tx, version.id, document));
  await decideClaims(
    kernel,
    { productId: product.id, productVersionId: version.id },
    DAY,
    Array.from({ length: MOST_CASES }, (_none, n) => 1 + (n % 4)),
  );
}

/** The largest replay that there may be, under a draft of a control rule that changes every second case. */
export async function measureReplay(): Promise<Row[]> {
  return withKernel(async ({ kernel }) => {
    await decided(kernel);
    const now = systemClock.now();
    const draft = control('BENCH', {
      mode: 'HOLD',
      expression: { op: 'AND', items: [{ variable: 'line.qty', operator: '>', value: '2' }] },
    });
    const { id } = await own(kernel.db)
      .insertInto('insuranceRuleReplay')
      .values({
        replayNo: 'HF20260701000001',
        ownerType: 'CONTROL_RULE_VERSION',
        ownerId: '1',
        ownerName: 'BENCH V1',
        contentHash: '',
        content: json({ kind: 'CONTROL', stage: 'CLAIM', control: draft }),
        fromDate: '2026-06-01',
        toDate: '2026-06-30',
        state: 'RUNNING',
        total: MOST_CASES,
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const run = new ReplayRun(kernel.db, (work) => kernel.transactions.run('bench', work));
    const began = performance.now();
    while (await run.next(id, now));
    const seconds = (performance.now() - began) / 1_000;
    const { done, changed } = await own(kernel.db)
      .selectFrom('insuranceRuleReplay')
      .select(['done', 'changed'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (done !== MOST_CASES) throw new Error(`The replay ended after ${done} cases`);
    return [atMostRow(`replay of ${done} decided claims, ${changed} of them changed`, seconds, 120, ' s')];
  });
}
