import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { clientConfig } from '#kernel/server/database/address.ts';
import { hours } from '#kernel/contract/time.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import {
  queryLogAnchorList,
  queryOperationLogDetail,
  queryOperationLogList,
  queryTargetLog,
  queryVerifyRunList,
  verifyOperationLog,
} from '../../contract/calls/logs.ts';
import { addNotice } from '../../contract/calls/notices.ts';
import { modifyMenuInfo } from '../../contract/calls/menus.ts';
import { own } from '../database.ts';
import { administrator, draft, NONE } from '../testing/fixtures.ts';
import { canonicalJson } from '#kernel/contract/canonicalJson.ts';
import { CHAIN_START, sealOf } from './chain.ts';
import { conceal } from './conceal.ts';
import type { LogRow } from '#kernel/server/ports.ts';
import { logColumns } from './writer.ts';

describe('the chain', () => {
  const row = {
    at: '2026-11-21T01:00:00.000Z',
    call: 'admin/UserInfoService/addUserInfo',
    diff: {},
    id: '1',
    opNo: 'KQ0001',
    resultCode: '0000000',
    targetId: '7',
  };

  it('gives the hashes of the design', () => {
    const first = sealOf(CHAIN_START, row).chainHash;
    expect(first).toBe('3c796e099570360a253ffac2901654fdc3fae4824de5bcd9ba14966a4411901c');
    const second = sealOf(first, {
      ...row,
      at: '2026-11-21T01:00:05.000Z',
      call: 'admin/UserInfoService/removeUserInfo',
      id: '2',
    }).chainHash;
    expect(second).toBe('6addc729efae24c140d344f0987d6239137af395fcfa26b828f4822ed9f6685f');
  });

  it('writes the same text for the same value, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(canonicalJson({ b: [1, null, { d: '中', c: true }], a: undefined })).toBe('{"b":[1,null,{"c":true,"d":"中"}]}');
  });
});

describe('what a log row shows', () => {
  const secrets = makeSecrets(Buffer.alloc(32, 7));

  it('has no number of a person or card in full, and no secret', () => {
    const shown = JSON.stringify(
      conceal(secrets, {
        note: '电话13812345678，卡6222020200112233445',
        idNo: '310101199001011234',
        n: 13_912_345_678,
        password: 'x',
        deep: [{ smsCode: '123456' }],
      }),
    );
    expect(shown).not.toMatch(/(?<!\d)1[3-9]\d{9}(?!\d)|(?<!\d)\d{16,19}(?!\d)|password|smsCode/);
    expect(shown).toContain('138****5678#');
    expect(conceal(secrets, { id: '42', at: '2026-11-21T02:00:00.000Z', amount: 123_456 })).toEqual({
      id: '42',
      at: '2026-11-21T02:00:00.000Z',
      amount: 123_456,
    });
  });

  const row = (input: unknown, diff: LogRow['diff'] = []): LogRow => ({
    at: '2026-11-21T02:00:00.000Z',
    traceId: 't',
    durationMs: 1.6,
    staff: null,
    apiClientId: null,
    jobName: 'j',
    call: 'c',
    label: 'l',
    kind: 'WRITE',
    targets: [],
    diff,
    input,
    resultCode: '0000000',
    message: '',
    ip: '',
    userAgent: '',
    menuRouteKey: null,
    idempotencyKey: null,
  });

  it.each(['t', 'tt'])('is never cut inside a letter (%s)', (key) => {
    expect(logColumns(secrets, row({ [key]: '😀'.repeat(5_000) })).input).not.toMatch(/\\ud[89a-f]/i);
  });

  it('is cut where it would be too long', () => {
    const diff = Array.from({ length: 100 }, (_, index) => ({
      path: `field${index}`,
      label: '字段',
      before: null,
      after: 'x'.repeat(1_000),
    }));
    const columns = logColumns(secrets, row({ text: 'y'.repeat(9_000) }, diff));
    expect(columns.diffTruncated).toBe(true);
    expect(columns.diff.length).toBeLessThanOrEqual(32 * 1024);
    expect(columns.input.length).toBeLessThanOrEqual(8 * 1024);
  });
});

describe('the operation log', () => {
  let app: TestApp;
  let admin: TestStaff;
  let auditor: TestStaff;
  beforeAll(async () => {
    app = await startTestApp();
    admin = await administrator(app);
    auditor = await app.staff({ role: 'AUDITOR' });
  });
  afterAll(() => app.close());

  const write = () => app.ok(addNotice, draft, { as: admin });
  const verify = async () => {
    const { runId } = await app.ok(verifyOperationLog, { from: '2026-11-01', to: '2026-11-30' }, { as: auditor });
    expect(await app.refused(verifyOperationLog, { from: '2026-11-01', to: '2026-11-30' }, { as: auditor })).toMatchObject({
      code: 'SCM01080',
    });
    await app.runDue();
    return (await app.ok(queryVerifyRunList, {}, { as: auditor })).rows.find(({ id }) => id === runId)!;
  };
  /** As the owner of the database, past every right and trigger of the application. */
  const asOwner = async (statement: string) => {
    const client = new pg.Client(clientConfig(app.database.address));
    await client.connect();
    await client.query(`set session_replication_role = replica; ${statement}`);
    await client.end();
  };

  it('leaves a row for a refused call too, found by its parts and paged by a cursor', async () => {
    const plain = await app.staff({ role: 'SERVICE' });
    await app.refused(modifyMenuInfo, { id: NONE, version: 1, titleName: '改' }, { as: plain });
    const { rows } = await app.ok(queryOperationLogList, { userId: plain.userId, resultOk: false }, { as: auditor });
    expect(rows).toMatchObject([{ resultCode: 'SCM90010', label: '修改菜单', roleName: '客服', message: '没有权限：维护菜单' }]);
    expect(await app.ok(queryOperationLogDetail, { id: rows[0]!.id }, { as: auditor })).toMatchObject({
      input: { titleName: '改' },
      neighbours: [],
    });
    for (let index = 0; index < 5; index++) await write();
    const first = await app.ok(queryOperationLogList, { pageSize: 3, call: '新增系统公告' }, { as: auditor });
    expect(first.rows).toHaveLength(3);
    const second = await app.ok(queryOperationLogList, { pageSize: 3, call: '新增系统公告', cursor: first.nextCursor! }, { as: auditor });
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(first.rows.length + second.rows.length);
    expect(
      await app.refused(queryOperationLogList, { from: '2026-01-01T00:00:00Z', to: '2026-11-01T00:00:00Z' }, { as: auditor }),
    ).toMatchObject({ fields: [{ path: 'to', message: '时间跨度不能超过93天' }] });
  });

  it("shows a record's trace to who may see its page, and nothing of other domains", async () => {
    const { id } = await write();
    const editor = await app.staff({ permissions: ['identity.menu.view'] });
    const trace = { targetType: 'notice', targetId: id };
    expect((await app.ok(queryTargetLog, { ...trace, routeKey: 'menuManagement' }, { as: editor })).rows).toMatchObject([
      { label: '新增系统公告' },
    ]);
    expect((await app.ok(queryTargetLog, { ...trace, routeKey: 'downloadList' }, { as: editor })).rows).toEqual([]);
    expect(await app.refused(queryTargetLog, trace, { as: editor })).toMatchObject({ code: 'SCM90010' });
  });

  it('cannot be changed by the application', async () => {
    await write();
    for (const table of ['identity_operation_log', 'identity_operation_log_seal', 'identity_operation_log_anchor', 'identity_login_log']) {
      for (const statement of [`update ${table} set at = at`, `delete from ${table}`, `truncate ${table}`]) {
        await expect(sql.raw(statement).execute(app.db)).rejects.toThrow(/permission denied|append-only|does not exist/);
      }
    }
  });

  it('is sealed without a gap under fifty parallel writers, and holds', async () => {
    await Promise.all(Array.from({ length: 50 }, write));
    await app.runDue();
    await Promise.all([write(), app.runDue(), write(), app.runDue()]);
    await app.runDue();
    const { rows } = await sql<{ rows: number; seals: number; last: number }>`
      select (select count(*)::int from identity_operation_log) as rows, count(*)::int as seals, max(seq)::int as last
        from identity_operation_log_seal`.execute(app.db);
    expect(rows[0]!.seals).toBe(rows[0]!.last);
    expect(rows[0]!.seals).toBe(rows[0]!.rows);
    expect(await verify()).toMatchObject({ state: 'OK', brokenSeq: null });
  });

  it('is summed up each night by a signed anchor outside the database', async () => {
    await app.advance(hours(24));
    const as = await app.staff({ role: 'AUDITOR' });
    const { rows } = await app.ok(queryLogAnchorList, {}, { as });
    expect(rows).toMatchObject([{ day: '2026-11-21', firstSeq: '1', signatureValid: true, fileId: expect.any(String) }]);
    expect(rows[0]!.count).toBeGreaterThan(50);
    auditor = as;
    admin = await administrator(app);
  });

  it('tells the row that somebody changed behind its back', async () => {
    const seal = await own(app.db).selectFrom('identityOperationLogSeal').selectAll().where('seq', '=', '17').executeTakeFirstOrThrow();
    await asOwner(`update identity_operation_log set result_code = 'SCM00000' where id = ${seal.logId}`);
    expect(await verify()).toMatchObject({ state: 'BROKEN', brokenSeq: '17', brokenLogId: seal.logId, brokenReason: '内容被修改' });
    await asOwner(`delete from identity_operation_log where id = ${seal.logId}`);
    expect(await verify()).toMatchObject({ state: 'BROKEN', brokenSeq: '17', brokenReason: '日志记录缺失' });
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from identity_notice where business_key like 'log-broken:%'`.execute(app.db);
    expect(rows[0]!.n).toBe(2);
  });
});
