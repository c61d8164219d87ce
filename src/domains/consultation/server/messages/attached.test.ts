import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { days } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadFile } from '#testing/uploads.ts';
import { getFileUrl } from '#domains/files/contract/calls/objects.ts';
import { picture } from '#domains/patient/server/testing/fixtures.ts';
import { addCannedReply } from '../../contract/calls/canned.ts';
import { queryMyFileUrl } from '../../contract/calls/participants.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { imEngine } from '../im/engine.ts';
import type { Outcome } from '../im/messages/sending.ts';
import { openSingleChat } from '../services/singleChat.ts';
import { groupRowOf, makeColleague, makeInquiry } from '../testing/inquiryWorld.ts';
import { storedChatFile } from '../testing/participantFiles.ts';
import { guests } from '../testing/participantWorld.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const upload = (as: TestStaff) => uploadFile(app, as, 'CHAT_MEDIA', { fileName: '舌苔.png', contentType: 'image/png', bytes: picture() });
const send = (convId: string, senderId: string, fileId: string): Promise<Outcome> =>
  imEngine(app.kernel).queue.add({
    convId,
    senderId,
    clientMsgId: crypto.randomUUID(),
    type: messageTypes.IMAGE,
    payload: { fileId, fileName: '舌苔.png', size: 100 },
    cloudCustomData: '',
    atUserList: [],
    quoteSeq: null,
    needReadReceipt: false,
    countsUnread: true,
    origin: 'HUMAN',
    sourceRef: null,
  });
const stateOf = async (fileId: string) =>
  (await sql<{ state: string }>`select state from files_file_object where id = ${fileId}`.execute(app.db)).rows[0]?.state;
const shown = (fileId: string, as: TestStaff) => app.ok(getFileUrl, { fileId, use: 'PREVIEW' }, { as });
const hidden = (fileId: string, as: TestStaff) => app.refused(getFileUrl, { fileId, use: 'PREVIEW' }, { as });

it('what is sent belongs to the conversation: colleagues see it, sweeps leave it; what is never sent goes', async () => {
  const { served, patient, doctor } = await guests(app);
  const { convId } = await groupRowOf(app, served.groupId);
  const { staff, imUserId } = served.primary;
  const lead = await makeColleague(app, { lead: true });
  const stranger = await app.staff({ role: 'ASSISTANT', scope: { own: true } });
  const [own, unsent] = [await upload(staff), await upload(staff)];
  await hidden(own, lead.staff);
  expect(await send(convId, imUserId, own)).toMatchObject({ seq: expect.any(Number) });
  await shown(own, lead.staff);
  await hidden(own, stranger);

  const theirs = await storedChatFile(app, served, patient);
  const sent = await send(convId, patient.imUserId, theirs);
  if (!('seq' in sent)) throw new Error('it was not stored');
  await shown(theirs, staff);
  expect(await app.ok(queryMyFileUrl, { groupId: served.groupId, seq: sent.seq, fileId: theirs }, doctor.options)).toMatchObject({
    fileName: expect.any(String),
  });

  await app.advance(days(2));
  expect([await stateOf(own), await stateOf(theirs), await stateOf(unsent)]).toEqual(['READY', 'READY', 'EXPIRED']);
});

it('nobody sends a file of others, and so nobody reads one by its number', async () => {
  const { served, patient } = await guests(app);
  const { convId } = await groupRowOf(app, served.groupId);
  const { staff, imUserId } = served.primary;
  const secret = await upload(staff);
  for (const fileId of [secret, '99999999', 'x'])
    expect(await send(convId, patient.imUserId, fileId)).toMatchObject({
      refused: 'FILE_UNUSABLE',
      message: '文件不可用或已失效，请重新上传',
    });
  // A colleague hands on what he has from a group of his, and takes what a prepared reply carries.
  const colleague = await makeColleague(app);
  expect(await send(convId, imUserId, await upload(colleague.staff))).toMatchObject({ refused: 'FILE_UNUSABLE' });
  expect(await send(convId, imUserId, secret)).toMatchObject({ seq: expect.any(Number) });
  const second = await makeInquiry(app, { practice: served });
  const { convId: elsewhere } = await groupRowOf(app, second.groupId);
  const theirs = await storedChatFile(app, served, patient);
  expect(await send(elsewhere, imUserId, theirs)).toMatchObject({ refused: 'FILE_UNUSABLE' });
  await send(convId, patient.imUserId, theirs);
  expect(await send(elsewhere, imUserId, theirs)).toMatchObject({ seq: expect.any(Number) });
  const lead = await makeColleague(app, { lead: true });
  const prepared = await upload(lead.staff);
  await app.ok(
    addCannedReply,
    { scope: 'PUBLIC', category: '检查', shortcut: 'ct', title: '检查须知', content: '请查收', attachmentFileIds: [prepared] },
    { as: lead.staff },
  );
  expect(await send(elsewhere, imUserId, prepared)).toMatchObject({ seq: expect.any(Number) });
});

it('a file of a single chat is for its own two', async () => {
  const served = await makeInquiry(app);
  const { staff, imUserId } = served.primary;
  const pair = { assistantOperatorId: imUserId.slice(1), suffererOperatorId: served.sufferer.operatorId };
  const convId = await app.kernel.transactions.run('test', (writing) => openSingleChat(app.kernel, writing, pair, app.kernel.clock.now()));
  const fileId = await upload(staff);
  expect(await send(String(convId), imUserId, fileId)).toMatchObject({ seq: 1 });
  await shown(fileId, staff);
  await hidden(fileId, (await makeColleague(app, { lead: true })).staff);
});
