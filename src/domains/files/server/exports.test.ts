import { readXlsx } from 'hucre';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { days, hours, minutes } from '#kernel/contract/time.ts';
import { modules } from '../../../modules.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import {
  cancelExportTask,
  downloadExportFile,
  getExportFileUrl,
  queryExportColumns,
  queryExportTaskList,
  queryExportTaskProgress,
  rerunExportTask,
  retryExportTask,
  saveColumnPreset,
  queryColumnPreset,
} from '../contract/calls/exports.ts';
import { userLeft } from '#events/identity.ts';
import { modifyCancelUserInfo } from '#domains/identity/contract/calls/login.ts';
import { own } from './database.ts';
import { expireExports } from './exports/exportSweeps.ts';
import { exportHooks, exportNotes, noteModule, notePermissions, runJob } from './testKit.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [...modules, noteModule] });
});
afterAll(() => app.close());
afterEach(() => {
  exportHooks.beforeChunk = async () => {};
});

const RIGHT = notePermissions['note.export'].code;
const somebody = (more: string[] = []) => app.staff({ permissions: [RIGHT, ...more], displayName: '张三丰' });
const queue = async (as: TestStaff, rows: number, more: object = {}) => app.ok(exportNotes, { rows, ...more }, { as });
const taskOf = async (as: TestStaff, taskId: string) =>
  (await app.ok(queryExportTaskList, {}, { as })).rows.find((row) => row.taskId === taskId)!;
const rowOf = (taskId: string) => own(app.db).selectFrom('filesExportTask').selectAll().where('id', '=', taskId).executeTakeFirstOrThrow();
const storedKeys = async () => {
  const keys: string[] = [];
  if (app.kernel.storage.kind === 'disk') for await (const key of app.kernel.storage.keys()) if (key.startsWith('EXPORT/')) keys.push(key);
  return keys;
};

describe('an export', () => {
  it('of 5,000 rows is answered as a file with its count, of 5,001 as a task; of none and of too many it is refused', async () => {
    const as = await somebody();
    const { headers, body } = await app.file(exportNotes, { rows: 5_000 }, { as });
    expect(headers['x-row-count']).toBe('5000');
    expect(decodeURIComponent(headers['content-disposition'] ?? '')).toContain('便签_20261121_1000.xlsx');
    expect((await readXlsx(body)).sheets[0]!.rows).toHaveLength(5_001);
    expect(await queue(as, 5_001)).toMatchObject({ taskNo: expect.stringMatching(/^DC20261121\d{6}$/), rowsTotal: 5_001 });
    expect(await app.refused(exportNotes, { rows: 0 }, { as })).toMatchObject({ code: 'SCM02020' });
    expect(await app.refused(exportNotes, { rows: 2_000_001 }, { as })).toMatchObject({ code: 'SCM02021' });
  });

  it('runs as a job, tells its progress, and is downloaded by its owner and by nobody else without the right', async () => {
    await app.runDue(); // what the test before left
    const as = await app.staff({ permissions: [RIGHT], scope: { region: ['310100'] } });
    const { exportTaskId } = await queue(as, 6_000, { format: 'CSV', columns: ['region', 'mobile'] });
    expect(await taskOf(as, exportTaskId)).toMatchObject({
      state: 'QUEUED',
      queuePosition: 0,
      filterText: '前6000行',
      params: { rows: 6_000 },
    });
    const seen: object[] = [];
    exportHooks.beforeChunk = async (from) => {
      if (from === 3_000) seen.push(...(await app.ok(queryExportTaskProgress, { taskIds: [exportTaskId] }, { as })));
    };
    await app.runDue();
    expect(seen[0]).toMatchObject({ state: 'RUNNING', rowsTotal: 6_000, progressBp: 1_666 });
    expect(await taskOf(as, exportTaskId)).toMatchObject({ state: 'SUCCESS', progressBp: 10_000, rowCount: 6_000, downloadCount: 0 });
    const { body, headers } = await app.file(downloadExportFile, { taskId: exportTaskId }, { as });
    const lines = body.toString().trim().split('\r\n');
    expect({ rows: lines.length - 1, first: lines[1], count: headers['x-row-count'] }).toEqual({
      rows: 6_000,
      first: '310100,138****5678',
      count: '6000',
    });
    const stranger = await somebody();
    expect(await app.refused(downloadExportFile, { taskId: exportTaskId }, { as: stranger })).toMatchObject({ code: 'SCM90040' });
    const auditor = await app.staff({ permissions: ['files.task.viewAll'] });
    expect(await app.refused(downloadExportFile, { taskId: exportTaskId }, { as: auditor })).toMatchObject({ code: 'SCM90010' });
    expect(await app.refused(queryExportTaskList, { mine: false }, { as: stranger })).toMatchObject({ code: 'SCM90010' });
    const asked = await app.send(getExportFileUrl, { taskId: exportTaskId }, { as });
    const url = String(Reflect.get(Object(asked.envelope.data), 'url'));
    const cookie = String(asked.headers['set-cookie']).split(';')[0]!;
    expect(asked.headers['set-cookie']).toContain('HttpOnly; SameSite=Strict');
    const get = (headers: Record<string, string>) => app.inject({ method: 'GET', url, headers });
    expect((await get({ cookie })).body).toEqual(body);
    expect(await taskOf(as, exportTaskId)).toMatchObject({ downloadCount: 2 });
    // Bound to the session: the address alone, a forged proof and another session open nothing, nor does its own after the logout.
    const other = await somebody();
    const proofs: Record<string, string>[] = [
      {},
      { cookie: `${cookie}x` },
      { cookie: `kq_read=${other.sessionId}.x` },
      { authorization: other.token },
    ];
    for (const headers of proofs) expect((await get(headers)).body.toString()).toContain('SCM02012');
    await app.ok(modifyCancelUserInfo, {}, { as });
    expect((await get({ cookie })).body.toString()).toContain('SCM02012');
  });

  it('is not queued twice, nor a sixth time', async () => {
    const as = await somebody();
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.send(exportNotes, { rows: 7_000 }, { as })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM02022', 'SCM02022', 'SCM02022', 'SCM02022']);
    for (const rows of [7_001, 7_002, 7_003, 7_004]) await queue(as, rows);
    expect(await app.refused(exportNotes, { rows: 7_005 }, { as })).toMatchObject({ code: 'SCM02027' });
    await app.runDue();
  });

  it('stops when cancelled and leaves no bytes', async () => {
    const as = await somebody();
    const { exportTaskId } = await queue(as, 20_000);
    const before = await storedKeys();
    let chunks = 0;
    exportHooks.beforeChunk = async (from) => {
      chunks += 1;
      if (from !== 2_000) return;
      const { version } = await taskOf(as, exportTaskId);
      await app.ok(cancelExportTask, { taskId: exportTaskId, version }, { as });
      app.clock.advance(600); // progress is saved every 500 ms
    };
    await app.runDue();
    expect(chunks).toBeLessThan(6);
    expect(await taskOf(as, exportTaskId)).toMatchObject({ state: 'CANCELLED' });
    expect(await storedKeys()).toEqual(before);
    expect(
      await app.refused(cancelExportTask, { taskId: exportTaskId, version: (await rowOf(exportTaskId)).version }, { as }),
    ).toMatchObject({ code: 'SCM90031' });
  });

  it('that a dead process left is taken up by another as its second attempt', async () => {
    const as = await somebody();
    const { exportTaskId } = await queue(as, 5_500);
    await own(app.db)
      .updateTable('filesExportTask')
      .set({ state: 'RUNNING', attempt: 1, startedAt: app.clock.now(), heartbeatAt: app.clock.now() })
      .where('id', '=', exportTaskId)
      .execute();
    await app.runDue();
    expect(await rowOf(exportTaskId)).toMatchObject({ state: 'RUNNING', attempt: 1 });
    await app.advance(61_000);
    await app.runDue();
    expect(await rowOf(exportTaskId)).toMatchObject({ state: 'SUCCESS', attempt: 2 });
  });

  it('of somebody who left is cancelled', async () => {
    const as = await somebody();
    const { exportTaskId } = await queue(as, 5_900);
    await app.kernel.transactions.run('test', ({ publish }) =>
      publish(userLeft, as.userId, { userId: as.userId, openWorkConfirmed: true }),
    );
    await app.runDue();
    expect(await rowOf(exportTaskId)).toMatchObject({ state: 'CANCELLED', errorMessage: '提交人已离职' });
  });

  it('that failed is retried three times at most', async () => {
    const as = await somebody();
    const { exportTaskId } = await queue(as, 5_600);
    exportHooks.beforeChunk = async () => {
      throw new Error('the disk is full');
    };
    await app.runDue();
    for (let retry = 1; retry <= 3; retry += 1) {
      const task = await taskOf(as, exportTaskId);
      expect(task).toMatchObject({ state: 'FAILED', errorCode: 'SCM99999', retries: retry - 1 });
      await app.ok(retryExportTask, { taskId: exportTaskId, version: task.version }, { as });
      await app.runDue();
    }
    const { version } = await taskOf(as, exportTaskId);
    expect(await app.refused(retryExportTask, { taskId: exportTaskId, version }, { as })).toMatchObject({ code: 'SCM02024' });
  });

  it('is not given out after its time or once the right is gone; it can be run again', async () => {
    const as = await somebody();
    const { exportTaskId } = await queue(as, 5_700);
    await app.runDue();
    const bytes = (await storedKeys()).length;
    await stayLoggedIn(as);
    app.clock.advance(days(7) - hours(1));
    await app.file(downloadExportFile, { taskId: exportTaskId }, { as });
    await stayLoggedIn(as);
    app.clock.advance(hours(2));
    await runJob(app, expireExports);
    expect(await app.refused(downloadExportFile, { taskId: exportTaskId }, { as })).toMatchObject({ code: 'SCM02023' });
    expect((await storedKeys()).length).toBeLessThan(bytes);
    const { version, state } = await taskOf(as, exportTaskId);
    expect(state).toBe('EXPIRED');
    const again = await app.ok(rerunExportTask, { taskId: exportTaskId, version }, { as });
    expect(again).toMatchObject({ state: 'QUEUED', params: { rows: 5_700 } });
    expect(again.taskId).not.toBe(exportTaskId);
    await app.runDue();
    await sql`
      delete from identity_role_permission where role_id = (select role_id from identity_user_role where id = ${as.userRoleId})`.execute(
      app.db,
    );
    await sql`
      update identity_role
        set version = version + 1
        where id = (select role_id from identity_user_role where id = ${as.userRoleId})`.execute(app.db);
    expect(await app.refused(downloadExportFile, { taskId: again.taskId }, { as })).toMatchObject({ code: 'SCM90010' });
  });
});

/** Sessions that outlive a week of test time. */
const stayLoggedIn = (as: TestStaff) =>
  sql`
    update identity_session
      set idle_expires_at = '2027-01-01Z', absolute_expires_at = '2027-01-01Z', rotated_at = '2026-12-31Z'
      where user_id = ${as.userId}`.execute(app.db);

describe('a plain export', () => {
  it('needs the right and a reason, shows what is masked otherwise, and is kept for a day', async () => {
    const reason = { plain: true, plainReason: '与保司对账需要完整号码' };
    const plain = await somebody(['files.export.plain']);
    expect(await app.refused(exportNotes, { rows: 3, ...reason }, { as: await somebody() })).toMatchObject({ code: 'SCM90010' });
    expect(await app.refused(exportNotes, { rows: 3, plain: true, plainReason: '对账' }, { as: plain })).toMatchObject({
      code: 'SCM02026',
    });
    const shown = async (more: object) =>
      (await readXlsx((await app.file(exportNotes, { rows: 3, ...more }, { as: plain })).body)).sheets[0]!.rows[1]![1];
    expect([await shown({}), await shown(reason)]).toEqual(['138****5678', '13812345678']);
    const { exportTaskId } = await queue(plain, 5_800, reason);
    await app.runDue();
    const task = await taskOf(plain, exportTaskId);
    expect(task).toMatchObject({ state: 'SUCCESS', plain: true, plainReason: reason.plainReason });
    expect(Date.parse(task.expiresAt ?? '') - Date.parse(app.clock.now())).toBe(hours(24));
  });
});

describe('the choice of columns', () => {
  it('names the columns and keeps presets per user', async () => {
    const as = await somebody();
    const source = exportNotes.name;
    expect(await app.ok(queryExportColumns, { source }, { as })).toMatchObject({
      title: '便签',
      mayPlain: false,
      columns: [{ key: 'no', sensitive: false }, { key: 'mobile', sensitive: true }, { key: 'region' }],
    });
    await app.ok(saveColumnPreset, { source, name: '对账', columns: ['no', 'mobile'] }, { as });
    expect(await app.ok(saveColumnPreset, { source, name: '对账', columns: ['no'] }, { as })).toMatchObject([
      { name: '对账', columns: ['no'] },
    ]);
    expect(await app.ok(queryColumnPreset, { source }, { as: await somebody() })).toEqual([]);
    expect(await app.refused(queryExportColumns, { source }, { as: await app.staff({ permissions: [] }) })).toMatchObject({
      code: 'SCM90040',
    });
    await app.advance(minutes(1));
  });
});
