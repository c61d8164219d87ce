import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryFirstSteps } from '../../contract/calls/system.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('names what this administrator may do first, ticked off by what is there', async () => {
  const admin = await app.staff({ role: 'SUPER_ADMIN' });
  const steps = async (as = admin) => (await app.ok(queryFirstSteps, {}, { as })).map(({ label, done }) => `${label}${done ? ' ✓' : ''}`);
  expect(await steps()).toEqual(['新建角色', '新增员工用户', '新增医院', '新增病种', '录入医生']);

  await app.staff({ role: 'SERVICE' });
  expect(await steps()).toEqual(['新建角色', '新增员工用户 ✓', '新增医院', '新增病种', '录入医生']);
  // With a role of his own; whoever may do less is asked for less.
  const narrow = await app.staff({ permissions: ['identity.role.edit'] });
  expect(await steps()).toEqual(['新建角色 ✓', '新增员工用户 ✓', '新增医院', '新增病种', '录入医生']);
  expect(await steps(narrow)).toEqual(['新建角色 ✓']);
});
