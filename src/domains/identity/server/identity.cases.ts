import { callCase, type CallCase } from '#testing/cases.ts';
import { addApiClient, modifyApiClient, queryApiClientList, queryApiRightList, rotateApiKey } from '../contract/calls/apiClients.ts';
import {
  captcha,
  loginIn,
  loginOut,
  modifyCancelUserInfo,
  modifyPassword,
  queryLoginInfo,
  sendSmsCode,
  switchUserRole,
  verifyStepUp,
} from '../contract/calls/login.ts';
import {
  downloadLogAnchor,
  exportOperationLog,
  queryLogAnchorList,
  queryLoginFailureTrend,
  queryLoginLogList,
  queryOperationLogDetail,
  queryOperationLogList,
  queryTargetLog,
  queryVerifyRunList,
  verifyOperationLog,
} from '../contract/calls/logs.ts';
import {
  addMenuInfo,
  modifyMenuInfo,
  queryMenuInfoList,
  queryPermissionList,
  removeMenuInfo,
  sortMenuInfo,
} from '../contract/calls/menus.ts';
import {
  addNotice,
  modifyNotice,
  publishNotice,
  queryMyNoticeList,
  queryNoticeList,
  queryUnreadCount,
  readAllNotice,
  readNotice,
  revokeNotice,
} from '../contract/calls/notices.ts';
import { modifySecurityPolicy, querySecurityPolicy } from '../contract/calls/policy.ts';
import {
  addRoleConflict,
  addRoleInfo,
  copyRoleInfo,
  exportRoleMatrix,
  modifyRoleInfo,
  queryRoleConflictList,
  queryRoleInfoDetail,
  queryRoleInfoList,
  removeRoleConflict,
  removeRoleInfo,
} from '../contract/calls/roles.ts';
import { querySessionList, removeSession } from '../contract/calls/sessions.ts';
import { modifyUserPreference, queryUserPreference } from '../contract/calls/preferences.ts';
import { queryAdministrativeDivision } from '../contract/calls/divisions.ts';
import { inputTips } from '../contract/calls/addresses.ts';
import { queryIcd10List } from '../contract/calls/icd10.ts';
import {
  modifyWorkCalendar,
  queryFailedJobList,
  queryFirstSteps,
  querySmsOutbox,
  queryWorkCalendar,
  retryFailedJob,
} from '../contract/calls/system.ts';
import { querySystemStatus } from '../contract/calls/status.ts';
import { addUserRole, modifyUserRole, queryUserRoleList, removeUserRole } from '../contract/calls/userRoles.ts';
import {
  addUserInfo,
  exportUserInfoList,
  getUserInfoByMobile,
  importUserInfo,
  modifyUserInfo,
  queryChecker,
  queryUserInfoList,
  queryUserTrail,
  removeUserInfo,
  resetUserPassword,
  revealUserMobile,
} from '../contract/calls/users.ts';
import { sql } from 'kysely';
import {
  administrator,
  clientBody,
  draft,
  fresh,
  makeAnchor,
  makeAssignment,
  makeClient,
  makeDirectory,
  makeNotice,
  makeRole,
  menuOf,
  NONE,
  picture,
  roleId,
  someLogId,
  userTable,
  freshMobile,
} from './testing/fixtures.ts';
import { plusMs } from '#kernel/contract/time.ts';

const PASSWORD = 'Right#Wrong2026';
const anybody = { permissions: [] as string[] };
const confirmed = { permissions: ['identity.apiClient.edit'], confirmed: true };
const missing = async () => ({ id: NONE });

/** One valid input and, where a record is named, a foreign one per call, for the tests generated from the call table. */
export const identityCases: readonly CallCase[] = [
  callCase(captcha, async () => ({}), { as: null }),
  callCase(
    loginIn,
    async (app) => {
      const { userName } = await app.staff({ role: 'SERVICE', password: PASSWORD });
      return { userName, password: PASSWORD, ...(await picture(app)) };
    },
    { as: null },
  ),
  callCase(sendSmsCode, async (app) => ({ mobile: freshMobile(), purpose: 'LOGIN' as const, ...(await picture(app)) }), { as: null }),
  callCase(
    verifyStepUp,
    async (app, as) => {
      await app.ok(sendSmsCode, { purpose: 'STEP_UP' }, { as });
      return { smsCode: '8888' };
    },
    { as: { ...anybody, mobile: '13600000001' } },
  ),
  callCase(queryLoginInfo, async () => ({}), { as: anybody }),
  callCase(modifyPassword, async () => ({ oldPassword: PASSWORD, newPassword: 'Other#Word2027' }), {
    as: { ...anybody, password: PASSWORD },
  }),
  callCase(modifyCancelUserInfo, async () => ({}), { as: null }),
  callCase(loginOut, async () => ({}), { as: null }),
  callCase(switchUserRole, async (_app, as) => ({ roleMenuId: as!.userRoleId! }), { as: anybody }),

  callCase(queryUserInfoList, async () => ({ state: 'ENABLED' as const })),
  callCase(
    addUserInfo,
    async (app) => ({
      userName: fresh('added_'),
      displayName: '新人',
      employer: 'SELF' as const,
      roles: [{ roleId: await roleId(app, 'SERVICE') }],
    }),
    {
      foreign: async () => ({ userName: fresh('added_'), displayName: '新人', employer: 'SELF' as const, roles: [{ roleId: NONE }] }),
    },
  ),
  callCase(modifyUserInfo, async (app) => ({ id: (await app.staff({ role: 'SERVICE' })).userId, version: 1, displayName: '改名' }), {
    foreign: async () => ({ id: NONE, version: 1, displayName: '改名' }),
  }),
  callCase(removeUserInfo, async (app) => ({ id: (await app.staff({ role: 'SERVICE' })).userId, version: 1, opinion: '离职' }), {
    foreign: async () => ({ id: NONE, version: 1, opinion: '离职' }),
  }),
  callCase(resetUserPassword, async (app) => ({ id: (await app.staff({ role: 'SERVICE' })).userId, version: 1, opinion: '忘记密码' }), {
    foreign: async () => ({ id: NONE, version: 1, opinion: '忘记密码' }),
  }),
  callCase(queryChecker, async () => ({ permission: 'identity.user.edit' }), { as: anybody }),
  callCase(getUserInfoByMobile, async (app) => {
    const mobile = freshMobile();
    await app.staff({ role: 'SERVICE', mobile });
    return { mobile };
  }),
  callCase(revealUserMobile, async (app) => ({ id: (await app.staff({ role: 'SERVICE', mobile: freshMobile() })).userId }), {
    foreign: missing,
  }),
  callCase(importUserInfo, async (app, as) => ({
    fileId: await userTable(app, as!, [[fresh('import_'), '张三', '', '', '', '本公司', '', 'SERVICE', '全部']]),
  })),
  callCase(exportUserInfoList, async () => ({})),
  callCase(queryUserTrail, async (app) => ({ id: (await app.staff({ role: 'SERVICE' })).userId })),

  callCase(querySessionList, async () => ({ state: 'ACTIVE' as const })),
  callCase(removeSession, async (app) => ({ sessionId: (await app.staff({ role: 'SERVICE' })).sessionId, opinion: '安全检查' }), {
    foreign: async () => ({ sessionId: NONE, opinion: '安全检查' }),
  }),

  callCase(queryRoleInfoList, async () => ({ permission: 'identity.user.edit' })),
  callCase(queryRoleInfoDetail, async (app) => ({ id: await roleId(app, 'SERVICE') }), { foreign: missing }),
  callCase(
    addRoleInfo,
    async (app) => ({
      name: fresh('角色'),
      menuIds: [await menuOf(app, 'menuManagement')],
      permissions: ['identity.menu.view'],
      confirmHigh: true,
    }),
    {
      as: { role: 'SYS_ADMIN' },
    },
  ),
  callCase(
    modifyRoleInfo,
    async (app) => {
      const role = await makeRole(app);
      return { id: role.id, version: role.version, description: '说明' };
    },
    { foreign: async () => ({ id: NONE, version: 1, description: '说明' }) },
  ),
  callCase(copyRoleInfo, async (app) => ({ id: (await makeRole(app)).id, name: fresh('副本') }), {
    as: { role: 'SYS_ADMIN' },
    foreign: async () => ({ id: NONE, name: fresh('副本') }),
  }),
  callCase(removeRoleInfo, async (app) => ({ id: (await makeRole(app)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(queryRoleConflictList, async () => ({})),
  callCase(addRoleConflict, async (app) => ({ roleAId: (await makeRole(app)).id, roleBId: (await makeRole(app)).id, reason: '岗位分离' }), {
    foreign: async (app) => ({ roleAId: (await makeRole(app)).id, roleBId: NONE, reason: '岗位分离' }),
  }),
  callCase(
    removeRoleConflict,
    async (app) => {
      const as = await administrator(app);
      return app.ok(addRoleConflict, { roleAId: (await makeRole(app)).id, roleBId: (await makeRole(app)).id, reason: '岗位分离' }, { as });
    },
    { foreign: missing },
  ),
  callCase(exportRoleMatrix, async () => ({})),

  callCase(queryUserRoleList, async (app) => ({ roleId: await roleId(app, 'SERVICE') })),
  callCase(addUserRole, async (app) => ({ userIds: [(await app.staff({})).userId], roleId: await roleId(app, 'SERVICE') }), {
    foreign: async (app) => ({ userIds: [NONE], roleId: await roleId(app, 'SERVICE') }),
  }),
  callCase(modifyUserRole, async (app) => ({ id: (await makeAssignment(app)).id, version: 1, scope: { own: true } }), {
    foreign: async () => ({ id: NONE, version: 1, scope: { own: true } }),
  }),
  callCase(removeUserRole, async (app) => ({ id: (await makeAssignment(app)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),

  callCase(queryMenuInfoList, async () => ({})),
  callCase(addMenuInfo, async () => ({ titleName: fresh('目录'), kind: 'DIR' as const }), {
    foreign: async () => ({ titleName: fresh('目录'), kind: 'DIR' as const, parentId: NONE }),
  }),
  callCase(modifyMenuInfo, async (app) => ({ id: await makeDirectory(app), version: 1, titleName: fresh('改名') }), {
    foreign: async () => ({ id: NONE, version: 1, titleName: '改名' }),
  }),
  callCase(removeMenuInfo, async (app) => ({ id: await makeDirectory(app), version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(sortMenuInfo, async (app) => ({ sort: [{ id: await makeDirectory(app), parentId: null, sort: 5 }] }), {
    foreign: async () => ({ sort: [{ id: NONE, parentId: null, sort: 5 }] }),
  }),
  callCase(queryPermissionList, async () => ({ domain: 'identity' })),

  callCase(queryOperationLogList, async () => ({})),
  callCase(queryOperationLogDetail, async (app) => ({ id: await someLogId(app) }), { foreign: missing }),
  callCase(queryTargetLog, async () => ({ targetType: 'notice', targetId: '1' })),
  callCase(exportOperationLog, async (app) => {
    await someLogId(app);
    return {};
  }),
  callCase(verifyOperationLog, async () => ({ from: '2026-11-01', to: '2026-11-21' })),
  callCase(queryVerifyRunList, async () => ({})),
  callCase(queryLogAnchorList, async () => ({})),
  callCase(downloadLogAnchor, async (app) => ({ id: await makeAnchor(app) }), { foreign: missing }),
  callCase(queryLoginLogList, async () => ({ abnormal: ['NIGHT' as const] })),
  callCase(queryLoginFailureTrend, async () => ({})),

  callCase(querySecurityPolicy, async () => ({})),
  callCase(
    modifySecurityPolicy,
    async (app) => {
      const { version } = await app.ok(querySecurityPolicy, {}, { as: await administrator(app) });
      return { version, opinion: '收紧', watermark: true, smsDaily: 11 };
    },
    { as: { permissions: ['identity.policy.edit'], confirmed: true } },
  ),

  callCase(queryMyNoticeList, async () => ({}), { as: anybody }),
  callCase(queryUnreadCount, async () => ({}), { as: anybody }),
  callCase(
    readNotice,
    async (app) => {
      const { id, version } = await makeNotice(app);
      await app.ok(publishNotice, { id, version }, { as: await administrator(app) });
      return { id };
    },
    { as: anybody, foreign: missing },
  ),
  callCase(readAllNotice, async () => ({}), { as: anybody }),
  callCase(queryNoticeList, async () => ({})),
  callCase(addNotice, async () => draft),
  callCase(modifyNotice, async (app) => ({ id: (await makeNotice(app)).id, version: 1, ...draft }), {
    foreign: async () => ({ id: NONE, version: 1, ...draft }),
  }),
  callCase(publishNotice, async (app) => ({ id: (await makeNotice(app)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(
    revokeNotice,
    async (app) => {
      const { id, version } = await makeNotice(app);
      const published = await app.ok(publishNotice, { id, version }, { as: await administrator(app) });
      return { id, version: published.version, opinion: '内容有误' };
    },
    { foreign: async () => ({ id: NONE, version: 1, opinion: '内容有误' }) },
  ),

  callCase(queryApiClientList, async () => ({})),
  callCase(addApiClient, async () => ({ ...clientBody, name: fresh('调用方') }), { as: confirmed }),
  callCase(queryApiRightList, async () => ({})),
  callCase(modifyApiClient, async (app) => ({ id: (await makeClient(app)).client.id, version: 1, name: '改名' }), {
    as: confirmed,
    foreign: async () => ({ id: NONE, version: 1, name: '改名' }),
  }),
  callCase(
    rotateApiKey,
    async (app) => ({ id: (await makeClient(app)).client.id, version: 1, oldKeyExpiresAt: plusMs(app.clock.now(), 60_000) }),
    {
      as: confirmed,
      foreign: async (app) => ({ id: NONE, version: 1, oldKeyExpiresAt: plusMs(app.clock.now(), 60_000) }),
    },
  ),

  callCase(queryAdministrativeDivision, async () => ({ parentAdcode: '310000' }), { as: anybody }),
  callCase(inputTips, async () => ({ keywords: '徐汇' }), { as: anybody }),
  callCase(queryWorkCalendar, async () => ({ from: '2026-11-01', to: '2026-11-30' }), { as: anybody }),
  callCase(modifyWorkCalendar, async () => ({ day: '2026-12-02', isWorkday: false, isBankday: false })),
  callCase(queryIcd10List, async () => ({ keyword: 'E11' }), { as: anybody }),
  callCase(queryUserPreference, async () => ({ key: 'theme' }), { as: anybody }),
  callCase(modifyUserPreference, async () => ({ key: 'theme', value: 'dark' }), { as: anybody }),
  callCase(querySmsOutbox, async () => ({})),
  callCase(queryFailedJobList, async () => ({})),
  callCase(querySystemStatus, async () => ({})),
  callCase(queryFirstSteps, async () => ({})),
  callCase(
    retryFailedJob,
    async (app) => {
      const { rows } = await sql<{ id: string }>`
        insert into kernel_failed_job (job_id, job_name, label, subject, data, attempts, error, trace_id, failed_at, state)
          values ('case', 'identity.sendSms', '发送短信', '1', '{"outboxId":"1"}', 4, '服务商无应答', 'case', ${app.clock.now()}, 'FAILED')
          returning id`.execute(app.db);
      return { jobId: `job-${rows[0]!.id}`, opinion: '服务商已恢复' };
    },
    { foreign: async () => ({ jobId: `job-${NONE}`, opinion: '服务商已恢复' }) },
  ),
];
