import { sql } from 'kysely';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { DecisionVerdict } from '../../contract/applyDictionaries.ts';
import { own } from '../database.ts';
import { APPLY_TARGET, type ApplyRecord } from './records.ts';

/** First review, second review, insurer. */
type Level = 1 | 2 | 3;
interface Made {
  level: Level;
  verdict: DecisionVerdict;
  reasons?: readonly string[];
  applicantWording?: string;
  internalNote?: string;
}

/** How long whoever decides had the case. */
async function secondsHeld(tx: Tx, { id }: ApplyRecord, { now, staffOrNull }: Acting): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(0, extract(epoch from ${now}::timestamptz - taken_at))::int as seconds
      from kernel_lease
      where resource_type = ${APPLY_TARGET} and resource_id = ${id} and user_id = ${staffOrNull?.userId ?? null}::bigint
  `.execute(tx);
  return rows[0]?.seconds ?? 0;
}

/** Keeps a decision; the caller drops the lease after it. */
export async function keepDecision(ctx: Acting, apply: ApplyRecord, { level, verdict, ...words }: Made): Promise<void> {
  await own(ctx.tx)
    .insertInto('enrolmentDecision')
    .values({
      applyId: apply.id,
      round: apply.round,
      level,
      verdict,
      reasons: [...(words.reasons ?? [])],
      applicantWording: words.applicantWording ?? '',
      internalNote: words.internalNote ?? '',
      userId: ctx.staffOrNull?.userId ?? null,
      userName: ctx.staffOrNull?.displayName ?? ctx.actorName ?? '系统',
      seconds: await secondsHeld(ctx.tx, apply, ctx),
      at: ctx.now,
    })
    .execute();
}

/** Decisions with whether a later level of their round decided otherwise. */
export const decisionsOf = (db: Db | Tx, applyId: string) =>
  own(db)
    .selectFrom('enrolmentDecision as d')
    .select(['d.id', 'd.round', 'd.level', 'd.verdict', 'd.reasons', 'd.applicantWording', 'd.internalNote'])
    .select(['d.userId', 'd.userName', 'd.seconds', 'd.at'])
    .select(
      sql<boolean>`exists (
        select from enrolment_decision l
          where l.apply_id = d.apply_id and l.round = d.round and l.level > d.level
            and (l.verdict in ('PASS', 'ACCEPT')) <> (d.verdict in ('PASS', 'ACCEPT')))`.as('overturned'),
    )
    .where('d.applyId', '=', applyId)
    .orderBy('d.id')
    .execute();

/** Everybody who decided about an application, whenever that was. */
export async function decidersOf(tx: Tx, applyId: string): Promise<string[]> {
  const rows = await own(tx).selectFrom('enrolmentDecision').select('userId').distinct().where('applyId', '=', applyId).execute();
  return rows.flatMap(({ userId }) => userId ?? []);
}
