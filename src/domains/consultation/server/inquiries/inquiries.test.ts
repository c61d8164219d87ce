import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours } from '#kernel/contract/time.ts';
import { jobContext } from '#testing/jobContext.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addConsultRefund, auditConsultRefund } from '#domains/doctor/contract/calls/refunds.ts';
import { makeItem, openFor } from '#domains/doctor/server/testing/services.ts';
import { auditInquiry, modifyServiceStatusChange, queryInquiryDetail, queryInquiryIdByGroupId } from '../../contract/calls/inquiry.ts';
import { own } from '../database.ts';
import { systemDeed } from '../deed.ts';
import { openInquiry } from './open.ts';
import {
  detailOf,
  doctorUser,
  groupRowOf,
  makeColleague,
  makeInquiry,
  makePractice,
  makeSufferer,
  refusedText,
  say,
  type Served,
} from '../testing/inquiryWorld.ts';
import { bindUser } from '../testing/visitWorld.ts';
import { findBroken } from '../nightly/module.ts';
import { deadlinesJob } from './jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  // What the nightly check looks for must not be there after all this.
  expect(await findBroken({ kernel: app.kernel, db: app.db, now: app.clock.now() })).toEqual([]);
  await app.close();
});

const rowOf = (serverId: string) =>
  own(app.db).selectFrom('consultationInquiry').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow();
const stepsOf = async (orderId: string) => {
  const { rows } = await sql<{
    step: string;
    n: number;
  }>`select step, count(*)::int as n from doctor_consult_step where order_id = ${orderId} group by step order by step`.execute(app.db);
  return Object.fromEntries(rows.map(({ step, n }) => [step, n]));
};
const orderOf = async (orderId: string) =>
  (
    await sql<{ state: string; refundedFen: string }>`select state, refunded_fen from doctor_consult_order where id = ${orderId}`.execute(
      app.db,
    )
  ).rows[0];
const versionOf = async (served: Served) => (await detailOf(app, served)).version ?? 0;
const act = async (
  served: Served,
  action: 'accept' | 'refuse' | 'cancel' | 'requestEnd' | 'extend' | 'reopen',
  more: object = {},
  as = served.primary.staff,
) => app.ok(auditInquiry, { serverId: served.serverId, version: await versionOf(served), action, ...more }, { as });
const refused = async (
  served: Served,
  action: 'accept' | 'refuse' | 'cancel' | 'requestEnd' | 'extend' | 'reopen',
  more: object = {},
  as = served.primary.staff,
) => app.refused(auditInquiry, { serverId: served.serverId, version: await versionOf(served), action, ...more }, { as });
const endInput = (served: Served, change: object = {}) => ({
  serviceId: served.serverId,
  doctorId: served.doctorId,
  suffererId: served.sufferer.patientId,
  serviceStatus: '4' as const,
  ...change,
});
/** Runs what is due at a later moment, without the thousand runs of other loops in between. */
const later = async (ms: number) => {
  app.clock.advance(ms);
  const context = jobContext(app, {
    transaction: <T>(work: (writing: Parameters<Parameters<typeof app.kernel.transactions.run>[1]>[0]) => Promise<T>) =>
      app.kernel.transactions.run('test', work),
  });
  await deadlinesJob.run({}, context);
  await app.runDue();
};
const served = async (wish: Parameters<typeof makeInquiry>[1] = {}) => {
  const inquiry = await makeInquiry(app, wish);
  await act(inquiry, 'accept');
  return inquiry;
};

describe('a paid order', () => {
  it('opens one group with patient, doctor and primary assistant, however often it is told', async () => {
    const practice = await makePractice(app);
    const inquiry = await makeInquiry(app, { practice });
    const group = await groupRowOf(app, inquiry.groupId);
    expect(group).toMatchObject({
      kind: 'DOCTOR',
      workState: 'SERVING',
      ownerAssistantId: practice.primary.assistantId,
      currentInquiryId: inquiry.serverId,
    });
    expect(inquiry.groupId).toMatch(/^YH\d{8,}$/);
    const members = await own(app.db)
      .selectFrom('consultationImMember')
      .select(['imUserId', 'userRole'])
      .where('convId', '=', group.convId)
      .orderBy('userRole')
      .execute();
    expect(members).toEqual([
      { imUserId: practice.primary.imUserId, userRole: 'ASSISTANT' },
      { imUserId: `D${group.doctorOperatorId}`, userRole: 'DOCTOR' },
      { imUserId: `P${inquiry.sufferer.operatorId}`, userRole: 'PATIENT' },
    ]);
    expect(await detailOf(app, inquiry)).toMatchObject({
      serverStatus: '1',
      serverId: inquiry.serverId,
      suffererId: inquiry.sufferer.patientId,
      allowedActions: expect.arrayContaining(['accept', 'refuse']),
    });
    expect(await app.ok(queryInquiryIdByGroupId, { groupId: inquiry.groupId }, { as: practice.primary.staff })).toEqual({
      inquiryId: inquiry.serverId,
      inquiryUserId: inquiry.sufferer.patientId,
    });
    const { orderId } = await rowOf(inquiry.serverId);
    const { rows: events } = await sql<{
      payload: object;
    }>`select payload from kernel_outbox where name = 'doctor.consultOrder.paid' and aggregate_id = ${orderId}`.execute(app.db);
    await Promise.all(
      [1, 2].map(() =>
        app.kernel.transactions.run('test', (writing) =>
          openInquiry(
            systemDeed(writing, { kernel: app.kernel, now: app.clock.now(), traceId: 'again' }),
            events[0]!.payload as Parameters<typeof openInquiry>[1],
          ),
        ),
      ),
    );
    const { rows } = await sql<{ groups: number; moves: number }>`
      select (select count(*)::int from consultation_medical_group where sufferer_operator_id = ${inquiry.sufferer.operatorId}) as groups,
        (
          select count(*)::int
            from kernel_audit_trail
            where target_type = 'consultation.inquiry' and target_id = ${inquiry.serverId} and action = 'open'
        ) as moves`.execute(app.db);
    expect(rows).toEqual([{ groups: 1, moves: 1 }]);
  });

  it('is refused while one runs, and uses the same group afterwards', async () => {
    const practice = await makePractice(app);
    const inquiry = await served({ practice });
    await expect(makeInquiry(app, { practice, sufferer: inquiry.sufferer })).rejects.toThrow('SCM10010');
    await say(app, inquiry.groupId, await doctorUser(app, inquiry.groupId), '请多喝水');
    await app.ok(modifyServiceStatusChange, endInput(inquiry), { as: inquiry.primary.staff });
    // The same service is free again when its order is settled; another one at once.
    const other = await openFor(app, { doctorId: practice.doctorId, itemId: await makeItem(app), priceFen: 9900 });
    const second = await makeInquiry(app, { practice: { ...practice, openingId: other.id }, sufferer: inquiry.sufferer });
    expect(second.groupId).toBe(inquiry.groupId);
    expect(second.serverId).not.toBe(inquiry.serverId);
  });
});

describe('结束问诊', () => {
  it('asks for a reply, the right people and status 4; a repeat is no second end', async () => {
    const inquiry = await served();
    const as = inquiry.primary.staff;
    expect(await app.refused(modifyServiceStatusChange, endInput(inquiry, { serviceStatus: '2' }), { as })).toMatchObject({
      code: 'SCM10011',
    });
    expect(await app.refused(modifyServiceStatusChange, endInput(inquiry), { as })).toMatchObject({ code: 'SCM10013' });
    await say(app, inquiry.groupId, await doctorUser(app, inquiry.groupId), '先做个胸片');
    expect(await app.refused(modifyServiceStatusChange, endInput(inquiry, { suffererId: '1' }), { as })).toMatchObject({
      code: 'SCM10012',
    });
    const stranger = await makeColleague(app);
    expect(await app.refused(modifyServiceStatusChange, endInput(inquiry), { as: stranger.staff })).toMatchObject({ code: 'SCM90040' });
    const ended = await app.ok(modifyServiceStatusChange, endInput(inquiry), { as });
    expect(ended.serverStatus).toBe('4');
    expect(await app.ok(modifyServiceStatusChange, endInput(inquiry), { as })).toMatchObject({ serverStatus: '4', endedAt: ended.endedAt });
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n
        from kernel_outbox
        where name = 'consultation.inquiry.ended' and aggregate_id = ${inquiry.serverId}`.execute(app.db);
    expect(rows[0]?.n).toBe(1);
    expect(
      await own(app.db).selectFrom('consultationVisitRecord').select('state').where('inquiryId', '=', inquiry.serverId).execute(),
    ).toEqual([{ state: 'DRAFT' }]);
    const group = await groupRowOf(app, inquiry.groupId);
    expect(group.currentInquiryId).toBeNull();
    expect(refusedText(await say(app, inquiry.groupId, `P${inquiry.sufferer.operatorId}`, '还有个问题'))).toBe(
      '问诊已结束，如需继续咨询请重新购买服务',
    );
    expect(refusedText(await say(app, inquiry.groupId, inquiry.primary.imUserId, '您可以重新购买'))).toBeNull();
  });

  it('is not undone at the twenty-fourth hour, nor once there is a newer one with the doctor', async () => {
    const lead = await makeColleague(app, { lead: true });
    const ended = async (inquiry: Served) => {
      await say(app, inquiry.groupId, await doctorUser(app, inquiry.groupId), '可以观察三天');
      await app.ok(modifyServiceStatusChange, endInput(inquiry), { as: inquiry.primary.staff });
      return inquiry;
    };
    const first = await ended(await served());
    const sufferer = first.sufferer;
    const second = await openFor(app, { doctorId: first.doctorId, itemId: await makeItem(app), priceFen: 9900 });
    await makeInquiry(app, { practice: { ...first, openingId: second.id }, sufferer });
    const version = (await rowOf(first.serverId)).version;
    expect(
      await app.refused(auditInquiry, { serverId: first.serverId, version, action: 'reopen', opinion: '误结束' }, { as: lead.staff }),
    ).toMatchObject({ code: 'SCM10015', message: '该患者已有新的问诊，不能恢复' });
    const other = await ended(await served());
    app.clock.advance(hours(24));
    const late = await makeColleague(app, { lead: true });
    expect(
      await app.refused(
        auditInquiry,
        { serverId: other.serverId, version: (await rowOf(other.serverId)).version, action: 'reopen', opinion: '误结束' },
        { as: late.staff },
      ),
    ).toMatchObject({ code: 'SCM10014', message: '已超过24小时恢复期限，请引导患者重新购买' });
  });

  it('may be undone within a day by a supervisor, and is paid out after it, once', async () => {
    const inquiry = await served();
    await say(app, inquiry.groupId, await doctorUser(app, inquiry.groupId), '可以观察三天');
    await app.ok(modifyServiceStatusChange, endInput(inquiry), { as: inquiry.primary.staff });
    expect(await refused(inquiry, 'reopen', { opinion: '误结束' })).toMatchObject({ code: 'SCM90010' });
    const lead = await makeColleague(app, { lead: true });
    await later(hours(23) + 59 * 60_000);
    const fresh = await makeColleague(app, { lead: true });
    expect(lead.assistantId).not.toBe(fresh.assistantId);
    const version = (await rowOf(inquiry.serverId)).version;
    expect(
      await app.ok(auditInquiry, { serverId: inquiry.serverId, version, action: 'reopen', opinion: '误结束，恢复' }, { as: fresh.staff }),
    ).toMatchObject({ serverStatus: '2' });
    const row = await rowOf(inquiry.serverId);
    expect(Date.parse(row.expireAt ?? '')).toBeGreaterThanOrEqual(Date.parse(app.clock.now()) + hours(12));
    const { orderId } = row;
    expect(await stepsOf(orderId)).not.toHaveProperty('COMPLETE');
    const again = await app.staff({ role: 'ASSISTANT_LEAD' });
    expect(again.userId).not.toBe(fresh.staff.userId);
    await app.ok(modifyServiceStatusChange, endInput(inquiry), { as: fresh.staff });
    await later(hours(24));
    await later(60_000);
    expect(await stepsOf(orderId)).toMatchObject({ COMPLETE: 1 });
    expect((await orderOf(orderId))?.state).toBe('COMPLETED');
    const last = await makeColleague(app, { lead: true });
    expect(
      await app.refused(
        auditInquiry,
        { serverId: inquiry.serverId, version: (await rowOf(inquiry.serverId)).version, action: 'reopen', opinion: '太晚' },
        { as: last.staff },
      ),
    ).toMatchObject({ code: 'SCM10014' });
  });
});

describe('deadlines', () => {
  it('give the money back when nobody accepts, once, and refuse a late acceptance', async () => {
    const inquiry = await makeInquiry(app);
    await later(hours(24) + 1000);
    await later(1000);
    const row = await rowOf(inquiry.serverId);
    expect(row.serverStatus).toBe('7');
    expect(await stepsOf(row.orderId)).toEqual({ NO_ACCEPT: 1 });
    await app.runDue();
    expect(await orderOf(row.orderId)).toMatchObject({ state: 'REFUNDED', refundedFen: row.feeFen });
    expect((await rowOf(inquiry.serverId)).refundState).toBe('DONE');
  });

  it('refuse an acceptance one second late, also where no job ran yet', async () => {
    const inquiry = await makeInquiry(app);
    app.clock.advance(hours(24) + 1000);
    // His assistant, logged in anew the next day.
    const staff = await app.staff({ role: 'ASSISTANT' });
    await bindUser(app, inquiry.primary.assistantId, staff.userId);
    expect(
      await app.refused(
        auditInquiry,
        { serverId: inquiry.serverId, version: (await rowOf(inquiry.serverId)).version, action: 'accept' },
        { as: staff },
      ),
    ).toMatchObject({ code: 'SCM90031' });
    expect(await rowOf(inquiry.serverId)).toMatchObject({ serverStatus: '1' });
    await later(1000);
    expect(await rowOf(inquiry.serverId)).toMatchObject({ serverStatus: '7' });
  });

  it('give the money back when the doctor accepts and never replies', async () => {
    const inquiry = await served();
    await later(hours(24) + 1000);
    const row = await rowOf(inquiry.serverId);
    expect([row.serverStatus, await stepsOf(row.orderId)]).toEqual(['7', { ACCEPT: 1, NO_REPLY: 1 }]);
  });

  it('refuse a message one second late, whether or not a job ran, and end what was answered', async () => {
    const inquiry = await served();
    await say(app, inquiry.groupId, await doctorUser(app, inquiry.groupId), '注意休息');
    app.clock.advance(hours(72) + 1000);
    expect(refusedText(await say(app, inquiry.groupId, `P${inquiry.sufferer.operatorId}`, '在吗'))).toBe(
      '问诊已结束，如需继续咨询请重新购买服务',
    );
    await later(1000);
    expect(await rowOf(inquiry.serverId)).toMatchObject({ serverStatus: '4', endReason: 'TIMEOUT' });
  });
});

describe('rounds', () => {
  it('are closed by the doctor; after the last the patient confirms, and more may be given', async () => {
    const inquiry = await served({ item: { quotaReplies: 2 } });
    const [patient, doctor] = [`P${inquiry.sufferer.operatorId}`, await doctorUser(app, inquiry.groupId)];
    for (const text of ['有点咳', '什么颜色的痰']) await say(app, inquiry.groupId, text === '有点咳' ? patient : doctor, text);
    await say(app, inquiry.groupId, inquiry.primary.imUserId, '请补充资料');
    expect(await rowOf(inquiry.serverId)).toMatchObject({ roundUsed: 1, doctorReplyCount: 1, serverStatus: '2' });
    await say(app, inquiry.groupId, patient, '白色');
    await say(app, inquiry.groupId, doctor, '吃这个药');
    expect(await rowOf(inquiry.serverId)).toMatchObject({ roundUsed: 2, serverStatus: '3', endReason: 'ROUNDS' });
    expect(refusedText(await say(app, inquiry.groupId, patient, '谢谢'))).toBe('本次问诊轮次已用完，请重新购买服务');
    expect(await refused(inquiry, 'extend', { rounds: 0, hours: 0, opinion: '加赠' })).toMatchObject({ code: 'SCM10019' });
    expect(await refused(inquiry, 'extend', { rounds: 4, opinion: '加赠四轮' })).toMatchObject({ code: 'SCM10016' });
    await act(inquiry, 'extend', { rounds: 2, opinion: '加赠两轮' });
    expect(await rowOf(inquiry.serverId)).toMatchObject({ serverStatus: '2', roundLimit: 4 });
    expect(refusedText(await say(app, inquiry.groupId, patient, '谢谢'))).toBeNull();
    expect(await stepsOf((await rowOf(inquiry.serverId)).orderId)).toMatchObject({ ACCEPT: 1, FIRST_REPLY: 1, REPLY: 2 });
  });
});

describe('refusing and refunding', () => {
  it('is refused after a reply, and asks for a reason', async () => {
    const inquiry = await served();
    expect(await refused(inquiry, 'refuse', { opinion: '不属本科' })).toMatchObject({ code: 'SCM90020', fields: [{ path: 'reasonCode' }] });
    await say(app, inquiry.groupId, await doctorUser(app, inquiry.groupId), '请去呼吸科');
    expect(await refused(inquiry, 'refuse', { reasonCode: 'C01', opinion: '不属本科' })).toMatchObject({ code: 'SCM10018' });
    const other = await served();
    await act(other, 'refuse', { reasonCode: 'C01', opinion: '不属本科' });
    await app.runDue();
    const row = await rowOf(other.serverId);
    expect(row).toMatchObject({ serverStatus: '6', refundState: 'DONE', refundedFen: row.feeFen });
  });

  it('over in the orders ends the service here', async () => {
    const inquiry = await served();
    const { orderId, feeFen } = await rowOf(inquiry.serverId);
    const [maker, checker] = [
      await app.staff({ permissions: ['doctor.consult.view', 'doctor.consult.refund'] }),
      await app.staff({ permissions: ['doctor.consult.view', 'doctor.consult.refundAudit'] }),
    ];
    const refund = await app.ok(
      addConsultRefund,
      { orderId, amountFen: Number(feeFen), reason: 'PATIENT', opinion: '患者临时有事' },
      { as: maker, idempotencyKey: 'refund-of-inquiry' },
    );
    if (refund.state === 'APPLIED')
      await app.ok(
        auditConsultRefund,
        { refundId: refund.id, action: 'approve', opinion: '同意' },
        { as: checker, idempotencyKey: 'refund-of-inquiry-ok' },
      );
    await app.runDue();
    await app.runDue();
    expect((await rowOf(inquiry.serverId)).serverStatus).toBe('6');
  });
});

describe('who may see an inquiry', () => {
  it('is a member, the pool while it waits, and nobody else', async () => {
    const inquiry = await makeInquiry(app);
    const stranger = await app.staff({ permissions: ['consultation.chat.send'] });
    expect(await app.refused(queryInquiryDetail, { groupId: inquiry.groupId }, { as: stranger })).toMatchObject({ code: 'SCM90040' });
    const reader = await app.staff({ permissions: ['consultation.visit.view'] });
    expect(await app.ok(queryInquiryDetail, { groupId: inquiry.groupId }, { as: reader })).toMatchObject({
      serverId: inquiry.serverId,
      chiefComplaint: null,
    });
    expect((await makeSufferer(app)).operatorId).not.toBe(inquiry.sufferer.operatorId);
  });
});
