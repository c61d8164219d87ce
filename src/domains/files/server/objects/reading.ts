import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { fileErrors } from '../../contract/errors.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { ownerRules } from '../owners.ts';
import { type FileRow, findFile } from './fileRows.ts';

export interface ReadRight {
  file: FileRow;
  /** The unmarked bytes may be given out. */
  original: boolean;
}

interface Owner {
  ownerType?: string | undefined;
  ownerId?: string | undefined;
}

export async function linksOf(db: Db | Tx, fileId: string) {
  return own(db)
    .selectFrom('filesFileLink')
    .select(['ownerType', 'ownerId', 'field'])
    .where('fileId', '=', fileId)
    .where('unlinkedAt', 'is', null)
    .execute();
}

/**
 * Decides who may read a file (files.md R4): its uploader while nothing uses it, else whoever may read a record that
 * does; who may see all files sees it marked.
 * @throws Refusal SCM90040 for a missing file and for one that is not to be read alike; SCM02009 while it is checked.
 */
export async function requireRead(db: Db, fileId: string, ctx: Pick<Context, 'staff' | 'has'>, owner: Owner = {}): Promise<ReadRight> {
  const file = await findFile(db, fileId);
  if (!file) throw refuse(platformErrors.NOT_FOUND);
  const right = await rightTo(db, file, ctx, owner);
  if (right === null) throw refuse(platformErrors.NOT_FOUND);
  if (file.state === 'PENDING' || file.state === 'CHECKING') throw refuse(fileErrors.CHECKING);
  if (file.state !== 'READY') throw refuse(platformErrors.NOT_FOUND);
  return { file, original: right || !file.sensitive };
}

/** Whether the original may be read; null = nothing of it. */
async function rightTo(db: Db, file: FileRow, ctx: Pick<Context, 'staff' | 'has'>, owner: Owner): Promise<boolean | null> {
  // Results of exports and imports are read through their own calls alone.
  if (file.source === 'EXPORT' || file.source === 'IMPORT_RESULT') return null;
  const links = await linksOf(db, file.id);
  if (links.length === 0 && file.createdBy === ctx.staff.userId) return true;
  const reader = { db, staff: ctx.staff };
  const asked = links.filter(
    ({ ownerType, ownerId }) => (!owner.ownerType || ownerType === owner.ownerType) && (!owner.ownerId || ownerId === owner.ownerId),
  );
  let may: boolean | null = null;
  for (const link of asked) {
    const rules = ownerRules(link.ownerType);
    if (!rules || !(await rules.canRead(reader, link.ownerId))) continue;
    if (await rules.canReadOriginal(reader, link.ownerId)) return true;
    may = false;
  }
  if (may === null && ctx.has(filePermissions['object.manage'])) return false;
  return may;
}
