import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { storedKeys, unrecorded } from './unrecorded.ts';

const SAMPLE = 1_000;
/** Findings that the alert names; all of them stand in the log. */
const NAMED = 20;

async function report(ctx: JobContext, kind: string, title: string, findings: readonly string[]): Promise<void> {
  if (findings.length === 0) return;
  ctx.kernel.log.error({ findings }, title);
  const body = `${findings.slice(0, NAMED).join('；')}${findings.length > NAMED ? `；等${findings.length}项` : ''}`;
  await ctx.transaction(({ tx }) =>
    ctx.kernel.ports.notices.addAlert(
      tx,
      {
        businessKey: `files.${kind}:${ctx.now.slice(0, 10)}`,
        title: `${title}（${findings.length}项）`,
        body,
        link: '/downloadList',
        permission: filePermissions['object.manage'].code,
      },
      ctx.now,
    ),
  );
}

async function hashOf(ctx: JobContext, key: string): Promise<string | null> {
  if (!(await ctx.kernel.storage.stat(key))) return null;
  const hash = createHash('sha256');
  for await (const chunk of (await ctx.kernel.storage.get(key)).body as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** A sample of READY files must still hash to what was recorded. */
export const verifyBytes = job({
  name: 'files.verifyBytes',
  label: '抽查文件完整性',
  cron: '41 2 * * *',
  expireSeconds: 7_200,
  async run(_data, ctx) {
    const sample = await own(ctx.db)
      .selectFrom('filesFileObject')
      .select(['fileNo', 'storageKey', 'sha256'])
      .where('state', '=', 'READY')
      .orderBy(sql`random()`)
      .limit(SAMPLE)
      .execute();
    const findings: string[] = [];
    for (const file of sample) {
      if (ctx.signal.aborted) return;
      const hash = await hashOf(ctx, file.storageKey);
      if (hash !== file.sha256) findings.push(`${file.fileNo}${hash === null ? '缺少内容' : '内容已变化'}`);
    }
    await report(ctx, 'verifyBytes', '文件完整性校验异常', findings);
  },
});

/** No stored object without a row, no READY row without bytes. Parts of open uploads are left out. */
export const sweepStorage = job({
  name: 'files.sweepStorage',
  label: '核对存储与文件记录',
  cron: '11 4 * * 0',
  expireSeconds: 7_200,
  async run(_data, ctx) {
    // Rows first: what is stored while the sweep runs must not look lost.
    const rows = await own(ctx.db).selectFrom('filesFileObject').select(['fileNo', 'storageKey']).where('state', '=', 'READY').execute();
    const stored = await storedKeys(ctx.kernel.storage);
    const findings = rows.filter(({ storageKey }) => !stored.has(storageKey)).map(({ fileNo }) => `${fileNo}缺少内容`);
    for (const key of await unrecorded(ctx.db, stored)) findings.push(`${key}没有对应的文件记录`);
    await report(ctx, 'sweepStorage', '存储与文件记录不一致', findings);
  },
});
