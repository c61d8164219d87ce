import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobContext } from '#testing/jobContext.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addEndorsement, auditEndorsement, previewEndorsement, queryEndorsementList } from '../../contract/calls/endorsements.ts';
import { queryInsuredPersonDetail, queryInsuredPersonList, revealInsuredField } from '../../contract/calls/persons.ts';
import { addPolicy, delPolicy, modifyPolicy, queryPolicyDetail, queryPolicyList } from '../../contract/calls/policies.ts';
import { own } from '../database.ts';
import { findCover, getInsuredForEnrol } from '../index.ts';
import { dayJob } from '../policies/dayJob.ts';
import { asked, itemOf, keeper, makeProduct, passed, personWish, policyWish, type MadeProduct } from '../testing/fixtures.ts';
import { addWish, aPolicy } from '../testing/orders.ts';
import { recordUse } from '../uses/uses.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let product: MadeProduct;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  checker = await keeper(app);
  product = await makeProduct(app);
});
afterAll(() => app.close());

const policy = (more: Parameters<typeof policyWish>[1] = {}) => app.ok(addPolicy, policyWish(product.productId, more), { as: maker });
const add = (policyId: string, more: Parameters<typeof personWish>[0] = {}, effectiveOn = '2026-01-01') =>
  passed(app, maker, checker, { policyId, kind: 'ADD', effectiveOn, after: { person: personWish(more), planCode: 'P1' } });
const ordersOf = (policyId: string) =>
  own(app.db)
    .selectFrom('policyPremiumOrder')
    .select(['id', 'direction', 'amountFen', 'state', 'kind', 'sourceEndorsementId'])
    .where('policyId', '=', policyId)
    .orderBy('id')
    .execute();
const use = (insuredItemId: string, refType: 'CONTRACT' | 'CLAIM', state: 'LIVE' | 'OPEN' | 'PAID', useFrom: string) =>
  app.kernel.transactions.run('test', ({ tx }) =>
    recordUse(tx, {
      refType,
      refId: `${refType}${insuredItemId}`,
      refNo: 'CL2026001',
      insuredItemId,
      state,
      useFrom,
      useTo: null,
      seq: 1,
      now: app.clock.now(),
    }),
  );
const pictureOf = async (policyId: string) => {
  const { rows } = await app.ok(queryInsuredPersonList, { policyId, asOfDay: '2026-10-01' }, { as: maker });
  return rows.map(({ name, planCode, coverageStart, coverageEnd, state }) => [name, planCode, coverageStart, coverageEnd, state]);
};

describe('a policy', () => {
  // policy.md acceptance 14
  it('is refused with a number that stands already, without a version, not on sale', async () => {
    const { policyNo } = await policy({ policyNo: 'ZA-8801' });
    const refused = (more: object) => app.refused(addPolicy, { ...policyWish(product.productId), ...more }, { as: maker });
    expect(await refused({ policyNo: policyNo.toLowerCase().replace('88', '８８') })).toMatchObject({ code: 'SCM13001' });
    expect(await refused({ coverageStart: '2020-01-01', coverageEnd: '2020-12-31' })).toMatchObject({
      code: 'SCM13002',
      message: '产品在2020-01-01没有已发布版本',
    });
    expect(await refused({ coverageEnd: '2025-12-31' })).toMatchObject({ code: 'SCM90020' });
    expect(await refused({ coverageEnd: '2031-12-31' })).toMatchObject({ code: 'SCM90020' });
    const { rows } = await app.ok(queryPolicyList, { policyNo: ' za-８８01' }, { as: maker });
    expect(rows).toMatchObject([{ policyNo: 'ZA-8801', state: 'IN_FORCE', premiumFen: '0' }]);
  });

  it('is seen by its insurer alone, found by its persons exactly, changed in its contact only', async () => {
    const made = await policy();
    const person = personWish({ name: '王志强' });
    await passed(app, maker, checker, { policyId: made.id, kind: 'ADD', effectiveOn: '2026-01-01', after: { person, planCode: 'P1' } });
    const stranger = await app.staff({ permissions: ['policy.policy.view', 'policy.insured.view'], scope: { insurer: ['999999'] } });
    expect(await app.refused(queryPolicyDetail, { policyId: made.id }, { as: stranger })).toMatchObject({ code: 'SCM90040' });
    expect((await app.ok(queryInsuredPersonList, { policyId: made.id }, { as: stranger })).total).toBe(0);
    expect((await app.ok(queryPolicyList, { idNo: person.idNo! }, { as: maker })).rows.map(({ id }) => id)).toEqual([made.id]);
    const { rows } = await app.ok(queryInsuredPersonList, { policyId: made.id }, { as: maker });
    expect(JSON.stringify(rows)).not.toContain(person.idNo);
    expect(rows).toMatchObject([
      { name: '王志强', planCode: 'P1', state: 'ACTIVE', coverageEnd: '2026-12-31', annualPremiumFen: '120000' },
    ]);
    const wish = { id: made.id, version: made.version, declaredCount: 1, holderContact: '13800138001', channelName: '经代' };
    expect(await app.refused(modifyPolicy, wish, { as: maker })).toMatchObject({ code: 'SCM90030' });
    const { version } = await app.ok(queryPolicyDetail, { policyId: made.id }, { as: maker });
    const changed = await app.ok(modifyPolicy, { ...wish, version }, { as: maker });
    expect(await app.refused(delPolicy, { id: made.id, version: changed.version }, { as: maker })).toMatchObject({ code: 'SCM13007' });
    const item = rows[0]!.id;
    expect(await app.refused(revealInsuredField, { insuredItemId: item, field: 'idNo' }, { as: maker })).toMatchObject({
      code: 'SCM13014',
    });
    expect(await app.ok(revealInsuredField, { insuredItemId: item, field: 'idNo', reason: '核对证件' }, { as: maker })).toEqual({
      value: person.idNo,
    });
    const spare = await policy();
    await app.ok(delPolicy, { id: spare.id, version: spare.version }, { as: maker });
    expect(await app.refused(queryPolicyDetail, { policyId: spare.id }, { as: maker })).toMatchObject({ code: 'SCM90040' });
  });
});

describe('an endorsement', () => {
  // policy.md acceptance 1, 25
  it('is made by one and passed by another, one of a kind at a time, within the policy', async () => {
    const { id: policyId } = await policy();
    const wish = {
      policyId,
      kind: 'ADD' as const,
      effectiveOn: '2026-04-11',
      reason: '新员工入职',
      after: { person: personWish(), planCode: 'P1' },
    };
    const viewer = await app.staff({ permissions: ['policy.policy.view'] });
    expect(await app.refused(addEndorsement, wish, { as: viewer })).toMatchObject({ code: 'SCM90010' });
    expect((await app.ok(queryPolicyDetail, { policyId }, { as: viewer })).allowedKinds).toEqual([]);
    const refused = (more: object) => app.refused(addEndorsement, { ...wish, ...more }, { as: maker });
    expect(await refused({ effectiveOn: '2025-12-31' })).toMatchObject({ code: 'SCM13013' });
    expect(await refused({ reason: ' ' })).toMatchObject({ code: 'SCM90020', data: null });
    expect(await refused({ after: { person: personWish({ birthDate: '1950-01-01' }), planCode: 'P1' } })).toMatchObject({
      fields: [{ path: 'after.planCode', message: '年龄76岁不在计划承保范围0-60岁' }],
    });
    expect(await refused({ after: { person: { ...personWish(), birthDate: '1990-05-13' }, planCode: 'P1' } })).toMatchObject({
      fields: [{ message: '证件号与出生日期不一致' }],
    });
    expect(
      await refused({ after: { person: personWish({ relation: 'CHILD', mainInsuredItemId: '999999' }), planCode: 'P1' } }),
    ).toMatchObject({
      fields: [{ message: '主被保人不在保单中' }],
    });
    const preview = await app.ok(previewEndorsement, wish, { as: maker });
    expect(preview).toMatchObject({ premiumDeltaFen: '87123', persons: 1, needsOpinion: true, lines: [{ days: 265 }] });
    const made = await asked(app, maker, wish);
    expect(await refused({})).toMatchObject({ code: 'SCM13011', message: '该保单已有待审核的增员批单' });
    const decision = { id: made.id, version: made.version, action: 'approve' as const };
    expect(await app.refused(auditEndorsement, { ...decision, opinion: '同意' }, { as: maker })).toMatchObject({ code: 'SCM13010' });
    expect(await app.refused(auditEndorsement, decision, { as: checker })).toMatchObject({
      fields: [{ message: '追溯生效的批单请填写审核意见' }],
    });
    expect(await app.refused(auditEndorsement, { ...decision, version: 1, opinion: '同意' }, { as: checker })).toMatchObject({
      code: 'SCM90030',
    });
    expect((await app.ok(queryInsuredPersonList, { policyId }, { as: maker })).total).toBe(0);
    const done = await app.ok(auditEndorsement, { ...decision, opinion: '同意' }, { as: checker });
    expect(done).toMatchObject({ state: 'VISIBLE', premiumOrderNo: expect.stringMatching(/^BF\d{14}$/) });
    expect(await ordersOf(policyId)).toMatchObject([{ direction: 'COLLECT', amountFen: '87123', state: 'PENDING_AUDIT', kind: 'NEW' }]);
    const { rows } = await app.ok(queryEndorsementList, { policyId }, { as: checker });
    expect(rows).toMatchObject([{ seq: 1, premiumDeltaFen: '87123', state: 'VISIBLE', allowedActions: ['undo'] }]);
  });

  // policy.md acceptance 1, 13
  it('cuts cover with its last day, returns the rest less the fee, and is taken back exactly', async () => {
    const { id: policyId } = await policy({ refundFeeBp: 2500 });
    await add(policyId, { name: '李秀兰' });
    const item = await itemOf(app, policyId, '李秀兰');
    const before = await pictureOf(policyId);
    const recorded = app.clock.now();
    await app.advance(3_600_000);
    const removal = await passed(app, maker, checker, {
      policyId,
      kind: 'REMOVE',
      effectiveOn: '2026-09-15',
      after: { insuredItemIds: [item] },
    });
    expect(removal.impact).toMatchObject({ premiumDeltaFen: '-26383', lines: [{ feeFen: '8795', days: 107 }] });
    const covered = async (day: string, asOf?: string) =>
      (await findCover(app.db, { insuredItemId: item, day, asOf: asOf ?? null })) !== null;
    expect([await covered('2026-09-15'), await covered('2026-09-16')]).toEqual([true, false]);
    expect([await covered('2026-09-15', recorded), await covered('2026-09-16', recorded)]).toEqual([true, true]);
    expect(await pictureOf(policyId)).toEqual([['李秀兰', null, null, null, 'LEFT']]);
    const late = { policyId, kind: 'REMOVE' as const, effectiveOn: '2026-10-15', reason: '再次减员', after: { insuredItemIds: [item] } };
    expect(await app.refused(addEndorsement, late, { as: maker })).toMatchObject({ fields: [{ message: '李秀兰在该日之后没有保障' }] });
    const undo = { id: removal.id, version: removal.version, action: 'undo' as const, opinion: '误减' };
    expect(await app.refused(auditEndorsement, undo, { as: maker })).toMatchObject({
      code: 'SCM13010',
      message: '经办人不能撤销自己提交的批单',
    });
    expect(await app.refused(auditEndorsement, { ...undo, opinion: '' }, { as: checker })).toMatchObject({ code: 'SCM90020' });
    await app.ok(auditEndorsement, undo, { as: checker });
    expect(await pictureOf(policyId)).toEqual(before);
    expect((await ordersOf(policyId)).map(({ state }) => state)).toEqual(['PENDING_AUDIT', 'VOIDED']);
    const detail = await app.ok(queryInsuredPersonDetail, { insuredItemId: item }, { as: maker });
    expect(detail.slices.map(({ state, coverageEnd }) => `${state} ${coverageEnd}`)).toEqual(['LIVE 2026-12-31', 'UNDONE 2026-09-15']);
    // and it may be done again
    await passed(app, maker, checker, { policyId, kind: 'REMOVE', effectiveOn: '2026-09-20', after: { insuredItemIds: [item] } });
  });

  // policy.md acceptance 7 (by hand)
  it('is not taken back under a later one, under a signed contract, under money, or after 90 days: all told together', async () => {
    const { id: policyId } = await policy();
    const joined = await add(policyId, { name: '刘洋' });
    const item = await itemOf(app, policyId, '刘洋');
    const changed = await passed(app, maker, checker, {
      policyId,
      kind: 'PLAN',
      effectiveOn: '2026-07-01',
      after: { insuredItemIds: [item], planCode: 'P2' },
    });
    expect(changed.impact.lines.map(({ planCode, amountFen }) => [planCode, amountFen])).toEqual([
      ['P1', '-60493'],
      ['P2', '120986'],
    ]);
    await use(item, 'CONTRACT', 'LIVE', '2026-03-01');
    await sql`update policy_premium_order set state = 'PART_SETTLED', settled_fen = 100 where source_endorsement_id = ${joined.id}`.execute(
      app.db,
    );
    const undo = { id: joined.id, version: joined.version, action: 'undo' as const, opinion: '名单有误' };
    const refused = await app.refused(auditEndorsement, undo, { as: checker });
    expect(refused).toMatchObject({ code: 'SCM13026' });
    expect(refused.message).toBe(
      `请先撤销后续批单：${changed.endorsementNo}；有1人已签约或申请理赔，不能整批撤销，可生成冲正批次；保费已到账，请先撤销分配`,
    );
    app.clock.advance(91 * 86_400_000);
    maker = await keeper(app);
    checker = await keeper(app);
    const last = { id: changed.id, version: changed.version, action: 'undo' as const, opinion: '太迟' };
    expect(await app.refused(auditEndorsement, last, { as: checker })).toMatchObject({ code: 'SCM13029' });
  });

  it('corrects a certificate that nobody else of the policy has, and gives the earlier one back', async () => {
    const { id: policyId } = await policy({ coverageStart: '2026-06-01', coverageEnd: '2027-05-31' });
    const other = personWish({ name: '赵敏', gender: 'F' });
    await add(policyId, other, '2026-06-01');
    await add(policyId, { name: '钱进' }, '2026-06-01');
    const item = await itemOf(app, policyId, '钱进');
    const correct = (person: object) => ({
      policyId,
      kind: 'CORRECT' as const,
      effectiveOn: '2026-06-01',
      after: { insuredItemIds: [item], person: personWish(person) },
    });
    const taken = { ...correct({ name: '钱进', gender: 'F', idNo: other.idNo }), reason: '证件录错' };
    expect(await app.refused(addEndorsement, taken, { as: maker })).toMatchObject({ code: 'SCM13015' });
    const done = await passed(app, maker, checker, correct({ name: '钱锦', birthDate: '1991-02-03' }));
    const shown = async () => {
      const { name, birthDate } = await app.ok(queryInsuredPersonDetail, { insuredItemId: item }, { as: maker });
      return [name, birthDate];
    };
    expect(await shown()).toEqual(['钱锦', '1991-02-03']);
    await app.ok(auditEndorsement, { id: done.id, version: done.version, action: 'undo', opinion: '更正有误' }, { as: checker });
    expect(await shown()).toEqual(['钱进', '1990-05-12']);
  });

  it('rests and goes on, is extended and surrendered, and what is over takes no more', async () => {
    const { id: policyId } = await policy({ coverageStart: '2026-06-01', coverageEnd: '2027-05-31' });
    await add(policyId, { name: '孙立' }, '2026-06-01');
    const item = await itemOf(app, policyId, '孙立');
    const on = app.clock.today();
    const covered = async (day: string) => (await findCover(app.db, { insuredItemId: item, day })) !== null;
    await passed(app, maker, checker, { policyId, kind: 'SUSPEND', effectiveOn: on });
    expect([await covered('2026-06-01'), await covered(on)]).toEqual([true, false]);
    expect(await app.ok(queryPolicyDetail, { policyId }, { as: maker })).toMatchObject({
      state: 'SUSPENDED',
      suspensions: [{ from: on, to: null }],
    });
    await sql`update policy_premium_order set state = 'APPROVED', due_on = ${on}::date - 1 where policy_id = ${policyId}`.execute(app.db);
    const again = { policyId, kind: 'REINSTATE' as const, effectiveOn: on, reason: '已缴费' };
    expect(await app.refused(addEndorsement, again, { as: maker })).toMatchObject({
      code: 'SCM13004',
      message: '仍有1笔保费未结清，不能复效',
    });
    await sql`update policy_premium_order set state = 'SETTLED', settled_fen = amount_fen where policy_id = ${policyId}`.execute(app.db);
    await passed(app, maker, checker, again);
    expect(await covered(on)).toBe(true);
    const longer = await passed(app, maker, checker, { policyId, kind: 'EXTEND', effectiveOn: on, after: { newEnd: '2027-06-30' } });
    expect(longer.impact).toMatchObject({ premiumDeltaFen: '9863' });
    expect(await covered('2027-06-30')).toBe(true);
    await use(item, 'CLAIM', 'OPEN', on);
    const surrender = { policyId, kind: 'SURRENDER' as const, effectiveOn: on, reason: '投保人退保' };
    expect(await app.refused(addEndorsement, surrender, { as: maker })).toMatchObject({ code: 'SCM13005' });
    await sql`update policy_cover_use set state = 'PAID' where insured_item_id = ${item}`.execute(app.db);
    expect(await app.refused(addEndorsement, { ...surrender, effectiveOn: '2026-06-30' }, { as: maker })).toMatchObject({
      code: 'SCM13006',
    });
    const cancel = { ...surrender, kind: 'CANCEL' as const };
    expect(await app.refused(addEndorsement, cancel, { as: maker })).toMatchObject({ code: 'SCM13007' });
    const over = await passed(app, maker, checker, surrender);
    expect(await app.ok(queryPolicyDetail, { policyId }, { as: maker })).toMatchObject({ state: 'SURRENDERED', allowedKinds: [] });
    expect(await app.refused(addEndorsement, again, { as: maker })).toMatchObject({ code: 'SCM13012', message: '保单已退保，不能批改' });
    await app.ok(auditEndorsement, { id: over.id, version: over.version, action: 'undo', opinion: '客户撤回' }, { as: checker });
    expect(await app.ok(queryPolicyDetail, { policyId }, { as: maker })).toMatchObject({ state: 'IN_FORCE', coverageEnd: '2027-06-30' });
    expect(await covered('2027-06-30')).toBe(true);
  });
});

it('the database refuses live slices that overlap, and changes of what was seen', async () => {
  const { id: policyId } = await policy({ coverageStart: '2026-06-01', coverageEnd: '2027-05-31' });
  const first = await add(policyId, { name: '周涛' }, '2026-06-01');
  const item = await itemOf(app, policyId, '周涛');
  await expect(
    sql`update policy_cover_slice set coverage_end = '2026-12-31' where insured_item_id = ${item}`.execute(app.db),
  ).rejects.toThrow(/never changed/);
  await expect(sql`delete from policy_cover_slice where insured_item_id = ${item}`.execute(app.db)).rejects.toThrow(/is visible/);
  await expect(
    sql`update policy_endorsement set visible_at = visible_at + interval '1 day' where id = ${first.id}`.execute(app.db),
  ).rejects.toThrow(/never changed/);
  const doubled = app.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into policy_endorsement (endorsement_no, policy_id, kind, effective_on, state, maker_name, created_at, updated_at)
        values ('PD99999999000001', ${policyId}, 'MIXED', '2026-06-01', 'DRAFT', '测试', ${app.clock.now()}, ${app.clock.now()})
        returning id`.execute(tx);
    const id = rows[0]!.id;
    await sql`
      insert into policy_cover_slice (
        insured_item_id, policy_id, plan_code, coverage_start, coverage_end, annual_premium_fen, created_by_endorsement_id
      )
        values (${item}, ${policyId}, 'P1', '2027-05-31', '2027-05-31', 1, ${id})`.execute(tx);
    await sql`update policy_endorsement set state = 'VISIBLE', seq = 9, visible_at = ${app.clock.now()} where id = ${id}`.execute(tx);
  });
  await expect(doubled).rejects.toThrow(/overlap/);
});

it('two checkers of one endorsement: one passes it, and the same person is never covered twice', async () => {
  const { id: policyId } = await policy({ coverageStart: '2026-06-01', coverageEnd: '2027-05-31' });
  const made = await asked(app, maker, {
    policyId,
    kind: 'ADD',
    effectiveOn: '2026-06-01',
    after: { person: personWish({ name: '吴桐' }), planCode: 'P1' },
  });
  const second = await keeper(app);
  const decision = { id: made.id, version: made.version, action: 'approve', opinion: '同意' };
  const answers = await Promise.all([checker, second].map((as) => app.send(auditEndorsement, decision, { as })));
  expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90030']);
  expect(await ordersOf(policyId)).toHaveLength(1);
});

it('begins and ends with the days', async () => {
  const start = app.clock.today();
  const { id: policyId } = await policy({ coverageStart: '2027-03-01', coverageEnd: '2027-03-10' });
  await add(policyId, { name: '郑和' }, '2027-03-01');
  const state = async () => (await app.ok(queryPolicyDetail, { policyId }, { as: maker })).state;
  expect([await state(), start < '2027-03-01']).toEqual(['PENDING', true]);
  const run = async (now: string) => dayJob.run({}, jobContext(app, { now }));
  await run('2027-03-01T00:05:00.000Z');
  expect(await state()).toBe('IN_FORCE');
  const item = await itemOf(app, policyId, '郑和');
  expect(await getInsuredForEnrol(app.db, { insuredItemId: item, today: '2027-03-05' })).toMatchObject({
    covered: true,
    planCode: 'P1',
    continuousFrom: '2027-03-01',
    familySubjectId: item,
  });
  await run('2027-03-11T00:05:00.000Z');
  expect(await state()).toBe('EXPIRED');
  const { rows } = await app.ok(queryInsuredPersonList, { policyId }, { as: maker });
  expect(rows).toMatchObject([{ state: 'EXPIRED' }]);
});

it('is taken back from its beginning by who has that right alone, and passed by another one', async () => {
  const { id: policyId } = await aPolicy(app);
  const may = ['policy.policy.view', 'policy.policy.cancel', 'policy.endorse.audit'];
  const [one, other] = [await app.staff({ permissions: may }), await app.staff({ permissions: may })];
  const wish = { policyId, kind: 'CANCEL' as const, effectiveOn: app.clock.today(), reason: '投保资料有误' };
  expect((await app.ok(queryPolicyDetail, { policyId }, { as: one })).allowedKinds).toEqual(['CANCEL']);
  const clerk = await app.staff({ permissions: ['policy.policy.view', 'policy.endorse.make'] });
  expect(await app.refused(addEndorsement, wish, { as: clerk })).toMatchObject({ code: 'SCM90010' });
  expect(await app.refused(addEndorsement, { ...wish, kind: 'SUSPEND' }, { as: one })).toMatchObject({ code: 'SCM90010' });
  const made = await app.ok(addEndorsement, wish, { as: one });
  const approve = { id: made.id, version: made.version, action: 'approve' as const, opinion: '核实无误' };
  expect(await app.refused(auditEndorsement, approve, { as: one })).toMatchObject({ code: 'SCM13010' });
  await app.ok(auditEndorsement, approve, { as: other });
  expect((await app.ok(queryPolicyDetail, { policyId }, { as: one })).state).toBe('CANCELLED');
});

it('a draft to take a policy back is handed in and given up by who has that right, and by nobody without it', async () => {
  const { id: policyId } = await aPolicy(app);
  const one = await app.staff({ permissions: ['policy.policy.view', 'policy.policy.cancel'] });
  const clerk = await app.staff({ permissions: ['policy.policy.view', 'policy.endorse.make'] });
  const auditor = await app.staff({ permissions: ['policy.policy.view', 'policy.endorse.audit'] });
  const wish = { policyId, kind: 'CANCEL' as const, effectiveOn: app.clock.today(), reason: '投保资料有误', submit: false };
  const made = await app.ok(addEndorsement, wish, { as: one });
  expect(made.allowedActions).toEqual(['modify', 'submit', 'discard']);
  const act = (action: 'submit' | 'discard', of: { id: string; version: number }) => ({
    id: of.id,
    version: of.version,
    action,
    opinion: '',
  });
  for (const action of ['submit', 'discard'] as const)
    for (const [as, permission] of [
      [clerk, '注销保单'],
      [auditor, '经办批单'],
    ] as const)
      expect(await app.refused(auditEndorsement, act(action, made), { as })).toMatchObject({
        code: 'SCM90010',
        message: expect.stringContaining(permission),
      });
  const { rows } = await app.ok(queryEndorsementList, { policyId }, { as: clerk });
  expect(rows).toMatchObject([{ state: 'DRAFT', allowedActions: [] }]);
  // of another kind he hands in and gives up nothing
  const other = await asked(app, maker, { ...addWish(app, policyId), submit: false });
  for (const action of ['submit', 'discard'] as const)
    expect(await app.refused(auditEndorsement, act(action, other), { as: one })).toMatchObject({ code: 'SCM90010' });
  expect(await app.ok(auditEndorsement, act('discard', made), { as: one })).toMatchObject({ state: 'DISCARDED', allowedActions: [] });
  const again = await app.ok(addEndorsement, wish, { as: one });
  expect(await app.ok(auditEndorsement, act('submit', again), { as: one })).toMatchObject({ state: 'PENDING_AUDIT' });
});
