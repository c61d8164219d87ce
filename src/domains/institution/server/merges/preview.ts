import { refuse } from '#kernel/contract/errors.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { mayType, mergeFieldLabel, mergeFields } from '../../contract/duplicateCalls.ts';
import { hospitalRecords, type HospitalRecord } from '../access.ts';
import { own } from '../database.ts';
import { departmentsOf, proposePlan } from './departmentPlan.ts';
import { bestOf, shownValue } from './fields.ts';
import { usccDiffers } from './guards.ts';

export const sideOf = (
  row: Pick<HospitalRecord, 'id' | 'hospitalNo' | 'name' | 'level' | 'address' | 'phone' | 'uscc' | 'doctorCount' | 'state'>,
  departmentCount: number,
) => ({
  hospitalId: row.id,
  hospitalNo: row.hospitalNo,
  name: row.name,
  level: row.level,
  address: row.address,
  phone: row.phone,
  uscc: row.uscc,
  doctorCount: row.doctorCount,
  departmentCount,
  state: row.state,
});

/** What a merge would do, before anybody asks for it. */
export async function previewMerge(ctx: QueryContext, survivorId: string, loserIds: readonly string[]) {
  const db = own(ctx.db);
  const survivor = await hospitalRecords.get(ctx.db, ctx.staff, survivorId);
  const targets = await departmentsOf(db, survivorId);
  const losers = [];
  for (const loserId of loserIds) {
    if (loserId === survivorId) throw refuse(institutionErrors.MERGE_SELF);
    const loser = await hospitalRecords.get(ctx.db, ctx.staff, loserId);
    if (survivor.state === 'MERGED' || loser.state === 'MERGED') throw refuse(institutionErrors.ALREADY_MERGED);
    const departments = await departmentsOf(db, loserId);
    const count = async (table: 'institutionHospitalAlias' | 'institutionHospitalApply') =>
      Number(
        (
          await db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll<string>().as('n'))
            .where('hospitalId', '=', loserId)
            .executeTakeFirstOrThrow()
        ).n,
      );
    losers.push({
      loser: sideOf(loser, departments.length),
      usccDiffers: usccDiffers(survivor, loser),
      fields: mergeFields
        .map((field) => ({
          field,
          label: mergeFieldLabel(field),
          survivor: shownValue(field, survivor),
          loser: shownValue(field, loser),
          differs: shownValue(field, survivor) !== shownValue(field, loser),
          best: bestOf(field, survivor, loser),
          mayType: mayType(field),
        }))
        .toSorted((a, b) => Number(b.differs) - Number(a.differs)),
      departments: proposePlan(departments, targets).map((planned) => {
        const from = departments.find(({ id }) => id === planned.fromDeptId)!;
        return {
          ...planned,
          fromName: from.name,
          toName: targets.find(({ id }) => id === planned.toDeptId)?.name ?? null,
          doctorCount: from.doctorCount,
        };
      }),
      impact: {
        doctors: loser.doctorCount,
        contracts: loser.contractCount,
        departments: departments.length,
        applications: await count('institutionHospitalApply'),
        aliases: (await count('institutionHospitalAlias')) + 1,
      },
    });
  }
  return { survivor: sideOf(survivor, targets.length), losers, targets: targets.map(({ id, name }) => ({ id, name })) };
}
