import { sql } from 'kysely';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { requireVersion } from '../../../../kernel/server/record/requireVersion.ts';
import type { CommandContext, Db, Tx } from '../../../../kernel/server/context.ts';
import { lowcodeErrors } from '../../contract/errors.ts';
import { own, ownTx } from '../database.ts';

export const PAGE = 'lowcode.page';

export const pageMissing = () => refuse(platformErrors.NOT_FOUND, { message: '页面不存在或已删除' });
const versionMissing = () => refuse(platformErrors.NOT_FOUND, { message: '版本不存在或已删除' });

/** A page, locked: whatever changes it or its versions waits for each other. */
export async function lockPage(tx: Tx, id: string) {
  const row = await ownTx(tx)
    .selectFrom('lowcodePage')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'REMOVED')
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw pageMissing();
  return row;
}
export type LockedPage = Awaited<ReturnType<typeof lockPage>>;

type Ctx = Pick<CommandContext, 'tx' | 'nameOf'>;

/** The same for who saw a version of it. */
export async function lockPageVersion(ctx: Ctx, id: string, version: number): Promise<LockedPage> {
  const row = await lockPage(ctx.tx, id);
  await requireVersion(ctx, PAGE, row, version, () => ({ title: row.title, state: row.state }));
  return row;
}

/** @throws SCM03020 naming who locked it */
export async function requireUnlocked(ctx: Ctx, page: LockedPage): Promise<void> {
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
