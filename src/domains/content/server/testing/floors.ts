import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { PageCode } from '../../contract/floors/clientPages.ts';
import { addFloor, queryPageLayout } from '../../contract/floors/calls.ts';
import { auditPage } from '../../contract/releases/calls.ts';

export const editor = (app: TestApp): Promise<TestStaff> => app.staff({ permissions: ['content.content.view', 'content.page.edit'] });
export const auditor = (app: TestApp): Promise<TestStaff> => app.staff({ permissions: ['content.content.view', 'content.page.audit'] });

export const draft = async (app: TestApp, pageCode: PageCode) => app.ok(queryPageLayout, { pageCode }, { as: await editor(app) });

export const icons = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `图标${index + 1}`, link: '/pages/index' }));

/** A floor at the end of a page's draft. */
export async function makeFloor(app: TestApp, pageCode: PageCode = 'MP_MINE', more: Partial<InputOf<typeof addFloor>> = {}) {
  const { version } = await draft(app, pageCode);
  return app.ok(
    addFloor,
    { pageCode, version, floorType: 'NOTICE', floorName: '公告', items: [{ title: '公告' }], ...more },
    { as: await editor(app) },
  );
}

/** A release of a page that waits for its audit. */
export async function makeRelease(app: TestApp, pageCode: PageCode, effectiveAt: string | null = null) {
  if ((await draft(app, pageCode)).floors.length === 0) await makeFloor(app, pageCode);
  return app.ok(auditPage, { pageCode, action: 'submit', effectiveAt }, { as: await editor(app) });
}

export async function makeLive(app: TestApp, pageCode: PageCode) {
  const { id } = await makeRelease(app, pageCode);
  return app.ok(auditPage, { pageCode, action: 'approve', releaseId: id }, { as: await auditor(app) });
}
