import { sql } from 'kysely';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { job, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { scansOfCodes } from '#domains/channel/server/index.ts';
import { json, own } from '../database.ts';
import { startDrawing } from './drawing.ts';
import { isCurrent, lockCard, makeCard, moveCard } from './make.ts';

/** Cards are looked through in groups of this size. */
const GROUP = 200;
/** A card that waits longer was lost with its process. */
const LOST_MS = minutes(30);

/** Draws the card of one doctor. */
export const drawOne = job<{ doctorId: string }>({
  name: 'doctor.drawCard',
  label: '生成医生名片',
  retryLimit: 1,
  subject: ({ doctorId }) => doctorId,
  async run({ doctorId }, ctx) {
    const drawing = startDrawing();
    try {
      await makeCard(ctx, drawing, doctorId);
    } finally {
      await drawing.close();
    }
  },
});

/** Draws an outdated card again. */
export const redrawOne = job<{ doctorId: string }>({
  name: 'doctor.redrawCard',
  label: '更新医生名片',
  retryLimit: 1,
  subject: ({ doctorId }) => doctorId,
  async run({ doctorId }, ctx) {
    const due = await ctx.transaction(async (writing) => {
      const row = await lockCard(writing.tx, doctorId);
      if (row?.state !== 'STALE') return false;
      await moveCard(asSystem(writing, ctx), row, 'regenerate');
      return true;
    });
    if (due) await drawOne.run({ doctorId }, ctx);
  },
});

/** Draws the cards of a batch, one after another, with progress. A job that starts anew goes on where the last one ended. */
export const drawBatch = job<{ taskId: string }>({
  name: 'doctor.drawCardBatch',
  label: '批量生成医生名片',
  retryLimit: 2,
  expireSeconds: 1_800,
  subject: ({ taskId }) => taskId,
  async run({ taskId }, ctx) {
    const task = await own(ctx.db)
      .selectFrom('doctorCardTask')
      .selectAll()
      .where('id', '=', taskId)
      .where('state', '=', 'RUNNING')
      .executeTakeFirst();
    if (!task) return;
    const failures = task.failures as { id: string; name: string; ok: boolean; message: string }[];
    const names = new Map(
      (await own(ctx.db).selectFrom('doctorDoctor').select(['id', 'name']).where('id', 'in', task.doctorIds).execute()).map(
        ({ id, name }) => [id, name],
      ),
    );
    const drawing = startDrawing();
    try {
      for (let done = task.done; done < task.doctorIds.length; done += 1) {
        if (ctx.signal.aborted) throw new Error('the process stops; the batch goes on elsewhere');
        const id = String(task.doctorIds[done]);
        const message = failures.some((failure) => failure.id === id) ? null : await makeCard(ctx, drawing, id);
        if (message !== null) failures.push({ id, name: names.get(id) ?? '', ok: false, message });
        await own(ctx.db)
          .updateTable('doctorCardTask')
          .set({ done: done + 1, failures: json(failures), updatedAt: ctx.kernel.clock.now() })
          .where('id', '=', taskId)
          .execute();
        ctx.kernel.realtime.toUser(task.createdBy, 'doctorCardTask', { taskId, done: done + 1, total: task.total });
      }
    } finally {
      await drawing.close();
    }
    await own(ctx.db)
      .updateTable('doctorCardTask')
      .set({ state: failures.length > 0 ? 'PARTIAL' : 'DONE', updatedAt: ctx.kernel.clock.now() })
      .where('id', '=', taskId)
      .execute();
  },
});

/** Every night: what no longer tells the truth is found and drawn again, and what a lost process left is taken up. */
const refreshCards = job({
  name: 'doctor.refreshCards',
  label: '医生名片核对与更新',
  cron: '30 2 * * *',
  async run(_data, ctx) {
    for (let after = '0'; ;) {
      const rows = await own(ctx.db)
        .selectFrom('doctorCard')
        .selectAll()
        .where('id', '>', after)
        .where('state', 'in', ['READY', 'STALE', 'GENERATING'])
        .orderBy('id')
        .limit(GROUP)
        .execute();
      if (rows.length === 0) return;
      for (const row of rows) {
        if (row.state === 'READY' && (await isCurrent(ctx.db, row))) continue;
        if (row.state === 'GENERATING' && row.updatedAt > plusMs(ctx.now, -LOST_MS)) continue;
        await ctx.transaction(async (writing) => {
          const current = await lockCard(writing.tx, row.doctorId);
          if (current?.version !== row.version) return;
          if (row.state === 'READY') await moveCard(asSystem(writing, ctx), row, 'stale');
          await writing.enqueue(
            (row.state === 'GENERATING' ? drawOne : redrawOne) as JobDeclaration<{ doctorId: string }>,
            { doctorId: row.doctorId },
            { singletonKey: `card:${row.doctorId}` },
          );
        });
      }
      after = rows.at(-1)!.id;
    }
  },
});

/** Scans of the cards' codes, as channel counts them. */
const countScans = job({
  name: 'doctor.countCardScans',
  label: '医生名片扫码统计',
  everySeconds: 300,
  async run(_data, ctx) {
    const cards = await own(ctx.db).selectFrom('doctorCard').select(['sceneCodeId']).where('sceneCodeId', 'is not', null).execute();
    const counted = await scansOfCodes(
      ctx.db,
      cards.map(({ sceneCodeId }) => sceneCodeId!),
    );
    await sql`
      update doctor_card c
        set scan_count = n.scans
        from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as n("codeId" bigint, scans int)
        where c.scene_code_id = n."codeId" and c.scan_count <> n.scans`.execute(ctx.db);
  },
});

export const cardJobs: readonly JobDeclaration<never>[] = [
  drawOne as JobDeclaration<never>,
  redrawOne as JobDeclaration<never>,
  drawBatch as JobDeclaration<never>,
  refreshCards,
  countScans,
];
