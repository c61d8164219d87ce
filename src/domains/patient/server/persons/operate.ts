import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Db } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { patientCancelled, patientDeceased, patientFrozen, patientUnfrozen } from '#events/patient.ts';
import { assertOtherPerson } from '#domains/identity/server/index.ts';
import { operatePatient } from '../../contract/calls/sufferer.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientMachine } from '../../contract/states.ts';
import { lockPatient, type Seen } from '../access.ts';
import { ownTx } from '../database.ts';
import { attachFiles, requireFiles } from '../files.ts';
import { actionsOf } from './detail.ts';
import { TARGET } from './save.ts';

export interface Blocker {
  /** Unsettled things of these records (canonical group). */
  count: number;
  /** Page that shows them. */
  link: string;
}
/** Reads with the transaction of the act, so that what it sees holds. */
export type BlockerCheck = (db: Db, patientIds: readonly string[]) => Promise<Blocker>;

const checks = new Map<string, BlockerCheck>();

/** Domains register what must be settled before a person is cancelled or loses the proof of identity (R6). */
export function registerBlocker(name: string, check: BlockerCheck): void {
  checks.set(name, check);
}

/** Everything unsettled, by the name under which it was registered. */
export async function unsettled(db: Db, patientIds: readonly string[]): Promise<(Blocker & { name: string })[]> {
  const found = [];
  for (const [name, check] of checks) found.push({ name, ...(await check(db, patientIds)) });
  return found.filter(({ count }) => count > 0);
}

const CANCELLED_NAME = '已注销用户';

/** Accounts whose own person this is. */
async function ownAccounts(ctx: Pick<CommandContext, 'tx'>, seen: Seen): Promise<string[]> {
  const rows = await ownTx(ctx.tx)
    .selectFrom('patientAccountPerson')
    .select('operatorId')
    .where('patientId', 'in', seen.groupIds)
    .where('relation', '=', 'SELF')
    .where('removedAt', 'is', null)
    .execute();
  return rows.map(({ operatorId }) => operatorId);
}

/**
 * Empties what names the person; the medical record stays.
 * @throws Refusal SCM09020 naming what is unsettled, with the pages that show it
 */
export async function cancelPatient(ctx: CommandContext, seen: Seen, opinion: string | undefined): Promise<void> {
  const open = await unsettled(ctx.tx, seen.groupIds);
  if (open.length > 0)
    throw refuse(
      patientErrors.UNSETTLED,
      { list: open.map(({ name, count }) => `${name}${count}项`).join('、') },
      { data: { blockers: open } },
    );
  await moveState(ctx, patientMachine, {
    targetType: TARGET,
    targetId: seen.id,
    targetNo: seen.patientNo,
    action: 'cancel',
    from: seen.state,
    opinion,
  });
  const accounts = await ownAccounts(ctx, seen);
  const tx = ownTx(ctx.tx);
  const emptied = {
    name: CANCELLED_NAME,
    idType: null,
    idNoCipher: null,
    idNoHash: null,
    idNoMasked: null,
    birthDate: null,
    mobileCipher: null,
    mobileHash: null,
    mobileMasked: null,
    adcode: null,
    addressCipher: null,
    occupation: '',
    medicalInsuranceType: null,
    sourceId: null,
    realNameState: 'UNVERIFIED' as const,
    realNameAt: null,
    realNameCheckId: null,
  };
  await tx
    .updateTable('patientPatient')
    .set((eb) => ({ ...emptied, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', 'in', seen.groupIds)
    .execute();
  await tx.updateTable('patientPatient').set({ state: 'CANCELLED' }).where('id', '=', seen.id).execute();
  await tx.deleteFrom('patientContactPerson').where('patientId', 'in', seen.groupIds).execute();
  await tx
    .updateTable('patientRealNameRequest')
    .set({ open: false })
    .where('patientId', 'in', seen.groupIds)
    .where('open', '=', true)
    .execute();
  if (accounts.length > 0) {
    await tx
      .updateTable('patientAccount')
      .set((eb) => ({
        state: 'CANCELLED',
        mobileCipher: null,
        mobileHash: null,
        mobileMasked: null,
        nick: '',
        openIds: [],
        version: eb('version', '+', 1),
        updatedAt: ctx.now,
      }))
      .where('operatorId', 'in', accounts)
      .execute();
  }
  await tx
    .updateTable('patientAccountPerson')
    .set({ removedAt: ctx.now })
    .where('patientId', 'in', seen.groupIds)
    .where('removedAt', 'is', null)
    .execute();
  await ctx.publish(patientCancelled, seen.id, { patientId: seen.id, on: ctx.today });
}

/** A cancellation is asked by one person and done by another. */
async function requireRequest(ctx: CommandContext, seen: Seen, requestId: string | undefined): Promise<void> {
  const request = requestId
    ? await ownTx(ctx.tx)
        .selectFrom('patientPrivacyRequest')
        .selectAll()
        .where('id', '=', requestId)
        .where('patientId', 'in', seen.groupIds)
        .where('kind', '=', 'DELETE')
        .where('state', 'in', ['OPEN', 'DOING'])
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!request) throw refuseField('requestId', '请先由他人登记注销请求');
  assertOtherPerson(request.createdBy, ctx.staff.userId, patientErrors.MERGE_SAME_PERSON);
  await ownTx(ctx.tx)
    .updateTable('patientPrivacyRequest')
    .set((eb) => ({ state: 'DONE', handlerId: ctx.staff.userId, finishedAt: ctx.now, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', request.id)
    .execute();
}

export const operate = command(operatePatient, async ({ patientId, version, action, opinion, fileIds, deceasedOn, requestId }, ctx) => {
  const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
  await requireVersion(ctx, TARGET, seen, version, () => ({ state: seen.state, lifeState: seen.lifeState }));
  const from = seen.state;
  if (!patientMachine.canStart(action, from)) throw refuse(platformErrors.WRONG_STATE, { state: patientMachine.states[from].label });
  if (action === 'cancel') {
    await requireRequest(ctx, seen, requestId);
    await cancelPatient(ctx, seen, opinion);
    return { id: seen.id, state: 'CANCELLED', version: seen.version + 1, allowedActions: [] };
  }
  const life: { lifeState?: Seen['lifeState']; deceasedOn?: string | null; lifeProofFileId?: string | null; deceasedBy?: string | null } =
    {};
  if (action === 'markDeceased') {
    if (seen.lifeState === 'DECEASED') throw refuse(platformErrors.WRONG_STATE, { state: '已身故' });
    requireFiles(fileIds, patientErrors.DEATH_PROOF);
    if (deceasedOn === null) throw refuseField('deceasedOn', '请选择身故日期');
    if (deceasedOn > ctx.today) throw refuseField('deceasedOn', '身故日期不能晚于今天');
    await attachFiles(ctx, ctx.staff.userId, seen.id, 'lifeProof', fileIds);
    Object.assign(life, { lifeState: 'DECEASED', deceasedOn, lifeProofFileId: fileIds[0]!, deceasedBy: ctx.staff.userId });
  }
  if (action === 'correctDeceased') {
    if (seen.lifeState === 'ALIVE') throw refuse(platformErrors.WRONG_STATE, { state: '在世' });
    assertOtherPerson(seen.deceasedBy, ctx.staff.userId, patientErrors.SAME_DECIDER);
    Object.assign(life, { lifeState: 'ALIVE', deceasedOn: null, lifeProofFileId: null, deceasedBy: null });
  }
  const state = await moveState(ctx, patientMachine, {
    targetType: TARGET,
    targetId: seen.id,
    targetNo: seen.patientNo,
    action,
    from,
    opinion,
  });
  await ownTx(ctx.tx)
    .updateTable('patientPatient')
    .set((eb) => ({ ...life, state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', seen.id)
    .execute();
  if (action === 'markDeceased') await ctx.publish(patientDeceased, seen.id, { patientId: seen.id, on: deceasedOn! });
  if (action === 'freeze' || action === 'unfreeze') {
    const operatorIds = await ownAccounts(ctx, seen);
    if (operatorIds.length > 0)
      await sql`
        update patient_account
          set state = ${action === 'freeze' ? 'FROZEN' : 'ACTIVE'}, version = version + 1, updated_at = ${ctx.now}
          where operator_id = any(${operatorIds}::bigint[]) and state <> 'CANCELLED'`.execute(ctx.tx);
    await ctx.publish(action === 'freeze' ? patientFrozen : patientUnfrozen, seen.id, { patientId: seen.id, operatorIds });
  }
  return {
    id: seen.id,
    state,
    version: seen.version + 1,
    allowedActions: actionsOf({ state, lifeState: life.lifeState ?? seen.lifeState }, ctx.has),
  };
});
