import { sessionEnded, userLeft } from '#events/identity.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { own } from './database.ts';

/** Ways in which a session ends against its user's will: what he was uploading must not go on. */
const FORCED = ['KICKED', 'DISABLED'];

const voidUploads = consumer('files', sessionEnded, async ({ payload }, ctx) => {
  if (!FORCED.includes(payload.reason)) return;
  await own(ctx.tx)
    .updateTable('filesUploadSession')
    .set({ voidedAt: ctx.now })
    .where('sessionId', '=', payload.sessionId)
    .where('voidedAt', 'is', null)
    .where('fileId', 'in', (eb) => eb.selectFrom('filesFileObject').select('id').where('state', '=', 'PENDING'))
    .execute();
});

/** A running one stops at its next chunk. Imports that are ready stay for those who manage tasks. */
const cancelExports = consumer('files', userLeft, async ({ payload }, ctx) => {
  await own(ctx.tx)
    .updateTable('filesExportTask')
    .set((eb) => ({ state: 'CANCELLED', finishedAt: ctx.now, errorMessage: '提交人已离职', version: eb('version', '+', 1) }))
    .where('createdBy', '=', payload.userId)
    .where('state', 'in', ['QUEUED', 'RUNNING'])
    .execute();
});

export const fileConsumers = [voidUploads, cancelExports];
