import { requireAnother } from '#kernel/server/audit/fourEyes.ts';
import { sql } from 'kysely';
import { pageReleased } from '#events/content.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { pageCodes, type PageCode } from '../../contract/floors/clientPages.ts';
import { showsNothing } from '../../contract/floors/rules.ts';
import { auditPage } from '../../contract/releases/calls.ts';
import { releaseErrors } from '../../contract/releases/errors.ts';
import { releaseStates } from '../../contract/releases/states.ts';
import { ownTx } from '../database.ts';
import { contentOf, draftOf, LAYOUT_TARGET, lockPage } from '../floors/layout.ts';

export const RELEASE_TARGET = 'content.pageRelease';

type Ask = CheckedInputOf<typeof auditPage>;
type Action = keyof typeof releaseStates.transitions;

const noOf = (pageCode: PageCode, seq: number) => `${pageCodes.label(pageCode)} V${seq}`;

async function hashOf(ctx: Pick<CommandContext, 'tx'>, snapshot: string): Promise<string> {
  const { rows } = await sql<{ hash: string }>`select md5(${snapshot}::jsonb::text) as hash`.execute(ctx.tx);
  return rows[0]?.hash ?? '';
}

async function draftJson(ctx: Pick<CommandContext, 'tx'>, pageCode: PageCode) {
  const floors = contentOf(await draftOf(ctx.tx, pageCode));
  return { floors, json: JSON.stringify(floors) };
}

/** A release, its page locked. */
export async function lockRelease(ctx: Pick<CommandContext, 'tx'>, pageCode: PageCode, id: string) {
  const { id: layoutId } = await lockPage(ctx, pageCode);
  const found = await ownTx(ctx.tx)
    .selectFrom('contentPageRelease')
    .select(['id', 'seq', 'state', 'contentHash', 'submittedBy', 'effectiveAt'])
    .where('pageCode', '=', pageCode)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) throw refuse(platformErrors.NOT_FOUND, { message: '版本不存在' });
  return { ...found, layoutId };
}
type Locked = Awaited<ReturnType<typeof lockRelease>>;

type Moved = Pick<Locked, 'id' | 'seq' | 'state'> & Partial<Pick<Locked, 'submittedBy' | 'layoutId'>>;

const reviewed = ({ id, submittedBy, layoutId }: Pick<Moved, 'id' | 'submittedBy' | 'layoutId'>) => ({
  targetType: RELEASE_TARGET,
  targetId: id,
  contributors: [submittedBy],
  drafts: layoutId === undefined ? [] : [{ type: LAYOUT_TARGET, id: layoutId }],
});

async function move(ctx: Acting, pageCode: PageCode, release: Moved, action: Action, opinion?: string) {
  const state = await moveState(ctx, releaseStates, {
    ...reviewed(release),
    targetNo: noOf(pageCode, release.seq),
    action,
    from: release.state,
    opinion,
    adopts: action === 'approve' || action === 'schedule',
  });
  return { id: release.id, seq: release.seq, state };
}

/** One release takes the place of another in one transaction. */
export async function putLive(ctx: Acting, pageCode: PageCode, release: Locked, action: Action, opinion?: string) {
  const tx = ownTx(ctx.tx);
  const moved = await move(ctx, pageCode, release, action, opinion);
  const live = await tx
    .selectFrom('contentPageRelease')
    .select(['id', 'seq', 'state'])
    .where('pageCode', '=', pageCode)
    .where('state', '=', 'LIVE')
    .executeTakeFirst();
  if (live) {
    await move(ctx, pageCode, live, 'supersede');
    await tx.updateTable('contentPageRelease').set({ state: 'SUPERSEDED' }).where('id', '=', live.id).execute();
  }
  await tx.updateTable('contentPageRelease').set({ state: 'LIVE' }).where('id', '=', release.id).execute();
  await ctx.publish(pageReleased, release.id, { pageCode, seq: release.seq });
  return moved;
}

async function submit(ctx: CommandContext, { pageCode, effectiveAt }: Ask) {
  await lockPage(ctx, pageCode);
  const tx = ownTx(ctx.tx);
  const { floors, json } = await draftJson(ctx, pageCode);
  if (floors.length === 0) throw refuse(releaseErrors.NO_FLOOR);
  const empty = floors.find(showsNothing);
  if (empty) throw refuse(releaseErrors.EMPTY_FLOOR, { name: empty.floorName });
  if (effectiveAt !== null && Date.parse(effectiveAt) <= Date.parse(ctx.now)) throw refuseField('effectiveAt', '生效时间须晚于当前时间');
  const known = await tx.selectFrom('contentPageRelease').select(['seq', 'state']).where('pageCode', '=', pageCode).execute();
  if (known.some(({ state }) => state === 'AUDITING')) throw refuse(releaseErrors.ALREADY_AUDITING);
  const seq = Math.max(0, ...known.map((release) => release.seq)) + 1;
  const { id } = await tx
    .insertInto('contentPageRelease')
    .values({
      pageCode,
      seq,
      snapshot: json,
      contentHash: await hashOf(ctx, json),
      effectiveAt,
      submittedBy: ctx.staff.userId,
      submittedAt: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return move(ctx, pageCode, { id, seq, state: 'AUDITING' }, 'submit');
}

/** Whoever audits is another person than who submitted, and audits what the draft still holds. */
async function judge(ctx: CommandContext, { pageCode, opinion }: Ask, release: Locked, approved: boolean) {
  await requireAnother(ctx.tx, ctx.staff, reviewed(release), releaseErrors.OWN_AUDIT);
  const waits = release.effectiveAt !== null && Date.parse(release.effectiveAt) > Date.parse(ctx.now);
  const action = !approved ? 'reject' : waits ? 'schedule' : 'approve';
  if (approved && releaseStates.canStart(action, release.state)) {
    const { json } = await draftJson(ctx, pageCode);
    if ((await hashOf(ctx, json)) !== release.contentHash) throw refuse(releaseErrors.DRAFT_MOVED);
  }
  const audited = { auditedBy: ctx.staff.userId, auditedAt: ctx.now, opinion: opinion?.trim() || null };
  const update = ownTx(ctx.tx).updateTable('contentPageRelease').where('id', '=', release.id);
  if (action === 'approve') {
    // The row names its auditor before it goes live.
    await update.set(audited).execute();
    return putLive(ctx, pageCode, release, action, opinion);
  }
  const moved = await move(ctx, pageCode, release, action, opinion);
  await update.set({ ...audited, state: moved.state }).execute();
  return moved;
}

export const audit = command(auditPage, async (input, ctx) => {
  const { pageCode, action, releaseId, opinion } = input;
  if (releaseId === undefined) return submit(ctx, input);
  const release = await lockRelease(ctx, pageCode, releaseId);
  if (action === 'rollback') return putLive(ctx, pageCode, release, 'rollback', opinion);
  if (action === 'cancel') {
    const moved = await move(ctx, pageCode, release, 'cancel', opinion);
    await ownTx(ctx.tx).updateTable('contentPageRelease').set({ state: moved.state }).where('id', '=', release.id).execute();
    return moved;
  }
  return judge(ctx, input, release, action === 'approve');
});
