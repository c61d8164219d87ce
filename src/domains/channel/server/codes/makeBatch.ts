import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { days, plusMs } from '#kernel/contract/time.ts';
import { besideTransaction } from '#kernel/server/database/heldConnection.ts';
import { ZipStream } from '#kernel/server/documents/zipStream.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import type { CodeStyle, Target } from '../../contract/calls/codeFields.ts';
import { own, ownTx } from '../database.ts';
import type { ListItem } from './batchList.ts';
import { startDrawing } from './drawing.ts';
import { insertCodes } from './save.ts';
import { linkOf, logoOf } from './target.ts';

const INSERT_AT_ONCE = 200;
const DRAW_AT_ONCE = 20;
/** Groups of pictures between two reports. */
const REPORT_EVERY = 5;
/** Archives are kept this long. */
const ZIP_DAYS = 7;

interface BatchJob {
  batchId: string;
  /** Only the archive is made again. */
  rezip?: boolean;
}

interface Template {
  channelId: string;
  target: Target;
  params: Record<string, string>;
  style: CodeStyle;
  validFrom: string | null;
  validTo: string | null;
  scanLimit: number | null;
}

interface Made {
  id: string;
  token: string;
  name: string;
  seqInBatch: number;
}

class Cancelled extends Error {}

const nameOf = (pattern: string, batchName: string, seq: number) =>
  pattern
    .replaceAll('{批次}', batchName)
    .replaceAll(/\{序号(\d?)\}/g, (_place, digits: string) => String(seq).padStart(Number(digits || 1), '0'))
    .slice(0, 40);

const safe = (text: string) => text.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_');
/** A cell that a table program would run as a formula is text. */
const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

async function batchOf(ctx: JobContext, batchId: string) {
  return own(ctx.db).selectFrom('channelQrBatch').selectAll().where('id', '=', batchId).executeTakeFirst();
}

/** Inserts the missing codes of a batch, in short transactions; a job that starts anew goes on where the last one ended. */
async function completeCodes(ctx: JobContext, batch: NonNullable<Awaited<ReturnType<typeof batchOf>>>): Promise<Made[]> {
  const template = batch.template as Template;
  const items = batch.items as ListItem[] | null;
  const existing = await own(ctx.db).selectFrom('channelQrCode').select('seqInBatch').where('batchId', '=', batch.id).execute();
  const known = new Set(existing.map(({ seqInBatch }) => seqInBatch));
  const missing = Array.from({ length: batch.quantity }, (_, index) => index + 1).filter((seq) => !known.has(seq));
  for (let at = 0; at < missing.length; at += INSERT_AT_ONCE) {
    await ctx.transaction(async (writing) => {
      const current = await ownTx(writing.tx)
        .selectFrom('channelQrBatch')
        .select('state')
        .where('id', '=', batch.id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (current.state !== 'RUNNING') throw new Cancelled();
      await insertCodes(
        writing,
        missing.slice(at, at + INSERT_AT_ONCE).map((seq) => {
          const item = items?.[seq - 1];
          return {
            kind: 'COMMON',
            name: item?.name ?? nameOf(batch.namePattern, batch.name, seq),
            channelId: item?.channelId ?? template.channelId,
            target: template.target,
            params: { ...template.params, ...item?.params },
            style: template.style,
            validFrom: template.validFrom,
            validTo: template.validTo,
            scanLimit: template.scanLimit,
            batchId: batch.id,
            seqInBatch: seq,
          };
        }),
        { now: ctx.now, userId: batch.createdBy },
      );
    });
  }
  const rows = await own(ctx.db)
    .selectFrom('channelQrCode')
    .select(['id', 'token', 'name', 'seqInBatch'])
    .where('batchId', '=', batch.id)
    .orderBy('seqInBatch')
    .execute();
  return rows.map((row) => ({ ...row, seqInBatch: row.seqInBatch! }));
}

/** Progress over the pool; also the place where a cancelled batch is noticed. */
async function report(
  ctx: JobContext,
  batchId: string,
  done: number,
  failures: readonly { seq: number; message: string }[],
): Promise<void> {
  const updated = await besideTransaction('progress', () =>
    own(ctx.db)
      .updateTable('channelQrBatch')
      .set({ done, failed: failures.length, failures: JSON.stringify(failures.slice(0, 100)) })
      .where('id', '=', batchId)
      .where('state', '=', 'RUNNING')
      .executeTakeFirst(),
  );
  if (updated.numUpdatedRows === 0n) throw new Cancelled();
}

/** The archive piece by piece; memory does not grow with its size. */
async function* archive(
  ctx: JobContext,
  batchId: string,
  codes: readonly Made[],
  template: Template,
  outcome: { done: number; failures: { seq: number; message: string }[] },
  counting: boolean,
): AsyncGenerator<Buffer> {
  const zip = new ZipStream();
  const drawing = startDrawing(template.style, await logoOf(ctx.kernel, ctx.db, template.style));
  const lines = ['\uFEFF序号,名称,码值,地址'];
  try {
    let ahead = drawing.draw(codes.slice(0, DRAW_AT_ONCE).map(({ token }) => linkOf(ctx.kernel, token)));
    for (let at = 0; at < codes.length; at += DRAW_AT_ONCE) {
      const pictures = await ahead;
      const next = codes.slice(at + DRAW_AT_ONCE, at + 2 * DRAW_AT_ONCE);
      // The next pictures are drawn while these are packed.
      if (next.length > 0) ahead = drawing.draw(next.map(({ token }) => linkOf(ctx.kernel, token)));
      for (const [index, code] of codes.slice(at, at + DRAW_AT_ONCE).entries()) {
        const picture = pictures[index]!;
        if (picture instanceof Error) {
          outcome.failures.push({ seq: code.seqInBatch, message: `图片生成失败：${picture.message.slice(0, 100)}` });
          continue;
        }
        yield zip.stored(`${String(code.seqInBatch).padStart(4, '0')}_${safe(code.name)}_${code.token}.png`, picture);
        lines.push(`${code.seqInBatch},${cell(code.name)},${code.token},${linkOf(ctx.kernel, code.token)}`);
        outcome.done += 1;
      }
      if (counting && (at / DRAW_AT_ONCE) % REPORT_EVERY === 0) await report(ctx, batchId, outcome.done, outcome.failures);
      if (ctx.signal.aborted) throw new Error('the process stops; the batch goes on elsewhere');
    }
  } finally {
    await drawing.close();
  }
  yield* zip.entry('index.csv', [Buffer.from(lines.join('\r\n'))]);
  yield zip.end();
}

/** Makes the codes and the archive of a batch. */
export const makeBatch = job<BatchJob>({
  name: 'channel.makeBatch',
  label: '批量生成二维码',
  retryLimit: 2,
  expireSeconds: 1_800,
  subject: ({ batchId }) => batchId,
  async run({ batchId, rezip = false }, ctx) {
    if (!rezip)
      await own(ctx.db)
        .updateTable('channelQrBatch')
        .set({ state: 'RUNNING', updatedAt: ctx.now })
        .where('id', '=', batchId)
        .where('state', 'in', ['QUEUED', 'RUNNING'])
        .execute();
    const batch = await batchOf(ctx, batchId);
    if (!batch || (!rezip && batch.state !== 'RUNNING') || (rezip && !['READY', 'PARTIAL'].includes(batch.state))) return;
    const outcome = { done: 0, failures: [] as { seq: number; message: string }[] };
    try {
      const codes = await completeCodes(ctx, batch);
      await ctx.transaction(async (writing) => {
        const body = Readable.from(archive(ctx, batchId, codes, batch.template as Template, outcome, !rezip));
        const now = ctx.kernel.clock.now();
        const zipExpireAt = plusMs(now, days(ZIP_DAYS));
        const file = await ctx.kernel.ports.files.store(
          writing.tx,
          {
            purpose: 'EXPORT',
            name: `${batch.batchNo}.zip`,
            body,
            contentType: 'application/zip',
            createdBy: batch.createdBy,
            retainUntil: zipExpireAt,
            sensitive: false,
          },
          now,
        );
        const state = outcome.failures.length > 0 ? 'PARTIAL' : 'READY';
        const updated = await sql`
          update channel_qr_batch
            set state = ${state}, done = ${outcome.done}, failed = ${outcome.failures.length},
              failures = ${JSON.stringify(outcome.failures.slice(0, 100))}::jsonb, zip_file_id = ${file.fileId},
              zip_expire_at = ${zipExpireAt}, version = version + 1, updated_at = ${now}
            where id = ${batchId} and state = any(${rezip ? ['READY', 'PARTIAL'] : ['RUNNING']}::text[])`.execute(writing.tx);
        if (updated.numAffectedRows === 0n) throw new Cancelled();
      });
    } catch (error) {
      if (error instanceof Cancelled) return;
      if (!rezip)
        await own(ctx.db)
          .updateTable('channelQrBatch')
          .set({ state: 'FAILED', failReason: String(error).slice(0, 200), updatedAt: ctx.now })
          .where('id', '=', batchId)
          .where('state', '=', 'RUNNING')
          .execute();
      throw error;
    }
  },
});
