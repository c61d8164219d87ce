import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { changeMachine, storeMachine, type StoreState } from '../../contract/states.ts';
import {
  auditDrugstore,
  auditStoreChange,
  cancelStoreChange,
  changeDrugstoreState,
  delDrugstore,
  submitDrugstore,
} from '../../contract/storeCalls.ts';
import { storeRecords, storesSeen, type StoreRecord } from '../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { json, ownTx } from '../database.ts';
import { storedAccount } from './account.ts';
import { changeTodoKey, type AuditedFacts } from './changes.ts';
import { requireChainPayee, requireLicences, requirePayee, requireReady, heldLicences } from './guards.ts';
import { giveBack, putLicence } from './licence.ts';
import { earliestEnd, publishAccount, publishStore } from './publish.ts';
import { factsOfStore } from './save.ts';

const todoKey = (storeId: string) => `institution.drugstore:${storeId}`;

async function setStore(
  ctx: CommandContext,
  store: StoreRecord,
  values: { state: StoreState; suspendReason?: string | null; makerId?: string | null },
): Promise<StoreRecord> {
  return ownTx(ctx.tx)
    .updateTable('institutionDrugstore')
    .set((eb) => ({ ...values, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', store.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
const move = (
  ctx: CommandContext,
  store: StoreRecord,
  action: 'submit' | 'approve' | 'reject' | 'suspend' | 'resume' | 'close',
  opinion?: string,
) =>
  moveState(ctx, storeMachine, {
    targetType: 'institution.drugstore',
    targetId: store.id,
    targetNo: store.storeNo,
    action,
    from: store.state,
    opinion,
    contributors: [store.makerId, store.createdBy],
  });

/** Lets an audited change take effect; guards run again on what the store becomes. */
async function applyToStore(ctx: CommandContext, storeId: string, after: AuditedFacts): Promise<void> {
  const store = await storeRecords.lock(ctx.tx, ctx.staff, storeId);
  if (store.state === 'CLOSED') throw refuse(platformErrors.WRONG_STATE, { state: storeMachine.states.CLOSED.label });
  const { licence, account, chainName: _shown, ...facts } = after;
  if (licence) await putLicence(ctx.tx, { type: 'DRUGSTORE', id: storeId }, licence, { now: ctx.now, userId: ctx.staff.userId });
  const returned = licence ? giveBack(store, licence.licenceType) : {};
  const held = await heldLicences(ctx.tx, 'DRUGSTORE', storeId);
  const then = { ...store, ...facts, ...returned, account: account === undefined ? store.account : account };
  if (after.storeTags) requireLicences(then, held, ctx.today);
  await requirePayee(ctx.tx, then, held);
  const row = await ownTx(ctx.tx)
    .updateTable('institutionDrugstore')
    .set((eb) => ({
      ...facts,
      ...returned,
      ...(account === undefined ? {} : { account: account === null ? null : json(account) }),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', storeId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const nextExpireOn = await earliestEnd(ctx.tx, storeId);
  await ownTx(ctx.tx).updateTable('institutionDrugstore').set({ nextExpireOn }).where('id', '=', storeId).execute();
  await publishStore(ctx, { ...row, nextExpireOn });
  if (account) await publishAccount(ctx, { storeId }, account);
}

async function applyToChain(ctx: CommandContext, chainId: string, after: AuditedFacts): Promise<void> {
  if (!after.account) return;
  await requireChainPayee(ctx.tx, chainId, after.account);
  await ownTx(ctx.tx)
    .updateTable('institutionChain')
    .set((eb) => ({ account: json(after.account), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', chainId)
    .execute();
  await publishAccount(ctx, { chainId }, after.account);
}

async function lockChange(ctx: CommandContext, changeId: string) {
  const row = await ownTx(ctx.tx)
    .selectFrom('institutionStoreChange as c')
    .selectAll('c')
    .where('c.id', '=', changeId)
    .where((eb) =>
      eb.or([eb('c.ownerType', '<>', 'DRUGSTORE'), eb('c.ownerId', 'in', storesSeen(ownTx(ctx.tx), ctx.staff).select('s.id'))]),
    )
    .forUpdate('c')
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  if (row.ownerType === 'DRUGSTORE') await storeRecords.lock(ctx.tx, ctx.staff, row.ownerId);
  return row;
}

export const auditHandlers = (kernel: Kernel): readonly Handler[] => [
  command(submitDrugstore, async ({ id, version }, ctx) => {
    const store = await storeRecords.lockVersion(ctx, id, version, factsOfStore);
    if (storeMachine.canStart('submit', store.state)) await requireReady(ctx.tx, store, ctx.today);
    const state = await move(ctx, store, 'submit');
    await kernel.ports.notices.addTodo(
      ctx.tx,
      {
        businessKey: todoKey(id),
        title: `药店待审核：${store.name}`,
        link: '/drugstoreManagement?tab=audit',
        permission: institutionPermissions['store.audit'].code,
      },
      ctx.now,
    );
    return actionAnswer(ctx, storeMachine, await setStore(ctx, store, { state, makerId: ctx.staff.userId }));
  }),
  command(auditDrugstore, async ({ id, version, action, opinion }, ctx) => {
    const store = await storeRecords.lockVersion(ctx, id, version, factsOfStore);
    if (action === 'approve' && store.state === 'PENDING') await requireReady(ctx.tx, store, ctx.today);
    const state = await move(ctx, store, action, opinion);
    const row = await setStore(ctx, store, { state });
    await kernel.ports.notices.closeTodo(ctx.tx, todoKey(id), ctx.now);
    if (action === 'approve') {
      await publishStore(ctx, row);
      const account = row.accountOf === 'SHOP' ? storedAccount(row.account) : null;
      if (account) await publishAccount(ctx, { storeId: id }, account);
    } else if (store.makerId !== null) {
      await kernel.ports.notices.addResult(
        ctx.tx,
        {
          businessKey: `institution.drugstore.result:${id}:${row.version}`,
          title: `药店审核已驳回：${store.name}`,
          body: opinion,
          link: `/drugstoreManagement?storeId=${id}`,
          userIds: [store.makerId],
        },
        ctx.now,
      );
    }
    return actionAnswer(ctx, storeMachine, row);
  }),
  command(auditStoreChange, async ({ changeId, version, action, opinion }, ctx) => {
    const change = await lockChange(ctx, changeId);
    await requireVersion(
      ctx,
      'institution.storeChange',
      { id: change.id, version: change.version, updatedBy: change.checkerId },
      version,
      () => ({ state: change.state }),
    );
    const state = await moveState(ctx, changeMachine, {
      targetType: 'institution.storeChange',
      targetId: changeId,
      targetNo: change.changeNo,
      action,
      from: change.state,
      opinion,
      contributors: [change.makerId],
    });
    if (action === 'approve') {
      // Written by fileChange.
      const after = change.after as AuditedFacts;
      if (change.ownerType === 'DRUGSTORE') await applyToStore(ctx, change.ownerId, after);
      else await applyToChain(ctx, change.ownerId, after);
    }
    const row = await ownTx(ctx.tx)
      .updateTable('institutionStoreChange')
      .set((eb) => ({
        state,
        checkerId: ctx.staff.userId,
        checkerName: ctx.staff.displayName,
        opinion: opinion || null,
        version: eb('version', '+', 1),
        updatedAt: ctx.now,
      }))
      .where('id', '=', changeId)
      .returning(['id', 'state', 'version'])
      .executeTakeFirstOrThrow();
    await kernel.ports.notices.closeTodo(ctx.tx, changeTodoKey(changeId), ctx.now);
    return actionAnswer(ctx, changeMachine, row);
  }),
  command(cancelStoreChange, async ({ changeId, version }, ctx) => {
    const change = await lockChange(ctx, changeId);
    await requireVersion(
      ctx,
      'institution.storeChange',
      { id: change.id, version: change.version, updatedBy: change.checkerId },
      version,
      () => ({ state: change.state }),
    );
    const state = await moveState(ctx, changeMachine, {
      targetType: 'institution.storeChange',
      targetId: changeId,
      targetNo: change.changeNo,
      action: 'cancel',
      from: change.state,
    });
    const row = await ownTx(ctx.tx)
      .updateTable('institutionStoreChange')
      .set((eb) => ({ state, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', changeId)
      .returning(['id', 'state', 'version'])
      .executeTakeFirstOrThrow();
    await kernel.ports.notices.closeTodo(ctx.tx, changeTodoKey(changeId), ctx.now);
    return actionAnswer(ctx, changeMachine, row);
  }),
  command(changeDrugstoreState, async ({ id, version, action, opinion }, ctx) => {
    const store = await storeRecords.lockVersion(ctx, id, version, factsOfStore);
    if (action === 'close' && store.openOrderCount > 0) throw refuse(institutionErrors.OPEN_ORDERS, { n: store.openOrderCount });
    if (action === 'resume' && store.state === 'SUSPENDED') requireLicences(store, await heldLicences(ctx.tx, 'DRUGSTORE', id), ctx.today);
    const state = await move(ctx, store, action, opinion);
    const row = await setStore(ctx, store, { state, suspendReason: action === 'suspend' ? opinion : null });
    await publishStore(ctx, row);
    return actionAnswer(ctx, storeMachine, row);
  }),
  command(delDrugstore, async ({ id, version }, ctx) => {
    const store = await storeRecords.lockVersion(ctx, id, version, factsOfStore);
    if (store.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: storeMachine.states[store.state].label });
    await ownTx(ctx.tx).deleteFrom('institutionLicence').where('ownerType', '=', 'DRUGSTORE').where('ownerId', '=', id).execute();
    await ownTx(ctx.tx).deleteFrom('institutionDrugstore').where('id', '=', id).execute();
    ctx.target({ type: 'institution.drugstore', id, no: store.storeNo });
    ctx.changed([{ path: 'name', label: '药店名称', before: store.name, after: null }]);
    return {};
  }),
];
