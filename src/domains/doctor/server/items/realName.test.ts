import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import {
  addRealNameSwitch,
  modifyRealNameSwitch,
  queryRealNameSwitchList,
  resolveRealNameSwitch,
} from '#domains/patient/contract/calls/realName.ts';
import { patientPermissions } from '#domains/patient/contract/permissions.ts';
import { makeItem } from '../testing/services.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await app.staff({ permissions: [patientPermissions['realNameSwitch.view'].code, patientPermissions['realNameSwitch.edit'].code] });
});
afterAll(() => app.close());

const since = '2026-11-01T00:00:00.000Z';
const wish = (scopeType: 'CHANNEL' | 'SERVICE_ITEM', scopeId: string, more: object = {}) => ({
  scopeType,
  scopeId,
  scopeName: '测试对象',
  scene: 'CONSULT' as const,
  required: false,
  minMethod: 'ID2' as const,
  effectiveFrom: since,
  reason: '测试配置',
  ...more,
});

it('of a service of diagnosis is asked for whatever the switches say, and the trial names the floor (scenario 21)', async () => {
  const advice = await makeItem(app, { name: '健康咨询图文' });
  const diagnosis = await makeItem(app, { name: '诊疗图文', careKind: 'DIAGNOSIS' });
  const channelId = '7';
  const off = await app.ok(addRealNameSwitch, wish('CHANNEL', channelId), { as });
  expect(await app.ok(resolveRealNameSwitch, { scene: 'CONSULT', channelId, itemId: advice }, { as })).toEqual({
    required: false,
    minMethod: null,
    decidedBy: { id: off.id, scopeType: 'CHANNEL', scopeId: channelId, scopeName: '测试对象' },
    lockedBy: null,
  });
  expect(await app.ok(resolveRealNameSwitch, { scene: 'CONSULT', channelId, itemId: diagnosis }, { as })).toEqual({
    required: true,
    minMethod: 'ID2',
    decidedBy: { id: null, scopeType: 'FLOOR', scopeId: diagnosis, scopeName: '诊疗图文' },
    lockedBy: 'FLOOR',
  });
  expect(await app.refused(addRealNameSwitch, wish('CHANNEL', channelId), { as })).toMatchObject({
    code: 'SCM09061',
    message: '该范围已有相同配置',
  });
  expect(await app.refused(addRealNameSwitch, wish('CHANNEL', channelId, { scene: 'CLAIM' }), { as })).toMatchObject({
    code: 'SCM09060',
    message: '该场景依法须实名，不能关闭',
  });
  const lawful = await app.ok(addRealNameSwitch, wish('CHANNEL', channelId, { scene: 'CLAIM', required: true }), { as });
  const switchedOff = {
    id: lawful.id,
    version: lawful.version,
    required: false,
    minMethod: 'ID2' as const,
    effectiveFrom: since,
    reason: '关闭',
  };
  expect(await app.refused(modifyRealNameSwitch, switchedOff, { as })).toMatchObject({
    code: 'SCM09060',
    message: '该场景依法须实名，不能关闭',
  });
});

it('of such a service cannot be switched off, and its row is shown as locked', async () => {
  const diagnosis = await makeItem(app, { name: '诊疗视频', careKind: 'DIAGNOSIS' });
  expect(await app.refused(addRealNameSwitch, wish('SERVICE_ITEM', diagnosis), { as })).toMatchObject({ code: 'SCM09060' });
  const strict = await app.ok(addRealNameSwitch, wish('SERVICE_ITEM', diagnosis, { required: true, minMethod: 'FACE' }), { as });
  expect(
    await app.refused(
      modifyRealNameSwitch,
      { id: strict.id, version: strict.version, required: false, minMethod: 'FACE', effectiveFrom: since, reason: '关闭' },
      { as },
    ),
  ).toMatchObject({ code: 'SCM09060' });
  expect((await app.ok(queryRealNameSwitchList, { scopeType: ['SERVICE_ITEM'], scopeId: diagnosis }, { as })).rows).toMatchObject([
    { locked: true, required: true },
  ]);
  // What is stricter than the floor decides itself; advice is free to be switched.
  expect(await app.ok(resolveRealNameSwitch, { scene: 'CONSULT', itemId: diagnosis }, { as })).toMatchObject({
    minMethod: 'FACE',
    decidedBy: { id: strict.id },
  });
  const advice = await makeItem(app, { name: '健康咨询视频' });
  expect(await app.ok(addRealNameSwitch, wish('SERVICE_ITEM', advice), { as })).toMatchObject({ locked: false, required: false });
});
