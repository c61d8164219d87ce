import { sql } from 'kysely';
import { days, hours, minutes, plusMs } from '#kernel/contract/time.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { own } from '../database.ts';
import { allPurposes } from '../purposes.ts';
import { inspectFile } from './complete.ts';
import { findFile } from './fileRows.ts';
import { partKey } from './names.ts';
import { uploadSession } from './presign.ts';

const NEVER_COMPLETED_MS = hours(24);
const TRASH_DAYS = 7;

/** Bytes that another live row shares (an instant upload) stay. */
async function removeBytes(ctx: JobContext, fileId: string): Promise<void> {
  const file = await findFile(ctx.db, fileId);
  if (!file || file.bytesRemovedAt) return;
  const sharing = await own(ctx.db)
    .selectFrom('filesFileObject')
    .select('id')
    .where('storageKey', '=', file.storageKey)
    .where('id', '<>', fileId)
    .where('bytesRemovedAt', 'is', null)
    .executeTakeFirst();
  if (!sharing) await ctx.kernel.storage.remove(file.storageKey);
  const renditions = await own(ctx.db).deleteFrom('filesRendition').where('fileId', '=', fileId).returning('storageKey').execute();
  for (const { storageKey } of renditions) await ctx.kernel.storage.remove(storageKey);
  await own(ctx.db).updateTable('filesFileObject').set({ bytesRemovedAt: ctx.now }).where('id', '=', fileId).execute();
}

const linked = sql<boolean>`exists (select 1 from files_file_link l where l.file_id = f.id and l.unlinked_at is null)`;
const inUse = sql<boolean>`
  exists (select 1 from files_import_task t where t.file_id = f.id and t.state in ('VALIDATING', 'READY', 'COMMITTING'))`;

/** Uploads that were never completed, and READY files that nothing uses. */
async function expireUnused(ctx: JobContext): Promise<string[]> {
  const rows: { id: string }[] = [];
  rows.push(
    ...(await own(ctx.db)
      .updateTable('filesFileObject')
      .set((eb) => ({ state: 'EXPIRED', version: eb('version', '+', 1) }))
      .where('state', '=', 'PENDING')
      .where('createdAt', '<', plusMs(ctx.now, -NEVER_COMPLETED_MS))
      .returning('id')
      .execute()),
  );
  for (const purpose of allPurposes()) {
    rows.push(
      ...(await own(ctx.db)
        .updateTable('filesFileObject as f')
        .set((eb) => ({ state: 'EXPIRED', version: eb('f.version', '+', 1) }))
        .where('f.state', '=', 'READY')
        .where('f.source', '=', 'UPLOAD')
        .where('f.purpose', '=', purpose.code)
        .where('f.createdAt', '<', plusMs(ctx.now, -days(purpose.keepDays ?? 1)))
        .where('f.legalHold', '=', false)
        .where((eb) => eb.or([eb('f.retainUntil', 'is', null), eb('f.retainUntil', '<', ctx.now)]))
        .where((eb) => eb.not(linked))
        .where((eb) => eb.not(inUse))
        .returning('f.id')
        .execute()),
    );
  }
  return rows.map(({ id }) => id);
}

async function removeOpenParts(ctx: JobContext, fileId: string): Promise<void> {
  const session = await own(ctx.db).selectFrom('filesUploadSession').select('id').where('fileId', '=', fileId).executeTakeFirst();
  if (!session) return;
  const { parts } = await uploadSession(ctx.db, fileId);
  for (const { no } of parts) await ctx.kernel.storage.remove(partKey(fileId, no));
}

export const expireFiles = job({
  name: 'files.expireFiles',
  label: '清理未使用的文件',
  cron: '17 * * * *',
  async run(_data, ctx) {
    for (const fileId of await expireUnused(ctx)) {
      await removeOpenParts(ctx, fileId);
      await removeBytes(ctx, fileId);
    }
    const trash = await own(ctx.db)
      .selectFrom('filesFileObject')
      .select('id')
      .where('state', '=', 'DELETED')
      .where('bytesRemovedAt', 'is', null)
      .where('deletedAt', '<', plusMs(ctx.now, -days(TRASH_DAYS)))
      .limit(500)
      .execute();
    for (const { id } of trash) await removeBytes(ctx, id);
  },
});

/** Files whose inspection died with its process. */
export const reviveInspections = job({
  name: 'files.reviveInspections',
  label: '继续中断的文件校验',
  everySeconds: 60,
  async run(_data, ctx) {
    const stuck = await own(ctx.db)
      .selectFrom('filesFileObject as f')
      .innerJoin('filesUploadSession as s', 's.fileId', 'f.id')
      .select('f.id')
      .where('f.state', '=', 'CHECKING')
      .where('s.expiresAt', '<', plusMs(ctx.now, minutes(29)))
      .limit(100)
      .execute();
    if (stuck.length === 0) return;
    await ctx.transaction(async (writing) => {
      for (const { id } of stuck) await writing.enqueue(inspectFile, { fileId: id }, { singletonKey: id });
    });
  },
});
