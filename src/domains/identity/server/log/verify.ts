import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '../database.ts';
import { isAnchorValid } from './anchor.ts';
import { CHAIN_START, sealOf } from './chain.ts';

const BATCH = 1_000;

interface Break {
  seq: string;
  logId: string | null;
  reason: string;
}

async function rangeOf(db: Db, from: string, to: string): Promise<{ first: string; last: string } | null> {
  const row = await own(db)
    .selectFrom('identityOperationLogSeal')
    .select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last')])
    .where('logAt', '>=', startOfDay(from))
    .where('logAt', '<', startOfDay(plusDays(to, 1)))
    .executeTakeFirst();
  return row?.first && row.last ? { first: String(row.first), last: String(row.last) } : null;
}

/** Recomputes the links of a range. @returns the first that does not hold, or null. */
export async function checkChain(
  kernel: Kernel,
  db: Db,
  days: { from: string; to: string },
  progress: (checked: number, total: number) => Promise<void>,
): Promise<{ checked: number; total: number; broken: Break | null }> {
  const range = await rangeOf(db, days.from, days.to);
  if (!range) return { checked: 0, total: 0, broken: null };
  const total = Number(BigInt(range.last) - BigInt(range.first) + 1n);
  const before = await own(db)
    .selectFrom('identityOperationLogSeal')
    .select('chainHash')
    .where('seq', '=', String(BigInt(range.first) - 1n))
    .executeTakeFirst();
  const anchors = await own(db)
    .selectFrom('identityOperationLogAnchor')
    .selectAll()
    .where('day', '>=', days.from)
    .where('day', '<=', days.to)
    .orderBy('day')
    .execute();
  const unsigned = anchors.find((anchor) => !isAnchorValid(kernel, anchor));
  if (unsigned)
    return { checked: 0, total, broken: { seq: unsigned.lastSeq ?? range.first, logId: null, reason: `${unsigned.day}的锚点签名无效` } };
  const anchored = new Map(anchors.flatMap((anchor) => (anchor.lastSeq === null ? [] : [[anchor.lastSeq, anchor]])));

  let chainHash = before?.chainHash ?? CHAIN_START;
  let expected = BigInt(range.first);
  if (!before && expected !== 1n) return { checked: 0, total, broken: { seq: range.first, logId: null, reason: '前一条封链记录缺失' } };
  let checked = 0;
  while (expected <= BigInt(range.last)) {
    const seals = await own(db)
      .selectFrom('identityOperationLogSeal')
      .selectAll()
      .where('seq', '>=', String(expected))
      .where('seq', '<=', range.last)
      .orderBy('seq')
      .limit(BATCH)
      .execute();
    const ids = seals.map(({ logId }) => logId);
    const times = seals.map(({ logAt }) => logAt).sort();
    const rows =
      ids.length === 0
        ? []
        : await own(db)
            .selectFrom('identityOperationLog')
            .selectAll()
            .where('id', 'in', ids)
            .where('at', '>=', times[0]!)
            .where('at', '<=', times.at(-1)!)
            .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const seal of seals) {
      const broken = (reason: string): Break => ({ seq: String(expected), logId: seal.logId, reason });
      if (BigInt(seal.seq) !== expected) return { checked, total, broken: broken('序号不连续，封链记录缺失') };
      const row = byId.get(seal.logId);
      if (!row) return { checked, total, broken: broken('日志记录缺失') };
      const made = sealOf(chainHash, row);
      if (made.rowHash !== seal.rowHash) return { checked, total, broken: broken('内容被修改') };
      if (made.chainHash !== seal.chainHash) return { checked, total, broken: broken('链值不一致') };
      const anchor = anchored.get(seal.seq);
      if (anchor && anchor.chainHash !== seal.chainHash) return { checked, total, broken: broken(`与${anchor.day}的锚点不一致`) };
      chainHash = seal.chainHash;
      expected++;
      checked++;
    }
    if (seals.length === 0) return { checked, total, broken: { seq: String(expected), logId: null, reason: '封链记录缺失' } };
    await progress(checked, total);
  }
  return { checked, total, broken: null };
}

/** Why the operation log, from its first day to today, is not what was written; null where its chain holds. */
export async function brokenLog(kernel: Kernel): Promise<string | null> {
  const { broken } = await checkChain(kernel, kernel.db, { from: '2000-01-01', to: kernel.clock.today() }, async () => {});
  return broken && `${broken.reason}（第${broken.seq}条）`;
}

export const verifyJob = job<{ runId: string }>({
  name: 'identity.verifyOperationLog',
  label: '操作日志链校验',
  retryLimit: 3,
  expireSeconds: 3600,
  subject: ({ runId }) => runId,
  async run({ runId }, { kernel, db, now, transaction }) {
    const run = await own(db)
      .selectFrom('identityLogVerifyRun')
      .selectAll()
      .where('id', '=', runId)
      .where('state', '=', 'RUNNING')
      .executeTakeFirst();
    if (!run) return;
    const publishProgress = (payload: object) => {
      if (run.userId !== null) kernel.realtime.toUser(run.userId, 'identity.verify', { runId, ...payload });
    };
    const { checked, total, broken } = await checkChain(kernel, db, { from: run.fromDay, to: run.toDay }, async (done, of) => {
      await own(db)
        .updateTable('identityLogVerifyRun')
        .set({ checked: String(done), total: String(of) })
        .where('id', '=', runId)
        .execute();
      publishProgress({ checked: done, total: of });
    });
    await transaction(async (writing) => {
      await own(writing.tx)
        .updateTable('identityLogVerifyRun')
        .set({
          state: broken ? 'BROKEN' : 'OK',
          checked: String(checked),
          total: String(total),
          brokenSeq: broken?.seq ?? null,
          brokenLogId: broken?.logId ?? null,
          brokenReason: broken?.reason ?? null,
          finishedAt: now,
        })
        .where('id', '=', runId)
        .execute();
      if (!broken) return;
      await kernel.ports.notices.addAlert(
        writing.tx,
        {
          businessKey: `log-broken:${runId}`,
          title: '操作日志链校验不一致',
          body: `${run.fromDay} 至 ${run.toDay}：第 ${broken.seq} 条起不一致：${broken.reason}。请立即核查数据库访问记录。`,
          link: '/operationLog?tab=chain',
          roleCodes: ['AUDITOR', 'SUPER_ADMIN'],
        },
        now,
      );
    });
    publishProgress({ checked, total, state: broken ? 'BROKEN' : 'OK' });
  },
});
