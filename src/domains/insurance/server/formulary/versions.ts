import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { formularyVersionPublished, medicineUsed } from '#events/insurance.ts';
import { formularyVersionStates, phaseOf, type DocumentState } from '../../contract/documents/states.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import {
  addFormulary,
  addFormularyVersion,
  auditFormularyVersion,
  delFormularyVersion,
  diffFormularyVersion,
  formularyFacts,
  modifyFormulary,
  modifyFormularyVersion,
  queryFormularyDetail,
} from '../../contract/formulary/calls.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { auditDocument, type DocumentKind, type DocumentRow } from '../documents/audit.ts';
import { own, ownTx } from '../database.ts';
import { formularyHash, lineName, lineWords, linesOf, type StoredLine } from './lines.ts';
import { formularyRecords, formularyVersionRecords } from './records.ts';

interface Facts {
  formularyCode: string;
  name: string;
  insurerId: string | null;
}

async function requireFacts(ctx: CommandContext, facts: Facts, exceptId: string | null): Promise<void> {
  const { insurer } = ctx.staff.scope;
  if (insurer !== null && (facts.insurerId === null || !insurer.includes(facts.insurerId)))
    throw refuseField('insurerId', '请选择您负责的保司');
  const tx = ownTx(ctx.tx);
  if (
    facts.insurerId !== null &&
    !(await tx.selectFrom('insuranceInsurer').select('id').where('id', '=', facts.insurerId).executeTakeFirst())
  )
    throw refuseField('insurerId', '保司不存在');
  await lockKeys(ctx.tx, 'insurance.formulary');
  const same = await tx.selectFrom('insuranceFormulary').select('id').where('formularyCode', '=', facts.formularyCode).executeTakeFirst();
  if (same && same.id !== exceptId) throw refuseField('formularyCode', '目录编码已存在');
}
const labels = labelsOf(formularyFacts.shape);

export const addList = command(addFormulary, async (facts, ctx) => {
  await requireFacts(ctx, facts, null);
  const { id } = await ownTx(ctx.tx)
    .insertInto('insuranceFormulary')
    .values({ ...facts, ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: formularyRecords.type, id, no: facts.formularyCode });
  ctx.changed(differencesOf({}, facts, labels));
  return { id, version: 1 };
});

export const modifyList = command(modifyFormulary, async ({ id, version, ...facts }, ctx) => {
  const stored = await formularyRecords.lockVersion(ctx, id, version, ({ formularyCode, name, insurerId }) => ({
    formularyCode,
    name,
    insurerId,
  }));
  await requireFacts(ctx, facts, id);
  await ownTx(ctx.tx)
    .updateTable('insuranceFormulary')
    .set({ ...facts, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  ctx.target({ type: formularyRecords.type, id, no: facts.formularyCode });
  ctx.changed(differencesOf(stored, facts, labels));
  return { id, version: version + 1 };
});

/** @param kernel knows the names of members of staff */
export const listDetail = (kernel: Kernel) =>
  query(queryFormularyDetail, async ({ formularyId }, ctx) => {
    const { id, formularyCode, name, insurerId, version } = await formularyRecords.get(ctx.db, ctx.staff, formularyId);
    const db = own(ctx.db);
    const insurer = insurerId
      ? await db.selectFrom('insuranceInsurer').select('insurerName').where('id', '=', insurerId).executeTakeFirst()
      : undefined;
    const versions = await db
      .selectFrom('insuranceFormularyVersion as v')
      .selectAll('v')
      .select(sql<number>`(select count(*)::int from insurance_formulary_line l where l.formulary_version_id = v.id)`.as('lineCount'))
      .where('v.formularyId', '=', formularyId)
      .orderBy('v.versionNo', 'desc')
      .execute();
    const names = await kernel.ports.people.names(
      ctx.db,
      versions.flatMap(({ makerId, checkerId }) => [makerId, checkerId]).filter((one) => one !== null),
    );
    const nameOf = (userId: string | null) => (userId === null ? null : (names.get(userId) ?? null));
    return {
      formulary: { id, formularyCode, name, insurerId, insurerName: insurer?.insurerName ?? null, version },
      versions: versions.map((one) => ({
        id: one.id,
        versionNo: one.versionNo,
        effectiveFrom: one.effectiveFrom,
        effectiveTo: one.effectiveTo,
        state: one.state,
        phase: phaseOf(one, ctx.today),
        gapNote: one.gapNote,
        changeNote: one.changeNote,
        makerId: one.makerId,
        makerName: nameOf(one.makerId),
        checkerName: nameOf(one.checkerId),
        lineCount: one.lineCount,
        version: one.version,
        allowedActions: formularyVersionStates.allowed(one.state, (code) => ctx.has(code)),
      })),
      timeline: await trailOf(ctx.db, formularyRecords.type, formularyId),
    };
  });

/** Lines of one version once more under another. */
const copyLines = (ctx: CommandContext, fromId: string, toId: string) =>
  sql`
    insert into insurance_formulary_line (
      formulary_version_id, medicine_id, medicine_no, generic_name, brand_name, spec, manufacturer, indication_code, indication_text,
      icd10_prefixes, line_of_therapy, gene_requirement, social_category, max_unit_price_fen, agreement_prices, max_qty_per_claim_milli,
      max_qty_per_days_milli, max_qty_days, min_interval_days, daily_dose_milli, charity_pay_months, charity_free_months, direct_pay,
      created_at, created_by, updated_at, updated_by
    )
      select ${toId}, medicine_id, medicine_no, generic_name, brand_name, spec, manufacturer, indication_code, indication_text,
          icd10_prefixes, line_of_therapy, gene_requirement, social_category, max_unit_price_fen, agreement_prices, max_qty_per_claim_milli,
          max_qty_per_days_milli, max_qty_days, min_interval_days, daily_dose_milli, charity_pay_months, charity_free_months, direct_pay,
          ${ctx.now}, ${ctx.staff.userId}, ${ctx.now}, ${ctx.staff.userId}
        from insurance_formulary_line
        where formulary_version_id = ${fromId}
        order by id`.execute(ctx.tx);

export const addVersion = command(addFormularyVersion, async ({ formularyId, copyFrom, effectiveFrom }, ctx) => {
  const list = await formularyRecords.lock(ctx.tx, ctx.staff, formularyId);
  const tx = ownTx(ctx.tx);
  const versions = await tx
    .selectFrom('insuranceFormularyVersion')
    .select(['id', 'versionNo', 'state'])
    .where('formularyId', '=', formularyId)
    .orderBy('versionNo', 'desc')
    .execute();
  const open = versions.find(({ state }) => state !== 'PUBLISHED' && state !== 'WITHDRAWN');
  if (open) throw refuse(insuranceErrors.OPEN_VERSION, { n: open.versionNo });
  if (copyFrom !== undefined && !versions.some(({ id }) => id === copyFrom)) throw formularyVersionRecords.missing();
  const versionNo = (versions[0]?.versionNo ?? 0) + 1;
  const { id } = await tx
    .insertInto('insuranceFormularyVersion')
    .values({ formularyId, versionNo, effectiveFrom, state: 'DRAFT', ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (copyFrom !== undefined) await copyLines(ctx, copyFrom, id);
  ctx.target({ type: formularyVersionRecords.type, id, no: `${list.formularyCode} V${versionNo}` });
  return { formularyVersionId: id, version: 1 };
});

export const modifyVersion = command(modifyFormularyVersion, async ({ formularyVersionId, version, ...facts }, ctx) => {
  const stored = await formularyVersionRecords.lockVersion(ctx, formularyVersionId, version, ({ effectiveFrom, effectiveTo, gapNote }) => ({
    effectiveFrom,
    effectiveTo,
    gapNote,
  }));
  if (facts.effectiveTo !== null && facts.effectiveTo < facts.effectiveFrom) throw refuseField('effectiveTo', '失效日不能早于生效日');
  await moveState(ctx, formularyVersionStates, {
    targetType: formularyVersionRecords.type,
    targetId: formularyVersionId,
    targetNo: `${stored.formularyCode} V${stored.versionNo}`,
    action: 'modify',
    from: stored.state,
    differences: differencesOf(stored, facts, { effectiveFrom: '生效日', effectiveTo: '失效日', gapNote: '停售说明' }),
  });
  await ownTx(ctx.tx)
    .updateTable('insuranceFormularyVersion')
    .set({ ...facts, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', formularyVersionId)
    .execute();
  return { formularyVersionId, version: version + 1 };
});

export const removeVersion = command(delFormularyVersion, async ({ formularyVersionId, version }, ctx) => {
  const stored = await formularyVersionRecords.lockVersion(ctx, formularyVersionId, version);
  if (stored.state !== 'DRAFT' && stored.state !== 'REJECTED')
    throw refuse(platformErrors.WRONG_STATE, { state: formularyVersionStates.dictionary.label(stored.state) });
  const tx = ownTx(ctx.tx);
  const pinned = await tx
    .selectFrom('insuranceBenefit')
    .select('id')
    .where('formularyVersionId', '=', formularyVersionId)
    .limit(1)
    .executeTakeFirst();
  if (pinned) throw refuseField('formularyVersionId', '已有保障责任锁定该目录版本，不能删除');
  await tx.deleteFrom('insuranceFormularyVersion').where('id', '=', formularyVersionId).execute();
  ctx.target({ type: formularyVersionRecords.type, id: formularyVersionId, no: `${stored.formularyCode} V${stored.versionNo}` });
  return {};
});

const keyOf = ({ medicineId, indicationCode }: StoredLine) => `${medicineId}:${indicationCode}`;

/** Lines of two versions that differ, in the order of the later one; what it no longer has comes last. */
function compared(before: readonly StoredLine[], after: readonly StoredLine[]) {
  const old = new Map(before.map((row) => [keyOf(row), row]));
  const kept = new Set(after.map(keyOf));
  return [
    ...after.flatMap((row) => {
      const was = old.get(keyOf(row));
      const [a, b] = [was ? lineWords(was) : null, lineWords(row)];
      return a === b ? [] : [{ change: was ? ('CHANGED' as const) : ('ADDED' as const), row, before: a, after: b }];
    }),
    ...before
      .filter((row) => !kept.has(keyOf(row)))
      .map((row) => ({ change: 'REMOVED' as const, row, before: lineWords(row), after: null })),
  ];
}

export const diffVersions = query(diffFormularyVersion, async ({ fromId, toId }, ctx) => {
  const from = await formularyVersionRecords.get(ctx.db, ctx.staff, fromId);
  const to = await formularyVersionRecords.get(ctx.db, ctx.staff, toId);
  return {
    fromNo: from.versionNo,
    toNo: to.versionNo,
    differences: compared(await linesOf(ctx.db, fromId), await linesOf(ctx.db, toId)).map(({ row, ...rest }) => ({
      ...rest,
      label: lineName(row),
    })),
  };
});

async function published(ctx: CommandContext, row: DocumentRow<DocumentState>): Promise<void> {
  const { formularyId, formularyName } = await formularyVersionRecords.get(ctx.tx, formularyVersionRecords.everyone, row.id);
  const tx = ownTx(ctx.tx);
  const before = await tx
    .selectFrom('insuranceFormularyVersion')
    .select('id')
    .where('formularyId', '=', formularyId)
    .where('state', '=', 'PUBLISHED')
    .where('id', '<>', row.id)
    .where('effectiveFrom', '<', row.effectiveFrom)
    .orderBy('effectiveFrom', 'desc')
    .limit(1)
    .executeTakeFirst();
  const lines = await linesOf(ctx.tx, row.id);
  const changes = compared(before ? await linesOf(ctx.tx, before.id) : [], lines);
  const idsOf = (change: 'ADDED' | 'REMOVED' | 'CHANGED') => [
    ...new Set(changes.filter((one) => one.change === change).map((one) => one.row.medicineId)),
  ];
  await ctx.publish(formularyVersionPublished, row.id, {
    formularyId,
    versionId: row.id,
    effectiveFrom: row.effectiveFrom,
    added: idsOf('ADDED'),
    removed: idsOf('REMOVED'),
    changed: idsOf('CHANGED'),
  });
  const { rows: fresh } = await sql<{ medicineId: string }>`
    select distinct l.medicine_id::text from insurance_formulary_line l where l.formulary_version_id = ${row.id}
       and not exists (select from insurance_formulary_line o join insurance_formulary_version v on v.id = o.formulary_version_id
                        where o.medicine_id = l.medicine_id and v.id <> ${row.id} and v.published_at is not null) order by 1`.execute(
    ctx.tx,
  );
  for (const { medicineId } of fresh) await ctx.publish(medicineUsed, medicineId, { medicineId, formularyId, formularyName });
}

const kind: DocumentKind<DocumentState> = {
  machine: formularyVersionStates,
  type: formularyVersionRecords.type,
  table: 'insurance_formulary_version',
  parent: 'formulary_id',
  noOf: async (tx, { id, versionNo }) =>
    `${(await formularyVersionRecords.get(tx, formularyVersionRecords.everyone, id)).formularyCode} V${versionNo}`,
  async proven(ctx, row) {
    const lines = await ownTx(ctx.tx)
      .selectFrom('insuranceFormularyLine')
      .select('id')
      .where('formularyVersionId', '=', row.id)
      .limit(1)
      .execute();
    if (lines.length === 0) throw refuseField('id', '目录版本没有药品，请先添加或导入');
    const { formularyId } = await formularyVersionRecords.get(ctx.tx, formularyVersionRecords.everyone, row.id);
    return formularyHash(ctx.tx, { ...row, formularyId });
  },
  // Who pins a version of the list: published versions of products; by date, whoever reads the list at all.
  pins: async (tx, { id, parentKey }) =>
    (
      await ownTx(tx)
        .selectFrom('insuranceBenefit as b')
        .innerJoin('insuranceProductVersion as v', 'v.id', 'b.productVersionId')
        .select('b.id')
        .where('v.state', '=', 'PUBLISHED')
        .where((eb) =>
          eb.or([
            eb('b.formularyVersionId', '=', id),
            eb.and([eb('b.formularyId', '=', parentKey), eb('b.formularyMode', '=', 'BY_SERVICE_DATE')]),
          ]),
        )
        .execute()
    ).length,
  published,
};

export const auditVersion = command(auditFormularyVersion, async (wish, ctx) => {
  await formularyVersionRecords.get(ctx.tx, ctx.staff, wish.id);
  return auditDocument(ctx, kind, wish);
});
