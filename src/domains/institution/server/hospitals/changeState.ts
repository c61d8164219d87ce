import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import { institutionErrors } from '../../contract/errors.ts';
import {
  addHospital,
  addHospitalAlias,
  changeHospitalState,
  delHospital,
  delHospitalAlias,
  modifyHospital,
  modifyHospitalLevel,
} from '../../contract/hospitalCalls.ts';
import { hospitalMachine } from '../../contract/states.ts';
import { hospitalRecords, type HospitalRecord } from '../access.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { authorColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { ownTx } from '../database.ts';
import { requirePlace } from '../regions.ts';
import { normName } from '../rules/normName.ts';
import { refreshPairs } from './candidates.ts';
import { factsOf } from './facts.ts';
import { insertHospital, publishHospital, updateHospital } from './save.ts';

export const addition = command(addHospital, async ({ confirmNotDuplicate, ...facts }, ctx) =>
  actionAnswer(ctx, hospitalMachine, await insertHospital(ctx, facts, 'STAFF', confirmNotDuplicate)),
);

export const modification = command(modifyHospital, async ({ id, version, ...facts }, ctx) => {
  const before = await hospitalRecords.lockVersion(ctx, id, version, factsOf);
  return actionAnswer(ctx, hospitalMachine, await updateHospital(ctx, before, facts));
});

export const levelChange = command(modifyHospitalLevel, async ({ id, version, level, opinion }, ctx) => {
  const before = await hospitalRecords.lockVersion(ctx, id, version, factsOf);
  return actionAnswer(ctx, hospitalMachine, await updateHospital(ctx, before, { ...factsOf(before), level }, opinion));
});

/** Disables or enables a locked hospital. @throws Refusal SCM06010, SCM06011, SCM90031. */
export async function switchState(
  ctx: CommandContext,
  before: HospitalRecord,
  action: 'disable' | 'disableByApply' | 'enable',
  opinion?: string,
): Promise<HospitalRecord> {
  const tx = ownTx(ctx.tx);
  const { id } = before;
  if (action !== 'enable') {
    const campuses = await tx
      .selectFrom('institutionHospital')
      .select('name')
      .where('parentId', '=', id)
      .where('state', '=', 'ENABLED')
      .orderBy('id')
      .execute();
    if (campuses.length > 0) throw refuse(institutionErrors.CAMPUS_ENABLED, { names: campuses.map(({ name }) => name).join('、') });
  } else if (before.parentId !== null) {
    const parent = await tx.selectFrom('institutionHospital').select('state').where('id', '=', before.parentId).executeTakeFirst();
    if (parent?.state !== 'ENABLED') throw refuse(institutionErrors.PARENT_DISABLED);
  }
  const state = await moveState(ctx, hospitalMachine, {
    targetType: 'institution.hospital',
    targetId: id,
    targetNo: before.hospitalNo,
    action,
    from: before.state,
    opinion,
  });
  const row = await tx
    .updateTable('institutionHospital')
    .set((eb) => ({
      state,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
      updatedByName: ctx.staffOrNull?.displayName ?? '系统',
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await publishHospital(ctx, row);
  return row;
}

export const stateChange = command(changeHospitalState, async ({ id, version, action, opinion }, ctx) => {
  const before = await hospitalRecords.lockVersion(ctx, id, version, factsOf);
  return actionAnswer(ctx, hospitalMachine, await switchState(ctx, before, action, opinion));
});

/** Only what nobody has used yet, on its first day; everything else is disabled or merged. */
export const deletion = command(delHospital, async ({ id, version }, ctx) => {
  const tx = ownTx(ctx.tx);
  const before = await hospitalRecords.lockVersion(ctx, id, version, factsOf);
  if (before.state === 'MERGED') throw refuse(platformErrors.WRONG_STATE, { state: hospitalMachine.states.MERGED.label });
  const uses = [
    await tx
      .selectFrom('institutionHospital')
      .select('id')
      .where((eb) => eb.or([eb('parentId', '=', id), eb('mergedIntoId', '=', id)]))
      .executeTakeFirst(),
    await tx
      .selectFrom('institutionHospitalApply')
      .select('id')
      .where((eb) => eb.or([eb('hospitalId', '=', id), eb('resultHospitalId', '=', id)]))
      .executeTakeFirst(),
    await tx
      .selectFrom('institutionHospitalMerge')
      .select('id')
      .where((eb) => eb.or([eb('survivorId', '=', id), eb('loserId', '=', id)]))
      .executeTakeFirst(),
    await tx.selectFrom('institutionDepartment').select('id').where('hospitalId', '=', id).executeTakeFirst(),
    await tx.selectFrom('institutionLicence').select('id').where('ownerType', '=', 'HOSPITAL').where('ownerId', '=', id).executeTakeFirst(),
  ];
  const used = uses.some((use) => use !== undefined) || before.doctorCount > 0 || before.contractCount > 0;
  if (used || before.createdAt < plusMs(ctx.now, -hours(24))) throw refuse(institutionErrors.HOSPITAL_USED);
  await tx.deleteFrom('institutionHospital').where('id', '=', id).execute();
  ctx.target({ type: 'institution.hospital', id, no: before.hospitalNo });
  ctx.changed([{ path: 'name', label: '医院名称', before: before.name, after: null }]);
  return {};
});

export const aliasAddition = command(addHospitalAlias, async ({ hospitalId, name, kind }, ctx) => {
  const tx = ownTx(ctx.tx);
  const hospital = await hospitalRecords.lock(ctx.tx, ctx.staff, hospitalId);
  const norm = normName(name, await requirePlace(ctx.tx, hospital.adcode));
  const there = await tx
    .selectFrom('institutionHospital')
    .select(['hospitalNo', 'name'])
    .where('normName', '=', norm)
    .where('cityAdcode', '=', hospital.cityAdcode)
    .where('state', '<>', 'MERGED')
    .executeTakeFirst();
  if (there) throw refuse(institutionErrors.HOSPITAL_EXISTS, there);
  const alias = await tx
    .insertInto('institutionHospitalAlias')
    .values({ hospitalId, name, normName: norm, kind, ...authorColumns(ctx), updatedAt: ctx.now })
    .onConflict((conflict) => conflict.columns(['hospitalId', 'normName']).doUpdateSet({ name, kind, updatedAt: ctx.now }))
    .returning(['id', 'name', 'kind', 'sourceCode', 'externalId'])
    .executeTakeFirstOrThrow();
  await refreshPairs(ctx.tx, hospitalId, ctx.now);
  ctx.target({ type: 'institution.hospital', id: hospitalId, no: hospital.hospitalNo });
  ctx.changed([{ path: 'alias', label: '别名', before: null, after: name }]);
  return { ...alias, kind };
});

export const aliasDeletion = command(delHospitalAlias, async ({ hospitalId, aliasId }, ctx) => {
  const hospital = await hospitalRecords.lock(ctx.tx, ctx.staff, hospitalId);
  const gone = await ownTx(ctx.tx)
    .deleteFrom('institutionHospitalAlias')
    .where('id', '=', aliasId)
    .where('hospitalId', '=', hospitalId)
    .returning('name')
    .executeTakeFirst();
  if (!gone) throw refuse(platformErrors.NOT_FOUND);
  await refreshPairs(ctx.tx, hospitalId, ctx.now);
  ctx.target({ type: 'institution.hospital', id: hospitalId, no: hospital.hospitalNo });
  ctx.changed([{ path: 'alias', label: '别名', before: gone.name, after: null }]);
  return {};
});
