import { dayOf } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { resolveWelcomeMessage } from '../../contract/welcome/calls.ts';
import { autoScope, type AutoTrigger } from '../../contract/welcome/dictionaries.ts';
import { resolveWinner, type Verdict } from '../../contract/welcome/winner.ts';
import { autoMessages, scopeText, validText } from './rows.ts';

/** Messages in use for one trigger, in the order in which their scopes go. */
export const inUse = async (db: Db | Tx, triggerType: AutoTrigger) =>
  (
    await autoMessages(db)
      .selectAll('a')
      .where('a.state', '=', 'ENABLED')
      .where('a.triggerType', '=', triggerType)
      .orderBy('a.id')
      .execute()
  ).toSorted((a, b) => autoScope.codes.indexOf(a.scopeType) - autoScope.codes.indexOf(b.scopeType));

const because = (verdict: Verdict, winner: string): string =>
  ({
    WINS: '命中',
    OUTRANKED: `已有更优先的消息（${winner}）`,
    OTHER_SCOPE: '适用范围不符',
    NOT_VALID: '不在有效期内',
    OTHER_TRIGGER: '触发时机不符',
  })[verdict];

export const resolveMessage = query(resolveWelcomeMessage, async (input, ctx) => {
  const candidates = await inUse(ctx.db, input.triggerType);
  const { winner, verdicts } = resolveWinner(candidates, {
    triggerType: input.triggerType,
    on: dayOf(ctx.now),
    channelId: input.channelId ?? null,
    doctorId: input.doctorId ?? null,
    serviceItemId: input.serviceItemId ?? null,
    diseaseIds: input.diseaseId ? [input.diseaseId] : [],
  });
  return {
    winnerId: winner?.id ?? null,
    candidates: candidates.map((one) => ({
      id: one.id,
      name: one.name,
      scope: scopeText(one),
      valid: validText(one),
      wins: one.id === winner?.id,
      reason: because(verdicts.get(one.id)!, winner?.name ?? ''),
    })),
  };
});
