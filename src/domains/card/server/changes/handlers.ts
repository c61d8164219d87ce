import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { attachAll } from '#domains/files/server/index.ts';
import { tryLedger } from '#domains/ledger/server/index.ts';
import { addCardChange, auditCardChange, withdrawCardChange } from '../../contract/calls/cardChanges.ts';
import { changeMachine, type ChangeAction } from '../../contract/cardDictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import { CARD_EVIDENCE } from '../../contract/purposes.ts';
import { maskCardNo } from '../cards/cardNo.ts';
import { cardRecords, type CardRecord } from '../cards/records.ts';
import { json, own } from '../database.ts';
import { carryOut } from './apply.ts';
import { prepare, type ChangeWish, type Difference, type Payload } from './payload.ts';

/** @throws Refusal SCM17040 naming the change that waits */
async function requireNonePending(ctx: CommandContext, cardId: string): Promise<void> {
  const pending = await own(ctx.tx)
    .selectFrom('cardChange')
    .select('changeNo')
    .where('cardId', '=', cardId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  if (pending) throw refuse(cardErrors.CHANGE_PENDING, { no: pending.changeNo });
}

interface Wanted {
  action: ChangeAction;
  wish: ChangeWish;
  reason: string;
  evidenceFileIds: string[];
}
async function addOne(kernel: Kernel, ctx: CommandContext, card: CardRecord, { action, wish, reason, evidenceFileIds }: Wanted) {
  await requireNonePending(ctx, card.id);
  const { payload, differences } = await prepare(ctx, kernel.secrets, card, action, wish);
  return own(ctx.tx)
    .insertInto('cardChange')
    .values({
      changeNo: await nextNumber(ctx.tx, 'CC', ctx.today),
      cardId: card.id,
      action,
      payload: json(payload),
      differences: json(differences),
      reason,
      evidenceFileIds,
      requestedBy: ctx.staff.userId,
      requestedByName: ctx.staff.displayName,
      createdAt: ctx.now,
    })
    .returning(['id', 'changeNo', 'cardId', 'version'])
    .executeTakeFirstOrThrow();
}

/** One card that cannot be changed is refused; of many the others are asked for all the same. */
export const add = (kernel: Kernel) =>
  command(addCardChange, async ({ cardIds, version, reason, evidenceFileIds, ...wish }, ctx) => {
    const { action } = wish;
    if (action === 'ADJUST' && evidenceFileIds.length === 0) throw refuseField('evidenceFileIds', '请上传调账依据附件');
    const ids = [...new Set(cardIds)].toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
    const only = ids.length === 1;
    if (!only && action !== 'EXTEND') throw refuseField('cardIds', '只有延期可以批量申请');
    const wanted = { action, wish, reason, evidenceFileIds };
    const made: Awaited<ReturnType<typeof addOne>>[] = [];
    const failures: { cardId: string; cardNo: string; message: string }[] = [];
    for (const id of ids) {
      const card =
        only && version !== undefined ? await cardRecords.lockVersion(ctx, id, version) : await cardRecords.lock(ctx.tx, ctx.staff, id);
      if (only) made.push(await addOne(kernel, ctx, card, wanted));
      else {
        const tried = await tryLedger(ctx.tx, () => addOne(kernel, ctx, card, wanted));
        if ('done' in tried) made.push(tried.done);
        else
          failures.push({
            cardId: id,
            cardNo: maskCardNo(card.cardNo),
            message: tried.refused.fields?.[0]?.message ?? tried.refused.message,
          });
      }
    }
    await attachAll(
      ctx.tx,
      made.map(({ id }) => ({
        fileIds: evidenceFileIds,
        purpose: CARD_EVIDENCE,
        ownerType: 'card.change',
        ownerId: id,
        field: 'evidence',
        userId: ctx.staff.userId,
      })),
      ctx.now,
    );
    const [first] = made;
    if (first)
      ctx.target({ type: 'card.change', id: first.id, no: made.length === 1 ? first.changeNo : `${first.changeNo}等${made.length}张` });
    return { made, failures };
  });

const changeRecords = recordOf((db) => own(db).selectFrom('cardChange as c').selectAll('c')).with({
  noun: '变更单',
  type: 'card.change',
  id: 'c.id',
  scope: unscoped,
});
const answer = ['id', 'changeNo', 'status', 'version'] as const;

/** @throws Refusal SCM17003 for one's own request, and whatever the change itself meets */
export const audit = (kernel: Kernel) =>
  command(auditCardChange, async ({ changeId, version, decision, opinion }, ctx) => {
    const row = await changeRecords.lockVersion(ctx, changeId, version);
    const status = await moveState(ctx, changeMachine, {
      targetType: 'card.change',
      targetId: row.id,
      targetNo: row.changeNo,
      action: decision,
      from: row.status,
      opinion,
      contributors: [row.requestedBy],
    });
    const by = { id: ctx.staff.userId, name: ctx.staff.displayName };
    let newCardId: string | null = null;
    if (decision === 'approve') {
      const card = await cardRecords.lock(ctx.tx, ctx.staff, row.cardId);
      const { id, changeNo, action } = row;
      const passed = { id, changeNo, action, opinion, payload: row.payload as Payload, differences: row.differences as Difference[] };
      newCardId = await carryOut(kernel, ctx, card, passed, by);
      ctx.target({ type: 'card.change', id: row.id, no: row.changeNo });
    }
    return own(ctx.tx)
      .updateTable('cardChange')
      .set((eb) => ({
        status,
        decidedBy: by.id,
        decidedByName: by.name,
        decidedOpinion: opinion || null,
        decidedAt: ctx.now,
        newCardId,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', row.id)
      .returning(answer)
      .executeTakeFirstOrThrow();
  });

/** Only who asked for a change takes it back. */
export const withdraw = command(withdrawCardChange, async ({ changeId, version, opinion }, ctx) => {
  const row = await changeRecords.lockVersion(ctx, changeId, version);
  if (row.requestedBy !== ctx.staff.userId) throw refuse(cardErrors.OWN_DOCUMENT, { message: '只有申请人可以撤销变更' });
  const status = await moveState(ctx, changeMachine, {
    targetType: 'card.change',
    targetId: row.id,
    targetNo: row.changeNo,
    action: 'withdraw',
    from: row.status,
    opinion,
  });
  return own(ctx.tx)
    .updateTable('cardChange')
    .set((eb) => ({ status, decidedAt: ctx.now, version: eb('version', '+', 1) }))
    .where('id', '=', row.id)
    .returning(answer)
    .executeTakeFirstOrThrow();
});
