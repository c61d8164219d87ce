import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { days, hours } from '#kernel/contract/time.ts';
import { jobContext } from '#testing/jobContext.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { auditInquiry } from '../../contract/calls/inquiry.ts';
import { groupRowOf, makeColleague, makeInquiry } from '../testing/inquiryWorld.ts';
import { act, knowIcd, inquiryRow, makeConfirmed } from '../testing/visitWorld.ts';
import { checkJob, checks, findBroken } from './module.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await knowIcd(app);
});
afterAll(() => app.close());

const broken = async () => (await findBroken({ kernel: app.kernel, db: app.db, now: app.clock.now() })).map(({ name }) => name);

it('a clock that moved past settling and looking at once is no fault: what is due is settled before anybody looks', async () => {
  const visit = await makeConfirmed(app);
  await app.runDue();
  const settled = async () => (await inquiryRow(app, visit.serverId)).settledAt;
  app.clock.advance(hours(26));
  expect(await settled()).toBeNull();
  const alerts = async () =>
    (
      await sql<{ n: number }>`
        select count(*)::int as n from identity_notice where title = '在线问诊数据核对发现异常' and body like '%未结算%'`.execute(app.db)
    ).rows[0]!.n;
  const before = await alerts();
  // Alone, as when it comes before the job of the deadlines.
  await checkJob.run({}, jobContext(app));
  expect(await settled()).not.toBeNull();
  expect(await alerts()).toBe(before);
});

it('finds nothing after a service from purchase to archive, and each rule once it is broken; the supervisors are told', async () => {
  const visit = await makeConfirmed(app);
  const lead = await makeColleague(app, { lead: true });
  await act(app, visit.recordId, 'archive', lead.staff);
  const refusedOne = await makeInquiry(app);
  await app.ok(
    auditInquiry,
    {
      serverId: refusedOne.serverId,
      version: (await inquiryRow(app, refusedOne.serverId)).version,
      action: 'refuse',
      reasonCode: 'C02',
      opinion: '请线下就诊',
    },
    { as: refusedOne.primary.staff },
  );
  const waiting = await makeInquiry(app);
  await app.runDue();
  await app.advance(hours(26));
  await app.runDue();
  expect(await broken()).toEqual([]);

  const { convId, groupId } = await groupRowOf(app, visit.groupId);
  const other = await groupRowOf(app, waiting.groupId);
  const break_ = async (statement: ReturnType<typeof sql>) => void (await statement.execute(app.db));
  await break_(sql`update consultation_im_conversation set last_seq = last_seq + 1 where conv_id = ${convId}`);
  await break_(
    sql`update consultation_im_user set last_event_seq = last_event_seq + 1 where im_user_id = ${`P${visit.sufferer.operatorId}`}`,
  );
  await break_(sql`update consultation_im_member set read_seq = 9999 where conv_id = ${convId} and im_user_id = ${visit.primary.imUserId}`);
  await break_(
    sql`update consultation_im_member set left_at = ${app.clock.now()} where conv_id = ${other.convId} and user_role = 'PATIENT'`,
  );
  await break_(sql`update consultation_medical_group set current_inquiry_id = null where current_inquiry_id is not null`);
  await break_(sql`update consultation_inquiry set doctor_reply_count = doctor_reply_count + 1 where id = ${visit.serverId}`);
  // Their orders know nothing of them.
  await break_(sql`update consultation_inquiry set order_id = id + 90000000 where id in (${visit.serverId}, ${refusedOne.serverId})`);
  await break_(sql`update consultation_visit_record set sha256 = repeat('0', 64) where id = ${visit.recordId}`);
  expect((await broken()).toSorted()).toEqual(
    [
      '医患群缺少成员',
      '归档就诊小结校验码不符',
      '已关闭问诊未退款或重复退款',
      '已结束问诊未结算或重复结算',
      '已读位置超出会话',
      '消息序号不连续',
      '账号事件序号不连续',
      '轮次或回复数与消息不符',
    ].toSorted(),
  );
  expect(checks.length).toBe(16);
  await app.advance(days(1));
  const { rows } = await sql<{
    title: string;
    body: string;
  }>`select title, body from identity_notice where title = '在线问诊数据核对发现异常'`.execute(app.db);
  expect(rows[0]?.body).toContain('消息序号不连续（1条）');
  expect(groupId).toBe(visit.groupId);
});
