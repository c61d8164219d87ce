import type { InputOf } from '#kernel/contract/call.ts';
import { expect } from 'vitest';
import { bufferOf, xlsxStream, type XlsxCell } from '#kernel/server/documents/xlsxStream.ts';
import { NOTES_SHEET, TEMPLATE_MARK } from '#kernel/server/importing/template.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { addApiClient } from '../../contract/calls/apiClients.ts';
import { captcha } from '../../contract/calls/login.ts';
import { addMenuInfo } from '../../contract/calls/menus.ts';
import { addNotice } from '../../contract/calls/notices.ts';
import { addRoleInfo } from '../../contract/calls/roles.ts';
import { addUserRole } from '../../contract/calls/userRoles.ts';
import { own } from '../database.ts';
import { anchorDay } from '../log/anchor.ts';
import { userImporter } from '../users/importUsers.ts';
import { identityCore } from '../core.ts';

export const NONE = '999999999';
let last = 0;
/** A text that no other fixture has. */
export const fresh = (prefix: string) => `${prefix}${++last}`;
export const freshMobile = () => `137${String(10_000_000 + ++last)}`;

/** Somebody who may do everything in identity. */
export const administrator = (app: TestApp) => app.staff({ role: 'SUPER_ADMIN', confirmed: true });

export const roleId = async (app: TestApp, roleCode: string): Promise<string> =>
  (await own(app.db).selectFrom('identityRole').select('id').where('roleCode', '=', roleCode).executeTakeFirstOrThrow()).id;

/** A page of identity's own menu. */
export const menuOf = async (app: TestApp, routeKey: string): Promise<string> =>
  (await own(app.db).selectFrom('identityMenu').select('id').where('routeKey', '=', routeKey).executeTakeFirstOrThrow()).id;

export async function picture(app: TestApp): Promise<{ captchaId: string; captcha: string }> {
  const ip = `10.77.${++last >> 8}.${last & 255}`;
  const { captchaId } = await app.ok(captcha, {}, { ip });
  return { captchaId, captcha: '8888' };
}

export async function makeRole(app: TestApp, permissions: readonly string[] = ['identity.notice.publish'], as?: TestStaff) {
  const { role } = await app.ok(
    addRoleInfo,
    {
      name: fresh('角色'),
      menuIds: [await menuOf(app, 'menuManagement')],
      permissions: ['identity.menu.view', ...permissions],
      confirmHigh: true,
    },
    { as: as ?? (await administrator(app)) },
  );
  return role;
}

export async function makeAssignment(app: TestApp, roleCode = 'SERVICE'): Promise<{ id: string; userId: string }> {
  const user = await app.staff({});
  const { results } = await app.ok(
    addUserRole,
    { userIds: [user.userId], roleId: await roleId(app, roleCode) },
    { as: await administrator(app) },
  );
  expect(results).toMatchObject([{ ok: true }]);
  return { id: results[0]!.userRoleId!, userId: user.userId };
}

export const makeDirectory = async (app: TestApp): Promise<string> => {
  const titleName = fresh('目录');
  const { menus } = await app.ok(addMenuInfo, { titleName, kind: 'DIR' }, { as: await administrator(app) });
  return menus.find((menu) => menu.titleName === titleName)!.id;
};

export const draft = { title: '公告', body: '内容', level: 'INFO' as const, audience: { all: true } };
export const makeNotice = async (app: TestApp) => app.ok(addNotice, { ...draft, title: fresh('公告') }, { as: await administrator(app) });

export const clientBody = { name: '调用方', party: 'OTHER' as const, permissions: [] as string[], ipAllow: ['127.0.0.1'], ratePerMin: 100 };
export const makeClient = async (app: TestApp, change: Partial<InputOf<typeof addApiClient>> = {}) =>
  app.ok(addApiClient, { ...clientBody, name: fresh('调用方'), ...change }, { as: await administrator(app) });

export async function makeAnchor(app: TestApp): Promise<string> {
  const day = '2026-10-01';
  await app.kernel.transactions.run('test', (writing) => anchorDay(app.kernel, writing, day, app.clock.now()));
  return (await own(app.db).selectFrom('identityOperationLogAnchor').select('id').where('day', '=', day).executeTakeFirstOrThrow()).id;
}

/** The newest log row; something is done first, so that there is one. */
export async function someLogId(app: TestApp): Promise<string> {
  await makeNotice(app);
  return (await own(app.db).selectFrom('identityOperationLog').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id;
}

/** A filled-in import template of users, stored as an uploaded file of somebody. */
export async function userTable(app: TestApp, as: TestStaff, rows: readonly (readonly string[])[]): Promise<string> {
  const importer = userImporter(identityCore(app.kernel, {}));
  const cells = (texts: readonly string[]): XlsxCell[] => texts.map((text) => ({ text }));
  const body = await bufferOf(
    xlsxStream([
      {
        name: '数据',
        widths: [],
        rows: [cells(importer.columns.map(({ label, required }) => `${required ? '*' : ''}${label}`)), ...rows.map(cells)],
      },
      { name: NOTES_SHEET, widths: [], rows: [cells([TEMPLATE_MARK, importer.code, '模板版本', importer.templateVersion])] },
    ]),
  );
  const { fileId } = await app.kernel.transactions.run('test', ({ tx }) =>
    app.kernel.ports.files.store(
      tx,
      {
        purpose: 'IMPORT',
        name: '员工用户.xlsx',
        body,
        contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        createdBy: as.userId,
      },
      app.clock.now(),
    ),
  );
  return fileId;
}
