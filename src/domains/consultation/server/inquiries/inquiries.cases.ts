import { sql } from 'kysely';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import * as desks from '../../contract/calls/desks.ts';
import * as groups from '../../contract/calls/groups.ts';
import * as inquiry from '../../contract/calls/inquiry.ts';
import * as queue from '../../contract/calls/queue.ts';
import * as runtime from '../../contract/calls/runtime.ts';
import { own } from '../database.ts';
import { systemDeed } from '../deed.ts';
import { defaultDesk } from '../desks/defaultDesk.ts';
import { openDeskGroup } from '../desks/open.ts';
import {
  detailOf,
  doctorUser,
  groupRowOf,
  makeColleague,
  makeInquiry,
  makePractice,
  makeSufferer,
  say,
  type Served,
} from '../testing/inquiryWorld.ts';
import type { TestStaff } from '#testing/staff.ts';

const NOWHERE = 'YH99999999';
const asLead = { role: 'ASSISTANT_LEAD' } as const;
/** The caller of a case becomes the assistant of what the case needs. */
async function ownGroup(app: TestApp, as: TestStaff | null): Promise<Served> {
  const served = await makeInquiry(app);
  if (as) await become(app, served, as);
  return served;
}
async function become(app: TestApp, served: Pick<Served, 'primary'>, as: TestStaff): Promise<void> {
  // Whoever he was before has no login any more.
  await sql`update consultation_assistant_duty set user_id = 900000000 + assistant_id where user_id = ${as.userId}`.execute(app.db);
  await own(app.db)
    .updateTable('consultationAssistantDuty')
    .set({ userId: as.userId })
    .where('assistantId', '=', served.primary.assistantId)
    .execute();
}
/** The caller as an assistant of his own, who has nothing to do with the record. */
async function foreignTo(app: TestApp, as: TestStaff | null): Promise<void> {
  const colleague = await makeColleague(app);
  if (as) await become(app, { primary: colleague }, as);
}
const versionOf = async (app: TestApp, groupId: string) => (await groupRowOf(app, groupId)).version;
const groupCase = <C extends Parameters<typeof callCase>[0]>(
  call: C,
  more: (app: TestApp, served: Served) => Promise<object> | object = () => ({}),
  withVersion = true,
): CallCase =>
  callCase(
    call,
    async (app, as) => {
      const served = await ownGroup(app, as);
      return {
        groupId: served.groupId,
        ...(withVersion && { version: await versionOf(app, served.groupId) }),
        ...(await more(app, served)),
      } as never;
    },
    {
      as: asLead,
      foreign: async (app) =>
        ({ groupId: NOWHERE, ...(withVersion && { version: 1 }), ...(await more(app, await makeInquiry(app))) }) as never,
    },
  );
const desk = (assistantId: string, code: string) => ({
  deskCode: code,
  deskName: `导诊台${code.slice(-6)}`,
  assistantIds: [assistantId],
  dutyFrom: '08:30',
  dutyTo: '18:30',
  weekdays: [...defaultDesk.weekdays],
  welcomeText: '您好',
  offHoursText: '非接待时间',
});
let serial = 0;
const deskCode = () => `CASE_${(serial += 1)}`;
async function makeDesk(app: TestApp) {
  const colleague = await makeColleague(app);
  const fields = desk(colleague.assistantId, deskCode());
  const { id, version } = await app.ok(desks.addDesk, fields, { as: await app.staff({ permissions: ['consultation.desk.manage'] }) });
  const { deskCode: _, ...rest } = fields;
  return { id, version, rest };
}
const asAssistant = { as: asLead, prepare: async (app: TestApp, as: TestStaff) => foreignTo(app, as) };

export const inquiryCases: readonly CallCase[] = [
  callCase(runtime.queryGetUserSign, async () => ({}), asAssistant),
  callCase(runtime.queryImRuntime, async () => ({}), asAssistant),
  groupCase(inquiry.queryInquiryDetail, () => ({}), false),
  groupCase(inquiry.queryInquiryIdByGroupId, () => ({}), false),
  callCase(
    inquiry.modifyServiceStatusChange,
    async (app, as) => {
      const served = await makeInquiry(app);
      await app.ok(
        inquiry.auditInquiry,
        { serverId: served.serverId, version: (await detailOf(app, served)).version ?? 1, action: 'accept' },
        { as: served.primary.staff },
      );
      await say(app, served.groupId, await doctorUser(app, served.groupId), '请按时服药');
      if (as) await become(app, served, as);
      return { serviceId: served.serverId, doctorId: served.doctorId, suffererId: served.sufferer.patientId, serviceStatus: '4' as const };
    },
    { as: asLead, foreign: async () => ({ serviceId: '999999999', doctorId: '1', suffererId: '1', serviceStatus: '4' as const }) },
  ),
  callCase(
    inquiry.auditInquiry,
    async (app, as) => {
      const served = await makeInquiry(app);
      const version = (await detailOf(app, served)).version ?? 1;
      if (as) await become(app, served, as);
      return { serverId: served.serverId, version, action: 'accept' as const };
    },
    { as: asLead, foreign: async () => ({ serverId: '999999999', version: 1, action: 'accept' as const }) },
  ),
  callCase(
    inquiry.remindDoctor,
    async (app, as) => {
      const served = await ownGroup(app, as);
      await sql`
        update doctor_doctor set mobile_cipher = ${app.kernel.secrets.encrypt('13800001234')} where id = ${served.doctorId}`.execute(
        app.db,
      );
      return { serverId: served.serverId };
    },
    { as: asLead, foreign: async () => ({ serverId: '999999999' }) },
  ),
  callCase(
    inquiry.addInquiry,
    async (app, as) => {
      const practice = await makePractice(app);
      if (as) await become(app, practice, as);
      return {
        suffererOperatorId: (await makeSufferer(app)).operatorId,
        openingId: practice.openingId,
        source: 'STAFF' as const,
        chiefComplaint: '头晕三天伴恶心',
      };
    },
    {
      as: asLead,
      foreign: async (app) => ({
        suffererOperatorId: (await makeSufferer(app)).operatorId,
        openingId: '999999999',
        source: 'STAFF' as const,
        chiefComplaint: '头晕三天伴恶心',
      }),
    },
  ),
  callCase(groups.queryImMedicalGroupPage, async () => ({}), asAssistant),
  callCase(groups.queryGroupIdsByDoctorInfo, async () => ({ doctorName: '李' }), asAssistant),
  callCase(groups.queryGroupsOfPatient, async (app) => ({ patientId: (await makePatient(app)).id }), { as: asLead }),
  callCase(groups.queryFollowUps, async (app) => ({ patientId: (await makePatient(app)).id }), { as: asLead }),
  callCase(groups.querySavedViews, async () => ({}), asAssistant),
  callCase(groups.saveView, async () => ({ name: '超时', filters: { onlyOverSla: true } }), asAssistant),
  callCase(
    groups.delView,
    async (app, as) => {
      await foreignTo(app, as);
      return { id: (await app.ok(groups.saveView, { name: '未读', filters: {} }, { as })).id };
    },
    { as: asLead, foreign: async () => ({ id: '999999999' }) },
  ),
  groupCase(groups.addGroupAssistant, async (app) => ({ assistantId: (await makeColleague(app)).assistantId }), false),
  groupCase(
    groups.delGroupMember,
    async (app, served) => {
      const colleague = await makeColleague(app);
      await app.ok(
        groups.addGroupAssistant,
        { groupId: served.groupId, assistantId: colleague.assistantId },
        { as: (await makeColleague(app, { lead: true })).staff },
      );
      return { imUserId: colleague.imUserId };
    },
    false,
  ),
  groupCase(groups.modifyGroupTags, () => ({ tags: ['复诊'] })),
  groupCase(groups.modifyGroupPriority, () => ({ priority: 1 })),
  groupCase(groups.modifySendPolicy, () => ({ sendPolicy: 'ALWAYS', reason: '慢病随访' })),
  groupCase(
    groups.muteMember,
    (app, served) => ({ imUserId: `P${served.sufferer.operatorId}`, until: plusMs(app.clock.now(), hours(24)), reason: '辱骂医生' }),
    false,
  ),
  groupCase(groups.markGroupUnread, () => ({ unread: true }), false),
  callCase(queue.queryQueue, async () => ({}), asAssistant),
  callCase(
    queue.takeGroup,
    async (app, as) => {
      const served = await makeInquiry(app);
      await app.ok(
        queue.releaseGroup,
        { groupId: served.groupId, version: await versionOf(app, served.groupId), reason: '暂时离开' },
        { as: served.primary.staff },
      );
      if (as) await become(app, served, as);
      return { groupId: served.groupId };
    },
    { as: asLead, foreign: async () => ({ groupId: NOWHERE }) },
  ),
  callCase(
    queue.takeNextGroup,
    async (app, as) => {
      const { groupId, primary } = await makeInquiry(app);
      await app.ok(queue.releaseGroup, { groupId, version: await versionOf(app, groupId), reason: '暂时离开' }, { as: primary.staff });
      await own(app.db).deleteFrom('consultationQueuePass').execute();
      if (as) await become(app, { primary }, as);
      return {};
    },
    { as: asLead },
  ),
  groupCase(queue.releaseGroup, () => ({ reason: '暂时离开' })),
  groupCase(queue.transferGroup, async (app) => ({ toAssistantId: (await makeColleague(app)).assistantId, reason: '专科问题' })),
  groupCase(queue.takeoverGroup, () => ({ reason: '接管处理' })),
  groupCase(queue.snoozeGroup, (app) => ({ until: plusMs(app.clock.now(), hours(1)) })),
  groupCase(queue.doneGroup),
  groupCase(queue.previewGroup, () => ({}), false),
  callCase(queue.modifyDutyState, async () => ({ state: 'BUSY' as const }), asAssistant),
  callCase(queue.queryDutyBoard, async () => ({}), asAssistant),
  callCase(queue.modifyMaxConcurrent, async (app) => ({ assistantId: (await makeColleague(app)).assistantId, maxConcurrent: 10 }), {
    ...asAssistant,
    foreign: async () => ({ assistantId: '999999999', maxConcurrent: 10 }),
  }),
  callCase(desks.queryDeskList, async () => ({}), asAssistant),
  callCase(desks.addDesk, async (app) => desk((await makeColleague(app)).assistantId, deskCode())),
  callCase(
    desks.modifyDesk,
    async (app) => {
      const { id, version, rest } = await makeDesk(app);
      return { id, version, ...rest, welcomeText: '欢迎' };
    },
    {
      foreign: async (app) => {
        const { rest } = await makeDesk(app);
        return { id: '999999999', version: 1, ...rest };
      },
    },
  ),
  callCase(
    desks.disableDesk,
    async (app) => {
      const { id, version } = await makeDesk(app);
      return { id, version };
    },
    { foreign: async () => ({ id: '999999999', version: 1 }) },
  ),
  callCase(
    desks.enableDesk,
    async (app) => {
      const { id, version } = await makeDesk(app);
      const off = await app.ok(desks.disableDesk, { id, version }, { as: await app.staff({ permissions: ['consultation.desk.manage'] }) });
      return { id, version: off.version };
    },
    { foreign: async () => ({ id: '999999999', version: 1 }) },
  ),
  callCase(desks.queryDeskDoctors, async () => ({ keyword: '李' }), asAssistant),
  callCase(
    desks.routeToDoctor,
    async (app, as) => {
      const practice = await makePractice(app);
      const { groupId, colleague } = await deskGroup(app);
      if (as) await become(app, { primary: colleague }, as);
      return { groupId, openingId: practice.openingId };
    },
    { as: asLead, foreign: async () => ({ groupId: 'DZT99999999', openingId: '1' }) },
  ),
];

/** A patient without a doctor at a desk, served by its assistant. */
async function deskGroup(app: TestApp) {
  const colleague = await makeColleague(app);
  const sufferer = await makeSufferer(app);
  const sourceId = String(900_000 + (serial += 1));
  await app.ok(
    desks.addDesk,
    { ...desk(colleague.assistantId, deskCode()), sources: [{ sourceType: 'CHANNEL', sourceId, sourceName: '测试渠道' }] },
    { as: await app.staff({ permissions: ['consultation.desk.manage'] }) },
  );
  const group = await app.kernel.transactions.run('test', (writing) =>
    openDeskGroup(systemDeed(writing, { kernel: app.kernel, now: app.clock.now(), traceId: 'test' }), {
      patientId: sufferer.patientId,
      operatorId: sufferer.operatorId,
      source: { type: 'CHANNEL', id: sourceId },
    }),
  );
  await app.runDue();
  return { groupId: group?.groupId ?? '', colleague };
}
