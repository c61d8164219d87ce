import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { lowcodeErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';

export const PAGE = 'lowcode.page';

/** Pages; locked, whatever changes one or its versions waits for each other. */
export const pageRecords = recordOf((db) => own(db).selectFrom('lowcodePage as p').selectAll('p').where('p.state', '<>', 'REMOVED')).with({
  noun: '页面',
  type: PAGE,
  id: 'p.id',
  scope: unscoped,
});
export type LockedPage = Awaited<ReturnType<typeof pageRecords.lock>>;
const versionMissing = () => refuse(platformErrors.NOT_FOUND, { message: '版本不存在或已删除' });

/** A page for who saw a version of it, locked. */
export const lockPageVersion = (ctx: CommandContext, id: string, version: number): Promise<LockedPage> =>
  pageRecords.lockVersion(ctx, id, version, ({ title, state }) => ({ title, state }));

/** @throws SCM03020 naming who locked it */
export async function requireUnlocked(ctx: Pick<CommandContext, 'nameOf'>, page: LockedPage): Promise<void> {
  if (page.lockedBy === null) return;
  throw refuse(lowcodeErrors.LOCKED, { name: (await ctx.nameOf(page.lockedBy)) ?? '管理员' });
}

export async function versionOf(db: Db | Tx, id: string) {
  const row = await own(db)
    .selectFrom('lowcodePageVersion as v')
    .innerJoin('lowcodePage as p', 'p.id', 'v.pageId')
    .selectAll('v')
    .select(['p.token', 'p.title'])
    .where('v.id', '=', id)
    .where('p.state', '<>', 'REMOVED')
    .executeTakeFirst();
  if (!row) throw versionMissing();
  return row;
}
export type VersionRow = Awaited<ReturnType<typeof versionOf>>;

/** A version of this page. */
export async function versionOfPage(tx: Tx, pageId: string, id: string): Promise<VersionRow> {
  const row = await versionOf(tx, id);
  if (row.pageId !== pageId) throw versionMissing();
  return row;
}

export async function nextVersionNo(tx: Tx, pageId: string): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select coalesce(max(version_no), 0)::int + 1 as n from lowcode_page_version where page_id = ${pageId}`.execute(tx);
  return rows[0]?.n ?? 1;
}
