import { refuseField } from '#kernel/contract/errors.ts';
import type { InstitutionDb } from '../database.ts';

export interface Planned {
  fromDeptId: string;
  toDeptId: string;
}

export const departmentsOf = (db: InstitutionDb, hospitalId: string) =>
  db
    .selectFrom('institutionDepartment')
    .select(['id', 'name', 'standardDeptCode', 'doctorCount'])
    .where('hospitalId', '=', hospitalId)
    .where('state', '=', 'ENABLED')
    .orderBy('sort')
    .orderBy('id')
    .execute();
type Department = Awaited<ReturnType<typeof departmentsOf>>[number];

/** Where each of the loser's departments goes: the one of the same name, else of the same standard department, else it moves. */
export const proposePlan = (from: readonly Department[], to: readonly Department[]): Planned[] =>
  from.map((department) => {
    const same =
      to.find(({ name }) => name === department.name) ??
      to.find(({ standardDeptCode }) => standardDeptCode !== null && standardDeptCode === department.standardDeptCode);
    return { fromDeptId: department.id, toDeptId: same?.id ?? 'MOVE' };
  });

/** The operator's plan with the proposal for departments that he left out. @throws Refusal SCM90020. */
export function completePlan(given: readonly Planned[], from: readonly Department[], to: readonly Department[]): Planned[] {
  return proposePlan(from, to).map((proposed) => {
    const wanted = given.find(({ fromDeptId }) => fromDeptId === proposed.fromDeptId) ?? proposed;
    const department = from.find(({ id }) => id === wanted.fromDeptId)!;
    const sameName = to.find(({ name }) => name === department.name);
    if (wanted.toDeptId === 'MOVE' && sameName) throw refuseField('deptPlan', `保留医院已有科室“${department.name}”，请选择并入`);
    if (wanted.toDeptId !== 'MOVE' && !to.some(({ id }) => id === wanted.toDeptId))
      throw refuseField('deptPlan', `科室“${department.name}”的去向不属于保留医院`);
    return wanted;
  });
}
