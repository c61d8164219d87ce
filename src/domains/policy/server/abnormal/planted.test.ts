import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { own as ownInsurance } from '#domains/insurance/server/database.ts';
import type { CheckCode } from '../../contract/abnormal/checks.ts';
import { auditFinding, queryFindingList, runCheck } from '../../contract/calls/abnormal.ts';
import { addInsuredBatch } from '../../contract/calls/batches.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import { abnormalPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { keeper as policyKeeper, policyWish, serial } from '../testing/fixtures.ts';
import { makeTemplate, uploadList } from '../testing/lists.ts';
import { aPolicy, coveredPerson } from '../testing/orders.ts';
import { recordUse, type ReportedUse } from '../uses/uses.ts';

let app: TestApp;
let keeper: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  keeper = await app.staff({ permissions: Object.values(abnormalPermissions).map(({ code }) => code) });
});
afterAll(() => app.close());

const key = () => `policy-planted-${serial()}`;
type Person = Awaited<ReturnType<typeof coveredPerson>>;
type Subject = { policyId: string } | { subjectId: string };
/** Makes one violation; says where it is found, and how it is mended. */
type Plant = (at: Person) => Promise<Subject & { mend(): Promise<unknown> }>;

const change = (statement: ReturnType<typeof sql>) => statement.execute(app.db);
/** What the database itself refuses to everybody but its owner. */
const asOwner = (table: string, trigger: string, statement: string) =>
  app.database.asOwner(`alter table ${table} disable trigger ${trigger}; ${statement}; alter table ${table} enable trigger ${trigger}`);

/** Somebody of the same policy without any cover. */
async function uncovered({ insuredItemId }: Person): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into policy_insured_item (
      policy_id, person_key, name, id_type, gender, birth_date, mobile_hash, created_by_endorsement_id, created_at, updated_at
    )
    select policy_id, 'uncovered', '张大国', 'OTHER', gender, birth_date, 'uncovered' || id, created_by_endorsement_id, created_at, updated_at
    from policy_insured_item where id = ${insuredItemId} returning id::text`.execute(app.db);
  return rows[0]!.id;
}

/** What enrolment or claim tells of somebody, and that it ended. */
async function used(insuredItemId: string, more: Pick<ReportedUse, 'refType' | 'state'> & Partial<ReportedUse>) {
  const refNo = `REF${serial()}`;
  const told = { refId: refNo, refNo, insuredItemId, useFrom: app.clock.today(), useTo: null, seq: 1, now: app.clock.now(), ...more };
  await app.db.transaction().execute((tx) => recordUse(tx, told));
  return () => app.db.transaction().execute((tx) => recordUse(tx, { ...told, state: 'ENDED', paidFen: 0, seq: 2 }));
}

/** A contract that policy knows, and how its suspension is published without being taken up. */
async function contractOf(insuredItemId: string) {
  const refId = String(70_000 + serial());
  const refNo = `HT${refId}`;
  const told = {
    refType: 'CONTRACT' as const,
    refId,
    refNo,
    insuredItemId,
    state: 'LIVE' as const,
    useFrom: app.clock.today(),
    useTo: null,
    seq: 1,
    now: app.clock.now(),
  };
  await app.db.transaction().execute((tx) => recordUse(tx, told));
  const missed = async (state: 'FAILED' | 'PENDING', at = app.clock.now()): Promise<string> => {
    const onDate = app.clock.today();
    const payload = {
      contractId: refId,
      contractNo: refNo,
      patientId: '1',
      insuredItemId,
      productLine: 'STANDARD',
      reason: '欠费',
      onDate,
      seq: 2,
    };
    const { rows } = await sql<{ id: string }>`
      insert into kernel_outbox (event_id, name, aggregate_id, seq, payload, at, trace_id)
        values (gen_random_uuid(), 'enrolment.contract.suspended', ${refId}, 2, ${JSON.stringify(payload)}::jsonb, ${at}, 'test')
        returning id::text`.execute(app.db);
    const id = rows[0]!.id;
    await change(sql`insert into kernel_outbox_delivery (outbox_id, consumer, state, attempts, next_try_at)
      values (${id}, 'policy:enrolment.contract.suspended', ${state}, 8, ${plusDays(app.clock.today(), 30)}::timestamptz)`);
    return id;
  };
  return { told, missed };
}

/** A second person, under another product, with the certificate of the first. */
async function sameCertificate({ insuredItemId }: Person, name: string): Promise<Person> {
  const second = await coveredPerson(app);
  await change(sql`update policy_insured_item set name = ${name},
    id_no_hash = (select id_no_hash from policy_insured_item where id = ${insuredItemId}) where id = ${second.insuredItemId}`);
  return second;
}

const plants: Partial<Record<CheckCode, Plant>> = {
  AB02: async ({ policyId }) => {
    const first = await own(app.db).selectFrom('policyPolicy').selectAll().where('id', '=', policyId).executeTakeFirstOrThrow();
    const wish = policyWish(first.productId, { coverageStart: first.coverageStart, coverageEnd: first.coverageEnd });
    const { id } = await app.ok(addPolicy, wish, { as: await policyKeeper(app) });
    return { policyId: id, mend: () => change(sql`update policy_policy set state = 'CANCELLED' where id = ${id}`) };
  },
  AB03: async ({ policyId }) => {
    const today = app.clock.today();
    await change(sql`update policy_policy set coverage_start = '2023-12-01' where id = ${policyId}`);
    return { policyId, mend: () => change(sql`update policy_policy set coverage_start = ${today} where id = ${policyId}`) };
  },
  AB04: async ({ policyId }) => {
    const { id: before } = await aPolicy(app);
    const today = app.clock.today();
    await change(sql`
      update policy_policy
        set state = 'EXPIRED', coverage_start = ${plusDays(today, -370)}, coverage_end = ${plusDays(today, -6)}
        where id = ${before}`);
    await change(sql`update policy_policy set renewal_of_policy_id = ${before} where id = ${policyId}`);
    return { policyId, mend: () => change(sql`update policy_policy set coverage_end = ${plusDays(today, -1)} where id = ${before}`) };
  },
  AB06: async () => {
    const { id } = await aPolicy(app);
    await change(sql`update policy_policy set state = 'IN_FORCE', coverage_start = coverage_start - 4 where id = ${id}`);
    return { policyId: id, mend: () => change(sql`update policy_policy set state = 'CANCELLED' where id = ${id}`) };
  },
  AB10: async (at) => {
    const { insuredItemId, policyId } = await sameCertificate(at, '张建军');
    return { policyId, mend: () => change(sql`update policy_insured_item set name = '张建国' where id = ${insuredItemId}`) };
  },
  AB11: async ({ policyId, insuredItemId }) => {
    await asOwner(
      'policy_cover_slice',
      'policy_cover_slice_inserted',
      `
        insert into policy_cover_slice (
          insured_item_id, policy_id, plan_code, coverage_start, coverage_end, annual_premium_fen, created_by_endorsement_id
        )
          select insured_item_id, policy_id, plan_code, coverage_start + 10, coverage_end, annual_premium_fen, created_by_endorsement_id
            from policy_cover_slice
            where insured_item_id = ${insuredItemId}`,
    );
    const once = `delete from policy_cover_slice s where s.insured_item_id = ${insuredItemId}
      and exists (select from policy_cover_slice t where t.insured_item_id = s.insured_item_id and t.id < s.id)`;
    return { policyId, mend: () => asOwner('policy_cover_slice', 'policy_cover_slice_deleted', once) };
  },
  AB13: async (at) => {
    const main = await uncovered(at);
    await change(sql`update policy_insured_item set main_insured_item_id = ${main} where id = ${at.insuredItemId}`);
    const mend = () => change(sql`update policy_insured_item set main_insured_item_id = null where id = ${at.insuredItemId}`);
    return { subjectId: at.insuredItemId, mend };
  },
  AB15: async ({ policyId, insuredItemId }) => {
    const plan = (code: string) =>
      asOwner(
        'policy_cover_slice',
        'policy_cover_slice_updated',
        `update policy_cover_slice set plan_code = '${code}' where insured_item_id = ${insuredItemId}`,
      );
    await plan('P9');
    return { policyId, mend: () => plan('P1') };
  },
  AB16: async (at) => {
    const second = await sameCertificate(at, '张建国');
    const products = own(app.db).selectFrom('policyPolicy').select(['id', 'productId']).where('id', 'in', [at.policyId, second.policyId]);
    const [one, other] = (await products.orderBy('id').execute()).map(({ productId }) => productId);
    const now = app.clock.now();
    await ownInsurance(app.db)
      .insertInto('insuranceProductLink')
      .values({
        mainProductId: one!,
        otherProductId: other!,
        linkType: 'EXCLUSIVE',
        effectiveFrom: '2024-01-01',
        status: 'ENABLED',
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    const mend = () =>
      change(sql`update policy_insured_item set id_no_hash = id_no_hash || ${second.insuredItemId} where id = ${second.insuredItemId}`);
    return { subjectId: at.insuredItemId, mend };
  },
  AB24: async (at) => {
    const subjectId = await uncovered(at);
    return { subjectId, mend: await used(subjectId, { refType: 'CONTRACT', state: 'LIVE' }) };
  },
  AB25: async (at) => {
    const subjectId = await uncovered(at);
    return { subjectId, mend: await used(subjectId, { refType: 'CLAIM', state: 'OPEN' }) };
  },
  AB26: async ({ insuredItemId: subjectId }) => ({
    subjectId,
    mend: await used(subjectId, { refType: 'CLAIM', state: 'PAID', paidFen: 900_000_000_000 }),
  }),
  AB27: async ({ policyId }) => {
    const as = await policyKeeper(app);
    const fileId = await uploadList(app, as, [['姓名', '证件号码']]);
    const wish = { templateId: await makeTemplate(app, as), mode: 'MIXED' as const, policyIds: [policyId], fileId };
    const { id } = await app.ok(addInsuredBatch, wish, { as });
    await change(
      sql`update policy_insured_batch set state = 'PENDING_AUDIT', updated_at = updated_at - interval '4 days' where id = ${id}`,
    );
    return { subjectId: id, mend: () => change(sql`update policy_insured_batch set state = 'DISCARDED' where id = ${id}`) };
  },
  AB28: async ({ policyId, endorsementId, orderId }) => {
    await change(
      sql`update policy_endorsement set state = 'UNDONE', undone_at = ${app.clock.now()}::timestamptz where id = ${endorsementId}`,
    );
    return { policyId, mend: () => change(sql`update policy_premium_order set state = 'VOIDED' where id = ${orderId}`) };
  },
  AB31: async ({ insuredItemId }) => {
    const contract = await contractOf(insuredItemId);
    const outboxId = await contract.missed('FAILED');
    const mend = async () => {
      await app.db.transaction().execute((tx) => recordUse(tx, { ...contract.told, seq: 2 }));
      await change(sql`update kernel_outbox_delivery set state = 'DONE' where outbox_id = ${outboxId}`);
    };
    return { subjectId: contract.told.refId, mend };
  },
};
const codes = Object.keys(plants) as CheckCode[];
const run = () => app.ok(runCheck, { checkCode: codes }, { as: keeper, idempotencyKey: key() });
const judge = (id: string, version: number) =>
  ({ id, version, action: 'recheck' }) satisfies Parameters<typeof app.ok<typeof auditFinding>>[1];

describe('violations that no call lets happen', () => {
  // policy.md acceptance 23
  it('are found once each, stay while nothing is mended, and are resolved by a look when they are', async () => {
    expect(codes.length).toBe(15);
    expect(await run()).toMatchObject({ found: 0 });
    const planted = new Map<CheckCode, Awaited<ReturnType<Plant>>>();
    for (const code of codes) planted.set(code, await plants[code]!(await coveredPerson(app)));
    const { found } = await run();
    expect(await run()).toMatchObject({ found, added: 0, cleared: 0 });
    for (const [code, { mend, ...subject }] of planted) {
      const ofCheck = async () => {
        const { rows } = await app.ok(queryFindingList, { checkCode: [code] }, { as: keeper });
        return rows.filter((row) => ('policyId' in subject ? row.policyId === subject.policyId : row.subjectId === subject.subjectId));
      };
      const wrong = await ofCheck();
      expect(wrong, code).toMatchObject([{ state: 'OPEN' }]);
      const { id, version } = wrong[0]!;
      expect(await app.refused(auditFinding, judge(id, version), { as: keeper, idempotencyKey: key() }), code).toMatchObject({
        code: 'SCM13061',
      });
      await mend();
      expect(await app.ok(auditFinding, judge(id, version), { as: keeper, idempotencyKey: key() }), code).toMatchObject({
        state: 'RESOLVED',
      });
    }
    await run();
    for (const code of codes) {
      const { rows } = await app.ok(queryFindingList, { checkCode: [code] }, { as: keeper });
      const of = planted.get(code)!;
      const again = rows.filter((row) => ('policyId' in of ? row.policyId === of.policyId : row.subjectId === of.subjectId));
      expect(again, code).toMatchObject([{ state: 'RESOLVED' }]);
    }
  });

  it('events that a use did not follow are told once more, and the next look finds it right', async () => {
    const { insuredItemId } = await coveredPerson(app);
    const contract = await contractOf(insuredItemId);
    const { refId } = contract.told;
    const look = async () => {
      await app.ok(runCheck, { checkCode: ['AB31'] }, { as: keeper, idempotencyKey: key() });
      const { rows } = await app.ok(queryFindingList, { checkCode: ['AB31'] }, { as: keeper });
      return rows.find(({ subjectId }) => subjectId === refId);
    };
    // What is on its way since less than a day is no fault; since a day it is.
    const waiting = await contract.missed('PENDING');
    expect(await look()).toBeUndefined();
    await change(sql`update kernel_outbox set at = at - interval '25 hours' where id = ${waiting}`);
    const wrong = (await look())!;
    expect(wrong).toMatchObject({
      subjectType: 'coverUse',
      subject: `签约 HT${refId}`,
      expected: '已处理至第2号事件',
      actual: '已处理至第1号，1个事件未处理',
      allowedActions: expect.arrayContaining(['replay']),
    });
    const act = (action: 'replay' | 'recheck', { id, version }: { id: string; version: number }) => ({ id, version, action });
    const looker = await app.staff({ permissions: ['policy.abnormal.view'] });
    expect(await app.refused(auditFinding, act('replay', wrong), { as: looker, idempotencyKey: key() })).toMatchObject({
      code: 'SCM90010',
    });
    const told = await app.ok(auditFinding, act('replay', wrong), { as: keeper, idempotencyKey: key() });
    expect(told.state).toBe('FIXING');
    // Asked for, not yet taken up.
    expect(await app.refused(auditFinding, act('recheck', told), { as: keeper, idempotencyKey: key() })).toMatchObject({
      code: 'SCM13061',
    });
    await app.runDue();
    expect(await app.ok(auditFinding, act('recheck', told), { as: keeper, idempotencyKey: key() })).toMatchObject({ state: 'RESOLVED' });
    // Taken up without having left anything: what was told stands behind what is known.
    await change(sql`update policy_cover_use set last_seq = 1 where ref_type = 'CONTRACT' and ref_id = ${refId}`);
    const behind = (await look())!;
    expect(behind).toMatchObject({ state: 'OPEN', actual: '已处理至第1号' });
    const again = await app.ok(auditFinding, act('replay', behind), { as: keeper, idempotencyKey: key() });
    await app.runDue();
    expect(await app.refused(auditFinding, act('replay', again), { as: keeper, idempotencyKey: key() })).toMatchObject({
      fields: [{ path: 'action', message: '没有需要重放的事件，请立即复查' }],
    });
    expect(await app.ok(auditFinding, act('recheck', again), { as: keeper, idempotencyKey: key() })).toMatchObject({ state: 'RESOLVED' });
  });

  it('an order waits five workdays of the calendar before it is found', async () => {
    const { orderId } = await coveredPerson(app);
    const waits = async (since: string) => {
      await change(sql`update policy_premium_order set updated_at = ${since}::timestamptz where id = ${orderId}`);
      await app.ok(runCheck, { checkCode: ['AB32'] }, { as: keeper, idempotencyKey: key() });
      const { rows } = await app.ok(queryFindingList, { checkCode: ['AB32'] }, { as: keeper });
      return rows.find(({ subjectId, state }) => subjectId === orderId && state === 'OPEN');
    };
    // The 21st is a Saturday: from Friday the 13th on five workdays went by, from the 12th on six.
    expect(app.clock.today()).toBe('2026-11-21');
    expect(await waits('2026-11-13T01:00:00Z')).toBeUndefined();
    expect(await waits('2026-11-12T15:59:00Z')).toMatchObject({ expected: '5个工作日内审核', actual: '自2026-11-12起待审核' });
    // Monday becomes a day of rest.
    await change(sql`
      insert into identity_work_calendar (day, is_workday, is_bankday, note, edited)
        values ('2026-11-16', false, false, '调休', true)
        on conflict (day) do update
        set is_workday = false`);
    expect(await waits('2026-11-12T15:59:00Z')).toBeUndefined();
  });
});
