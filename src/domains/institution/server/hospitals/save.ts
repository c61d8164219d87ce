import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext, Context, Tx, Writing } from '#kernel/server/context.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { hospitalChanged } from '#events/institution.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { hospitalLabels, type HospitalFacts } from '../../contract/hospitalCalls.ts';
import { hospitalMachine } from '../../contract/states.ts';
import type { HospitalRecord } from '../access.ts';
import { lockKeys, ownTx } from '../database.ts';
import { requireOwnPlace, type Place } from '../regions.ts';
import { findCandidates, refreshPairs } from './candidates.ts';
import { requireInside, derive, factsOf } from './facts.ts';

export type Source = 'STAFF' | 'DOCTOR' | 'AGENT' | 'IMPORT' | 'INSURER';
interface Keys {
  normName: string;
  cityAdcode: string;
  uscc: string | null;
  licenceNo: string | null;
  nhsaCode: string | null;
  parentId: string | null;
}

/** @throws Refusal SCM06024 naming the hospital that has the name in the city, or one of the keys. */
export async function requireUnique(tx: Tx, keys: Keys, selfId: string | null): Promise<void> {
  await lockKeys(tx, [`name:${keys.cityAdcode}:${keys.normName}`, keys.uscc, keys.licenceNo, keys.nhsaCode]);
  const taken = await ownTx(tx)
    .selectFrom('institutionHospital')
    .select(['hospitalNo', 'name'])
    .where('state', '<>', 'MERGED')
    .where('id', 'is distinct from', selfId)
    .where((eb) =>
      eb.or([
        eb.and([eb('normName', '=', keys.normName), eb('cityAdcode', '=', keys.cityAdcode)]),
        // Campuses share the keys of their main hospital.
        ...(keys.parentId === null
          ? (['uscc', 'licenceNo', 'nhsaCode'] as const).flatMap((key) =>
              keys[key] === null ? [] : [eb.and([eb(key, '=', keys[key]), eb('parentId', 'is', null)])],
            )
          : []),
      ]),
    )
    .orderBy('id')
    .executeTakeFirst();
  if (taken) throw refuse(institutionErrors.HOSPITAL_EXISTS, taken);
}

/** @throws Refusal SCM90020 unless the parent is a main hospital (campuses are one level deep). */
async function requireParent(tx: Tx, facts: HospitalFacts, selfId: string | null): Promise<void> {
  if (facts.parentId === null) return;
  const parent = await ownTx(tx)
    .selectFrom('institutionHospital')
    .select(['id', 'parentId', 'state'])
    .where('id', '=', facts.parentId)
    .executeTakeFirst();
  if (!parent || parent.state === 'MERGED' || parent.id === selfId) throw refuseField('parentId', '请选择有效的主院');
  if (parent.parentId !== null) throw refuseField('parentId', '院区只能有一级，请选择主院');
  if (selfId !== null) {
    const campus = await ownTx(tx).selectFrom('institutionHospital').select('id').where('parentId', '=', selfId).executeTakeFirst();
    if (campus) throw refuseField('parentId', '该医院下有院区，不能作为院区');
  }
}

interface Published {
  id: string;
  name: string;
  level: string;
  levelRank: number;
  adcode: string;
  state: string;
}
export const eventOf = (row: Published) => ({
  hospitalId: row.id,
  name: row.name,
  level: row.level,
  levelRank: row.levelRank,
  adcode: row.adcode,
  state: row.state,
});
export const publishHospital = (ctx: Pick<CommandContext, 'publish'>, row: Published) => ctx.publish(hospitalChanged, row.id, eventOf(row));

/** Who changes a hospital: a request, or the system. */
export type Acting = Writing & Pick<Context, 'now' | 'traceId' | 'staffOrNull' | 'requirePermission'>;

const editionOf = (ctx: Pick<CommandContext, 'now' | 'staffOrNull'>) => ({
  ...updatedColumns(ctx),
  updatedByName: ctx.staffOrNull?.displayName ?? '系统',
});

/**
 * Writes a new hospital.
 * @param judged candidates that somebody has looked at and found to be others
 * @throws Refusal SCM06022, SCM06024, SCM06035, SCM90020.
 */
export async function insertHospital(
  ctx: CommandContext,
  facts: HospitalFacts,
  source: Source,
  judged: readonly string[],
): Promise<HospitalRecord> {
  const tx = ownTx(ctx.tx);
  const place: Place = await requireOwnPlace(ctx, facts.adcode);
  requireInside(facts, place.adcode);
  await requireParent(ctx.tx, facts, null);
  const columns = derive(facts, place, 0);
  await requireUnique(ctx.tx, columns, null);
  const open = (await findCandidates(ctx.tx, { ...columns, aliasNorms: [], id: null })).filter(
    ({ hospitalId, score }) => score >= 80 && !judged.includes(hospitalId),
  );
  if (open.length > 0) throw refuse(institutionErrors.DUPLICATES_OPEN, { n: open.length }, { data: { candidates: open } });
  const row = await tx
    .insertInto('institutionHospital')
    .values({
      ...columns,
      hospitalNo: await nextNumber(ctx.tx, 'YY', ctx.today),
      source,
      state: 'ENABLED',
      createdAt: ctx.now,
      createdBy: ctx.staffOrNull?.userId ?? null,
      ...editionOf(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await moveState(ctx, hospitalMachine, {
    targetType: 'institution.hospital',
    targetId: row.id,
    targetNo: row.hospitalNo,
    action: 'add',
    from: 'ENABLED',
  });
  await refreshPairs(ctx.tx, row.id, ctx.now);
  await setApart(ctx, row.id, judged);
  await publishHospital(ctx, row);
  return row;
}

/** Pairs that somebody has found to be two hospitals do not come back to the work list. */
async function setApart(ctx: CommandContext, hospitalId: string, judged: readonly string[]): Promise<void> {
  const tx = ownTx(ctx.tx);
  const pairs =
    judged.length === 0
      ? []
      : await tx
          .selectFrom('institutionDuplicatePair')
          .select(['leftId', 'rightId'])
          .where((eb) =>
            eb.or([
              eb.and([eb('leftId', '=', hospitalId), eb('rightId', 'in', judged)]),
              eb.and([eb('rightId', '=', hospitalId), eb('leftId', 'in', judged)]),
            ]),
          )
          .execute();
  if (pairs.length === 0) return;
  await tx
    .insertInto('institutionDuplicateIgnore')
    .values(pairs.map((pair) => ({ ...pair, createdAt: ctx.now, createdBy: ctx.staffOrNull?.userId ?? null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Replaces the entered facts of a locked hospital. @throws as `insertHospital`, SCM90031 when it is merged. */
export async function updateHospital(ctx: Acting, before: HospitalRecord, facts: HospitalFacts, opinion?: string): Promise<HospitalRecord> {
  const tx = ownTx(ctx.tx);
  const place = await requireOwnPlace(ctx, facts.adcode);
  requireInside(facts, place.adcode);
  await requireParent(ctx.tx, facts, before.id);
  const { n } = await tx
    .selectFrom('institutionDepartment')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('hospitalId', '=', before.id)
    .where('state', '=', 'ENABLED')
    .executeTakeFirstOrThrow();
  const columns = derive(facts, place, Number(n));
  await requireUnique(ctx.tx, columns, before.id);
  const differences = differencesOf(factsOf(before), { ...facts, adcode: place.adcode }, hospitalLabels);
  await moveState(ctx, hospitalMachine, {
    targetType: 'institution.hospital',
    targetId: before.id,
    targetNo: before.hospitalNo,
    action: 'modify',
    from: before.state,
    opinion,
    differences,
  });
  const row = await tx
    .updateTable('institutionHospital')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), ...editionOf(ctx) }))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await refreshPairs(ctx.tx, row.id, ctx.now);
  await publishHospital(ctx, row);
  return row;
}

/** Recomputes the quality of one hospital after its departments changed. */
export async function refreshQuality(ctx: Pick<CommandContext, 'tx'>, hospitalId: string): Promise<void> {
  const tx = ownTx(ctx.tx);
  const row = await tx.selectFrom('institutionHospital').selectAll().where('id', '=', hospitalId).executeTakeFirst();
  if (!row) return;
  const { n } = await tx
    .selectFrom('institutionDepartment')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('hospitalId', '=', hospitalId)
    .where('state', '=', 'ENABLED')
    .executeTakeFirstOrThrow();
  const { qualityScoreBp, qualityIssues } = derive(
    factsOf(row),
    { adcode: row.adcode, cityAdcode: row.cityAdcode, provinceAdcode: row.provinceAdcode, province: '', city: '' },
    Number(n),
  );
  await tx.updateTable('institutionHospital').set({ qualityScoreBp, qualityIssues }).where('id', '=', hospitalId).execute();
}
