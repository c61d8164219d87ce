import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { operatePatient } from '#domains/patient/contract/calls/sufferer.ts';
import { addPrivacyRequest } from '#domains/patient/contract/calls/privacy.ts';
import { keeper } from '#domains/patient/server/testing/fixtures.ts';
import { queryFollowUps } from '../../contract/calls/groups.ts';
import { modifyServiceStatusChange } from '../../contract/calls/inquiry.ts';
import { doneGroup } from '../../contract/calls/queue.ts';
import { queryVisitRecordList } from '../../contract/calls/visits.ts';
import { postMessage } from '../services/post.ts';
import { groupRowOf, makeColleague } from '../testing/inquiryWorld.ts';
import { act, fill, inquiryRow, knowIcd, makeAnswered, makeVisit, word } from '../testing/visitWorld.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await knowIcd(app);
});
afterAll(() => app.close());

it('his inquiries, and what follows on them, are listed within the reader’s scope', async () => {
  const visit = await makeVisit(app);
  const { patientId } = visit.sufferer;
  const { staff } = visit.primary;
  await fill(app, visit.recordId, staff, { revisitOn: '2026-12-05' });
  await act(app, visit.recordId, 'submit', staff);
  // An agreed revisit counts once the doctor has said so.
  expect(await app.ok(queryFollowUps, { patientId }, { as: staff })).toEqual([]);
  await word(app, visit.recordId);
  const { convId } = await groupRowOf(app, visit.groupId);
  await app.kernel.transactions.run('test', (writing) =>
    postMessage(
      app.kernel,
      writing,
      {
        conversationId: convId,
        senderRole: 'ASSISTANT',
        clientMsgId: 'corpus:task:1',
        bubble: { type: 'TIMTextElem', payload: { text: '请记得按时服药' } },
        sourceRef: 'corpus:send:1',
      },
      app.kernel.clock.now(),
    ),
  );
  const stranger = await makeColleague(app);
  const far = await app.staff({ role: 'AUDITOR', scope: { region: ['650100'] } });
  for (const as of [far, await app.staff()]) expect(await app.ok(queryFollowUps, { patientId }, { as })).toEqual([]);
  const rows = await app.ok(queryFollowUps, { patientId }, { as: staff });
  expect(rows).toMatchObject([
    { kind: 'REVISIT', at: '2026-12-04T16:00:00.000Z', state: 'DUE', serverId: visit.serverId, canOpen: true },
    { kind: 'MESSAGE', title: '请记得按时服药', state: 'UNREAD', groupId: visit.groupId, seq: expect.any(Number), canOpen: true },
  ]);
  expect(await app.ok(queryFollowUps, { patientId }, { as: await app.staff({ role: 'AUDITOR' }) })).toMatchObject(
    rows.map(({ kind }) => ({ kind, canOpen: false })),
  );
  expect((await app.ok(queryVisitRecordList, { patientId }, { as: staff })).rows.map(({ serverId }) => serverId)).toEqual([visit.serverId]);
  expect(
    (await app.ok(queryVisitRecordList, { patientId: stranger.assistantId }, { as: staff })).rows.map(({ serverId }) => serverId),
  ).not.toContain(visit.serverId);
});

it('a live inquiry and a group that somebody attends to block his cancellation', async () => {
  const served = await makeAnswered(app);
  const { patientId } = served.sufferer;
  const [maker, checker] = [await keeper(app), await keeper(app)];
  const request = await app.ok(addPrivacyRequest, { patientId, kind: 'DELETE', detail: '本人申请注销' }, { as: maker });
  const cancel = { patientId, version: 1, action: 'cancel' as const, opinion: '本人申请', requestId: request.id };
  const refusal = {
    code: 'SCM09020',
    message: '存在未结业务（进行中会话1项），暂不能注销',
    data: { blockers: [{ name: '进行中会话', count: 1, link: '/visitRecords' }] },
  };
  expect(await app.refused(operatePatient, cancel, { as: checker })).toMatchObject(refusal);
  const { doctorId } = await inquiryRow(app, served.serverId);
  await app.ok(
    modifyServiceStatusChange,
    { serviceId: served.serverId, doctorId, suffererId: patientId, serviceStatus: '4' },
    { as: served.primary.staff },
  );
  await app.runDue();
  expect(await app.refused(operatePatient, cancel, { as: checker })).toMatchObject(refusal);
  await app.ok(
    doneGroup,
    { groupId: served.groupId, version: (await groupRowOf(app, served.groupId)).version },
    { as: served.primary.staff },
  );
  await app.ok(operatePatient, cancel, { as: checker });
  await app.runDue();
  expect(await groupRowOf(app, served.groupId)).toMatchObject({ archivedAt: expect.any(String) });
});
