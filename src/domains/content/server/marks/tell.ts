import { markChanged } from '../../../../events/content.ts';
import type { Writing } from '../../../../kernel/server/context.ts';
import { ownTx } from '../database.ts';

/** Tells the owners of copies of marks as they stand now. */
export async function tellMarks(ctx: Pick<Writing, 'tx' | 'publishMany'>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await ownTx(ctx.tx)
    .selectFrom('contentMark as m')
    .innerJoin('contentTagGroup as g', 'g.id', 'm.groupId')
    .select(['m.id', 'm.markCode', 'm.markName', 'm.color', 'm.state', 'g.state as groupState', 'g.objectType'])
    .where('m.id', 'in', [...ids])
    .orderBy('m.id')
    .execute();
  await ctx.publishMany(
    markChanged,
    rows.map((row) => ({
      aggregateId: row.id,
      payload: {
        markId: row.id,
        markCode: row.markCode,
        name: row.markName,
        colour: row.color,
        objectType: row.objectType,
        state: row.groupState === 'DISABLED' ? 'DISABLED' : row.state,
      },
    })),
  );
}
