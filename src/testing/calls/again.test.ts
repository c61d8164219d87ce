import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import { shapeOf } from '#kernel/contract/field.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { allCases } from '../allCases.ts';
import { startTestApp, type TestApp } from '../testApp.ts';

/** What is not an answer to a second pass: a fault of ours, or a version that was guessed wrong. */
const NO_ANSWER = ['SCM99999', 'SCM90030', 'SCM90060', 'SCM90061'];
/** Documents that take the same act once more after it moved them, each with its reason. */
const TAKEN_AGAIN: Readonly<Record<string, string>> = {
  'CardBatchService/exportBatchSecret': 'the file of secrets is taken three times, each with a password of its own',
  'CardFindingService/assignFinding': 'who mends it may change until it is mended',
  'CardSettlementService/disputeBill':
    'what the counterparty says may change until it is decided; `differences.test.ts` has the decided line',
  'InsuredListService/addReverseBatch': 'each reversal is a list of its own, which is judged against the policy when it is applied',
  'LedgerService/assignLedgerFinding': 'who mends it may change until it is mended',
  'MarkService/mergeMark': 'a mark that is out of use is merged too; the second time it has nothing left',
  'PaymentService/batchRefund':
    'GET by the specification: repeated it answers the same and does nothing; `batches.test.ts` counts what is sent',
  'TaskManageService/assignFollowTask': 'who does it may change until it is done',
};

const versioned = allCases.filter(({ call, as }) => call.kind === 'command' && as !== null && 'version' in shapeOf(call.input));
const current = z.looseObject({ current: z.looseObject({ version: z.int() }) });

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const trailAfter = async (id: string, userId: string) =>
  (
    await sql<{ id: string; moved: boolean }>`
      select id, from_state is distinct from to_state as moved
        from kernel_audit_trail
        where id > ${id} and user_id = ${userId}
        order by id`.execute(app.db)
  ).rows;
const lastOf = async (table: string) =>
  (await sql<{ id: string }>`select coalesce(max(id), 0)::text as id from ${sql.table(table)}`.execute(app.db)).rows[0]!.id;
const marks = async () => ({ trail: await lastOf('kernel_audit_trail'), told: await lastOf('kernel_outbox') });

it('is tried for documents of many domains', () => expect(versioned.length).toBeGreaterThan(250));

describe.each(versioned)('$call.name, once more on what it decided', (entry) => {
  const { call } = entry;

  it('is refused with a code of its own, and nothing changes', async () => {
    const as = await app.staff(entry.as ?? { permissions: permissionCodesOf(call) });
    await entry.prepare?.(app, as);
    const input = await entry.valid(app, as);
    const before = await marks();
    const send = async (version?: number) =>
      (
        await app.send(call, version === undefined ? input : { ...(input as object), version }, {
          as,
          idempotencyKey: `again-${version ?? 'first'}-${as.userId}`,
        })
      ).envelope;
    expect(await send()).toMatchObject({ code: SUCCESS });
    if (!(await trailAfter(before.trail, as.userId)).some(({ moved }) => moved)) return;
    const decided = await marks();
    const sent = await send(Number((input as { version: number }).version));
    const answer = sent.code === 'SCM90030' ? await send(current.parse(sent.data).current.version) : sent;
    expect(NO_ANSWER, `${answer.code} ${answer.message}`).not.toContain(answer.code);
    expect(answer.code === SUCCESS, `${answer.code} ${answer.message}`).toBe(call.name in TAKEN_AGAIN);
    if (answer.code !== SUCCESS) expect(await marks()).toEqual(decided);
  });
});
