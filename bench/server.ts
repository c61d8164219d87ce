import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { assemble } from '#kernel/server/assemble.ts';
import { systemClock } from '#kernel/server/clock.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { connectOwner, migrate } from '#kernel/server/database/migrator.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { writeReference } from '#kernel/server/start/reference.ts';
import { makeWorker } from '#kernel/server/jobs/worker.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { modules } from '../src/modules.ts';
import { createStaff } from '#testing/staff.ts';
import { testConfig } from '#testing/testConfig.ts';

// The measured process: the product as in production, and beside it bare handlers that send the same SQL.

interface Statement {
  text: string;
  values: unknown[];
}

/** Records what goes to the database while `recording` is set. */
let recording: Statement[] | null = null;
const send = pg.Client.prototype.query;
pg.Client.prototype.query = function record(this: pg.Client, ...args: Parameters<typeof send>) {
  const [first, second]: unknown[] = args;
  if (recording && typeof first === 'string') recording.push({ text: first, values: Array.isArray(second) ? second : [] });
  if (recording && typeof first === 'object' && first !== null && 'text' in first && 'values' in first) {
    recording.push({ text: String(first.text), values: Array.isArray(first.values) ? first.values : [] });
  }
  return send.apply(this, args);
} as typeof send;

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-'));
const database = await startEmbedded({ dataDir, log: silentLogger });
await migrate(database.address, systemClock.now());
const owner = await connectOwner(database.address);
await owner.query('create table bench_row (id bigint generated always as identity primary key, key text not null, value jsonb not null)');
await owner.query('grant insert on bench_row to kangqiao_app');
const opened = createDb(database.address, { log: silentLogger });
const config = { ...testConfig(dataDir), mode: 'production' as const, captchaAnswer: null };
const secrets = makeSecrets(Buffer.alloc(32, 1));
// Jobs run only where they are what is measured.
const withJobs = process.argv.includes('jobs');
const assembly = await assemble({
  config,
  clock: systemClock,
  log: silentLogger,
  db: opened.db,
  readDb: opened.db,
  pool: opened.pool,
  committedWrites: opened.committedWrites,
  secrets,
  storage: makeStorage(config, secrets),
  modules,
  loops: withJobs,
  browser: null,
});
const { kernel, http, queue } = assembly;
await writeReference(kernel);
const listening = await assembly.listen();
const staff = await createStaff(kernel, { role: 'SUPER_ADMIN' });

let replayed: Statement[] = [];
/** Names of prepared statements are never used for another text. */
let generation = 0;

/**
 * Sends the recorded statements one after another and answers the page, which is the largest of their results: what a bare handler would
 * do.
 * Prepared, as the product's are: else the planning would be measured.
 */
http.post('/bare/replay', async (_request, reply) => {
  let [rows, cells]: [unknown[], number] = [[], -1];
  for (const [index, { text, values }] of replayed.entries()) {
    const answer = await opened.pool.query<Record<string, unknown>>({ name: `bare${generation}_${index}`, text, values });
    const has = answer.rows.length * answer.fields.length;
    if (has > cells) [rows, cells] = [answer.rows, has];
  }
  return reply.type('application/json; charset=utf-8').send(JSON.stringify({ code: '0000000', message: '', data: rows }));
});

http.post<{ Body: { key: string; value: unknown } }>('/bare/insert', async (request, reply) => {
  const client = await opened.pool.connect();
  try {
    await client.query('begin');
    await client.query('insert into bench_row (key, value) values ($1, $2)', [request.body.key, JSON.stringify(request.body.value)]);
    await client.query('commit');
  } finally {
    client.release();
  }
  return reply.type('application/json; charset=utf-8').send(JSON.stringify({ code: '0000000', message: '', data: null }));
});

/** Between these two calls the statements of the product are recorded, without those that find out who calls. */
http.post('/bare/record', async () => {
  recording = [];
  return { code: '0000000' };
});
http.post('/bare/keep', async () => {
  replayed = (recording ?? []).filter(({ text }) => /^select/i.test(text) && !text.includes('identity_session'));
  recording = null;
  generation += 1;
  return { code: '0000000', statements: replayed.length };
});

/** Fills the operation log up to so many rows. */
http.post<{ Body: { rows: number } }>('/bare/fill', async (request) => {
  await owner.query(
    `
      insert into identity_operation_log (
        at, trace_id, duration_ms, user_id, op_no, display_name, role_code, call, label, kind, target_type, target_id, target_count,
        target_ids, diff, diff_truncated, input, result_code, ip, user_agent
      )
        select $2::timestamptz - n * interval '80 milliseconds', md5(n::text), 3, 1, 'KQ0001', '测试', 'SUPER_ADMIN',
            'admin/ProbeService/write', '修改便签', 'WRITE', 'note', n::text, 1, jsonb_build_array(n::text), '[]'::jsonb, false, '{}'::jsonb,
            '0000000', '127.0.0.1', 'bench'
          from generate_series((select count(*) from identity_operation_log) + 1, $1::bigint) as n`,
    [request.body.rows, systemClock.now()],
  );
  await owner.query('analyze identity_operation_log');
  return { code: '0000000' };
});

/** Fills the scans of one code up to so many rows, over the last 90 days. */
http.post<{ Body: { rows: number; codeId: string; channelId: string } }>('/bare/scans', async (request) => {
  const { rows, codeId, channelId } = request.body;
  await owner.query(
    `insert into channel_qr_scan (code_id, token, channel_id, at, visitor_id, ip_hash, client, os, is_new, counted, result)
     select $2::bigint, '7K3QX9M2DX', $3::bigint, $4::timestamptz - n * interval '2 seconds', md5((n % 400000)::text),
       md5((n % 9000)::text), 'WECHAT', 'Android', n % 3 = 0, true, 'OK'
     from generate_series((select count(*) from channel_qr_scan) + 1, $1::bigint) as n`,
    [rows, codeId, channelId, systemClock.now()],
  );
  await owner.query('analyze channel_qr_scan');
  return { code: '0000000' };
});

/** Fills the doctors up to so many rows, of every state, in twelve regions. */
http.post<{ Body: { rows: number } }>('/bare/doctors', async (request) => {
  await owner.query(
    `
      insert into doctor_doctor (
        doctor_no, name, name_pinyin, mobile_cipher, mobile_hash, mobile_masked, hospital_id, hospital_name, department_name, title_code,
        adcode, source_type, qual_state, practice_ok, channel_id, created_at, updated_at
      )
        select 'YSB' || n,
            substr('李王张刘陈杨赵黄周吴徐孙马朱胡林郭何高罗', (1 + n % 20)::int, 1) || substr('建志文海雅俊慧立雪永佳明秀振桂一欣宏子晓', (1 + n / 20 % 20)::int, 1) || substr(
              '华强涛波琴杰敏新梅康宁哲英宇芳鸣然伟涵燕', (1 + n / 400 % 20)::int, 1
            ),
            'yisheng' || n, 'x', md5('m' || n), '138****' || lpad((n % 10000)::text, 4, '0'), 1 + n % 4000, '第' || n % 4000 || '人民医院',
            '心血管内科', (array['CHIEF', 'ASSOCIATE', 'ATTENDING', 'RESIDENT'])[1 + n % 4],
            (
              array['330102', '330106', '310104', '320102', '440103', '510104', '110105', '420102', '430102', '350102', '210102', '610102']
            )[1 + n % 12],
            'IMPORT', (array['APPROVED', 'APPROVED', 'APPROVED', 'PENDING', 'RETURNED', 'NONE'])[1 + n / 12 % 6], n / 12 % 6 < 3,
            1 + n % 60, $2::timestamptz - n * interval '2 minutes', $2::timestamptz
          from generate_series((select count(*) from doctor_doctor) + 1, $1::bigint) as n`,
    [request.body.rows, systemClock.now()],
  );
  // At rest: the clean-up after such a filling would run beside what is measured.
  await owner.query('vacuum (analyze) doctor_doctor');
  return { code: '0000000' };
});

/** Whether jobs or deliveries wait or run. */
http.post('/bare/idle', async () => {
  const { rows } = await owner.query<{ busy: boolean }>(
    `
      select exists (select from kernel_outbox_delivery where state = 'PENDING')
        or exists (select from pgboss.job where state in ('created', 'active', 'retry') and start_after <= now()) as busy`,
  );
  return { code: '0000000', idle: !rows[0]!.busy };
});

/** Highest resident memory since the last time somebody asked, and what there is now; sampled while jobs run. */
let highest = process.memoryUsage.rss();
setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 20).unref();
http.post('/bare/memory', async () => {
  const answer = { code: '0000000', highest };
  globalThis.gc?.();
  highest = process.memoryUsage.rss();
  return { ...answer, now: highest };
});

const worker = withJobs ? makeWorker(kernel, queue, kernel.registry.jobs, kernel.registry.consumers, assembly.metrics) : null;
if (worker) {
  assembly.onWake((published) => worker.wake(published));
  await worker.start();
}
const address = await http.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: Number(new URL(address).port), token: staff.token, opNo: staff.opNo, userRoleId: staff.userRoleId });

process.on('message', async () => {
  await http.close();
  await worker?.stop();
  if (!worker) await queue.boss.stop({ graceful: false });
  listening.close();
  await opened.close();
  await owner.end();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});
