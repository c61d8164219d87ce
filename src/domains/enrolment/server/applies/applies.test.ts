import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import {
  querySignContractCounts,
  querySignContractDetail,
  querySignContractList,
  revealSignContract,
} from '../../contract/calls/applies.ts';
import { addEnrolApply, supplySignContract } from '../../contract/calls/appliesEntry.ts';
import {
  auditSignContract,
  claimNextSignContract,
  claimSignContract,
  saveSignContractWork,
  takeoverSignContract,
} from '../../contract/calls/appliesWork.ts';
import { ENROL_MATERIAL, INSURER_PROOF } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import {
  agreed,
  applyWish,
  claimed,
  decided,
  deciding,
  decision,
  enterer,
  lead,
  makePerson,
  makePlace,
  passedApply,
  rechecker,
  reviewer,
  waitingApply,
  type Place,
} from '../testing/applies.ts';

let app: TestApp;
let place: Place;
let clerk: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  place = await makePlace(app);
  clerk = await enterer(app);
});
afterAll(() => app.close());

const waiting = (more: Parameters<typeof waitingApply>[2] = {}, at = place) => waitingApply(app, at, more, clerk);
const detail = (applyId: string, as = clerk) => app.ok(querySignContractDetail, { applyId }, { as });
const contractsOf = (applyId: string) => own(app.db).selectFrom('enrolmentContract').selectAll().where('applyId', '=', applyId).execute();

describe('an application that is entered', () => {
  it('is refused without its drug, with a diagnosis of tomorrow and for whom the product takes none', async () => {
    const wish = await applyWish(app, place, clerk);
    expect(await app.refused(addEnrolApply, { ...wish, drugId: null }, { as: clerk })).toMatchObject({ code: 'SCM90020' });
    expect(await app.refused(addEnrolApply, { ...wish, firstDiagnosedOn: '2027-01-01' }, { as: clerk })).toMatchObject({
      code: 'SCM90020',
    });
    expect(await app.refused(addEnrolApply, { ...wish, insuredItemId: '999999999' }, { as: clerk })).toMatchObject({ code: 'SCM14004' });
    const daas = await makePlace(app, { line: 'DAAS' });
    const { insuredItemId } = await makePerson(app, daas);
    expect(await app.refused(addEnrolApply, { ...wish, insuredItemId }, { as: clerk })).toMatchObject({ code: 'SCM14036' });
  });

  it('is one of two that are sent at once, and none beside a contract that lives', async () => {
    const wish = await applyWish(app, place, clerk);
    const answers = await Promise.all([1, 2].map(() => app.send(addEnrolApply, wish, { as: clerk })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM14001']);
    const { id } = (await app.ok(querySignContractList, { queue: 'POOL' }, { as: clerk })).rows.find(({ state }) => state === 'PENDING')!;
    expect(id).toBeTruthy();
    const first = answers.find(({ envelope }) => envelope.code === '0000000')!.envelope.data as { applyId: string };
    expect(await passedApply(app, first.applyId)).toMatchObject({ state: 'APPROVED' });
    expect(await app.refused(addEnrolApply, wish, { as: clerk })).toMatchObject({ code: 'SCM14002' });
  });

  it('keeps no number in clear, and shows it to who may, by name', async () => {
    const { insuredItemId, person } = await makePerson(app, place);
    const { applyId } = await waiting({ insuredItemId, pathologyResult: '腺癌，EGFR外显子19缺失' });
    const row = await own(app.db).selectFrom('enrolmentApply').selectAll().where('id', '=', applyId).executeTakeFirstOrThrow();
    for (const secret of [person.idNo!, person.mobile!, 'EGFR']) expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(await detail(applyId))).not.toContain('EGFR');
    const shown = await app.ok(revealSignContract, { applyId }, { as: await lead(app) });
    expect(shown).toMatchObject({ idNo: person.idNo, mobile: person.mobile, pathologyResult: '腺癌，EGFR外显子19缺失' });
  });
});

describe('a case at the desk', () => {
  it('goes to each of two who ask at once, and the third is told that nothing waits', async () => {
    const [own1, own2, third] = [await reviewer(app), await reviewer(app), await reviewer(app)];
    const drain = await reviewer(app);
    await own(app.db).updateTable('enrolmentApply').set({ preferUserId: null }).where('state', '=', 'PENDING').execute();
    for (let more = true; more;) {
      const one = await app.send(claimNextSignContract, {}, { as: drain });
      more = one.envelope.code === '0000000';
      if (more) {
        const { id, leaseToken } = one.envelope.data as { id: string; leaseToken: string };
        await decided(app, id, 'reject', drain, { leaseToken, rejectReasons: ['R11'], applicantWording: '放弃申请' });
      }
    }
    await waiting();
    await waiting();
    const answers = await Promise.all([own1, own2].map((as) => app.ok(claimNextSignContract, {}, { as })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(2);
    expect(await app.refused(claimNextSignContract, {}, { as: third })).toMatchObject({ code: 'SCM14012' });
  });

  it('is refused to others, taken over by a lead, and lost with its lease; what was saved stays', async () => {
    const [a, b, boss] = [await reviewer(app), await reviewer(app), await lead(app)];
    const { applyId } = await waiting();
    const held = await claimed(app, applyId, a);
    await agreed(app, applyId, a, held.leaseToken);
    expect(await app.refused(claimSignContract, { applyId }, { as: b })).toMatchObject({ code: 'SCM14010' });
    await app.ok(takeoverSignContract, { applyId, opinion: '加急' }, { as: boss });
    const save = { applyId, leaseToken: held.leaseToken, checks: [] };
    expect(await app.refused(saveSignContractWork, save, { as: a })).toMatchObject({ code: 'SCM14011' });
    app.clock.advance(minutes(11));
    const again = await claimed(app, applyId, b);
    app.clock.advance(minutes(11));
    expect(await app.refused(saveSignContractWork, { ...save, leaseToken: again.leaseToken }, { as: b })).toMatchObject({
      code: 'SCM14011',
    });
    const { checks } = await detail(applyId);
    expect(checks.filter(({ machineResult, humanVerdict }) => machineResult !== 'PASS' && humanVerdict === null)).toEqual([]);
  });

  it('is not for who entered it', async () => {
    const both = await app.staff({ permissions: ['enrolment.apply.view', 'enrolment.apply.enter', 'enrolment.apply.audit'] });
    const { applyId } = await waitingApply(app, place, {}, both);
    expect(await app.refused(claimSignContract, { applyId }, { as: both })).toMatchObject({ code: 'SCM14013' });
    expect((await detail(applyId, both)).allowedActions).not.toContain('pass');
  });
});

describe('a pass', () => {
  it('is refused while an item is open, material is missing, a duplicate waits or a hard check fails; nothing changes', async () => {
    const as = await reviewer(app);
    const asking = await makePlace(app, {
      config: {
        requiredMaterials: ['DIAGNOSIS', 'PRESCRIPTION'],
        checklist: [{ checkCode: 'SIGNED', question: '知情同意书已签署', hard: true }],
      },
    });
    const { applyId } = await waiting({ icd10: 'E11.9' }, asking);
    const { leaseToken } = await claimed(app, applyId, as);
    const pass = async () => app.refused(auditSignContract, await decision(app, applyId, 'pass', as, { leaseToken }), deciding(as));
    const before = await detail(applyId);
    expect(await pass()).toMatchObject({ code: 'SCM14020' });
    await agreed(app, applyId, as, leaseToken);
    expect(await pass()).toMatchObject({ code: 'SCM14021', message: '必备材料未齐全：处方，不能通过' });
    expect(await detail(applyId)).toMatchObject({ state: before.state, version: before.version, decisions: [] });
  });

  it('over an overridden hard check goes to a second person, who is another one; then there is one contract', async () => {
    const as = await app.staff({ permissions: ['enrolment.apply.view', 'enrolment.apply.audit', 'enrolment.apply.recheck'] });
    const { applyId } = await waiting({ icd10: 'E11.9' });
    const { leaseToken } = await claimed(app, applyId, as);
    await agreed(app, applyId, as, leaseToken);
    expect(await app.refused(auditSignContract, await decision(app, applyId, 'pass', as, { leaseToken }), deciding(as))).toMatchObject({
      code: 'SCM14023',
    });
    const override = { checkCode: 'E05', humanVerdict: 'OVERRIDE' as const, humanNote: '多学科会诊意见支持使用' };
    await app.ok(saveSignContractWork, { applyId, leaseToken, checks: [override] }, { as });
    expect(await decided(app, applyId, 'pass', as, { leaseToken })).toMatchObject({ state: 'RECHECK', recheckReason: 'OVERRIDE' });
    expect(await app.refused(claimSignContract, { applyId, queue: 'RECHECK' }, { as })).toMatchObject({ code: 'SCM14014' });
    expect(await app.refused(auditSignContract, await decision(app, applyId, 'recheckPass', as), deciding(as))).toMatchObject({
      code: 'SCM14014',
    });
    const second = await rechecker(app);
    const held = await claimed(app, applyId, second, 'RECHECK');
    expect(held.state).toBe('RECHECK');
    expect(await decided(app, applyId, 'recheckPass', second, { leaseToken: held.leaseToken })).toMatchObject({ state: 'APPROVED' });
    expect(await contractsOf(applyId)).toMatchObject([{ state: 'WAIT_SIGN', origin: 'APPLY' }]);
  });

  it('of a stale version is refused and shows what it is now', async () => {
    const boss = await lead(app);
    const { applyId, version } = await waiting();
    await claimed(app, applyId, boss);
    const stale = { applyId, version, action: 'withdraw' as const, opinion: '不再申请' };
    await decided(app, applyId, 'reject', boss, {
      leaseToken: (await detail(applyId, boss)).lease!.token!,
      rejectReasons: ['R04'],
      applicantWording: '适应症不符',
    });
    expect(await app.refused(auditSignContract, stale, deciding(clerk))).toMatchObject({ code: 'SCM90031' });
    const appeal = { applyId, version, action: 'appeal' as const, opinion: '补充说明' };
    expect(await app.refused(auditSignContract, appeal, deciding(boss))).toMatchObject({ code: 'SCM90030' });
  });
});

describe('a supplement', () => {
  it('stops the clock, runs the checks again, comes back to who asked, and is asked a second time by a lead alone', async () => {
    const as = await reviewer(app);
    const { applyId } = await waiting();
    const { leaseToken } = await claimed(app, applyId, as);
    const ask = (days: number) => ({
      leaseToken,
      supplement: { items: [{ materialType: 'PRESCRIPTION' as const, wording: '近30天' }], days },
    });
    const refusedWith = async (more: object, by = as) =>
      (await app.refused(auditSignContract, await decision(app, applyId, 'supplement', by, more), deciding(by))).code;
    expect(await refusedWith({ leaseToken, supplement: { items: [], days: 15 } })).toBe('SCM14026');
    expect(await refusedWith(ask(31))).toBe('SCM14027');
    expect(await decided(app, applyId, 'supplement', as, ask(15))).toMatchObject({ state: 'SUPPLEMENT' });
    expect(await detail(applyId)).toMatchObject({ dueAt: null, round: 1 });
    const supply = async (materialType: 'OTHER' | 'PRESCRIPTION') => ({
      applyId,
      version: (await detail(applyId)).version,
      materials: [{ materialType, fileId: await uploadPaper(app, clerk, ENROL_MATERIAL) }],
    });
    expect(await app.refused(supplySignContract, await supply('OTHER'), { as: clerk })).toMatchObject({ code: 'SCM14029' });
    expect(await app.ok(supplySignContract, await supply('PRESCRIPTION'), { as: clerk })).toMatchObject({ state: 'PENDING' });
    expect((await detail(applyId)).round).toBe(2);
    const next = await app.ok(claimNextSignContract, {}, { as });
    expect(next.id).toBe(applyId);
    const again = { ...ask(15), leaseToken: next.leaseToken };
    expect(await refusedWith(again)).toBe('SCM14028');
    const boss = await lead(app);
    const over = await app.ok(takeoverSignContract, { applyId, opinion: '再次补件' }, { as: boss });
    expect(await decided(app, applyId, 'supplement', boss, { ...again, leaseToken: over.leaseToken })).toMatchObject({
      state: 'SUPPLEMENT',
    });
  });
});

describe('an insurer that decides last', () => {
  it('is asked after the platform, and its paper is kept', async () => {
    const saas = await makePlace(app, { line: 'SAAS' });
    const { applyId } = await waiting({}, saas);
    expect(await passedApply(app, applyId)).toMatchObject({ state: 'WAIT_INSURER' });
    const boss = await lead(app);
    const opinion = '保司同意承保';
    expect(
      await app.refused(
        auditSignContract,
        await decision(app, applyId, 'insurerAccept', boss, { opinion, insurer: { caseNo: 'BS1', fileId: null } }),
        deciding(boss),
      ),
    ).toMatchObject({ code: 'SCM14034' });
    const fileId = await uploadPaper(app, boss, INSURER_PROOF);
    expect(await decided(app, applyId, 'insurerAccept', boss, { opinion, insurer: { caseNo: `BS${applyId}`, fileId } })).toMatchObject({
      state: 'APPROVED',
    });
    expect(await app.ok(querySignContractCounts, {}, { as: boss })).toMatchObject({ INSURER: 0 });
  });
});
