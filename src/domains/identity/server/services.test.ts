import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { days, hours, plusMs } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, TEST_NOW, type TestApp } from '#testing/testApp.ts';
import { makeInsurer } from '#domains/insurance/server/testing/products.ts';
import { addApiClient, modifyApiClient, queryApiClientList, rotateApiKey } from '../contract/calls/apiClients.ts';
import {
  addNotice,
  modifyNotice,
  publishNotice,
  queryMyNoticeList,
  queryUnreadCount,
  readAllNotice,
  readNotice,
  revokeNotice,
} from '../contract/calls/notices.ts';
import { modifySecurityPolicy, querySecurityPolicy } from '../contract/calls/policy.ts';
import { modifyUserPreference, queryUserPreference } from '../contract/calls/preferences.ts';
import { queryAdministrativeDivision } from '../contract/calls/divisions.ts';
import { inputTips } from '../contract/calls/addresses.ts';
import { queryIcd10List } from '../contract/calls/icd10.ts';
import { querySystemStatus } from '../contract/calls/status.ts';
import { modifyWorkCalendar, queryFailedJobList, querySmsOutbox, queryWorkCalendar, retryFailedJob } from '../contract/calls/system.ts';

let app: TestApp;
let nobody: { as: TestStaff };
beforeAll(async () => {
  app = await startTestApp();
  nobody = { as: await app.staff({ permissions: [] }) };
});
afterAll(() => app.close());

describe('regions and address tips', () => {
  it('answers the whole tree, or what lies below one region', async () => {
    const { cityList } = await app.ok(queryAdministrativeDivision, {}, nobody);
    expect(cityList).toHaveLength(34);
    const shanghai = cityList.find(({ adcode }) => adcode === '310000');
    expect(JSON.stringify(shanghai)).toContain('徐汇区');
    const { cityList: jiangsu } = await app.ok(queryAdministrativeDivision, { parentAdcode: '320000' }, nobody);
    expect(jiangsu.map(({ name }) => name)).toContain('苏州市');
  });

  it('finds places by name and initials, within a city where one is named', async () => {
    expect(await app.refused(inputTips, { keywords: '徐' }, nobody)).toMatchObject({ code: 'SCM90020' });
    const { tips } = await app.ok(inputTips, { keywords: '徐汇' }, nobody);
    expect(tips).toMatchObject([{ name: '徐汇区', adcode: '310104', address: expect.stringContaining('上海市') }]);
    expect((await app.ok(inputTips, { keywords: '鼓楼', city: '南京市' }, nobody)).tips.map(({ adcode }) => adcode)).toEqual(['320106']);
    expect((await app.ok(inputTips, { keywords: '100%' }, nobody)).tips).toEqual([]);
  });

  it('finds disease codes by code, name and initials', async () => {
    expect((await app.ok(queryIcd10List, { keyword: 'E11' }, nobody))[0]).toMatchObject({ code: 'E11' });
    expect(await app.ok(queryIcd10List, { codes: ['E11', 'NOPE'] }, nobody)).toHaveLength(1);
  });
});

describe('the work calendar', () => {
  it('is changed by who may, stays within two years a question, and is logged', async () => {
    const day = '2026-12-01';
    expect(await app.refused(modifyWorkCalendar, { day, isWorkday: false, isBankday: false }, nobody)).toMatchObject({
      code: 'SCM90010',
      message: '没有权限：维护工作日历',
    });
    expect(await app.refused(queryWorkCalendar, { from: '2020-01-01', to: '2026-01-01' }, nobody)).toMatchObject({
      fields: [{ path: 'to' }],
    });
    const editor = { as: await app.staff({ permissions: ['identity.calendar.edit'] }) };
    await app.ok(modifyWorkCalendar, { day, isWorkday: false, isBankday: true, note: '公司成立日' }, editor);
    const { days: shown } = await app.ok(queryWorkCalendar, { from: '2026-11-30', to: day }, nobody);
    expect(shown).toEqual([
      { day: '2026-11-30', isWorkday: true, isBankday: true, note: '' },
      { day, isWorkday: false, isBankday: true, note: '公司成立日' },
    ]);
  });
});

describe('preferences', () => {
  it('belong to their user, and stay small', async () => {
    const other = { as: await app.staff({ permissions: [] }) };
    expect(await app.refused(modifyUserPreference, { key: 'anything', value: 1 }, nobody)).toMatchObject({ fields: [{ path: 'key' }] });
    expect(await app.refused(modifyUserPreference, { key: 'theme', value: 'x'.repeat(20_000) }, nobody)).toMatchObject({
      fields: [{ path: 'value' }],
    });
    await app.ok(modifyUserPreference, { key: 'theme', value: { dark: true } }, nobody);
    expect(await app.ok(queryUserPreference, { key: 'theme' }, nobody)).toEqual({ value: { dark: true } });
    expect(await app.ok(queryUserPreference, { key: 'theme' }, other)).toEqual({ value: null });
  });
});

describe('notices', () => {
  const body = { title: '系统维护', body: '今晚维护', level: 'WARN', audience: { all: true } } as const;

  it('are drafts until published, reach their audience only, and are read once', async () => {
    const editor = { as: await app.staff({ permissions: ['identity.notice.publish'] }) };
    expect(await app.refused(addNotice, { ...body, audience: {} }, editor)).toMatchObject({ fields: [{ message: '请选择接收范围' }] });
    expect(await app.refused(addNotice, { ...body, link: '//evil.example' }, editor)).toMatchObject({ fields: [{ path: 'link' }] });
    const draft = await app.ok(addNotice, { ...body, audience: { userIds: [nobody.as.userId] } }, editor);
    expect((await app.ok(queryMyNoticeList, {}, nobody)).total).toBe(0);
    expect(await app.refused(modifyNotice, { id: draft.id, version: draft.version + 1, ...body }, editor)).toMatchObject({
      code: 'SCM90030',
    });
    const published = await app.ok(publishNotice, { id: draft.id, version: draft.version }, editor);
    expect(await app.refused(publishNotice, { id: draft.id, version: published.version }, editor)).toMatchObject({
      code: 'SCM90031',
      message: expect.stringContaining('已发布'),
    });
    expect((await app.ok(queryMyNoticeList, {}, editor)).total).toBe(0);
    expect((await app.ok(queryUnreadCount, {}, nobody)).ANNOUNCE).toBe(1);
    expect(await app.refused(readNotice, { id: draft.id }, editor)).toMatchObject({ code: 'SCM90040' });
    await app.ok(readNotice, { id: draft.id }, nobody);
    expect(await app.ok(readAllNotice, {}, nobody)).toEqual({ count: 0 });
    expect((await app.ok(queryUnreadCount, {}, nobody)).total).toBe(0);
    await app.ok(revokeNotice, { id: draft.id, version: published.version, opinion: '内容有误' }, editor);
    expect((await app.ok(queryMyNoticeList, {}, nobody)).total).toBe(0);
  });
});

describe('what the domains tell', () => {
  it('reaches the pages when it can be read, and not at all when it was taken back', async () => {
    const told = vi.spyOn(app.kernel.realtime, 'toAll');
    const tell = (key: string, fails = false) =>
      app.kernel.transactions.run('test', async ({ tx }) => {
        await app.kernel.ports.notices.addTodo(tx, { businessKey: key, title: '待办', userIds: [nobody.as.userId] }, TEST_NOW);
        expect(told).not.toHaveBeenCalled();
        if (fails) throw new Error('taken back');
      });
    await expect(tell('test.todo', true)).rejects.toThrow('taken back');
    expect(told).not.toHaveBeenCalled();
    await tell('test.todo');
    expect(told.mock.calls).toEqual([['notice', { kind: 'TODO' }]]);
    told.mockRestore();
  });
});

describe('the security policy', () => {
  it('asks for the identity again, keeps its ranges, and says who changed it', async () => {
    const rights = { permissions: ['identity.policy.view', 'identity.policy.edit'] };
    const cold = { as: await app.staff(rights) };
    const warm = { as: await app.staff({ ...rights, confirmed: true }) };
    const policy = await app.ok(querySecurityPolicy, {}, cold);
    const change = { version: policy.version, opinion: '按等保要求', lockThreshold: 4 };
    expect(await app.refused(modifySecurityPolicy, change, cold)).toMatchObject({ code: 'SCM01014' });
    expect(await app.refused(modifySecurityPolicy, { ...change, lockThreshold: 99 }, warm)).toMatchObject({
      code: 'SCM01060',
      message: '参数超出允许范围：连续失败次数（3至10次）',
    });
    expect(await app.ok(modifySecurityPolicy, change, warm)).toMatchObject({
      lockThreshold: 4,
      version: policy.version + 1,
      updatedByName: warm.as.displayName,
    });
    expect(await app.refused(modifySecurityPolicy, change, warm)).toMatchObject({ code: 'SCM90030' });
  });
});

describe('machine callers', () => {
  it('get a secret once, two keys while one is rotated, and never show a secret again', async () => {
    const admin = { as: await app.staff({ permissions: ['identity.apiClient.view', 'identity.apiClient.edit'], confirmed: true }) };
    const body = {
      name: '众安',
      party: 'INSURER' as const,
      partyId: await makeInsurer(app),
      permissions: ['card.machine.balance'],
      ipAllow: ['10.0.0.0/8'],
      ratePerMin: 60,
    };
    expect(await app.refused(addApiClient, { ...body, permissions: ['no.such.right'] }, admin)).toMatchObject({
      fields: [{ path: 'permissions' }],
    });
    const { client, secret } = await app.ok(addApiClient, body, admin);
    expect(secret.length).toBeGreaterThan(40);
    expect(
      await app.refused(rotateApiKey, { id: client.id, version: client.version, oldKeyExpiresAt: plusMs(TEST_NOW, days(8)) }, admin),
    ).toMatchObject({ fields: [{ message: '旧密钥最多再保留7天' }] });
    const rotated = await app.ok(
      rotateApiKey,
      { id: client.id, version: client.version, oldKeyExpiresAt: plusMs(TEST_NOW, days(1)) },
      admin,
    );
    expect(rotated.client.keys.map(({ state }) => state)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(rotated.secret).not.toBe(secret);
    const listed = await app.send(queryApiClientList, {}, admin);
    expect(JSON.stringify(listed.envelope)).not.toContain(secret);
    expect(await app.refused(modifyApiClient, { id: client.id, version: rotated.client.version, action: 'disable' }, admin)).toMatchObject({
      fields: [{ path: 'opinion' }],
    });
    expect(
      await app.ok(modifyApiClient, { id: client.id, version: rotated.client.version, action: 'disable', opinion: '合作结束' }, admin),
    ).toMatchObject({ state: 'DISABLED' });
  });
});

describe('failed work and the mailbox', () => {
  it('shows a job that failed for good and runs it once more, not twice', async () => {
    const operator = { as: await app.staff({ permissions: ['identity.job.view', 'identity.job.retry'] }) };
    await sql`
      insert into kernel_failed_job (job_id, job_name, label, subject, data, attempts, error, trace_id, failed_at, state)
      values (
        'x', 'identity.sendSms', '发送短信', '1', '{"outboxId":"1"}', 4, 'provider away', 'abc', ${plusMs(TEST_NOW, -hours(1))}, 'FAILED'
      )`.execute(app.db);
    expect(await app.refused(queryFailedJobList, {}, nobody)).toMatchObject({ code: 'SCM90010' });
    const { rows } = await app.ok(queryFailedJobList, { jobName: '短信' }, operator);
    expect(rows).toMatchObject([{ label: '发送短信', attempts: 4, reason: 'provider away', traceId: 'abc' }]);
    const retry = { jobId: rows[0]!.jobId, opinion: '服务商已恢复' };
    const answers = await Promise.all([1, 2].map(() => app.send(retryFailedJob, retry, operator)));
    expect(answers.map(({ envelope }) => envelope.code).sort()).toEqual(['0000000', 'SCM90031']);
    expect(await app.refused(retryFailedJob, { ...retry, jobId: 'job-99999' }, operator)).toMatchObject({ code: 'SCM90040' });
    expect((await app.ok(queryFailedJobList, {}, operator)).total).toBe(0);
  });

  it('serves the mailbox only while no provider sends', async () => {
    const reader = { as: await app.staff({ permissions: ['identity.sms.view'] }) };
    expect(await app.ok(querySmsOutbox, {}, reader)).toEqual([]);
    const real = await startTestApp({ config: { sms: { url: 'http://127.0.0.1:1/', key: 'k' } } });
    const there = { as: await real.staff({ permissions: ['identity.sms.view'] }) };
    expect(await real.refused(querySmsOutbox, {}, there)).toMatchObject({ code: 'SCM90040' });
    await real.close();
  });
});

describe('the state of the system', () => {
  it('is for whoever may see it: the figures of the metrics, against their limits', async () => {
    expect(await app.refused(querySystemStatus, {}, nobody)).toMatchObject({ code: 'SCM90010', message: '没有权限：查看系统状态' });
    const operator = { as: await app.staff({ permissions: ['identity.status.view'] }) };
    await sql`
      insert into kernel_failed_job (job_id, job_name, label, data, attempts, error, trace_id, failed_at, state)
        values ('state', 'identity.sendSms', '发送短信', '{}', 4, 'provider away', 'abc', ${TEST_NOW}, 'FAILED')`.execute(app.db);
    const { at, parts } = await app.ok(querySystemStatus, {}, operator);
    expect(at).toBe(app.clock.now());
    expect(parts.map(({ title }) => title)).toEqual(['数据库与本节点', '外部系统', '事件与失败', '任务队列', '定时任务', '随访引擎']);
    const value = (metric: string) => parts.flatMap(({ values }) => values).find((one) => one.metric === metric);
    expect(value('kangqiao_database_up')).toMatchObject({ value: 1, level: 'NORMAL' });
    expect(value('kangqiao_failed_jobs')).toMatchObject({ level: 'AMBER' });
    expect(parts[2]?.link).toEqual({ label: '查看失败的后台任务', path: '/operationLog?tab=jobs' });
    expect(parts[3]?.values.find(({ key }) => key === 'identity.sendSms')).toMatchObject({ label: '发送短信' });
    // The same metrics in both places.
    const scraped = (await app.inject({ method: 'GET', url: '/metrics' })).body.toString();
    for (const { metric } of parts.flatMap(({ values }) => values)) expect(scraped).toContain(`\n${metric}`);
  });
});
