import { sealed } from '#kernel/server/review/readings.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { titles } from '../../../contract/dictionaries.ts';
import { json, own, ownTx } from '../../database.ts';
import { findAgain } from './findings.ts';
import { readFields, type QualPayload, type Reading, type StoredCert } from '../payload.ts';

const MOST_BYTES = 10 * 1024 * 1024;

async function bytesOf(ctx: JobContext, fileId: string): Promise<{ contentType: string; body: Buffer } | null> {
  const { body, contentType, size } = await ctx.kernel.ports.files.openRead(ctx.db, fileId);
  if (size > MOST_BYTES) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return { contentType, body: Buffer.concat(chunks) };
}

/** A title as printed is kept by its code; days as `YYYY-MM-DD`. */
function tidy(fields: Readonly<Record<string, string>>): Reading {
  const reading: Reading = {};
  for (const field of readFields) {
    const value = fields[field];
    if (value === undefined) continue;
    if (field === 'titleCode') {
      const code = titles.options.find((option) => option.value === value || option.label === value)?.value;
      if (code !== undefined) reading.titleCode = code;
    } else if (field !== 'validTo' || /^\d{4}-\d{2}-\d{2}$/.test(value)) reading[field] = value;
  }
  return reading;
}

async function readCert(ctx: JobContext, cert: StoredCert): Promise<Reading> {
  const reading: Reading = {};
  for (const fileId of cert.fileIds) {
    const file = await bytesOf(ctx, fileId);
    // The first page on which a field stands counts.
    if (file) Object.assign(reading, { ...tidy(await ctx.kernel.ocr.read({ kind: cert.certType, ...file }, ctx.signal)), ...reading });
  }
  return reading;
}

/** Reads the pictures of one round, outside any transaction, and looks again with what they say. */
export const readCertsJob = job<{ applyId: string; round: number }>({
  name: 'doctor.readCerts',
  label: '识别医生证件',
  retryLimit: 3,
  expireSeconds: 300,
  concurrency: 2,
  subject: ({ applyId }) => applyId,
  async run({ applyId, round }, ctx) {
    const apply = await own(ctx.db)
      .selectFrom('doctorQualApply as q')
      .innerJoin('doctorDoctor as d', 'd.id', 'q.doctorId')
      .select(['q.payload', 'q.round', 'd.avatarFileId'])
      .where('q.id', '=', applyId)
      .executeTakeFirst();
    if (!apply || apply.round !== round) return;
    const payload = apply.payload as QualPayload;
    const read = new Map<string, string | null>();
    for (const cert of payload.certs) read.set(cert.id, sealed(ctx.kernel.secrets, await readCert(ctx, cert)));
    const portrait = apply.avatarFileId === null ? null : await bytesOf(ctx, apply.avatarFileId);
    const faces = portrait ? await ctx.kernel.ocr.faces(portrait, ctx.signal) : null;
    await ctx.transaction(async (writing) => {
      const acting = asSystem(writing, ctx);
      const tx = ownTx(writing.tx);
      const row = await tx
        .selectFrom('doctorQualApply')
        .selectAll()
        .where('id', '=', applyId)
        .where('round', '=', round)
        .where('state', 'in', ['PENDING', 'REVIEWING'])
        .forUpdate()
        .executeTakeFirst();
      // Decided or handed in anew meanwhile.
      if (!row) return;
      const now = row.payload as QualPayload;
      const filled = { ...now, certs: now.certs.map((cert) => ({ ...cert, readCipher: read.get(cert.id) ?? cert.readCipher })) };
      await tx
        .updateTable('doctorQualApply')
        .set({ payload: json(filled), updatedAt: ctx.now })
        .where('id', '=', applyId)
        .execute();
      await findAgain(ctx.kernel, acting, { ...row, payload: filled }, faces);
    });
  },
});
