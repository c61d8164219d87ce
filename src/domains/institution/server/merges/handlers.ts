import { requireAnother } from '#kernel/server/audit/fourEyes.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Tx } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  addMergeHospital,
  auditMergeHospital,
  ignoreDuplicatePair,
  previewMergeHospital,
  queryDuplicateHospital,
  queryMergeHospitalTrail,
  undoMergeHospital,
} from '../../contract/duplicateCalls.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { mergeMachine } from '../../contract/states.ts';
import { hospitalRecords } from '../access.ts';
import { json, own, ownTx } from '../database.ts';
import { findCandidates } from '../hospitals/candidates.ts';
import { derive, factsOf } from '../hospitals/facts.ts';
import { requirePlace } from '../regions.ts';
import { completePlan, departmentsOf, type Planned } from './departmentPlan.ts';
import { executeMerge, type Applied } from './execute.ts';
import type { FieldChoice } from './fields.ts';
import { lockPair, usccDiffers } from './guards.ts';
import { mergeAnswer, mergeList, mergesSeen } from './list.ts';
import { pairList } from './pairs.ts';
import { previewMerge } from './preview.ts';
import { undoMerge } from './undo.ts';

const todoKey = (mergeId: string) => `institution.merge:${mergeId}`;

async function lockMerge(tx: Tx, staff: Viewer, mergeId: string) {
  const row = await mergesSeen(tx, staff).selectAll('m').where('m.id', '=', mergeId).forUpdate('m').executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return row;
}

/** Duplicates, and merging them by two persons. */
export const mergeHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryDuplicateHospital, async ({ hospitalId, facts }, ctx) => {
    if (hospitalId !== undefined) {
      const row = await hospitalRecords.get(ctx.db, ctx.staff, hospitalId);
      const aliases = await own(ctx.db)
        .selectFrom('institutionHospitalAlias')
        .select('normName')
        .where('hospitalId', '=', row.id)
        .execute();
      return findCandidates(ctx.db, { ...row, aliasNorms: aliases.map(({ normName }) => normName) });
    }
    if (!facts) return [];
    return findCandidates(ctx.db, { ...derive(facts, await requirePlace(ctx.db, facts.adcode), 0), aliasNorms: [], id: null });
  }),
  pairList.handler,
  command(ignoreDuplicatePair, async ({ leftId, rightId }, ctx) => {
    for (const id of [leftId, rightId]) await hospitalRecords.get(ctx.tx, ctx.staff, id);
    const [left, right] = BigInt(leftId) < BigInt(rightId) ? [leftId, rightId] : [rightId, leftId];
    if (left === right) throw refuse(institutionErrors.MERGE_SELF);
    await ownTx(ctx.tx)
      .insertInto('institutionDuplicateIgnore')
      .values({ leftId: left, rightId: right, ...authorColumns(ctx) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    ctx.target({ type: 'institution.hospital', id: left });
    ctx.target({ type: 'institution.hospital', id: right });
    return {};
  }),
  query(previewMergeHospital, ({ survivorId, loserIds }, ctx) => previewMerge(ctx, survivorId, loserIds)),
  mergeList.handler,
  query(queryMergeHospitalTrail, async ({ mergeId }, ctx) => {
    if (!(await mergesSeen(ctx.db, ctx.staff).select('m.id').where('m.id', '=', mergeId).executeTakeFirst()))
      throw refuse(platformErrors.NOT_FOUND);
    return trailOf(ctx.db, 'institution.hospitalMerge', mergeId);
  }),
  command(addMergeHospital, async ({ survivorId, loserIds, fieldChoice, deptPlan, reason }, ctx) => {
    const tx = ownTx(ctx.tx);
    const made = [];
    for (const loserId of [...new Set(loserIds)].toSorted((a, b) => Number(BigInt(a) - BigInt(b)))) {
      const { survivor, loser } = await lockPair(ctx.tx, ctx.staff, survivorId, loserId);
      const open = await tx
        .selectFrom('institutionHospitalMerge')
        .select('id')
        .where('loserId', '=', loserId)
        .where('state', 'in', ['PENDING', 'DONE'])
        .executeTakeFirst();
      if (open) throw refuse(institutionErrors.ALREADY_MERGED);
      const departments = await departmentsOf(tx, loserId);
      const chosen = deptPlan.filter(({ fromDeptId }) => departments.some(({ id }) => id === fromDeptId));
      const plan = completePlan(chosen, departments, await departmentsOf(tx, survivorId));
      const row = await tx
        .insertInto('institutionHospitalMerge')
        .values({
          mergeNo: await nextNumber(ctx.tx, 'HB', ctx.today),
          survivorId,
          loserId,
          fieldChoice: json(fieldChoice),
          deptPlan: json(plan),
          loserSnapshot: json(factsOf(loser)),
          survivorSnapshot: json(factsOf(survivor)),
          reason,
          usccDiffers: usccDiffers(survivor, loser),
          makerId: ctx.staff.userId,
          makerName: ctx.staff.displayName,
          state: 'PENDING',
          ...authorColumns(ctx),
          updatedAt: ctx.now,
        })
        .returning(['id', 'mergeNo', 'version'])
        .executeTakeFirstOrThrow();
      await moveState(ctx, mergeMachine, {
        targetType: 'institution.hospitalMerge',
        targetId: row.id,
        targetNo: row.mergeNo,
        action: 'submit',
        from: 'PENDING',
        opinion: reason,
      });
      await kernel.ports.notices.addTodo(
        ctx.tx,
        {
          businessKey: todoKey(row.id),
          title: `医院合并待复核：${loser.name} → ${survivor.name}`,
          link: `/hospitalManagementMaintenance?tab=merges&mergeNo=${row.mergeNo}`,
          permission: institutionPermissions['hospital.mergeAudit'].code,
        },
        ctx.now,
      );
      made.push({ ...row, state: 'PENDING' as const });
    }
    return made;
  }),
  command(auditMergeHospital, async ({ mergeId, version, action, opinion }, ctx) => {
    const merge = await lockMerge(ctx.tx, ctx.staff, mergeId);
    await requireVersion(
      ctx,
      'institution.hospitalMerge',
      { id: merge.id, version: merge.version, updatedBy: merge.checkerId },
      version,
      () => ({ state: merge.state }),
    );
    const document = { targetType: 'institution.hospitalMerge', targetId: mergeId, contributors: [merge.makerId] };
    await requireAnother(ctx.tx, ctx.staff, document, institutionErrors.SAME_PERSON);
    let applied: Applied | null = null;
    if (action === 'approve' && merge.state === 'PENDING') {
      const pair = await lockPair(ctx.tx, ctx.staff, merge.survivorId, merge.loserId);
      if (usccDiffers(pair.survivor, pair.loser) && !(ctx.has(institutionPermissions['hospital.supervise']) && opinion?.trim()))
        throw refuse(institutionErrors.USCC_DIFFERS);
      applied = await executeMerge(ctx, pair, {
        fieldChoice: merge.fieldChoice as FieldChoice,
        deptPlan: merge.deptPlan as Planned[],
        reason: merge.reason,
      });
    }
    const state = await moveState(ctx, mergeMachine, {
      ...document,
      targetNo: merge.mergeNo,
      action,
      from: merge.state,
      opinion,
    });
    await ownTx(ctx.tx)
      .updateTable('institutionHospitalMerge')
      .set((eb) => ({
        state,
        checkerId: ctx.staff.userId,
        checkerName: ctx.staff.displayName,
        applied: applied === null ? null : json(applied),
        doneAt: applied === null ? null : ctx.now,
        version: eb('version', '+', 1),
        updatedAt: ctx.now,
      }))
      .where('id', '=', mergeId)
      .execute();
    await kernel.ports.notices.closeTodo(ctx.tx, todoKey(mergeId), ctx.now);
    return mergeAnswer(ctx.tx, mergeId, ctx.staff);
  }),
  command(undoMergeHospital, async ({ mergeId, version, opinion }, ctx) => {
    const merge = await lockMerge(ctx.tx, ctx.staff, mergeId);
    await requireVersion(
      ctx,
      'institution.hospitalMerge',
      { id: merge.id, version: merge.version, updatedBy: merge.checkerId },
      version,
      () => ({ state: merge.state }),
    );
    const state = await moveState(ctx, mergeMachine, {
      targetType: 'institution.hospitalMerge',
      targetId: mergeId,
      targetNo: merge.mergeNo,
      action: 'undo',
      from: merge.state,
      opinion,
    });
    // Written by executeMerge when the merge was done.
    await undoMerge(
      ctx,
      ctx.staff,
      { survivorId: merge.survivorId, loserId: merge.loserId, doneAt: merge.doneAt!, applied: merge.applied as Applied },
      opinion,
    );
    await ownTx(ctx.tx)
      .updateTable('institutionHospitalMerge')
      .set((eb) => ({ state, undoneAt: ctx.now, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', mergeId)
      .execute();
    return mergeAnswer(ctx.tx, mergeId, ctx.staff);
  }),
];
