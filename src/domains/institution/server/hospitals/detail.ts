import type { OutputOf } from '#kernel/contract/call.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import type { queryHospitalDetail } from '../../contract/hospitalCalls.ts';
import { hospitalMachine } from '../../contract/states.ts';
import { hospitalRecords } from '../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { own } from '../database.ts';

type Detail = OutputOf<typeof queryHospitalDetail>;

/** One hospital with everything around it; a loser's id answers the survivor. */
export async function loadHospital(ctx: QueryContext, hospitalId: string): Promise<Detail> {
  const db = own(ctx.db);
  const asked = await hospitalRecords.get(ctx.db, ctx.staff, hospitalId);
  const row = asked.mergedIntoId === null ? asked : await hospitalRecords.get(ctx.db, ctx.staff, asked.mergedIntoId);
  const aliases = await db
    .selectFrom('institutionHospitalAlias')
    .select(['id', 'name', 'kind', 'sourceCode', 'externalId'])
    .where('hospitalId', '=', row.id)
    .orderBy('id')
    .execute();
  const campuses = await db
    .selectFrom('institutionHospital')
    .select(['id', 'hospitalNo', 'name', 'campusName', 'state', 'address'])
    .where('parentId', '=', row.id)
    .where('state', '<>', 'MERGED')
    .orderBy('id')
    .execute();
  const departments = await db
    .selectFrom('institutionDepartment as d')
    .leftJoin('institutionStandardDept as t', 't.code', 'd.standardDeptCode')
    .select(['d.id', 'd.name', 'd.standardDeptCode', 't.name as standardDeptName', 'd.doctorCount'])
    .where('d.hospitalId', '=', row.id)
    .where('d.state', '=', 'ENABLED')
    .orderBy('d.sort')
    .orderBy('d.id')
    .execute();
  const licences = await db
    .selectFrom('institutionLicence')
    .select(['id', 'licenceType', 'licenceNo', 'holder', 'validFrom', 'validTo', 'state'])
    .where('ownerType', '=', 'HOSPITAL')
    .where('ownerId', '=', row.id)
    .orderBy('id')
    .execute();
  const merges = await db
    .selectFrom('institutionHospitalMerge as m')
    .innerJoin('institutionHospital as l', 'l.id', 'm.loserId')
    .select(['m.id as mergeId', 'm.mergeNo', 'm.loserId', 'l.name as loserName', 'm.state', 'm.createdAt', 'm.doneAt'])
    .where('m.survivorId', '=', row.id)
    .orderBy('m.id', 'desc')
    .execute();
  const parent =
    row.parentId === null
      ? null
      : await db.selectFrom('institutionHospital').select('name').where('id', '=', row.parentId).executeTakeFirst();
  const regions = await regionsOf(ctx.db, [row.adcode]);
  const {
    createdBy: _createdBy,
    normName: _norm,
    nameGrams: _grams,
    namePinyin: _pinyin,
    levelRank: _rank,
    provinceAdcode: _province,
    mergedIntoId: _into,
    stateBeforeMerge: _before,
    rowHash: _hash,
    importBatchNo: _batch,
    updatedByName,
    ...facts
  } = row;
  return {
    ...facts,
    level: row.level,
    kind: row.kind,
    ownership: row.ownership,
    source: row.source,
    state: row.state,
    qualityIssues: row.qualityIssues,
    region: regionText(regions, row.adcode),
    parentName: parent?.name ?? null,
    aliases: aliases.map((alias) => ({ ...alias, kind: alias.kind })),
    campuses: campuses.map((campus) => ({ ...campus, state: campus.state })),
    departments,
    licences: licences.map((licence) => ({
      ...licence,
      licenceType: licence.licenceType,
      state: licence.state,
    })),
    merges: merges.map((merge) => ({ ...merge, state: merge.state })),
    mergedFrom: asked.mergedIntoId === null ? null : { hospitalId: asked.id, name: asked.name },
    allowedActions: actionAnswer(ctx, hospitalMachine, row).allowedActions,
    updatedBy: updatedByName,
    trail: await trailOf(ctx.db, 'institution.hospital', row.id),
  };
}
