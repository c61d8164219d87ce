import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { PAGE_TARGET } from '../../contract/delivery/files.ts';
import { pageCodes, type PageCode } from '../../contract/floors/clientPages.ts';
import { floorContent, type FloorContent } from '../../contract/floors/shape.ts';
import { own, ownTx } from '../database.ts';

export const LAYOUT_TARGET = PAGE_TARGET;

const words = ['floorKey', 'floorName', 'floorType', 'title', 'showTitle', 'moreLink', 'background', 'layout'] as const;
const contents = ['dataMode', 'rule', 'items', 'startAt', 'endAt', 'audience', 'hideWhenEmpty', 'hidden'] as const;

/** The floors of a page's draft in their order. */
export async function draftOf(db: Db | Tx, pageCode: PageCode): Promise<(FloorContent & { id: string })[]> {
  const rows = await own(db)
    .selectFrom('contentFloor')
    .select(['id', ...words, ...contents])
    .where('pageCode', '=', pageCode)
    .orderBy('sortNo')
    .orderBy('id')
    .execute();
  return rows.map(({ id, ...row }) => ({ id, ...floorContent.parse(row) }));
}

/** What a release keeps of a draft. */
export const contentOf = (draft: readonly (FloorContent & { id: string })[]): FloorContent[] =>
  draft.map(({ id: _id, ...content }) => content);

const lockRow = (ctx: Pick<CommandContext, 'tx'>, pageCode: PageCode) =>
  ownTx(ctx.tx).selectFrom('contentPageLayout').selectAll().where('pageCode', '=', pageCode).forUpdate().executeTakeFirstOrThrow();

/** The page's draft, locked: writers of its floors and releases wait for each other. */
export const lockPage = (ctx: Pick<CommandContext, 'tx'>, pageCode: PageCode) => lockRow(ctx, pageCode);

/** The same for who saw a version of it; an older one is refused with the floors that were written since. */
export async function lockDraft(ctx: Pick<CommandContext, 'tx' | 'nameOf'>, pageCode: PageCode, version: number) {
  const layout = await lockRow(ctx, pageCode);
  await requireVersion(ctx, LAYOUT_TARGET, layout, version, async () => ({
    pageCode,
    changedFloors: await ownTx(ctx.tx)
      .selectFrom('contentFloor')
      .select(['floorKey', 'floorName'])
      .where('pageCode', '=', pageCode)
      .where('changedIn', '>', version)
      .orderBy('sortNo')
      .execute(),
  }));
  return { ...layout, pageCode };
}

/** A floor with its page, the page locked first. */
export async function lockFloor(ctx: Pick<CommandContext, 'tx' | 'nameOf'>, id: string, version: number) {
  const missing = () => refuse(platformErrors.NOT_FOUND, { message: '楼层不存在或已删除' });
  const found = await ownTx(ctx.tx).selectFrom('contentFloor').select('pageCode').where('id', '=', id).executeTakeFirst();
  if (!found) throw missing();
  const layout = await lockDraft(ctx, pageCodes.schema.parse(found.pageCode), version);
  const floor = await ownTx(ctx.tx).selectFrom('contentFloor').selectAll().where('id', '=', id).executeTakeFirst();
  if (!floor) throw missing();
  return { layout, floor };
}

/** The draft has changed: its next version. */
export async function touchDraft(ctx: CommandContext, layout: { id: string; version: number; pageCode: PageCode }): Promise<number> {
  const version = layout.version + 1;
  await ownTx(ctx.tx)
    .updateTable('contentPageLayout')
    .set({ version, ...updatedColumns(ctx) })
    .where('id', '=', layout.id)
    .execute();
  ctx.target({ type: LAYOUT_TARGET, id: layout.id, no: pageCodes.label(layout.pageCode) });
  return version;
}
