import type { Deed } from '../deed.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import type { GroupRow } from '../inquiries/rows.ts';
import { poolOf, type Pooled } from '../people/pool.ts';
import { chooseOwner } from '../rules/load.ts';
import { noteBoard } from './board.ts';
import { giveTo } from './owner.ts';

const STICKY_DAYS = 7;

/** Named ones in the order of R4: owner, chosen at payment or primary, the last one of seven days. */
function namedOf(group: GroupRow, pool: readonly Pooled[], chosen: string | null, now: string): (string | null)[] {
  const primary = pool.find(({ role }) => role === 'PRIMARY')?.assistantId ?? null;
  const sticky = group.lastAssistantAt !== null && group.lastAssistantAt > plusMs(now, -days(STICKY_DAYS)) ? group.lastAssistantId : null;
  return [group.ownerAssistantId, chosen ?? primary, sticky];
}

/**
 * Finds an owner for a queued group; nobody with a place: it waits.
 * @param chosen the assistant that the paid order names.
 * @param there only who is connected: the group was taken from somebody who is not.
 */
export async function assign(ctx: Deed, group: GroupRow, chosen: string | null = null, there = false): Promise<GroupRow> {
  const pool = (await poolOf(ctx.tx, group, ctx.now)).filter(({ present }) => present || !there);
  const owner = chooseOwner(namedOf(group, pool, chosen, ctx.now), pool);
  if (owner === null) return group;
  await noteBoard(ctx, group, 'ASSIGNED', { to: owner });
  return giveTo(ctx, group, 'assign', owner);
}
