import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { openingApplyMachine, openingMachine } from '../../../contract/states.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { ownTx } from '../../database.ts';
import { APPLY_TARGET, notifyApply } from './applies.ts';
import { OPENING_TARGET } from '../onDoctorChanged.ts';
import { requireOnShelf, requireOpening, openingDoctor, openingItem, lockOpening } from '../guards.ts';
import { notePrice, publishOpening } from '../publish.ts';

export interface Decision {
  applyId: string;
  /** Null: whatever version it has (decisions in a batch). */
  version: number | null;
  action: 'approve' | 'reject' | 'withdraw';
  opinion: string | null;
}

type Opening = Awaited<ReturnType<typeof lockOpening>>;

async function lockApply(ctx: CommandContext, { applyId, version }: Decision) {
  const seen = await ownTx(ctx.tx).selectFrom('doctorOpeningApply').select('openingId').where('id', '=', applyId).executeTakeFirst();
  if (!seen) throw refuse(platformErrors.NOT_FOUND);
  // The opening first, as everybody who changes it does.
  const opening = await lockOpening(ctx, seen.openingId, null);
  const row = await ownTx(ctx.tx)
    .selectFrom('doctorOpeningApply')
    .selectAll()
    .where('id', '=', applyId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const apply = { ...row, toPriceFen: Number(row.toPriceFen) };
  await requireVersion(ctx, APPLY_TARGET, { id: row.id, version: row.version, updatedBy: row.auditorId }, version, () => ({
    state: openingApplyMachine.dictionary.label(row.state),
    opinion: row.opinion,
  }));
  return { apply, opening };
}
type Apply = Awaited<ReturnType<typeof lockApply>>['apply'];

/** Time has passed since the application: everything is asked again. @throws Refusal SCM07040 to SCM07044 */
async function requireStill(ctx: CommandContext, opening: Opening, priceFen: number): Promise<void> {
  const item = await openingItem(ctx.tx, opening.itemId);
  requireOnShelf(item);
  requireOpening({ doctor: await openingDoctor(ctx.tx, opening.doctorId), item, priceFen, slots: opening.slots, today: ctx.today });
}

/** What a decision does to the opening. @returns its columns that change */
async function effectOf(
  ctx: CommandContext,
  { apply, opening, action, opinion }: { apply: Apply; opening: Opening; action: Decision['action']; opinion: string | null },
) {
  const move = {
    targetType: OPENING_TARGET,
    targetId: opening.id,
    targetNo: apply.applyNo,
    from: opening.state,
    ...(opinion !== null && { opinion }),
  };
  if (apply.kind === 'OPEN') {
    const state = await moveState(ctx, openingMachine, { ...move, action });
    if (action !== 'approve') return { state };
    await notePrice(ctx, { openingId: opening.id, priceFen: opening.priceFen, source: 'OPEN', applyId: apply.id, reason: apply.reason });
    return { state, effectiveAt: ctx.now };
  }
  if (action !== 'approve') return null;
  const differences = [{ path: 'priceFen', label: '价格（元）', before: yuan(opening.priceFen), after: yuan(apply.toPriceFen) }];
  await moveState(ctx, openingMachine, { ...move, action: 'priceApproved', differences });
  await notePrice(ctx, { openingId: opening.id, priceFen: apply.toPriceFen, source: 'AUDIT', applyId: apply.id, reason: apply.reason });
  return { priceFen: String(apply.toPriceFen) };
}

/**
 * Decides an apply: approving and rejecting take somebody else than the applicant, withdrawing takes him.
 * @throws Refusal SCM07046 and whatever guard no longer holds
 */
export async function decideApply(ctx: CommandContext, decision: Decision) {
  const { apply, opening } = await lockApply(ctx, decision);
  const { action, opinion } = decision;
  if (action === 'withdraw') {
    if (apply.applicantType !== 'STAFF' || apply.applicantId !== ctx.staff.userId) throw refuseField('applyId', '只能撤回本人提交的申请');
  }
  const state = await moveState(ctx, openingApplyMachine, {
    targetType: APPLY_TARGET,
    targetId: apply.id,
    targetNo: apply.applyNo,
    action,
    from: apply.state,
    contributors: apply.applicantType === 'STAFF' ? [apply.applicantId] : [],
    ...(opinion !== null && { opinion }),
  });
  if (action === 'approve') await requireStill(ctx, opening, apply.toPriceFen);
  const columns = await effectOf(ctx, { apply, opening, action, opinion });
  if (columns)
    await ownTx(ctx.tx)
      .updateTable('doctorServiceOpening')
      .set((eb) => ({ ...columns, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', opening.id)
      .execute();
  await ownTx(ctx.tx)
    .updateTable('doctorOpeningApply')
    .set((eb) => ({
      state,
      opinion,
      ...(action === 'withdraw' ? {} : { auditorId: ctx.staff.userId, auditorName: ctx.staff.displayName }),
      decidedAt: ctx.now,
      version: eb('version', '+', 1),
      updatedAt: ctx.now,
    }))
    .where('id', '=', apply.id)
    .execute();
  if (columns) await publishOpening(ctx, opening.id);
  await notifyApply(ctx, apply.id);
  return actionAnswer(ctx, openingApplyMachine, { id: apply.id, state, version: apply.version + 1 });
}
