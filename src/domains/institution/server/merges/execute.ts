import { moveState } from '#kernel/server/audit/transition.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { hospitalMerged } from '#events/institution.ts';
import type { HospitalFacts } from '../../contract/hospitalCalls.ts';
import { hospitalMachine } from '../../contract/states.ts';
import type { HospitalRecord } from '../access.ts';
import { ownTx } from '../database.ts';
import { refreshPairs } from '../hospitals/candidates.ts';
import { factsOf } from '../hospitals/facts.ts';
import { publishHospital, updateHospital, type Acting } from '../hospitals/save.ts';
import { requirePlace } from '../regions.ts';
import { normName } from '../rules/normName.ts';
import { completePlan, departmentsOf, type Planned } from './departmentPlan.ts';
import { mergedFacts, type FieldChoice } from './fields.ts';

/** What a merge wrote, so that it can be taken back. */
export interface Applied {
  /** Facts that became another value, before and after. */
  fields: Partial<Record<keyof HospitalFacts, { before: unknown; merged: unknown }>>;
  movedAliasIds: string[];
  addedAliasIds: string[];
  movedDeptIds: string[];
  mappedDepts: { fromDeptId: string; toDeptId: string; doctorCount: number }[];
  /** Hospitals that had been merged into the loser before. */
  repointedIds: string[];
  doctorCount: number;
  contractCount: number;
}

/** Carries a checked merge out on two locked rows (R3). */
export async function executeMerge(
  ctx: Acting,
  pair: { survivor: HospitalRecord; loser: HospitalRecord },
  plan: { fieldChoice: FieldChoice; deptPlan: readonly Planned[]; reason: string },
): Promise<Applied> {
  const tx = ownTx(ctx.tx);
  const { survivor, loser } = pair;
  const timestamps = { ...updatedColumns(ctx), updatedByName: ctx.staffOrNull?.displayName ?? '系统' };

  await moveState(ctx, hospitalMachine, {
    targetType: 'institution.hospital',
    targetId: loser.id,
    targetNo: loser.hospitalNo,
    action: 'merge',
    from: loser.state,
    opinion: `并入 ${survivor.hospitalNo} ${survivor.name}：${plan.reason}`,
  });
  const repointed = await tx
    .updateTable('institutionHospital')
    .set({ mergedIntoId: survivor.id })
    .where('mergedIntoId', '=', loser.id)
    .returning('id')
    .execute();
  const gone = await tx
    .updateTable('institutionHospital')
    .set((eb) => ({
      state: 'MERGED',
      mergedIntoId: survivor.id,
      stateBeforeMerge: loser.state === 'DISABLED' ? 'DISABLED' : 'ENABLED',
      version: eb('version', '+', 1),
      ...timestamps,
    }))
    .where('id', '=', loser.id)
    .returningAll()
    .executeTakeFirstOrThrow();

  const norms = await tx.selectFrom('institutionHospitalAlias').select('normName').where('hospitalId', '=', survivor.id).execute();
  const known = norms.map(({ normName: norm }) => norm);
  const moved = await tx
    .updateTable('institutionHospitalAlias')
    .set({ hospitalId: survivor.id, updatedAt: ctx.now })
    .where('hospitalId', '=', loser.id)
    .$if(known.length > 0, (query) => query.where('normName', 'not in', known))
    .returning('id')
    .execute();
  const added = await tx
    .insertInto('institutionHospitalAlias')
    .values({
      hospitalId: survivor.id,
      name: loser.name,
      normName: normName(loser.name, await requirePlace(ctx.tx, survivor.adcode)),
      kind: 'MERGED',
      createdAt: ctx.now,
      createdBy: ctx.staffOrNull?.userId ?? null,
      updatedAt: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(['hospitalId', 'normName']).doNothing())
    .returning('id')
    .execute();

  const departments = await departmentsOf(tx, loser.id);
  const movedDeptIds: string[] = [];
  const mappedDepts: Applied['mappedDepts'] = [];
  for (const { fromDeptId, toDeptId } of completePlan(plan.deptPlan, departments, await departmentsOf(tx, survivor.id))) {
    if (toDeptId === 'MOVE') {
      await tx
        .updateTable('institutionDepartment')
        .set((eb) => ({ hospitalId: survivor.id, version: eb('version', '+', 1), updatedAt: ctx.now }))
        .where('id', '=', fromDeptId)
        .execute();
      movedDeptIds.push(fromDeptId);
      continue;
    }
    const { doctorCount } = departments.find(({ id }) => id === fromDeptId)!;
    await tx
      .updateTable('institutionDepartment')
      .set((eb) => ({ state: 'DISABLED', mergedIntoId: toDeptId, doctorCount: 0, version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', fromDeptId)
      .execute();
    await tx
      .updateTable('institutionDepartment')
      .set((eb) => ({ doctorCount: eb('doctorCount', '+', doctorCount), updatedAt: ctx.now }))
      .where('id', '=', toDeptId)
      .execute();
    mappedDepts.push({ fromDeptId, toDeptId, doctorCount });
  }

  const before = factsOf(survivor);
  const facts = mergedFacts(survivor, loser, plan.fieldChoice);
  const row = await updateHospital(ctx, survivor, facts, `并入 ${loser.hospitalNo} ${loser.name}`);
  const keys = Object.keys(facts) as (keyof HospitalFacts)[];
  await tx
    .updateTable('institutionHospital')
    .set((eb) => ({ doctorCount: eb('doctorCount', '+', loser.doctorCount), contractCount: eb('contractCount', '+', loser.contractCount) }))
    .where('id', '=', survivor.id)
    .execute();
  await refreshPairs(ctx.tx, loser.id, ctx.now);
  await publishHospital(ctx, gone);
  await ctx.publish(hospitalMerged, loser.id, {
    loserId: loser.id,
    survivorId: survivor.id,
    deptMap: mappedDepts.map(({ fromDeptId, toDeptId }) => ({ fromDeptId, toDeptId })),
  });
  return {
    fields: Object.fromEntries(
      keys.filter((key) => before[key] !== row[key]).map((key) => [key, { before: before[key], merged: row[key] }]),
    ),
    movedAliasIds: moved.map(({ id }) => id),
    addedAliasIds: added.map(({ id }) => id),
    movedDeptIds,
    mappedDepts,
    repointedIds: repointed.map(({ id }) => id),
    doctorCount: loser.doctorCount,
    contractCount: loser.contractCount,
  };
}
