import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, plusDays } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { auditContractAmendment } from '../../contract/calls/contractAmendments.ts';
import { queryContractDetail } from '../../contract/calls/contracts.ts';
import {
  addOtherMaterial,
  auditOtherMaterial,
  claimNextOtherMaterial,
  claimOtherMaterial,
  queryOtherMaterialDetail,
  queryOtherMaterialList,
  revealOtherMaterial,
  saveOtherMaterialWork,
  supplyOtherMaterial,
  takeoverOtherMaterial,
} from '../../contract/calls/otherMaterials.ts';
import { nextReviewAfter } from '../../contract/rules/followUp.ts';
import { OTHER_MATERIAL_PAPER } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { stored } from '../testing/contracts.ts';
import { enteredMaterial, heldMaterial, key, materialKeeper, reviewedContract } from '../testing/materials.ts';

let app: TestApp;
let service: TestStaff;
let reviewer: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  service = await materialKeeper(app, ['enrolment.material.audit', 'enrolment.apply.supervise']);
  reviewer = await materialKeeper(app, ['enrolment.apply.supervise']);
});
afterAll(() => app.close());

type Held = Awaited<ReturnType<typeof heldMaterial>>;
const decision = ({ materialId, leaseToken, version }: Held, change: object = {}) => ({
  materialId,
  version,
  leaseToken,
  action: 'pass' as const,
  opinion: '材料核对一致',
  ...change,
});
const decide = (held: Held, change: object = {}) => app.ok(auditOtherMaterial, decision(held, change), key(held.reviewer));
const refusedBy = (held: Held, change: object = {}) => app.refused(auditOtherMaterial, decision(held, change), key(held.reviewer));
const detail = (materialId: string) => app.ok(queryOtherMaterialDetail, { materialId }, { as: reviewer });
const paper = async (as: TestStaff) => [{ materialType: 'FOLLOW_UP' as const, fileId: await uploadPaper(app, as, OTHER_MATERIAL_PAPER) }];

it('reckons the next review from the day of the last one, and never earlier', () => {
  expect(nextReviewAfter('2026-11-21', 180, '2026-11-01')).toBe('2027-05-20');
  expect(nextReviewAfter('2026-11-21', 180, '2027-06-01')).toBe('2027-06-01');
});

describe('handing in', () => {
  it('is refused for a contract that is over, without papers, and of days to come', async () => {
    const contractId = await reviewedContract(app);
    const input = { contractId, kind: 'FOLLOW_UP' as const, facts: {}, materials: await paper(service) };
    const wrong = (change: object) => app.refused(addOtherMaterial, { ...input, ...change }, { as: service });
    expect(await wrong({ materials: [] })).toMatchObject({ fields: [{ message: '请上传材料' }] });
    expect(await wrong({ facts: { examinedOn: plusDays(app.clock.today(), 1) } })).toMatchObject({
      fields: [{ path: 'facts.examinedOn', message: '日期不能晚于今天' }],
    });
    await own(app.db)
      .updateTable('enrolmentContract')
      .set({ state: 'TERMINATED', terminatedOn: app.clock.today(), terminateReason: 'REQUEST' })
      .where('id', '=', contractId)
      .execute();
    expect(await wrong({})).toMatchObject({ code: 'SCM14060', message: '合同已终止，不能提交材料' });
  });

  it('keeps accounts as ciphers and shows them by a logged act', async () => {
    const { materialId } = await enteredMaterial(app, { kind: 'BANK', as: service });
    const row = await own(app.db).selectFrom('enrolmentOtherMaterial').selectAll().where('id', '=', materialId).executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('6225881234567890');
    expect((await detail(materialId)).facts).toMatchObject({ payeeAccount: '************7890', payeeName: '张建国' });
    expect(await app.ok(revealOtherMaterial, { materialId }, { as: reviewer })).toMatchObject({ payeeAccount: '6225881234567890' });
  });
});

describe('the desk', () => {
  it('gives a case to one person, not to who entered it, and takes it over with a reason', async () => {
    const { materialId, materialNo } = await enteredMaterial(app, { as: reviewer });
    expect(await app.refused(claimOtherMaterial, { materialId }, { as: reviewer })).toMatchObject({ code: 'SCM14013' });
    const other = await materialKeeper(app);
    const { leaseToken } = await app.ok(claimOtherMaterial, { materialId }, { as: other });
    const third = await materialKeeper(app);
    expect(await app.refused(claimOtherMaterial, { materialId }, { as: third })).toMatchObject({ code: 'SCM14010' });
    const { rows } = await app.ok(queryOtherMaterialList, { materialNo, queue: 'MINE' }, { as: other });
    expect(rows).toMatchObject([{ state: 'REVIEWING', holder: expect.any(String) }]);
    await app.ok(takeoverOtherMaterial, { materialId, opinion: '主管接管核查' }, { as: third });
    expect(await app.refused(saveOtherMaterialWork, { materialId, leaseToken }, { as: other })).toMatchObject({ code: 'SCM14011' });
  });

  it('gives two who ask for the next one two cases', async () => {
    await enteredMaterial(app, { as: service });
    await enteredMaterial(app, { as: service });
    const people = await Promise.all([materialKeeper(app), materialKeeper(app)]);
    const taken = await Promise.all(people.map((as) => app.ok(claimNextOtherMaterial, {}, { as })));
    expect(new Set(taken.map(({ id }) => id)).size).toBe(2);
  });
});

describe('a decision', () => {
  it('is refused while something is not judged, missing or unknown, and changes nothing', async () => {
    const held = await heldMaterial(app, { facts: { followUpResult: 'STABLE' }, reviewer });
    expect(await refusedBy(held)).toMatchObject({ fields: [{ path: 'facts.examinedOn', message: '请填写复查日期' }] });
    const { materials } = await detail(held.materialId);
    const { materialId, leaseToken } = held;
    const judge = (verdict: 'UNCLEAR' | null) =>
      app.ok(saveOtherMaterialWork, { materialId, leaseToken, materials: [{ id: materials[0]!.id, verdict }] }, { as: reviewer });
    await judge(null);
    expect(await refusedBy(held)).toMatchObject({ code: 'SCM14020' });
    await judge('UNCLEAR');
    expect(await refusedBy(held)).toMatchObject({ code: 'SCM14021', message: '必备材料未齐全：复查报告，不能通过' });
    expect(await refusedBy(held, { action: 'reject' })).toMatchObject({ code: 'SCM14024' });
    expect(await refusedBy(held, { action: 'reject', rejectReasons: ['R06'] })).toMatchObject({ code: 'SCM14025' });
    expect(await refusedBy(held, { action: 'supplement' })).toMatchObject({ code: 'SCM14026' });
    expect((await detail(materialId)).state).toBe('REVIEWING');
  });

  it('of a follow-up moves the next review and lets a contract go on that rested for it', async () => {
    const today = app.clock.today();
    const contractId = await reviewedContract(app, plusDays(today, -8));
    await own(app.db)
      .updateTable('enrolmentContract')
      .set({ state: 'SUSPENDED', suspendReason: 'REVIEW_OVERDUE' })
      .where('id', '=', contractId)
      .execute();
    const held = await heldMaterial(app, { contractId, reviewer });
    const next = plusDays(today, 180);
    expect((await detail(held.materialId)).consequence).toBe(`下次复查日期更新为${next}，合同恢复生效`);
    const { rows } = await app.ok(queryOtherMaterialList, { materialNo: held.materialNo }, { as: reviewer });
    expect(rows).toMatchObject([{ impact: '复查逾期已暂停' }]);
    expect(await decide(held)).toMatchObject({ state: 'APPROVED', outcome: `下次复查日期更新为${next}，合同恢复生效` });
    expect(await stored(app, contractId)).toMatchObject({ state: 'ACTIVE', nextReviewOn: next, suspendReason: null });
  });

  it('of an account opens a change that another person passes', async () => {
    const held = await heldMaterial(app, { kind: 'BANK', reviewer });
    await decide(held);
    const contract = await app.ok(queryContractDetail, { contractId: held.contractId }, { as: reviewer });
    const [amendment] = contract.amendments;
    expect(amendment).toMatchObject({ type: 'PAYEE', state: 'PENDING' });
    const verdict = { amendmentId: amendment!.id, version: amendment!.version, decision: 'approve' as const, opinion: '' };
    expect(await app.refused(auditContractAmendment, verdict, { as: reviewer })).toMatchObject({ code: 'SCM14044' });
    await app.ok(auditContractAmendment, verdict, { as: service });
    expect(await stored(app, held.contractId)).toMatchObject({ payeeName: '张建国', payeeAccountMasked: '************7890' });
    const second = await heldMaterial(app, { kind: 'IDENTITY', contractId: held.contractId, reviewer });
    expect(await decide(second)).toMatchObject({ outcome: expect.stringContaining('联系方式变更') });
    const third = await heldMaterial(app, { kind: 'BANK', contractId: held.contractId, reviewer });
    expect(await refusedBy(third)).toMatchObject({ code: 'SCM14043' });
    expect((await detail(third.materialId)).state).toBe('REVIEWING');
  });

  it('asks once for what is missing, stops the clock, and ends the case when nothing comes', async () => {
    const held = await heldMaterial(app, { reviewer });
    const supplement = { items: [{ materialType: 'FOLLOW_UP' as const, wording: '缺第二页' }], days: 7 };
    const asked = await decide(held, { action: 'supplement', supplement });
    expect(asked.state).toBe('SUPPLEMENT');
    const { materialId } = held;
    const supplied = { materialId, version: asked.version, materials: await paper(service) };
    const other = supplied.materials.map((one) => ({ ...one, materialType: 'OTHER' as const }));
    expect(await app.refused(supplyOtherMaterial, { ...supplied, materials: other }, { as: service })).toMatchObject({ code: 'SCM14029' });
    expect(await app.ok(supplyOtherMaterial, supplied, { as: service })).toMatchObject({ state: 'PENDING' });
    const again = await app.ok(claimOtherMaterial, { materialId }, { as: reviewer });
    const taken = { ...held, version: again.version, leaseToken: again.leaseToken };
    expect(await refusedBy(taken, { action: 'supplement', supplement })).toMatchObject({ code: 'SCM14028' });
    const lead = await heldMaterial(app);
    await decide(lead, { action: 'supplement', supplement });
    await app.advance(days(8), ['enrolment']);
    const late = await app.ok(queryOtherMaterialDetail, { materialId: lead.materialId }, { as: await materialKeeper(app) });
    expect(late).toMatchObject({ state: 'WITHDRAWN', supplements: [{ state: 'EXPIRED' }] });
  });
});
