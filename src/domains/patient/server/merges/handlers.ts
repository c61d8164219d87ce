import { platformErrors, refuse, refuseField, type Refusal } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { patientMerged, patientUnmerged } from '#events/patient.ts';
import { addPatientMerge, auditPatientMerge, previewPatientMerge } from '../../contract/calls/merge.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientPermissions } from '../../contract/permissions.ts';
import { mergeMachine, patientMachine } from '../../contract/states.ts';
import { openPatient } from '../access.ts';
import { ownTx } from '../database.ts';
import { briefOf } from '../persons/brief.ts';
import { TARGET as PATIENT } from '../persons/save.ts';
import { bothRecent, evidenceOf, faultOf, lockPair, readPair } from './guards.ts';
import { mergeAnswer, mergeList, seesBoth } from './list.ts';
import { countsOf, differencesOf } from './preview.ts';

const TARGET = 'patient.merge';
const todoKey = (id: string) => `patient.merge:${id}`;

/** Sets the pointer; records that pointed to the merged one follow, so that no chain is longer than one (R3). */
async function approve(ctx: CommandContext, merge: { id: string; fromId: string; intoId: string }, confirmed: boolean): Promise<void> {
  const pair = await lockPair(ctx.tx, merge.fromId, merge.intoId);
  const fault = faultOf(merge.fromId, merge.intoId, pair);
  if (fault) throw fault;
  if (!confirmed && (await bothRecent(ctx.tx, merge.fromId, merge.intoId, ctx.now))) throw refuse(patientErrors.MERGE_ACCOUNTS);
  await moveState(ctx, patientMachine, {
    targetType: PATIENT,
    targetId: merge.fromId,
    targetNo: pair.from.patientNo,
    action: 'merge',
    from: 'ACTIVE',
  });
  const tx = ownTx(ctx.tx);
  const carried = await tx
    .updateTable('patientPatient')
    .set((eb) => ({ mergedIntoId: merge.intoId, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('mergedIntoId', '=', merge.fromId)
    .returning('id')
    .execute();
  await tx
    .updateTable('patientPatient')
    .set((eb) => ({ state: 'MERGED', mergedIntoId: merge.intoId, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', merge.fromId)
    .execute();
  await tx
    .updateTable('patientMerge')
    .set({ carried: carried.map(({ id }) => id) })
    .where('id', '=', merge.id)
    .execute();
  await ctx.publish(patientMerged, merge.fromId, { fromId: merge.fromId, intoId: merge.intoId });
}

/** Clears the pointer; what was written since under the surviving id stays there. */
async function undo(ctx: CommandContext, merge: { fromId: string; intoId: string; carried: string[] }): Promise<void> {
  const pair = await lockPair(ctx.tx, merge.fromId, merge.intoId);
  const tx = ownTx(ctx.tx);
  const twin =
    pair.from.realNameState === 'VERIFIED' &&
    (await tx
      .selectFrom('patientPatient')
      .select('patientNo')
      .where('id', '<>', merge.fromId)
      .where('idType', '=', pair.from.idType)
      .where('idNoHash', '=', pair.from.idNoHash)
      .where('realNameState', '=', 'VERIFIED')
      .where('state', 'in', ['ACTIVE', 'FROZEN'])
      .executeTakeFirst());
  if (twin) throw refuse(patientErrors.ID_TAKEN, { patientNo: twin.patientNo });
  await moveState(ctx, patientMachine, {
    targetType: PATIENT,
    targetId: merge.fromId,
    targetNo: pair.from.patientNo,
    action: 'unmerge',
    from: 'MERGED',
  });
  await tx
    .updateTable('patientPatient')
    .set((eb) => ({ state: 'ACTIVE', mergedIntoId: null, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', merge.fromId)
    .execute();
  const carried = merge.carried.map(String);
  if (carried.length > 0)
    await tx
      .updateTable('patientPatient')
      .set((eb) => ({ mergedIntoId: merge.fromId, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', 'in', carried)
      .where('state', '=', 'MERGED')
      .execute();
  await ctx.publish(patientUnmerged, merge.fromId, { fromId: merge.fromId, intoId: merge.intoId });
}

const textOf = (fault: Refusal | null) => fault?.message ?? null;

export const mergeHandlers = (kernel: Kernel): readonly Handler[] => [
  mergeList.handler,
  query(previewPatientMerge, async ({ fromId, intoId }, ctx) => {
    for (const id of new Set([fromId, intoId])) await openPatient(ctx.db, ctx.staff, id, ctx.now, { ctx, part: '档案比对' });
    const pair = await readPair(ctx.db, fromId, intoId);
    return {
      from: briefOf(pair.from, ctx.today),
      into: briefOf(pair.into, ctx.today),
      evidence: evidenceOf(pair),
      rows: differencesOf(pair),
      counts: await countsOf(ctx.db, pair),
      bothRecent: await bothRecent(ctx.db, fromId, intoId, ctx.now),
      refusal: textOf(faultOf(fromId, intoId, pair)),
    };
  }),
  command(addPatientMerge, async ({ fromId, intoId, reason, confirmed }, ctx) => {
    for (const id of new Set([fromId, intoId])) await openPatient(ctx.tx, ctx.staff, id, ctx.now);
    const pair = await lockPair(ctx.tx, fromId, intoId);
    const fault = faultOf(fromId, intoId, pair);
    if (fault) throw fault;
    const open = await ownTx(ctx.tx)
      .selectFrom('patientMerge')
      .select(['id', 'suggested', 'intoId', 'mergeNo'])
      .where('fromId', '=', fromId)
      .where('state', 'in', ['PENDING', 'MERGED'])
      .forUpdate()
      .executeTakeFirst();
    if (open && !open.suggested) throw refuseField('fromId', `该档案已有合并申请${open.mergeNo}`);
    const facts = {
      intoId,
      evidence: evidenceOf(pair),
      reason,
      confirmed,
      suggested: false,
      makerId: ctx.staff.userId,
      updatedAt: ctx.now,
    };
    const tx = ownTx(ctx.tx);
    const { id, mergeNo } = open
      ? await tx
          .updateTable('patientMerge')
          .set((eb) => ({ ...facts, version: eb('version', '+', 1) }))
          .where('id', '=', open.id)
          .returning(['id', 'mergeNo'])
          .executeTakeFirstOrThrow()
      : await tx
          .insertInto('patientMerge')
          .values({ ...facts, fromId, mergeNo: await nextNumber(ctx.tx, 'HB', ctx.today), state: 'PENDING', createdAt: ctx.now })
          .returning(['id', 'mergeNo'])
          .executeTakeFirstOrThrow();
    ctx.target({ type: TARGET, id, no: mergeNo });
    ctx.changed([{ path: 'intoId', label: '合并到', before: pair.from.patientNo, after: pair.into.patientNo }]);
    await kernel.ports.notices.addTodo(
      ctx.tx,
      { businessKey: todoKey(id), title: `档案合并待审批：${mergeNo}`, permission: patientPermissions['merge.audit'].code },
      ctx.now,
    );
    return mergeAnswer(ctx.tx, id, ctx);
  }),
  command(auditPatientMerge, async ({ id, version, action, opinion, confirmed }, ctx) => {
    const merge = await ownTx(ctx.tx)
      .selectFrom('patientMerge as m')
      .selectAll()
      .where('m.id', '=', id)
      .where(seesBoth(ctx))
      .forUpdate()
      .executeTakeFirst();
    if (!merge) throw refuse(platformErrors.NOT_FOUND);
    await requireVersion(ctx, TARGET, { ...merge, updatedBy: merge.checkerId }, version, () => ({ state: merge.state }));
    const state = await moveState(ctx, mergeMachine, {
      targetType: TARGET,
      targetId: id,
      targetNo: merge.mergeNo,
      action,
      from: merge.state,
      opinion,
      contributors: [merge.makerId],
    });
    if (action === 'approve') await approve(ctx, merge, confirmed || merge.confirmed);
    if (action === 'undo') await undo(ctx, merge);
    const decided =
      action === 'undo' ? { undoneAt: ctx.now } : { decidedAt: ctx.now, checkerId: ctx.staff.userId, opinion: opinion || null };
    await ownTx(ctx.tx)
      .updateTable('patientMerge')
      .set((eb) => ({ state, ...decided, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', id)
      .execute();
    await kernel.ports.notices.closeTodo(ctx.tx, todoKey(id), ctx.now);
    return mergeAnswer(ctx.tx, id, ctx);
  }),
];
