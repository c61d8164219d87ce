import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Call, InputOf } from '#kernel/contract/call.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryDoctorInfoByOperatorId } from '#domains/doctor/contract/calls/doctors.ts';
import { findEhrMedicineSuggested, queryHistoryDiagnosis, querySuffererBaseInfoByUserId } from '#domains/patient/contract/calls/panel.ts';
import { makeInspection } from '#domains/patient/server/testing/fixtures.ts';
import { queryInquiryDetail, queryInquiryIdByGroupId } from '../contract/calls/inquiry.ts';
import { queryGroupNotes } from '../contract/calls/notes.ts';
import { groupRowOf, type Served } from './testing/inquiryWorld.ts';
import { makeAnswered } from './testing/visitWorld.ts';

let app: TestApp;
let served: Served;
beforeAll(async () => {
  app = await startTestApp();
  served = await makeAnswered(app);
  for (let n = 0; n < 3; n += 1) await makeInspection(app, served.sufferer.patientId);
  // A complaint with pictures needs them too.
  await sql`
    update consultation_inquiry
      set attachment_file_ids = array(select id from files_file_object order by id limit 3)
      where id = ${served.serverId}`.execute(app.db);
});
afterAll(() => app.close());

interface PanelCall<C extends Call = Call> {
  call: C;
  input(): Promise<InputOf<C>>;
}
const one = <C extends Call>(call: C, input: (served: Served) => Promise<InputOf<C>> | InputOf<C>): PanelCall =>
  ({ call, input: async () => input(served) }) as PanelCall<C> as PanelCall;
const module = (moduleCode: 'modular002' | 'modular003' | 'modular004', orderBy: string) =>
  one(findEhrMedicineSuggested, ({ sufferer }) => ({
    pageNo: 1,
    pageSize: 10,
    orderBy,
    moduleCode,
    paragraphCode: '',
    associatedId: sufferer.operatorId,
    pageCode: 'IM_PANEL',
    preciseKeyValue: { status: '' },
  }));

/** What the console asks when a conversation was chosen for half a second, and the notes of its timeline. */
const calls: readonly PanelCall[] = [
  one(queryDoctorInfoByOperatorId, async ({ groupId }) => ({ operatorId: (await groupRowOf(app, groupId)).doctorOperatorId ?? '' })),
  one(queryHistoryDiagnosis, ({ sufferer }) => ({ suffererOperatorId: sufferer.operatorId, orderBy: 'diagnosis_time desc' })),
  one(queryInquiryDetail, ({ groupId }) => ({ groupId })),
  one(queryInquiryIdByGroupId, ({ groupId }) => ({ groupId })),
  one(querySuffererBaseInfoByUserId, ({ sufferer }) => ({ userId: sufferer.patientId })),
  module('modular002', 'prescription_time desc'),
  module('modular003', 'order_time desc'),
  module('modular004', 'inspection_time desc'),
  one(queryGroupNotes, ({ groupId }) => ({ groupId })),
];

it.each(calls)('the panel: $call.name sends at most three statements', async ({ call, input }) => {
  const body = await input();
  const { envelope, headers } = await app.send(call, body, { as: served.primary.staff });
  expect(envelope).toMatchObject({ code: '0000000' });
  expect(Number(headers['x-statements'])).toBeLessThanOrEqual(3);
});
