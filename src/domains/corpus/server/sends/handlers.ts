import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { sendState } from '../../contract/engine/states.ts';
import { retryFollowSend, skipFollowSend } from '../../contract/engine/sendCalls.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { ownTx } from '../database.ts';
import type { Send } from '../engine/claim.ts';
import { coveringSwitches } from '../engine/switches.ts';
import { each } from '../runs/handlers.ts';
import { sendsSeen } from './list.ts';

/** The touches of these that somebody sees, locked in the order of their ids. */
async function lockSeen(ctx: CommandContext, ids: readonly string[]): Promise<ReadonlyMap<string, Send>> {
  const seen = await sendsSeen(ctx.tx, ctx.staff, ctx.now)
    .select('f.id')
    .where('f.id', 'in', [...ids])
    .execute();
  if (seen.length === 0) return new Map();
  const rows = await ownTx(ctx.tx)
    .selectFrom('corpusFollowSend')
    .selectAll()
    .where(
      'id',
      'in',
      seen.map(({ id }) => id),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

const found = (sends: ReadonlyMap<string, Send>, id: string): Send => {
  const send = sends.get(id);
  if (!send) throw refuse(platformErrors.NOT_FOUND);
  return send;
};

const noted = (ctx: CommandContext, send: Send, state: Send['state']): void => {
  ctx.target({ type: 'corpus.followSend', id: send.id, no: send.sendNo });
  ctx.changed([{ path: 'state', label: '状态', before: sendState.label(send.state), after: sendState.label(state) }]);
};

/** @throws Refusal SCM11040–43, SCM90031 */
function requireRetry(send: Send, allStopped: boolean, now: Instant): void {
  if (send.state === 'SENDING' || send.state === 'UNKNOWN') throw refuse(corpusErrors.SEND_UNKNOWN);
  if (send.state === 'SENT') throw refuse(corpusErrors.ALREADY_SENT);
  if (send.state !== 'FAILED') throw refuse(platformErrors.WRONG_STATE, { state: sendState.label(send.state) });
  if (send.expiresAt < now) throw refuse(corpusErrors.SEND_EXPIRED);
  if (allStopped) throw refuse(corpusErrors.ALL_STOPPED);
}

export const retrySends = command(retryFollowSend, async ({ ids }, ctx) => {
  const sends = await lockSeen(ctx, ids);
  const allStopped = (await coveringSwitches(ctx.tx, ctx.now)).some(({ scopeType }) => scopeType === 'ENGINE');
  return each(ids, async (id) => {
    const send = found(sends, id);
    requireRetry(send, allStopped, ctx.now);
    noted(ctx, send, 'PLANNED');
    await ownTx(ctx.tx)
      .updateTable('corpusFollowSend')
      .set((eb) => ({
        state: 'PLANNED' as const,
        nextTryAt: ctx.now,
        attempts: 0,
        lastError: null,
        version: eb('version', '+', 1),
        updatedAt: ctx.now,
      }))
      .where('id', '=', send.id)
      .execute();
  });
});

export const skipSends = command(skipFollowSend, async ({ ids, reason }, ctx) => {
  const sends = await lockSeen(ctx, ids);
  return each(ids, async (id) => {
    const send = found(sends, id);
    if (send.state === 'SENT') throw refuse(corpusErrors.ALREADY_SENT);
    if (send.state === 'SENDING' || send.state === 'UNKNOWN') throw refuse(corpusErrors.SEND_UNKNOWN);
    if (send.state !== 'PLANNED' && send.state !== 'HELD' && send.state !== 'FAILED')
      throw refuse(platformErrors.WRONG_STATE, { state: sendState.label(send.state) });
    noted(ctx, send, 'SKIPPED');
    ctx.changed([{ path: 'reason', label: '跳过原因', before: null, after: reason }]);
    await ownTx(ctx.tx)
      .updateTable('corpusFollowSend')
      .set((eb) => ({ state: 'SKIPPED' as const, reasonCode: 'MANUAL', version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', send.id)
      .execute();
  });
});
