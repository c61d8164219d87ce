import { jobContext } from '#testing/jobContext.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import type { Config } from '#kernel/server/config/config.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { auditInquiry } from '../../contract/calls/inquiry.ts';
import type { TextPayload } from '../../contract/im/types.ts';
import { own } from '../database.ts';
import { imEngine } from '../im/engine.ts';
import { openInvite } from '../im/sockets/invites.ts';
import { detailOf, doctorUser, groupRowOf, makeInquiry, makeSufferer, say, type Served } from '../testing/inquiryWorld.ts';
import { botsJob } from './loop.ts';

const TICK = 4_000;
let app: TestApp;
let served: Served;
let [patient, doctor] = ['', ''];
beforeAll(async () => {
  app = await startTestApp({ config: { mode: 'demo' } });
  served = await makeInquiry(app);
  patient = `P${served.sufferer.operatorId}`;
  doctor = await doctorUser(app, served.groupId);
  await own(app.db).updateTable('consultationMedicalGroup').set({ demoBot: true }).where('groupId', '=', served.groupId).execute();
});
afterAll(() => app.close());

const run = (mode: Config['mode'] = 'demo') =>
  botsJob.run({}, jobContext(app, { kernel: mode === 'demo' ? app.kernel : { ...app.kernel, config: { ...app.kernel.config, mode } } }));
/** Lets time pass as the worker's loop would see it. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds * 1_000; left > 0; left -= TICK) {
    app.clock.set(plusMs(app.clock.now(), TICK));
    await run();
  }
  await app.runDue();
}
const spoken = async () => {
  const { convId } = await groupRowOf(app, served.groupId);
  return (
    await own(app.db)
      .selectFrom('consultationImMessage')
      .select(['seq', 'senderId', 'type', 'payload', 'sentAt'])
      .where('convId', '=', convId)
      .where('senderId', '<>', 'SYSTEM')
      .orderBy('seq')
      .execute()
  ).map((row) => ({
    seq: Number(row.seq),
    who: row.senderId,
    type: row.type,
    text: (row.payload as Partial<TextPayload>).text ?? '',
    at: Date.parse(row.sentAt),
  }));
};
const linesOf = async (who: string) => (await spoken()).filter((one) => one.who === who);
const connected = (imUserId: string, device: 'wx' | 'console') =>
  own(app.db)
    .insertInto('consultationImConnection')
    .values({
      socketId: `test:${imUserId}`,
      imUserId,
      node: 'test',
      device,
      clientId: 'c',
      ip: '127.0.0.1',
      lastSeenAt: plusMs(app.clock.now(), minutes(30)),
    })
    .execute();
const gone = (imUserId: string) => own(app.db).deleteFrom('consultationImConnection').where('socketId', '=', `test:${imUserId}`).execute();

it('says nothing outside the demonstration', async () => {
  await run('production');
  await run('test');
  expect(await spoken()).toEqual([]);
});

it('the doctor accepts within a minute, and the dialogue goes on for rounds', async () => {
  await pass(60);
  expect(await detailOf(app, served)).toMatchObject({ serverStatus: '2' });
  expect(await linesOf(patient)).toHaveLength(1);
  for (const question of ['您好，请问有药物过敏吗？', '做过什么检查吗？', '这种情况多久了？']) {
    await say(app, served.groupId, served.primary.imUserId, question);
    await pass(64);
  }
  const all = await spoken();
  expect(
    all
      .filter(({ who }) => who === patient)
      .map(({ text }) => text)
      .join(),
  ).toContain('过敏');
  expect(all.filter(({ who, type }) => who === patient && type === 'TIMImageElem')).toHaveLength(1);
  const { roundUsed } = await own(app.db)
    .selectFrom('consultationInquiry')
    .select('roundUsed')
    .where('id', '=', served.serverId)
    .executeTakeFirstOrThrow();
  expect(roundUsed).toBeGreaterThanOrEqual(2);
  // Nobody answers in less than three seconds, nor speaks twice in them.
  all.forEach((one, index) => {
    if (index > 0 && one.who !== served.primary.imUserId) expect(one.at - all[index - 1]!.at).toBeGreaterThanOrEqual(3_000);
  });
  const read = await own(app.db)
    .selectFrom('consultationImMember')
    .select('readSeq')
    .where('imUserId', '=', patient)
    .executeTakeFirstOrThrow();
  expect(Number(read.readSeq)).toBeGreaterThan(all[2]!.seq);
});

it('the patient is silent as soon as somebody real is there for him, and only then', async () => {
  await connected(patient, 'wx');
  const before = (await linesOf(patient)).length;
  await say(app, served.groupId, served.primary.imUserId, '请问以前做过手术吗？');
  await pass(40);
  expect(await linesOf(patient)).toHaveLength(before);
  await gone(patient);
  await pass(24);
  expect((await linesOf(patient)).length).toBeGreaterThan(before);
});

it('answers nothing that was said long ago', async () => {
  await connected(patient, 'wx');
  await say(app, served.groupId, served.primary.imUserId, '请问还有什么不舒服？');
  app.clock.set(plusMs(app.clock.now(), minutes(11)));
  await gone(patient);
  const before = (await linesOf(patient)).length;
  await pass(40);
  expect(await linesOf(patient)).toHaveLength(before);
});

it('refuses calls with its words', async () => {
  const engine = imEngine(app.kernel);
  const conv = (await engine.names.byId(app.db, (await groupRowOf(app, served.groupId)).convId))!;
  const invite = await app.kernel.transactions.run('test', (writing) =>
    openInvite(
      engine,
      writing,
      conv,
      served.primary.imUserId,
      { groupID: served.groupId, inviteeList: [patient, doctor], data: '{"businessID":"video_call","roomId":1}', timeout: 60 },
      app.clock.now(),
    ),
  );
  await pass(8);
  const row = await own(app.db)
    .selectFrom('consultationImInvite')
    .select('state')
    .where('inviteId', '=', 'inviteID' in invite ? invite.inviteID : '')
    .executeTakeFirstOrThrow();
  expect(row.state).toBe('REJECTED');
  expect((await linesOf(patient)).at(-1)).toMatchObject({ text: '现在不方便视频，请打开参与链接测试' });
});

it('agrees to the end and rates', async () => {
  const { version } = await detailOf(app, served);
  await app.ok(auditInquiry, { serverId: served.serverId, action: 'requestEnd', version: version! }, { as: served.primary.staff });
  await pass(24);
  expect(await detailOf(app, served)).toMatchObject({ serverStatus: '4', endReason: 'PATIENT' });
  await pass(72);
  const { stars } = await own(app.db)
    .selectFrom('consultationInquiry')
    .select('stars')
    .where('id', '=', served.serverId)
    .executeTakeFirstOrThrow();
  expect(stars).toBeGreaterThanOrEqual(4);
});

it('new patients come to the desk every few minutes while an assistant is there, never more than forty', async () => {
  for (let n = 0; n < 3; n += 1) await makeSufferer(app);
  const desk = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from consultation_medical_group where kind = 'DESK' and demo_bot`.execute(app.db))
      .rows[0]!.n;
  await pass(8);
  expect(await desk()).toBe(0);
  await connected(served.primary.imUserId, 'console');
  await pass(8);
  expect(await desk()).toBe(1);
  await pass(40);
  expect(await desk()).toBe(1);
  await sql`update consultation_im_connection set last_seen_at = ${plusMs(app.clock.now(), minutes(30))}`.execute(app.db);
  app.clock.set(plusMs(app.clock.now(), minutes(6)));
  await run();
  expect(await desk()).toBe(2);
  // They introduce themselves.
  await pass(8);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n
      from consultation_im_message m
      join consultation_medical_group g on g.conv_id = m.conv_id
      where g.kind = 'DESK' and m.sender_id = 'P' || g.sufferer_operator_id`.execute(app.db);
  expect(rows[0]!.n).toBeGreaterThanOrEqual(2);
});
