import { sql } from 'kysely';
import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { CAMPAIGN_TARGET, campaignMachine } from '../../contract/campaigns/dictionaries.ts';
import { campaignErrors } from '../../contract/campaigns/errors.ts';
import { own, ownTx } from '../database.ts';
import { audienceOf } from './audience.ts';
import { campaignRecord } from './rows.ts';

/** What could not be sent within a day of its time is no longer sent. */
const KEEPS = hours(24);
const PRIORITY = 5;
/** So much larger than the audited audience it may be when its time comes. */
const grewTooMuch = (now: number, audited: number): boolean => now * 10 > audited * 11;

/** What waits is not sent any more; what is being sent ends by itself. */
export const cancelWaiting = ({ tx, now }: { tx: Tx; now: Instant }, campaignId: string) =>
  ownTx(tx)
    .updateTable('corpusFollowSend')
    .set((eb) => ({ state: 'CANCELLED' as const, reasonCode: null, version: eb('version', '+', 1), updatedAt: now }))
    .where('sourceKind', '=', 'CAMPAIGN')
    .where('sourceId', '=', campaignId)
    .where('state', 'in', ['PLANNED', 'HELD'])
    .execute();

/** One touch per person, however often it is planned; the gates of the engine decide about each. */
async function planTouches(tx: Tx, campaignId: string, people: readonly string[], now: Instant): Promise<void> {
  await sql`
    insert into corpus_follow_send (
      dedupe_key, source_kind, source_id, item_key, occurrence, material_ids, patient_id, target, touch_kind, priority, due_at, next_try_at,
      expires_at, state, created_at, updated_at
    )
      select 'FC:' || c.id || ':' || p.id, 'CAMPAIGN', c.id, c.campaign_no, 0, c.material_ids, p.id, c.target, c.touch_kind, ${PRIORITY},
          c.send_at, ${now}::timestamptz, ${plusMs(now, KEEPS)}::timestamptz, 'PLANNED', ${now}::timestamptz, ${now}::timestamptz
        from corpus_campaign c, unnest(${[...people]}::bigint[]) as p (id)
        where c.id = ${campaignId}
        on conflict (dedupe_key) do nothing`.execute(tx);
}

/** Begins what is due: its audience is counted again, and one that grew is not written to. Ends what has nothing left to send. */
export const campaignJob = job({
  name: 'corpus.campaigns',
  label: '群发任务发送',
  everySeconds: 60,
  async run(_data, ctx) {
    const due = await own(ctx.db)
      .selectFrom('corpusCampaign')
      .select(['id', 'campaignNo'])
      .where('state', '=', 'SCHEDULED')
      .where('sendAt', '<=', ctx.now)
      .orderBy('sendAt')
      .execute();
    const failures = isolateFailures(ctx);
    for (const { id, campaignNo } of due) {
      if (ctx.signal.aborted) break;
      await failures.run(campaignNo, () =>
        ctx.transaction(async (writing) => {
          const acting = asSystem(writing, ctx);
          const row = await campaignRecord.lock(writing.tx, campaignRecord.everyone, id);
          if (row.state !== 'SCHEDULED') return;
          const people = await audienceOf(writing.tx, row, ctx.now);
          const grew = grewTooMuch(people.length, row.previewCount ?? 0);
          const opinion = grew ? campaignErrors.GROWN.text : undefined;
          const state = await moveState(acting, campaignMachine, {
            targetType: CAMPAIGN_TARGET,
            targetId: id,
            targetNo: row.campaignNo,
            action: grew ? 'halt' : 'start',
            from: row.state,
            opinion,
          });
          if (!grew) await planTouches(writing.tx, id, people, ctx.now);
          await ownTx(writing.tx)
            .updateTable('corpusCampaign')
            .set({
              state,
              version: row.version + 1,
              updatedAt: ctx.now,
              ...(grew ? { stopReason: campaignErrors.GROWN.text, endedAt: ctx.now } : { startedAt: ctx.now }),
            })
            .where('id', '=', id)
            .execute();
          if (grew && row.submittedBy !== null)
            await ctx.kernel.ports.notices.addResult(
              writing.tx,
              {
                businessKey: `${CAMPAIGN_TARGET}:${id}:${row.version}`,
                title: `群发任务“${row.name}”已停止`,
                body: campaignErrors.GROWN.text,
                link: `/taskManagement?tab=campaigns&campaignId=${id}`,
                userIds: [row.submittedBy],
              },
              ctx.now,
            );
        }),
      );
    }
    const over = await own(ctx.db)
      .selectFrom('corpusCampaign as c')
      .select(['c.id', 'c.campaignNo'])
      .where('c.state', '=', 'SENDING')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('corpusFollowSend as f')
              .select('f.id')
              .where('f.sourceKind', '=', 'CAMPAIGN')
              .whereRef('f.sourceId', '=', 'c.id')
              .where('f.state', 'in', ['PLANNED', 'HELD', 'SENDING', 'UNKNOWN']),
          ),
        ),
      )
      .execute();
    for (const { id, campaignNo } of over)
      await failures.run(campaignNo, () =>
        ctx.transaction(async (writing) => {
          const row = await campaignRecord.lock(writing.tx, campaignRecord.everyone, id);
          if (row.state !== 'SENDING') return;
          const state = await moveState(asSystem(writing, ctx), campaignMachine, {
            targetType: CAMPAIGN_TARGET,
            targetId: id,
            targetNo: row.campaignNo,
            action: 'finish',
            from: row.state,
          });
          await ownTx(writing.tx)
            .updateTable('corpusCampaign')
            .set({ state, endedAt: ctx.now, version: row.version + 1, updatedAt: ctx.now })
            .where('id', '=', id)
            .execute();
        }),
      );
    failures.throwIfAny();
  },
});
