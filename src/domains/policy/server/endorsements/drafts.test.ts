import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addEndorsement,
  auditEndorsement,
  modifyEndorsement,
  previewEndorsement,
  queryEndorsementDetail,
} from '../../contract/calls/endorsements.ts';
import { queryInsuredPersonDetail, revealInsuredField } from '../../contract/calls/persons.ts';
import { certificate, itemOf, keeper, passed, personWish } from '../testing/fixtures.ts';
import { addWish, aPolicy, coveredPerson } from '../testing/orders.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  checker = await keeper(app);
});
afterAll(() => app.close());

type Modify = InputOf<typeof modifyEndorsement>;
const reason = '新员工入职';
const idNo = certificate('1990-05-12', 'M');
const person = personWish({ name: '张建国', idNo, mobile: '13900000009' });

/** An addition that nobody handed in yet. */
async function aDraft() {
  const { id: policyId } = await aPolicy(app);
  const wish = { ...addWish(app, policyId), after: { person, planCode: 'P1' } };
  const made = await app.ok(addEndorsement, { ...wish, reason, submit: false }, { as: maker });
  return { ...made, policyId };
}
/** What the form sends of it: numbers that it does not know are left out. */
const goingOn = ({ id, version }: { id: string; version: number }, more: Partial<Modify> = {}): Modify => ({
  id,
  version,
  kind: 'ADD',
  effectiveOn: app.clock.today(),
  reason,
  after: { person: { ...person, idNo: undefined, mobile: undefined }, planCode: 'P2' },
  ...more,
});
const modify = (input: Modify, as = maker) => app.ok(modifyEndorsement, input, { as });
const refused = (input: Modify, as = maker) => app.refused(modifyEndorsement, input, { as });
const detailOf = (endorsementId: string, as = maker) => app.ok(queryEndorsementDetail, { endorsementId }, { as });
const judge = (of: { id: string; version: number }, action: 'approve' | 'reject' | 'submit' | 'discard', as: TestStaff, opinion = '') =>
  app.ok(auditEndorsement, { id: of.id, version: of.version, action, opinion }, { as });

describe('a draft of an endorsement', () => {
  it('goes on with its maker alone, on the version that he saw, as the kind that it is', async () => {
    const draft = await aDraft();
    const other = await keeper(app);
    expect(await refused(goingOn(draft), other)).toMatchObject({
      code: 'SCM90010',
      message: `批单由${maker.displayName}经办，只能由本人修改和提交；他人可作废后重新新增`,
    });
    const { envelope } = await app.send(auditEndorsement, { id: draft.id, version: draft.version, action: 'submit' }, { as: other });
    expect(envelope.code).toBe('SCM90010');
    expect(await refused(goingOn(draft, { kind: 'EXTEND', after: { newEnd: '2028-01-01' } }))).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'kind', message: '批单类型不能修改，请作废后重新新增' }],
    });
    expect(await refused(goingOn(draft, { after: { person: { ...person, idNo: undefined }, planCode: 'P9' } }))).toMatchObject({
      fields: [{ path: 'after.planCode' }],
    });
    expect(
      await app.refused(previewEndorsement, { ...previewWish(draft), policyId: (await aPolicy(app)).id }, { as: maker }),
    ).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(previewEndorsement, previewWish(draft), { as: other })).toMatchObject({ code: 'SCM90010' });
    const again = { ...addWish(app, draft.policyId), reason };
    expect(await app.refused(addEndorsement, again, { as: other })).toMatchObject({
      code: 'SCM13011',
      message: `该保单已有待提交的增员批单${draft.endorsementNo}，请先提交或作废`,
    });

    const saved = await modify(goingOn(draft, { reason: '新员工入职，按二档' }));
    expect(saved).toMatchObject({ state: 'DRAFT', version: draft.version + 1, allowedActions: ['modify', 'submit', 'discard'] });
    const stale = await refused(goingOn(draft));
    expect(stale).toMatchObject({
      code: 'SCM90030',
      data: { current: { reason: '新员工入职，按二档', version: saved.version, draft: { planCode: 'P2' } } },
    });
    expect(JSON.stringify(stale)).not.toContain(idNo);
    expect(await detailOf(draft.id, other)).toMatchObject({ draft: null, allowedActions: ['discard'] });
    expect(await judge(saved, 'discard', other, '重复录入')).toMatchObject({ state: 'DISCARDED', allowedActions: [] });
    const { version } = await detailOf(draft.id);
    expect(await refused(goingOn({ id: draft.id, version }))).toMatchObject({ code: 'SCM90031' });
  });

  it('keeps the numbers that are not entered again, shows them masked, and tells what was changed', async () => {
    const draft = await aDraft();
    const read = await detailOf(draft.id);
    expect(read.draft).toMatchObject({
      planCode: 'P1',
      person: { name: '张建国', birthDate: '1990-05-12', idNo: expect.stringMatching(/^.{1,6}\*+.{1,4}$/), mobile: '139****0009' },
    });
    expect(JSON.stringify(read)).not.toContain(idNo);
    // what would follow is computed with the certificate that is kept
    expect(await app.ok(previewEndorsement, previewWish(draft), { as: maker })).toMatchObject({ persons: 1, premiumDeltaFen: '240000' });
    const handed = await modify(goingOn(draft, { submit: true }));
    expect(handed).toMatchObject({ state: 'PENDING_AUDIT', impact: { premiumDeltaFen: '240000' } });
    const { timeline, draft: closed } = await detailOf(draft.id);
    expect(closed).toBeNull();
    expect(timeline).toMatchObject([
      { action: 'modify', diff: [{ label: '批改内容', after: expect.stringContaining('P2') }], displayName: maker.displayName },
      { action: 'submit', toState: 'PENDING_AUDIT' },
    ]);
    const { rows: logged } = await sql<{ input: string; diff: string }>`
      select input::text, diff::text
        from identity_operation_log
        where target_id = ${draft.id} and call like '%/modifyEndorsement' and result_code = '0000000'`.execute(app.db);
    expect(logged).toHaveLength(1);
    expect(logged[0]!.diff).toContain('批改内容');
    expect(JSON.stringify(logged)).not.toMatch(new RegExp(`${idNo}|13900000009`));
    await judge(handed, 'approve', checker, '同意');
    const insuredItemId = await itemOf(app, draft.policyId, '张建国');
    expect((await app.ok(queryInsuredPersonDetail, { insuredItemId }, { as: maker })).planCode).toBe('P2');
    const revealed = await app.ok(revealInsuredField, { insuredItemId, field: 'idNo', reason: '核对证件' }, { as: maker });
    expect(revealed.value).toBe(idNo);
  });

  it('that was rejected is corrected and handed in again, unless another one of its kind waits by then', async () => {
    const { policyId, insuredItemId } = await coveredPerson(app);
    const remove = { policyId, kind: 'REMOVE' as const, effectiveOn: app.clock.today(), after: { insuredItemIds: [insuredItemId] } };
    const made = await app.ok(addEndorsement, { ...remove, reason: '离职' }, { as: maker });
    const rejected = await judge(made, 'reject', checker, '离职日期有误');
    expect(rejected.state).toBe('REJECTED');
    expect(await detailOf(made.id)).toMatchObject({
      allowedActions: ['modify', 'submit', 'discard'],
      draft: { persons: [{ id: insuredItemId, name: '张建国' }], person: null },
      timeline: [{ action: 'submit' }, { action: 'reject', opinion: '离职日期有误' }],
    });
    const second = await app.ok(addEndorsement, { ...remove, reason: '离职' }, { as: maker });
    const { policyId: _policy, ...wish } = remove;
    const again = { ...wish, id: made.id, version: rejected.version, reason: '离职，日期已核对', submit: true };
    expect(await refused(again)).toMatchObject({ code: 'SCM13011', message: '该保单已有待审核的减员批单' });
    const resubmit = { id: made.id, version: rejected.version, action: 'submit' as const };
    expect(await app.refused(auditEndorsement, resubmit, { as: maker })).toMatchObject({ code: 'SCM13011' });
    const secondRejected = await judge(second, 'reject', checker, '重复');
    await judge(secondRejected, 'discard', maker);
    const handed = await modify(again);
    expect(handed.state).toBe('PENDING_AUDIT');
    const approve = { id: handed.id, version: handed.version, action: 'approve' as const, opinion: '同意' };
    expect(await app.refused(auditEndorsement, approve, { as: maker })).toMatchObject({ code: 'SCM13010' });
    expect(await judge(handed, 'approve', checker, '同意')).toMatchObject({ state: 'VISIBLE' });
  });

  it('of a correction takes nothing of another person, and is looked at anew when it is handed in', async () => {
    const { policyId, insuredItemId } = await coveredPerson(app);
    await passed(app, maker, checker, {
      ...addWish(app, policyId),
      after: { person: personWish({ name: '李秀兰', gender: 'F', adcode: '310000', socialAdcode: '320000' }), planCode: 'P1' },
    });
    const other = await itemOf(app, policyId, '李秀兰');
    const correction = {
      policyId,
      kind: 'CORRECT' as const,
      effectiveOn: app.clock.today(),
      reason: '证件录错',
      after: { insuredItemIds: [insuredItemId], person: personWish({ name: '张建国', idNo }) },
    };
    const draft = await app.ok(addEndorsement, { ...correction, submit: false }, { as: maker });
    const { policyId: _policy, ...wish } = correction;
    const ofOther = { insuredItemIds: [other], person: personWish({ name: '李秀岚', gender: 'F', idNo: undefined, mobile: undefined }) };
    const saved = await modify({ ...wish, id: draft.id, version: draft.version, after: ofOther });
    expect(saved.impact.differences.map(({ label }) => label)).toEqual(['姓名']);
    const { version } = await judge(saved, 'submit', maker);
    await judge({ id: draft.id, version }, 'approve', checker, '同意');
    const shown = async (id: string) =>
      (await app.ok(revealInsuredField, { insuredItemId: id, field: 'idNo', reason: '核对证件' }, { as: maker })).value;
    expect(await shown(other)).not.toBe(idNo);
    expect(await app.ok(queryInsuredPersonDetail, { insuredItemId: other }, { as: maker })).toMatchObject({
      name: '李秀岚',
      adcode: '310000',
      socialAdcode: '320000',
    });

    // Since it was written down the policy was taken back from its beginning.
    const late = await app.ok(
      addEndorsement,
      { policyId, kind: 'SUSPEND', effectiveOn: app.clock.today(), reason: '欠费', submit: false },
      { as: maker },
    );
    await sql`update policy_policy set state = 'CANCELLED' where id = ${policyId}`.execute(app.db);
    const submit = { id: late.id, version: late.version, action: 'submit' as const };
    expect(await app.refused(auditEndorsement, submit, { as: maker })).toMatchObject({
      code: 'SCM13012',
      message: '保单已注销，不能批改',
    });
  });
});

const previewWish = (draft: { id: string; policyId: string }) => {
  const { id: endorsementId, version: _version, reason: _reason, ...wish } = goingOn({ id: draft.id, version: 1 });
  return { ...wish, policyId: draft.policyId, endorsementId };
};
