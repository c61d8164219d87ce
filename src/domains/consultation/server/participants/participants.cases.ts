import { sql } from 'kysely';
import type { InputOf } from '#kernel/contract/call.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { makeOn } from '#domains/pharma/server/testing/fixtures.ts';
import * as calls from '../../contract/calls/participants.ts';
import * as tickets from '../../contract/calls/tickets.ts';
import * as vendor from '../../contract/calls/vendor.ts';
import * as videos from '../../contract/calls/videos.ts';
import { own } from '../database.ts';
import { makeInquiry, say, type Served } from '../testing/inquiryWorld.ts';
import { digitsOf, guests, issue, patientUser } from '../testing/participantWorld.ts';
import { storedChatFile, storedReport } from '../testing/participantFiles.ts';

const NOWHERE = 'YH99999999';
type Guests = Awaited<ReturnType<typeof guests>>;

/** Whoever came by a link in the case that runs; cases run one after another. */
let token = '';
/** A case of the participants' page: made by the patient or the doctor of a fresh inquiry. */
const mine = <C extends CallCase['call']>(
  call: C,
  who: 'patient' | 'doctor',
  input: (app: TestApp, people: Guests) => Promise<InputOf<C>> | InputOf<C>,
  foreign?: (people: Guests) => InputOf<C>,
): CallCase => {
  let last: Guests | null = null;
  return callCase(
    call,
    async (app) => {
      const people = await guests(app);
      last = people;
      token = people[who].options.headers?.['authorization'] ?? '';
      return input(app, people);
    },
    { as: null, headers: async () => ({ authorization: token }), ...(foreign && { foreign: async () => foreign(last!) }) },
  );
};
const none = () => ({});
const inGroup = <C extends CallCase['call']>(call: C, who: 'patient' | 'doctor', more: object = {}): CallCase =>
  mine(
    call,
    who,
    (_app, { served }) => ({ groupId: served.groupId, ...more }) as InputOf<C>,
    () => ({ groupId: NOWHERE, ...more }) as InputOf<C>,
  );
const accepted = async (app: TestApp, { served, doctor }: Guests) => {
  const { version } = await app.ok(calls.queryMyInquiry, { groupId: served.groupId }, doctor.options);
  await app.ok(calls.auditMyInquiry, { serverId: served.serverId, version: version ?? 0, action: 'accept' }, doctor.options);
};
const ended = async (app: TestApp, people: Guests) => {
  const { served, doctor } = people;
  await accepted(app, people);
  await say(app, served.groupId, doctor.imUserId, '请按时服药');
  const { version } = await app.ok(calls.queryMyInquiry, { groupId: served.groupId }, doctor.options);
  await app.ok(calls.auditMyInquiry, { serverId: served.serverId, version: version ?? 0, action: 'end' }, doctor.options);
};
const called = async (app: TestApp, { served, doctor }: Guests) => ({
  roomId: (await app.ok(calls.openMyVideo, { groupId: served.groupId }, doctor.options)).roomId,
});
const noRoom = () => ({ roomId: '4294967295' });

/** A medicine on sale that anybody may be advised. */
async function onSale(app: TestApp): Promise<string> {
  const { medicine } = await makeOn(app);
  await sql`update pharma_medicine set rx_class = 'OTC_A' where id = ${medicine.id}`.execute(app.db);
  return medicine.id;
}

/** The caller of a staff case becomes the primary assistant of what the case needs. */
async function ownGroup(app: TestApp, as: TestStaff | null): Promise<Served> {
  const served = await makeInquiry(app);
  if (!as) return served;
  await sql`update consultation_assistant_duty set user_id = 900000000 + assistant_id where user_id = ${as.userId}`.execute(app.db);
  await own(app.db)
    .updateTable('consultationAssistantDuty')
    .set({ userId: as.userId })
    .where('assistantId', '=', served.primary.assistantId)
    .execute();
  return { ...served, primary: { ...served.primary, staff: as } };
}
const lead = { as: { role: 'ASSISTANT_LEAD' } } as const;
const room = async (app: TestApp, as: TestStaff | null) => ({
  roomId: (await app.ok(videos.openVideoRoom, { groupId: (await ownGroup(app, as)).groupId }, { as })).roomId,
});
const foreignRoom = { ...lead, foreign: async () => noRoom() };

export const participantCases: readonly CallCase[] = [
  callCase(
    tickets.addParticipantTicket,
    async (app, as) => {
      const served = await ownGroup(app, as);
      return { imUserId: patientUser(served), groupId: served.groupId, reason: '电话约好' };
    },
    { ...lead, foreign: async () => ({ imUserId: 'P1', groupId: NOWHERE, reason: '电话约好' }) },
  ),
  callCase(
    tickets.revokeParticipantTicket,
    async (app, as) => {
      const served = await ownGroup(app, as);
      return { id: (await issue(app, served, patientUser(served))).id };
    },
    { ...lead, foreign: async () => ({ id: '99999999' }) },
  ),
  callCase(tickets.queryParticipantTickets, async (app, as) => ({ groupId: (await ownGroup(app, as)).groupId }), {
    ...lead,
    foreign: async () => ({ groupId: NOWHERE }),
  }),
  callCase(
    calls.queryTicket,
    async (app) => {
      const served = await makeInquiry(app);
      return { ticket: (await issue(app, served, patientUser(served))).token };
    },
    { as: null },
  ),
  callCase(
    calls.exchangeTicket,
    async (app) => {
      const served = await makeInquiry(app);
      return { ticket: (await issue(app, served, patientUser(served))).token, check: await digitsOf(app, patientUser(served)) };
    },
    { as: null },
  ),
  mine(calls.queryMySign, 'patient', none),
  mine(calls.queryMyGroups, 'patient', none),
  inGroup(calls.queryMyInquiry, 'patient'),
  mine(
    calls.auditMyInquiry,
    'patient',
    async (app, { served, patient }) => ({
      serverId: served.serverId,
      version: (await app.ok(calls.queryMyInquiry, { groupId: served.groupId }, patient.options)).version ?? 0,
      action: 'cancel' as const,
    }),
    () => ({ serverId: '99999999', version: 1, action: 'cancel' as const }),
  ),
  mine(
    calls.rateInquiry,
    'patient',
    async (app, people) => (await ended(app, people), { serverId: people.served.serverId, stars: 5 }),
    () => ({ serverId: '99999999', stars: 5 }),
  ),
  inGroup(calls.queryMyMedicines, 'doctor', { keyword: '片' }),
  mine(
    calls.addMySuggestion,
    'doctor',
    async (app, people) => {
      await accepted(app, people);
      return {
        groupId: people.served.groupId,
        medicines: [{ medicineId: await onSale(app), dose: '1片', frequency: 'QD' as const, route: '口服', days: 7, quantity: 1 }],
      };
    },
    () => ({
      groupId: NOWHERE,
      medicines: [{ medicineId: '1', dose: '1片', frequency: 'QD' as const, route: '口服', days: 7, quantity: 1 }],
    }),
  ),
  mine(
    calls.addMyInquiry,
    'patient',
    async (app, people) => {
      const { served, patient } = people;
      const { version } = await app.ok(calls.queryMyInquiry, { groupId: served.groupId }, patient.options);
      await app.ok(calls.auditMyInquiry, { serverId: served.serverId, version: version ?? 0, action: 'cancel' }, patient.options);
      await app.runDue();
      return { groupId: served.groupId, chiefComplaint: '咳嗽又加重了' };
    },
    () => ({ groupId: NOWHERE, chiefComplaint: '咳嗽又加重了' }),
  ),
  mine(
    calls.changeMyDoctor,
    'patient',
    async (app, people) => {
      const { served, patient } = people;
      const { version } = await app.ok(calls.queryMyInquiry, { groupId: served.groupId }, patient.options);
      await app.ok(calls.auditMyInquiry, { serverId: served.serverId, version: version ?? 0, action: 'cancel' }, patient.options);
      await app.runDue();
      return { groupId: served.groupId };
    },
    () => ({ groupId: NOWHERE }),
  ),
  mine(
    calls.confirmVisitRecord,
    'doctor',
    async (app, people) => {
      await ended(app, people);
      const row = await own(app.db)
        .updateTable('consultationVisitRecord')
        .set({ state: 'WAIT_DOCTOR', diagnoses: JSON.stringify([{ icd10: 'J20.9', name: '急性支气管炎', main: true }]) })
        .where('inquiryId', '=', people.served.serverId)
        .returning(['id', 'version'])
        .executeTakeFirstOrThrow();
      return { ...row, action: 'confirm' as const };
    },
    () => ({ id: '99999999', version: 1, action: 'confirm' as const }),
  ),
  mine(
    calls.uploadInspection,
    'patient',
    async (app, people) => ({
      groupId: people.served.groupId,
      kind: 'LAB' as const,
      itemName: '血常规',
      inspectionTime: '2026-11-20T00:00:00+08:00',
      fileIds: [await storedReport(app, people.served, people.patient)],
    }),
    () => ({ groupId: NOWHERE, kind: 'LAB' as const, itemName: '血常规', inspectionTime: '2026-11-20T00:00:00+08:00', fileIds: ['1'] }),
  ),
  inGroup(calls.presignMyFile, 'patient', { fileName: '舌苔.png', contentType: 'image/png', size: 1_000 }),
  mine(
    calls.completeMyFile,
    'patient',
    async (app, people) => ({ groupId: people.served.groupId, fileId: await storedChatFile(app, people.served, people.patient) }),
    ({ served }) => ({ groupId: served.groupId, fileId: '99999999' }),
  ),
  mine(
    calls.queryMyFileUrl,
    'doctor',
    async (app, { served, patient }) => {
      const fileId = await storedChatFile(app, served, patient);
      await own(app.db)
        .updateTable('consultationInquiry')
        .set({ attachmentFileIds: [fileId] })
        .where('id', '=', served.serverId)
        .execute();
      return { groupId: served.groupId, fileId };
    },
    ({ served }) => ({ groupId: served.groupId, fileId: '99999999' }),
  ),
  inGroup(calls.openMyVideo, 'doctor'),
  mine(calls.joinMyVideo, 'patient', called, noRoom),
  mine(calls.beatMyVideo, 'doctor', called, noRoom),
  mine(calls.endMyVideo, 'doctor', called, noRoom),
  mine(
    vendor.queryMyMessages,
    'patient',
    (_app, { served }) => ({ conversationID: `GROUP${served.groupId}` }),
    () => ({ conversationID: `GROUP${NOWHERE}` }),
  ),
  mine(
    vendor.reportMyRead,
    'patient',
    (_app, { served }) => ({ conversationID: `GROUP${served.groupId}`, readSeq: 1 }),
    () => ({ conversationID: `GROUP${NOWHERE}`, readSeq: 1 }),
  ),
  mine(
    vendor.hideMyConversation,
    'patient',
    (_app, { served }) => ({ conversationID: `GROUP${served.groupId}` }),
    () => ({ conversationID: `GROUP${NOWHERE}` }),
  ),
  callCase(videos.openVideoRoom, async (app, as) => ({ groupId: (await ownGroup(app, as)).groupId }), {
    ...lead,
    foreign: async () => ({ groupId: NOWHERE }),
  }),
  callCase(videos.joinVideoRoom, room, foreignRoom),
  callCase(videos.beatVideoRoom, room, foreignRoom),
  callCase(videos.endVideoRoom, room, foreignRoom),
  callCase(videos.queryVideoList, async (app, as) => ({ groupId: (await ownGroup(app, as)).groupId, pageNo: 1, pageSize: 10 }), {
    ...lead,
    foreign: async () => ({ groupId: NOWHERE, pageNo: 1, pageSize: 10 }),
  }),
];
