import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addInsuredBatch,
  addReverseBatch,
  auditInsuredBatch,
  queryInsuredBatchImpact,
  queryInsuredBatchUndo,
} from '../../../contract/calls/batches.ts';
import { auditEndorsement, queryEndorsementDetail, queryEndorsementList } from '../../../contract/calls/endorsements.ts';
import { findCover } from '../../cover/live.ts';
import { own } from '../../database.ts';
import { asked, itemOf, keeper, passed, personWish } from '../../testing/fixtures.ts';
import {
  applied,
  cellsOf,
  crowd,
  detailOf,
  handedIn,
  HEADERS,
  killed,
  listPerson,
  parsed,
  undone,
  setListScene,
  uploadList,
  type ListScene,
} from '../../testing/lists.ts';
import { applyJob } from './applyJob.ts';
import { parseJob } from '../parsing/parseJob.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let templateId: string;
let policy: ListScene['policy'];
let seen: ListScene['seen'];

beforeAll(async () => {
  app = await startTestApp();
  ({ maker, checker, templateId, policy, seen } = await setListScene(app));
});
afterAll(() => app.close());

/** Cover, facts and money of a policy as it stands, without when and by which row. */
const pictureOf = async (policyId: string, asOf: string | null = null) => {
  const { rows } = await sql`
    select i.name, i.mobile_hash, s.plan_code, s.coverage_start::text, s.coverage_end::text, s.annual_premium_fen
    from policy_cover_slice s join policy_insured_item i on i.id = s.insured_item_id
    join policy_endorsement e on e.id = s.created_by_endorsement_id
    where s.policy_id = ${policyId} and e.visible_at <= coalesce(${asOf}::timestamptz, 'infinity')
      and (e.undone_at is null or e.undone_at > coalesce(${asOf}::timestamptz, 'infinity'))
      and not exists (select from policy_cover_supersede u join policy_endorsement x on x.id = u.endorsement_id
        where u.slice_id = s.id and x.visible_at <= coalesce(${asOf}::timestamptz, 'infinity')
          and (x.undone_at is null or x.undone_at > coalesce(${asOf}::timestamptz, 'infinity')))
    order by i.id_no_hash, s.coverage_start`.execute(app.db);
  return rows;
};
const openFen = async (policyId: string) => {
  const { rows } = await sql<{ fen: string }>`
    select coalesce(sum(case direction when 'COLLECT' then amount_fen else -amount_fen end), 0)::text as fen from policy_premium_order
    where policy_id = ${policyId} and state not in ('VOIDED', 'REVERSED')`.execute(app.db);
  return rows[0]?.fen;
};
const ordersOf = (policyId: string) =>
  own(app.db).selectFrom('policyPremiumOrder').selectAll().where('policyId', '=', policyId).orderBy('id').execute();
const allow = (itemId: string, refType: 'CONTRACT' | 'CLAIM', state: string, from: string) =>
  sql`
    insert into policy_cover_use (ref_type, ref_id, ref_no, insured_item_id, policy_id, state, use_from, updated_at)
      select ${refType}, id::text, 'HT' || id, id, policy_id, ${state}, ${from}::date, now()
        from policy_insured_item
        where id = ${itemId}`.execute(app.db);

it('an endorsement of a list names who passed the list, and nobody where the list took effect at once', async () => {
  const { id: policyId } = await policy();
  const first = await applied(app, maker, checker, [listPerson('赵一')], { templateId, policyId, mode: 'FULL' });
  const second = await applied(app, maker, checker, [listPerson('赵二')], { templateId, policyId, mode: 'ADD' });
  expect([first.checker, second.checker]).toEqual([expect.stringMatching(/./), null]);
  const { rows } = await app.ok(queryEndorsementList, { policyId }, { as: maker });
  expect(rows.map(({ batchNo, checker: name }) => [batchNo, name])).toEqual([
    [second.batchNo, null],
    [first.batchNo, first.checker],
  ]);
  const { id: endorsementId } = rows[1]!;
  expect(await app.ok(queryEndorsementDetail, { endorsementId }, { as: maker })).toMatchObject({ checker: first.checker });
});

describe('a worker that is killed', () => {
  // policy.md acceptance 3, 4
  it('goes on behind what stands, nobody sees anything before all of it stands, and the end is that of one that ran through', async () => {
    const [{ id: broken }, { id: whole }] = [await policy(), await policy()];
    const people = crowd(1_600).map((person, at) => ({
      ...person,
      name: `张${'一二三四五'[at % 5]}`,
      planCode: at % 3 === 0 ? 'P2' : 'P1',
    }));
    const upload = () => uploadList(app, maker, [HEADERS, ...people.map(cellsOf)]);
    const made = await app.ok(addInsuredBatch, { templateId, mode: 'INITIAL', policyIds: [broken], fileId: await upload() }, { as: maker });
    await app.ok(auditInsuredBatch, { batchId: made.id, version: made.version, action: 'parse' }, { as: maker });
    const parse = parseJob(app.kernel);
    await expect(parse.run({ batchId: made.id }, killed(app, 5))).rejects.toThrow('killed');
    expect(await detailOf(app, maker, made)).toMatchObject({ state: 'PARSING', parsedRows: 100 });
    await expect(parse.run({ batchId: made.id }, killed(app, 3))).rejects.toThrow('killed');
    await app.runDue();
    expect(await detailOf(app, maker, made)).toMatchObject({ state: 'PREVIEW', totalRows: 1_600, addRows: 1_600 });
    const pending = await handedIn(app, maker, made);
    expect(pending.state).toBe('PENDING_AUDIT');
    await app.ok(auditInsuredBatch, { batchId: made.id, version: pending.version, action: 'approve', opinion: '同意' }, { as: checker });
    const apply = applyJob(app.kernel);
    await expect(apply.run({ batchId: made.id }, killed(app, 2))).rejects.toThrow('killed');
    expect(await detailOf(app, maker, made)).toMatchObject({ state: 'APPLYING', appliedRows: 1_000 });
    expect([await seen(broken), await openFen(broken), (await pictureOf(broken)).length]).toEqual([0, '0', 0]);
    // meanwhile nobody else touches the policy
    const byHand = await asked(app, maker, {
      policyId: broken,
      kind: 'ADD',
      effectiveOn: '2026-12-01',
      after: { person: personWish(), planCode: 'P1' },
    });
    expect(
      await app.refused(auditEndorsement, { id: byHand.id, version: byHand.version, action: 'approve', opinion: '同意' }, { as: checker }),
    ).toMatchObject({ code: 'SCM13025' });
    await app.runDue();
    expect(await detailOf(app, maker, made)).toMatchObject({ state: 'APPLIED', appliedRows: 1_600, listsFresh: true });
    await applied(app, maker, checker, people, { templateId, policyId: whole, mode: 'INITIAL' });
    expect(await pictureOf(broken)).toEqual(await pictureOf(whole));
    expect([await openFen(broken), await seen(broken)]).toEqual([await openFen(whole), await seen(whole)]);
    const [order] = await ordersOf(broken);
    expect(order).toMatchObject({ state: 'PENDING_AUDIT', personCount: 1_600, kind: 'NEW' });
    const { rows } = await sql<{ fen: string; n: number }>`
      select sum(amount_fen)::text as fen, count(*)::int as n from policy_premium_order_item where premium_order_id = ${order!.id}`.execute(
      app.db,
    );
    expect(rows[0]).toEqual({ fen: order!.amountFen, n: 1_600 });
    // a second worker that comes late changes nothing
    await apply.run({ batchId: made.id }, killed(app, 100));
    expect((await ordersOf(broken)).length).toBe(1);
    await undone(app, maker, checker, made);
    expect([await openFen(broken), (await pictureOf(broken)).length]).toEqual(['0', 0]);
  }, 120_000);
});

describe('a list that is taken back', () => {
  // policy.md acceptance 6, 13 (asOf)
  it('leaves everything as it was, at every moment, and may be applied again', async () => {
    const { id: policyId } = await policy();
    const people = [listPerson('李一', { mobile: '13911110001' }), listPerson('李二'), listPerson('李三')];
    await applied(app, maker, checker, people, { templateId, policyId, mode: 'INITIAL' });
    const before = { live: await pictureOf(policyId), fen: await openFen(policyId) };
    const recorded = app.clock.now();
    await app.advance(300_000);
    const changes = [
      { ...people[0]!, mobile: '13922220002', op: '改' },
      { ...people[1]!, leaveOn: '2027-01-31', op: '减' },
      { ...people[2]!, planCode: 'P2', effectiveOn: '2027-01-01', op: '改' },
      { ...listPerson('李四'), op: '增' },
    ];
    const wish = { templateId, policyId };
    const batch = await applied(app, maker, checker, changes, wish);
    expect(batch).toMatchObject({ state: 'APPLIED', addRows: 1, modifyRows: 2, removeRows: 1 });
    expect(await pictureOf(policyId)).toMatchObject(expect.arrayContaining([expect.objectContaining({ name: '李四' })]));
    expect(await openFen(policyId)).not.toBe(before.fen);
    await app.advance(300_000);
    const [item, leaver] = [await itemOf(app, policyId, '李四'), await itemOf(app, policyId, '李二')];
    const during = app.clock.now();
    await app.advance(300_000);
    const ask = { batchId: batch.id, version: batch.version, action: 'askUndo' as const, opinion: '名单有误' };
    const operator = await app.staff({ permissions: ['policy.batch.view', 'policy.batch.import'] });
    expect(await app.refused(auditInsuredBatch, ask, { as: operator })).toMatchObject({ code: 'SCM90010' });
    expect(await app.refused(auditInsuredBatch, { ...ask, action: 'undo' }, { as: checker })).toMatchObject({
      fields: [{ message: '请先由一人申请整批撤销' }],
    });
    const askedFor = await app.ok(auditInsuredBatch, ask, { as: maker });
    const confirm = { ...ask, action: 'undo' as const, version: askedFor.version, confirmToken: askedFor.confirmToken ?? '' };
    expect(await app.refused(auditInsuredBatch, confirm, { as: maker })).toMatchObject({ code: 'SCM13010' });
    expect(await app.refused(auditInsuredBatch, { ...confirm, confirmToken: '1' }, { as: checker })).toMatchObject({
      fields: [{ path: 'confirmToken' }],
    });
    await app.ok(auditInsuredBatch, confirm, { as: checker });
    await app.runDue();
    expect(await detailOf(app, maker, batch)).toMatchObject({ state: 'UNDONE', listsFresh: true });
    expect({ live: await pictureOf(policyId), fen: await openFen(policyId) }).toEqual(before);
    expect(await pictureOf(policyId, recorded)).toEqual(before.live);
    const covered = async (insuredItemId: string, asOf: string | null) =>
      (await findCover(app.db, { insuredItemId, day: '2027-03-01', asOf })) !== null;
    expect([await covered(item, during), await covered(item, null)]).toEqual([true, false]);
    expect([await covered(leaver, recorded), await covered(leaver, during), await covered(leaver, null)]).toEqual([true, false, true]);
    expect((await ordersOf(policyId)).map(({ state }) => state)).toEqual(['PENDING_AUDIT', 'VOIDED']);
    expect(await applied(app, maker, checker, changes, wish)).toMatchObject({ state: 'APPLIED', addRows: 1, modifyRows: 2, removeRows: 1 });
  });

  it('stays as it is where money came after it was confirmed, and says why; it is taken back once the money is', async () => {
    const { id: policyId } = await policy();
    const batch = await applied(app, maker, checker, [listPerson('孙一')], { templateId, policyId, mode: 'ADD' });
    const pay = (state: string, fen: number) =>
      sql`update policy_premium_order set state = ${state}, settled_fen = ${fen} where policy_id = ${policyId}`.execute(app.db);
    const confirmed = async ({ id: batchId, version }: { id: string; version: number }) => {
      const ask = { batchId, version, action: 'askUndo' as const, opinion: '名单有误' };
      const answer = await app.ok(auditInsuredBatch, ask, { as: maker });
      const confirm = { ...ask, action: 'undo' as const, version: answer.version, confirmToken: answer.confirmToken ?? '' };
      await app.ok(auditInsuredBatch, confirm, { as: checker });
    };
    await confirmed(batch);
    await pay('PART_SETTLED', 100);
    await app.runDue();
    const kept = await detailOf(app, maker, batch);
    expect(kept).toMatchObject({ state: 'APPLIED' });
    expect(kept.timeline.some(({ opinion }) => opinion === '保费已到账，请先撤销分配')).toBe(true);
    expect(await findCover(app.db, { insuredItemId: await itemOf(app, policyId, '孙一'), day: '2027-01-01' })).not.toBeNull();
    await pay('APPROVED', 0);
    await confirmed(kept);
    await app.runDue();
    expect(await detailOf(app, maker, batch)).toMatchObject({ state: 'UNDONE' });
    expect((await ordersOf(policyId)).map(({ state }) => state)).toEqual(['REVERSED', 'REVERSED']);
  });

  // policy.md acceptance 7
  it('is refused under a later endorsement, a signed contract and money, all told together; the rest is reversed; too late after 90 days', async () => {
    const { id: policyId } = await policy();
    const people = [listPerson('赵一'), listPerson('赵二'), listPerson('赵三')];
    const batch = await applied(app, maker, checker, people, { templateId, policyId, mode: 'ADD' });
    const [later, signed] = [await itemOf(app, policyId, '赵一'), await itemOf(app, policyId, '赵二')];
    const removal = await passed(app, maker, checker, {
      policyId,
      kind: 'REMOVE',
      effectiveOn: '2027-02-01',
      after: { insuredItemIds: [later] },
    });
    await allow(signed, 'CONTRACT', 'LIVE', '2026-12-05');
    await sql`
      update policy_premium_order
        set state = 'PART_SETTLED', settled_fen = 100
        where policy_id = ${policyId} and direction = 'COLLECT'`.execute(app.db);
    const ask = { batchId: batch.id, version: batch.version, action: 'askUndo' as const, opinion: '名单有误' };
    const refused = await app.refused(auditInsuredBatch, ask, { as: maker });
    expect(refused).toMatchObject({ code: 'SCM13026' });
    expect(refused.message).toBe(
      `请先撤销后续批单：${removal.endorsementNo}；有1人已签约或申请理赔，不能整批撤销，可生成冲正批次；保费已到账，请先撤销分配`,
    );
    const { rows, hindrances } = await app.ok(queryInsuredBatchUndo, { batchId: batch.id }, { as: maker });
    expect(hindrances.map(({ code }) => code)).toEqual(['SCM13026', 'SCM13027', 'SCM13028']);
    expect(rows.map(({ name, reason }) => [name, reason])).toEqual([
      ['赵一', `后续批单${removal.endorsementNo}`],
      ['赵二', '已签约或申请理赔'],
    ]);
    const made = await app.ok(
      addReverseBatch,
      { batchId: batch.id, version: batch.version, excludeRowIds: rows.map(({ rowId }) => rowId) },
      { as: maker },
    );
    await app.runDue();
    const reverse = await detailOf(app, maker, made);
    expect(reverse).toMatchObject({ state: 'PREVIEW', removeRows: 1, totalRows: 1, reverseOfBatchNo: batch.batchNo });
    const pending = await handedIn(app, maker, reverse);
    expect(pending.state).toBe('PENDING_AUDIT');
    await app.ok(auditInsuredBatch, { batchId: reverse.id, version: pending.version, action: 'approve', opinion: '同意' }, { as: checker });
    await app.runDue();
    expect(await detailOf(app, maker, reverse)).toMatchObject({ state: 'APPLIED' });
    expect(await findCover(app.db, { insuredItemId: await itemOf(app, policyId, '赵三'), day: '2027-01-01' })).toBeNull();
    expect(await findCover(app.db, { insuredItemId: signed, day: '2027-01-01' })).not.toBeNull();
    // with the blocked rows in it, the reverse says which of them cannot be
    const all = await app.ok(addReverseBatch, { batchId: batch.id, version: batch.version }, { as: maker });
    await app.runDue();
    expect(await detailOf(app, maker, all)).toMatchObject({ state: 'HAS_ERROR', errorRows: 2, warningCodes: [{ code: 'W05' }] });
    app.clock.advance(91 * 86_400_000);
    [maker, checker] = [await keeper(app), await keeper(app)];
    expect(await app.refused(auditInsuredBatch, ask, { as: maker })).toMatchObject({
      message: expect.stringMatching(/超过90天不能整批撤销/),
    });
  });
});

describe('two lists of one policy', () => {
  // policy.md acceptance 9
  it('are not applied at once; one that broke off goes on or is thrown away without a trace', async () => {
    const { id: policyId } = await policy({ coverageEnd: '2027-12-31' });
    const from = app.clock.today();
    const wish = { templateId, policyId, mode: 'ADD' as const, defaultEffectiveOn: from };
    const one = await parsed(app, maker, [listPerson('钱一', { effectiveOn: from })], wish);
    const two = await parsed(app, maker, [listPerson('钱二', { effectiveOn: from })], wish);
    const hash = async (id: string) => (await app.ok(queryInsuredBatchImpact, { batchId: id }, { as: maker })).impactHash;
    const submit = async ({ id, version }: { id: string; version: number }) =>
      app.send(auditInsuredBatch, { batchId: id, version, action: 'submit', impactHash: await hash(id), opinion: '' }, { as: maker });
    const answers = await Promise.all([submit(one), submit(two)]);
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM13025']);
    const [first, second] = answers[0]!.envelope.code === '0000000' ? [one, two] : [two, one];
    // something came in between that its rows do not know
    await sql`update policy_policy set endorsement_seq = endorsement_seq + 1 where id = ${policyId}`.execute(app.db);
    await app.runDue();
    const broken = await detailOf(app, maker, first);
    expect(broken).toMatchObject({ state: 'APPLY_FAILED', failure: '影响范围已变化，请重新查看影响分析' });
    expect(broken.allowedActions).toEqual(['resume', 'discard']);
    await sql`update policy_policy set endorsement_seq = endorsement_seq - 1 where id = ${policyId}`.execute(app.db);
    // it broke off behind the rows of its only chunk
    const resumed = await app.ok(auditInsuredBatch, { batchId: first.id, version: broken.version, action: 'resume' }, { as: maker });
    expect(resumed.state).toBe('APPLYING');
    await expect(applyJob(app.kernel).run({ batchId: first.id }, killed(app, 2))).rejects.toThrow('killed');
    await sql`update policy_insured_batch set state = 'APPLY_FAILED' where id = ${first.id}`.execute(app.db);
    const { version } = await detailOf(app, maker, first);
    await app.ok(auditInsuredBatch, { batchId: first.id, version, action: 'discard', opinion: '重新导入' }, { as: maker });
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from policy_insured_item where policy_id = ${policyId})
        + (select count(*) from policy_cover_slice where policy_id = ${policyId})
        + (select count(*) from policy_endorsement where policy_id = ${policyId} and state <> 'DISCARDED') as n`.execute(app.db);
    expect(Number(rows[0]?.n)).toBe(0);
    await app.runDue();
    await handedIn(app, maker, second);
    await app.runDue();
    expect(await detailOf(app, maker, second)).toMatchObject({ state: 'APPLIED' });
    expect(await seen(policyId)).toBe(1);
  });
});
