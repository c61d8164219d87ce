import { markChanged, promotionTagChanged } from '#events/content.ts';
import { dayOf, plusMs } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { ownTx } from '../database.ts';

/** Tells the owners of copies of marks as they stand now; of those that customers see also their period. */
export async function publishMarks(ctx: Pick<Writing, 'tx' | 'publishMany'>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await ownTx(ctx.tx)
    .selectFrom('contentMark as m')
    .innerJoin('contentTagGroup as g', 'g.id', 'm.groupId')
    .leftJoin('contentPromotionTag as p', 'p.markId', 'm.id')
    .select(['p.style', 'p.startAt', 'p.endAt'])
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
  await ctx.publishMany(
    promotionTagChanged,
    rows
      .filter(({ style }) => style !== null)
      .map((row) => ({
        aggregateId: row.id,
        payload: {
          tagId: row.id,
          name: row.markName,
          colour: row.color,
          validFrom: row.startAt === null ? null : dayOf(row.startAt),
          // The instant of the end is no part of the period.
          validTo: row.endAt === null ? null : dayOf(plusMs(row.endAt, -1)),
          state: row.groupState === 'DISABLED' ? 'DISABLED' : row.state,
        },
      })),
  );
}
