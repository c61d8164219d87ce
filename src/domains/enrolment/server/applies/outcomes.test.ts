import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days } from '#kernel/contract/time.ts';
import { jobContext } from '#testing/jobContext.ts';
import { signedHeaders } from '#testing/signing.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { querySignContractDetail, querySignContractList } from '../../contract/calls/applies.ts';
import { addEnrolApply, pushInsurerDecision } from '../../contract/calls/appliesEntry.ts';
import { auditSignContract } from '../../contract/calls/appliesWork.ts';
import { signContractOnPaper } from '../../contract/calls/contracts.ts';
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
import { contractKeeper, signedPaper } from '../testing/contracts.ts';
import { evidence, markKeeper, passedMark } from '../testing/marks.ts';
import { closeUnansweredJob } from './jobs.ts';

let app: TestApp;
let clerk: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  clerk = await enterer(app);
});
afterAll(() => app.close());

const detail = (applyId: string) => app.ok(querySignContractDetail, { applyId }, { as: clerk });
const contractsOf = (applyId: string) => own(app.db).selectFrom('enrolmentContract').selectAll().where('applyId', '=', applyId).execute();
const codesOf = (answers: readonly { envelope: { code: string } }[]) => answers.map(({ envelope }) => envelope.code).toSorted();

describe('a pass', () => {
  it('6: of a product whose passes are all looked at again goes to a second person', async () => {
    const place = await makePlace(app, { config: { sampleBp: 10_000 } });
    const { applyId } = await waitingApply(app, place, {}, clerk);
    expect(await passedApply(app, applyId)).toMatchObject({ state: 'RECHECK' });
    expect(await detail(applyId)).toMatchObject({ recheckReason: 'SAMPLE' });
    expect(await contractsOf(applyId)).toEqual([]);
  });

  it('that is sent twenty times at once is taken once and opens one contract', async () => {
    const place = await makePlace(app);
    const { applyId } = await waitingApply(app, place, {}, clerk);
    const as = await reviewer(app);
    const { leaseToken } = await claimed(app, applyId, as);
    await agreed(app, applyId, as, leaseToken);
    const wish = await decision(app, applyId, 'pass', as, { leaseToken });
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.send(auditSignContract, wish, deciding(as))));
    expect(codesOf(answers).filter((code) => code === '0000000')).toHaveLength(1);
    expect(new Set(codesOf(answers))).not.toContain('SCM90000');
    expect(await contractsOf(applyId)).toHaveLength(1);
  });
});

describe('an insurer that decides by its machine', () => {
  let saas: Place;
  beforeAll(async () => {
    saas = await makePlace(app, { line: 'SAAS' });
  });
  const waiting = async () => {
    const made = await waitingApply(app, saas, {}, clerk);
    await passedApply(app, made.applyId);
    const wish = { applyNo: made.applyNo, insurerCaseNo: `BS${made.applyId}`, opinion: '同意承保', decidedAt: app.clock.now() };
    return { ...made, wish };
  };
  const push = async (input: Awaited<ReturnType<typeof waiting>>['wish'], verdict: 'ACCEPT' | 'REJECT', partyId = saas.insurerId) => {
    const body = { ...input, decision: verdict };
    return app.send(pushInsurerDecision, body, { headers: await signedHeaders(app, pushInsurerDecision, body, { partyId }) });
  };

  it('9: is heard once, may say the same again and nothing else', async () => {
    const { applyId, wish } = await waiting();
    expect((await push(wish, 'ACCEPT')).envelope).toMatchObject({ code: '0000000', data: { state: 'APPROVED' } });
    expect((await push(wish, 'ACCEPT')).envelope).toMatchObject({ code: '0000000', data: { state: 'APPROVED' } });
    expect((await push(wish, 'REJECT')).envelope.code).toBe('SCM14030');
    expect(await contractsOf(applyId)).toHaveLength(1);
  });

  it('is not heard of another insurer’s application', async () => {
    const other = await makePlace(app, { line: 'SAAS' });
    const { applyId, wish } = await waiting();
    expect(other.insurerId).not.toBe(saas.insurerId);
    expect((await push(wish, 'REJECT', other.insurerId)).envelope.code).toBe('SCM90040');
    expect((await detail(applyId)).state).toBe('WAIT_INSURER');
  });

  it('that says yes and no at the same time is heard once', async () => {
    const { applyId, wish } = await waiting();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => push(wish, n % 2 === 0 ? 'ACCEPT' : 'REJECT')));
    expect(codesOf(answers)).toEqual([...Array<string>(5).fill('0000000'), ...Array<string>(5).fill('SCM14030')]);
    const { state } = await detail(applyId);
    expect(await contractsOf(applyId)).toHaveLength(state === 'APPROVED' ? 1 : 0);
  });
});

describe('a mark on the person', () => {
  let [hmo, other]: Place[] = [];
  beforeAll(async () => {
    hmo = await makePlace(app, { line: 'HMO' });
    other = await makePlace(app, { line: 'HMO' });
  });
  /** Somebody on the lists of both products, marked for the first. */
  const marked = async (markType: 'BLOCK' | 'SKIP_REVIEW') => {
    const maker = await markKeeper(app);
    const first = await makePerson(app, hmo!);
    const { name, idType, idNo, birthDate, gender } = first.person;
    const second = await makePerson(app, other!, { name, idType, idNo, birthDate, gender });
    const mark = {
      markType,
      name: first.person.name,
      idNo: idNo!,
      productIds: [hmo!.productId],
      startDate: app.clock.today(),
      evidenceFileIds: await evidence(app, maker),
    };
    return { first: first.insuredItemId, second: second.insuredItemId, made: await passedMark(app, mark, maker) };
  };

  it('11: that forbids refuses what is handed in for its product, and for no other', async () => {
    const { first, second } = await marked('BLOCK');
    const refused = await app.refused(addEnrolApply, await applyWish(app, hmo!, clerk, { insuredItemId: first }), { as: clerk });
    expect(refused).toMatchObject({ code: 'SCM14005', message: expect.stringContaining('禁止入组') });
    const answer = await app.ok(addEnrolApply, await applyWish(app, other!, clerk, { insuredItemId: second }), { as: clerk });
    expect(answer.state).toBe('PENDING');
  });

  it('10: that spares the first review has the system pass it, and the trail names it', async () => {
    const { first, made } = await marked('SKIP_REVIEW');
    const { applyId, state } = await app.ok(addEnrolApply, await applyWish(app, hmo!, clerk, { insuredItemId: first }), { as: clerk });
    expect(state).toBe('APPROVED');
    const { trail } = await detail(applyId);
    expect(trail.find(({ action }) => action === 'autoPass')).toMatchObject({
      displayName: '系统',
      opinion: expect.stringContaining(made.input.reason),
    });
    expect(await contractsOf(applyId)).toHaveLength(1);
  });
});

describe('what is offered to a lead', () => {
  /** Of an application, as the list and the case itself say it. */
  async function offered(applyId: string, as: TestStaff) {
    const { applyNo, allowedActions } = await app.ok(querySignContractDetail, { applyId }, { as });
    const { rows } = await app.ok(querySignContractList, { applyNo }, { as });
    expect(rows.map((row) => row.allowedActions)).toEqual([allowedActions]);
    return allowedActions;
  }

  it('is to take back a pass only until its contract gives rights', async () => {
    const { applyId } = await waitingApply(app, await makePlace(app), {}, clerk);
    await passedApply(app, applyId);
    const boss = await lead(app);
    expect(await offered(applyId, boss)).toContain('revokeApproval');
    const keeper = await contractKeeper(app);
    const [contract] = await contractsOf(applyId);
    const signed = {
      contractId: contract!.id,
      version: contract!.version,
      signedOn: app.clock.today(),
      fileId: await signedPaper(app, keeper),
    };
    await app.ok(signContractOnPaper, signed, { as: keeper });
    expect(await offered(applyId, boss)).not.toContain('revokeApproval');
    expect(await app.refused(auditSignContract, await decision(app, applyId, 'revokeApproval', boss), deciding(boss))).toMatchObject({
      code: 'SCM14033',
    });
  });

  it('is to hear an appeal once', async () => {
    const { applyId } = await waitingApply(app, await makePlace(app), {}, clerk);
    const boss = await lead(app);
    const refusal = { rejectReasons: ['R04' as const], applicantWording: '适应症不符' };
    const { leaseToken } = await claimed(app, applyId, boss);
    await decided(app, applyId, 'reject', boss, { leaseToken, ...refusal });
    expect(await offered(applyId, boss)).toContain('appeal');
    await decided(app, applyId, 'appeal', boss);
    const second = await rechecker(app);
    const again = await claimed(app, applyId, second, 'RECHECK');
    await decided(app, applyId, 'recheckReject', second, { leaseToken: again.leaseToken, ...refusal });
    expect(await offered(applyId, boss)).not.toContain('appeal');
    expect(await app.refused(auditSignContract, await decision(app, applyId, 'appeal', boss), deciding(boss))).toMatchObject({
      code: 'SCM14031',
    });
  });
});

describe('a supplement that never comes', () => {
  it('7: ends the application after its days, and another one may be entered', async () => {
    const place = await makePlace(app);
    const { insuredItemId } = await makePerson(app, place);
    const wish = await applyWish(app, place, clerk, { insuredItemId });
    const { applyId } = await app.ok(addEnrolApply, wish, { as: clerk });
    const as = await reviewer(app);
    const { leaseToken } = await claimed(app, applyId, as);
    const supplement = { items: [{ materialType: 'PRESCRIPTION' as const, wording: '近30天' }], days: 15 };
    await decided(app, applyId, 'supplement', as, { leaseToken, supplement });
    expect(await app.refused(addEnrolApply, wish, { as: clerk })).toMatchObject({ code: 'SCM14001' });
    const stateAfter = async (passing: number) => {
      app.clock.advance(days(passing));
      await closeUnansweredJob.run({}, jobContext(app));
      clerk = await enterer(app);
      return (await detail(applyId)).state;
    };
    expect(await stateAfter(14)).toBe('SUPPLEMENT');
    expect(await stateAfter(2)).toBe('CLOSED');
    expect((await detail(applyId)).applicantWording).toBe('补件期限已过，系统关闭');
    const next = await app.ok(addEnrolApply, await applyWish(app, place, clerk, { insuredItemId }), { as: clerk });
    expect(next.state).toBe('PENDING');
  });
});
