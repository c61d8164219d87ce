import { refuse } from '#kernel/contract/errors.ts';
import { days, plusMs } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { hospitalUnmerged } from '#events/institution.ts';
import { institutionErrors } from '../../contract/errors.ts';
import type { HospitalFacts } from '../../contract/hospitalCalls.ts';
import { hospitalMachine } from '../../contract/states.ts';
import { hospitalRecords, type Seer } from '../access.ts';
import { ownTx } from '../database.ts';
import { refreshPairs } from '../hospitals/candidates.ts';
import { factsOf } from '../hospitals/facts.ts';
import { requireUnique, publishHospital, refreshQuality, updateHospital, type Acting } from '../hospitals/save.ts';
import type { Applied } from './execute.ts';

const UNDO_DAYS = 30;

/**
 * Takes a merge back: fields of the survivor only where it still has the merged value, departments, aliases.
 * @throws Refusal SCM06016, SCM06017, SCM06024 when the loser's name or a key of it was taken meanwhile.
 */
export async function undoMerge(
  ctx: Acting,
  seer: Seer,
  merge: { survivorId: string; loserId: string; doneAt: string; applied: Applied },
  opinion: string,
): Promise<void> {
  const tx = ownTx(ctx.tx);
  if (plusMs(merge.doneAt, days(UNDO_DAYS)) < ctx.now) throw refuse(institutionErrors.UNMERGE_TOO_LATE);
  const ids = [merge.survivorId, merge.loserId].toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
  const rows = new Map<string, Awaited<ReturnType<typeof hospitalRecords.lock>>>();
  for (const id of ids) rows.set(id, await hospitalRecords.lock(ctx.tx, seer, id));
  const survivor = rows.get(merge.survivorId)!;
  const loser = rows.get(merge.loserId)!;
  if (survivor.state === 'MERGED' || loser.mergedIntoId !== survivor.id) throw refuse(institutionErrors.SURVIVOR_MERGED);
  const { applied } = merge;

  const facts: HospitalFacts = { ...factsOf(survivor) };
  for (const [key, change] of Object.entries(applied.fields)) {
    if (facts[key as keyof HospitalFacts] === change.merged) Object.assign(facts, { [key]: change.before });
  }
  if (applied.addedAliasIds.length > 0) await tx.deleteFrom('institutionHospitalAlias').where('id', 'in', applied.addedAliasIds).execute();
  if (applied.movedAliasIds.length > 0) {
    await tx
      .updateTable('institutionHospitalAlias')
      .set({ hospitalId: loser.id, updatedAt: ctx.now })
      .where('id', 'in', applied.movedAliasIds)
      .where('hospitalId', '=', survivor.id)
      .execute();
  }
  if (applied.movedDeptIds.length > 0) {
    await tx
      .updateTable('institutionDepartment')
      .set((eb) => ({ hospitalId: loser.id, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', 'in', applied.movedDeptIds)
      .where('hospitalId', '=', survivor.id)
      .execute();
  }
  for (const { fromDeptId, toDeptId, doctorCount } of applied.mappedDepts) {
    await tx
      .updateTable('institutionDepartment')
      .set((eb) => ({ state: 'ENABLED', mergedIntoId: null, doctorCount, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', fromDeptId)
      .execute();
    await tx
      .updateTable('institutionDepartment')
      .set((eb) => ({ doctorCount: eb.fn<number>('greatest', [eb('doctorCount', '-', doctorCount), eb.lit(0)]), updatedAt: ctx.now }))
      .where('id', '=', toDeptId)
      .execute();
  }
  await updateHospital(ctx, survivor, facts, `撤销并入 ${loser.hospitalNo} ${loser.name}：${opinion}`);
  await requireUnique(ctx.tx, loser, loser.id);
  const enabled = loser.stateBeforeMerge !== 'DISABLED';
  const state = await moveState(ctx, hospitalMachine, {
    targetType: 'institution.hospital',
    targetId: loser.id,
    targetNo: loser.hospitalNo,
    action: enabled ? 'unmergeEnabled' : 'unmergeDisabled',
    from: 'MERGED',
    opinion,
  });
  const back = await tx
    .updateTable('institutionHospital')
    .set((eb) => ({
      state,
      mergedIntoId: null,
      stateBeforeMerge: null,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
      updatedByName: ctx.staffOrNull?.displayName ?? '系统',
    }))
    .where('id', '=', loser.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('institutionHospital')
    .set((eb) => ({
      doctorCount: eb.fn<number>('greatest', [eb('doctorCount', '-', applied.doctorCount), eb.lit(0)]),
      contractCount: eb.fn<number>('greatest', [eb('contractCount', '-', applied.contractCount), eb.lit(0)]),
    }))
    .where('id', '=', survivor.id)
    .execute();
  if (applied.repointedIds.length > 0) {
    await tx
      .updateTable('institutionHospital')
      .set({ mergedIntoId: loser.id })
      .where('id', 'in', applied.repointedIds)
      .where('mergedIntoId', '=', survivor.id)
      .execute();
  }
  for (const id of [loser.id, survivor.id]) {
    await refreshQuality(ctx, id);
    await refreshPairs(ctx.tx, id, ctx.now);
  }
  await publishHospital(ctx, back);
  await ctx.publish(hospitalUnmerged, loser.id, {
    loserId: loser.id,
    survivorId: survivor.id,
    deptMap: applied.mappedDepts.map(({ fromDeptId, toDeptId }) => ({ fromDeptId, toDeptId })),
  });
}
