import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { takeGroup, takeNextGroup } from '../../contract/calls/queue.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { own, ownTx } from '../database.ts';
import { deedOf, type Deed } from '../deed.ts';
import { lockGroup, type GroupRow } from '../inquiries/rows.ts';
import { meOf, type Me } from '../people/me.ts';
import { inPool, isAppointed, servingOf } from '../people/pool.ts';
import { noteBoard } from './board.ts';
import { giveTo } from './owner.ts';
import { movedOf } from './answer.ts';

/** Whoever sees a group in his queue learns for so long that a colleague was faster. */
const JUST_TAKEN_MIN = 5;

/** Locks one's duty row, so that two takings of one person never pass his limit. @throws Refusal SCM10029, SCM10022. */
async function requirePlace(ctx: Deed, me: Me): Promise<void> {
  if (me.state !== 'ON') throw refuse(errors.NOT_ON_DUTY);
  await ownTx(ctx.tx)
    .selectFrom('consultationAssistantDuty')
    .select('assistantId')
    .where('assistantId', '=', me.assistantId)
    .forNoKeyUpdate()
    .execute();
  if ((await servingOf(ctx.tx, me.assistantId)) >= me.maxConcurrent) throw refuse(errors.LOAD_FULL, { n: me.maxConcurrent });
}

export async function ownerName(ctx: Pick<Deed, 'tx'>, assistantId: string | null): Promise<string> {
  const row =
    assistantId === null
      ? undefined
      : await own(ctx.tx).selectFrom('consultationAssistantDuty').select('name').where('assistantId', '=', assistantId).executeTakeFirst();
  return row?.name ?? '其他医助';
}

async function taken(ctx: Deed, group: GroupRow, me: Me): Promise<GroupRow> {
  await noteBoard(ctx, group, 'TAKEN', { to: me.assistantId });
  return giveTo(ctx, group, 'take', me.assistantId);
}

export const take = (kernel: Kernel): Handler =>
  command(takeGroup, async ({ groupId }, asked) => {
    const ctx = deedOf(kernel, asked);
    const me = await meOf(ctx.tx, ctx);
    const { group } = await lockGroup(ctx.tx, groupId);
    const { rows } = await sql<{ mine: boolean; told: boolean }>`
      select ${inPool(me.assistantId)} as mine,
          ${isAppointed(me.assistantId)}
          or exists (
            select from consultation_group_board b
              where b.group_id = g.group_id
                and b.action in ('TAKEN', 'ASSIGNED')
                and b.at > ${plusMs(ctx.now, -minutes(JUST_TAKEN_MIN))}::timestamptz
          ) as told
        from consultation_medical_group g
        where g.group_id = ${groupId}`.execute(ctx.tx);
    const waits = group.workState === 'QUEUED';
    // What nobody's own assistants serve stands open to all only while it waits: afterwards it is a stranger's, but for who just saw it.
    if (!rows[0]?.mine || !(waits || rows[0].told)) throw refuse(platformErrors.NOT_FOUND);
    if (!waits) throw refuse(errors.TAKEN, { name: await ownerName(ctx, group.ownerAssistantId) });
    await requirePlace(ctx, me);
    return movedOf(await taken(ctx, group, me));
  });

/** The next group of one's pool: urgent ones first, then by what is due, then by waiting; two never get the same. */
export async function takeNext(
  ctx: Deed,
  me: Me,
  wish: { deskId?: string | undefined; kind?: string | undefined } = {},
): Promise<GroupRow> {
  await requirePlace(ctx, me);
  const { rows } = await sql<{ groupId: string }>`
    select g.group_id
      from consultation_medical_group g
      where g.work_state = 'QUEUED'
        and ${inPool(me.assistantId)}
        and (${wish.deskId ?? null}::bigint is null or g.desk_id = ${wish.deskId ?? null}::bigint)
        and (${wish.kind ?? null}::text is null or g.kind = ${wish.kind ?? null})
        and not exists (
          select 1
            from consultation_queue_pass p
            where p.group_id = g.group_id and p.assistant_id = ${me.assistantId} and p.until > ${ctx.now}
        )
      order by g.priority desc, g.sla_due_at nulls last, g.queued_at, g.group_id limit 20`.execute(ctx.tx);
  for (const { groupId } of rows) {
    // Skips what a colleague is taking now; the conversation is locked before its group, as everywhere.
    const free = await sql`
      select 1
        from consultation_im_conversation c
        join consultation_medical_group g on g.conv_id = c.conv_id
        where g.group_id = ${groupId} for no key update of c skip locked`.execute(ctx.tx);
    if (free.rows.length === 0) continue;
    const { group } = await lockGroup(ctx.tx, groupId);
    if (group.workState === 'QUEUED') return taken(ctx, group, me);
  }
  throw refuse(errors.QUEUE_EMPTY);
}

export const takeNextHandler = (kernel: Kernel): Handler =>
  command(takeNextGroup, async (wish, ctx) => movedOf(await takeNext(deedOf(kernel, ctx), await meOf(ctx.tx, ctx), wish)));
