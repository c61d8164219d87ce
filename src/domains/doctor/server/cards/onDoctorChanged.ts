import { minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { switchSceneCode } from '#domains/channel/server/index.ts';
import { redrawOne } from './jobs.ts';
import { isCurrent, lockCard, moveCard } from './make.ts';

type Acting = Writing & { now: Instant; traceId: string };
/** Several changes of one sitting make one new picture. */
const REDRAW_AFTER_MS = minutes(1);

/** Something printed on the doctor's card may have changed: a card that no longer tells the truth becomes STALE and is drawn again. */
export async function refreshCard(ctx: Acting, doctorId: string): Promise<void> {
  const row = await lockCard(ctx.tx, doctorId);
  if (row?.state !== 'READY' || (await isCurrent(ctx.tx, row))) return;
  await moveCard(asSystem(ctx, ctx), row, 'stale');
  await ctx.enqueue(redrawOne, { doctorId }, { startAfter: plusMs(ctx.now, REDRAW_AFTER_MS), singletonKey: `card:${doctorId}` });
}

/** The doctor may not be shown any more; his code no longer opens. */
export async function disableCard(ctx: Acting, doctorId: string): Promise<void> {
  const row = await lockCard(ctx.tx, doctorId);
  if (!row || row.state === 'DISABLED') return;
  await moveCard(asSystem(ctx, ctx), row, 'disableBySystem', {}, '医生账号停用');
  if (row.sceneCodeId !== null) await switchSceneCode(ctx, row.sceneCodeId, false);
}
