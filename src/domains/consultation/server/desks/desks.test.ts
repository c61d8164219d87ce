import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { disableDesk, queryDeskList } from '../../contract/calls/desks.ts';
import { takeNextGroup } from '../../contract/calls/queue.ts';
import { systemDeed } from '../deed.ts';
import { groupRowOf, makeColleague, makeSufferer, type Sufferer } from '../testing/inquiryWorld.ts';
import { openDeskGroup } from './open.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const arrive = ({ patientId, operatorId }: Sufferer) =>
  app.kernel.transactions.run('test', (writing) =>
    openDeskGroup(systemDeed(writing, { kernel: app.kernel, now: app.clock.now(), traceId: 'test' }), {
      patientId,
      operatorId,
      source: { type: 'CHANNEL', id: '987654' },
    }),
  );

it('the default desk is there from the start, stays, and receives whom no other desk expects', async () => {
  const manager = await app.staff({ permissions: ['consultation.desk.manage', 'consultation.chat.send'] });
  const [desk] = await app.ok(queryDeskList, {}, { as: manager });
  expect(desk).toMatchObject({ deskCode: 'DEFAULT', enabled: true, assistants: [] });
  expect(await app.refused(disableDesk, { id: desk!.id, version: desk!.version }, { as: manager })).toMatchObject({ code: 'SCM90031' });

  // Nobody is an assistant yet: the patient waits.
  const first = await arrive(await makeSufferer(app));
  expect(first).toMatchObject({ kind: 'DESK', deskId: desk!.id, workState: 'QUEUED' });
  // The desk names nobody, so everybody may take from it.
  const colleague = await makeColleague(app);
  expect(await app.ok(takeNextGroup, {}, { as: colleague.staff })).toMatchObject({ groupId: first!.groupId });
  const second = await arrive(await makeSufferer(app));
  expect(await groupRowOf(app, second!.groupId)).toMatchObject({ workState: 'SERVING', ownerAssistantId: colleague.assistantId });
});
