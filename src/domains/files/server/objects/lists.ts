import { containsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { startOfDay } from '#kernel/contract/time.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { from } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { fileSources } from '../../contract/dictionaries.ts';
import { queryFileObjectList } from '../../contract/calls/objects.ts';
import { own } from '../database.ts';
import { ownerRules } from '../owners.ts';
import { purposeLabel } from '../purposes.ts';

const number = (text: string | null) => (text === null ? null : Number(text));

/** Files of one record. @throws Refusal SCM90040 when the reader may not read the record. */
export async function listFilesOf(owner: { ownerType: string; ownerId: string }, ctx: QueryContext) {
  const rules = ownerRules(owner.ownerType);
  if (!rules || !(await rules.canRead({ db: ctx.db, staff: ctx.staff }, owner.ownerId))) throw refuse(platformErrors.NOT_FOUND);
  const rows = await own(ctx.db)
    .selectFrom('filesFileLink as l')
    .innerJoin('filesFileObject as f', 'f.id', 'l.fileId')
    .select(['f.id', 'f.fileNo', 'f.fileName', 'l.field', 'f.detectedType', 'f.size', 'f.pageCount', 'f.state', 'l.linkedAt'])
    .where('l.ownerType', '=', owner.ownerType)
    .where('l.ownerId', '=', owner.ownerId)
    .where('l.unlinkedAt', 'is', null)
    .orderBy('l.id')
    .execute();
  return rows.map(({ id, size, state, ...row }) => ({ ...row, fileId: id, size: number(size), state }));
}

const linked = sql<boolean>`exists (select 1 from files_file_link l where l.file_id = f.id and l.unlinked_at is null)`;

/** Tab 文件. */
export const objectList = listOf(queryFileObjectList)
  .from(({ db }) => own(db).selectFrom('filesFileObject as f'))
  .with({
    where: {
      fileNo: (eb, fileNo) => eb('f.fileNo', 'like', containsPattern(fileNo)),
      fileName: (eb, name) => eb('f.fileName', 'like', containsPattern(name)),
      purpose: 'f.purpose',
      state: 'f.state',
      createdBy: (eb, name) => eb('f.createdName', 'like', containsPattern(name)),
      from: from('f.createdAt'),
      to: (eb, to) => eb('f.createdAt', '<', to),
      linked: (eb, yes) => (yes ? linked : eb.not(linked)),
    },
    id: 'f.id',
    sorts: { fileNo: 'f.fileNo', createdAt: 'f.createdAt' },
    order: [['f.createdAt', 'desc']],
    select: (query) =>
      query.selectAll('f').select(
        sql<{ ownerType: string; ownerId: string; field: string }[]>`(
          select coalesce(
            jsonb_agg(jsonb_build_object('ownerType', l.owner_type, 'ownerId', l.owner_id, 'field', l.field) order by l.id), '[]'::jsonb
          )
          from files_file_link l where l.file_id = f.id and l.unlinked_at is null)`.as('links'),
      ),
    present: (rows) =>
      rows.map((row) => ({
        fileId: row.id,
        fileNo: row.fileNo,
        fileName: row.fileName,
        purpose: row.purpose,
        purposeLabel: purposeLabel(row.purpose),
        detectedType: row.detectedType,
        size: number(row.size),
        state: row.state,
        rejectReason: row.rejectReason,
        source: fileSources.schema.parse(row.source),
        createdBy: row.createdBy,
        createdName: row.createdName,
        createdAt: row.createdAt,
        links: row.links,
        retainUntil: row.retainUntil,
        legalHold: row.legalHold,
      })),
  });

let usage: { at: number; bytes: Promise<number | null> } | null = null;
const USAGE_MS = 60_000;

/** Counting walks the folder: once a minute is enough. */
function usedBytes(kernel: Kernel): Promise<number | null> {
  const at = Date.parse(kernel.clock.now());
  if (!usage || Math.abs(at - usage.at) > USAGE_MS) usage = { at, bytes: kernel.storage.usage() };
  return usage.bytes;
}

/** Header line of the download centre. */
export async function storageUsage(kernel: Kernel, ctx: QueryContext) {
  const counts = await own(ctx.db)
    .selectFrom('filesExportTask')
    .select([
      sql<number>`count(*) filter (where created_at >= ${startOfDay(ctx.today)})::int`.as('exportsToday'),
      sql<number>`count(*) filter (where state = 'QUEUED')::int`.as('queued'),
      sql<number>`count(*) filter (where state = 'RUNNING')::int`.as('running'),
    ])
    .executeTakeFirstOrThrow();
  return { kind: kernel.storage.kind, usedBytes: await usedBytes(kernel), ...counts };
}
