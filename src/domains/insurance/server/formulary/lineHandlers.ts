import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { containsText } from '#kernel/server/database/search.ts';
import { command } from '#kernel/server/handler.ts';
import { isSet } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { namedMedicines } from '#domains/pharma/server/index.ts';
import { formularyVersionStates } from '../../contract/documents/states.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { exportFormularyList, queryFormularyList } from '../../contract/formulary/calls.ts';
import {
  addFormularyLine,
  exportFormularyLine,
  lineFacts,
  modifyFormularyLine,
  queryFormularyLineList,
  removeFormularyLine,
} from '../../contract/formulary/lineCalls.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { insurerScopeOrCommon } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { currentAndNext, versionText } from '../products/list.ts';
import { factsOfLine, lineColumns, lineFault, lineName, presentLine, type LineFacts } from './lines.ts';
import { formularyVersionRecords, lineRecords } from './records.ts';

export const formularies = listOf(queryFormularyList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('insuranceFormulary as f')
      .leftJoin('insuranceInsurer as i', 'i.id', 'f.insurerId')
      .where(insurerScopeOrCommon('f.insurerId')(staff)),
  )
  .with({
    where: {
      keyword: (_eb, keyword) => containsText(sql`f.name || ' ' || f.formulary_code`, keyword),
      insurerId: 'f.insurerId',
    },
    id: 'f.id',
    sorts: { formularyCode: 'f.formularyCode', benefitCount: sql.ref('benefitCount'), updatedAt: 'f.updatedAt' },
    bounded: 'drug lists are some dozens',
    select: (rows) =>
      rows
        .selectAll('f')
        .select(['i.insurerName'])
        .select(
          sql<number>`(
            select count(distinct b.id)::int
              from insurance_benefit b
              join insurance_product_version v on v.id = b.product_version_id
              where b.formulary_id = f.id and v.state <> 'WITHDRAWN'
          )`.as('benefitCount'),
        ),
    present: async (rows, { db, today }) => {
      if (rows.length === 0) return [];
      const versions = await own(db)
        .selectFrom('insuranceFormularyVersion as v')
        .select(['v.id', 'v.formularyId', 'v.versionNo', 'v.state', 'v.effectiveFrom', 'v.effectiveTo'])
        .select(sql<number>`(select count(*)::int from insurance_formulary_line l where l.formulary_version_id = v.id)`.as('lineCount'))
        .where(
          'v.formularyId',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      const of = Map.groupBy(versions, ({ formularyId }) => formularyId);
      return rows.map((row) => {
        const { current, next } = currentAndNext(of.get(row.id) ?? [], today);
        return {
          id: row.id,
          formularyCode: row.formularyCode,
          name: row.name,
          insurerId: row.insurerId,
          insurerName: row.insurerName,
          currentText: current ? versionText(current, today) : '',
          nextText: next ? versionText(next, today) : '',
          lineCount: (current ?? next)?.lineCount ?? 0,
          benefitCount: row.benefitCount,
          updatedAt: row.updatedAt,
          version: row.version,
        };
      });
    },
  });
export const formularyExport = listExport(formularies, {
  call: exportFormularyList,
  title: '药品目录',
  routeKey: 'productHome',
  columns: ['formularyCode', 'name', 'insurerName', 'currentText', 'nextText', 'lineCount', 'benefitCount', 'updatedAt'],
});

export const lines = listOf(queryFormularyLineList)
  .from(async ({ db, staff, filter }) => {
    await formularyVersionRecords.get(db, staff, filter.formularyVersionId);
    return own(db).selectFrom('insuranceFormularyLine as l');
  })
  .with({
    where: {
      formularyVersionId: 'l.formularyVersionId',
      keyword: (_eb, keyword) => containsText(sql`l.generic_name || ' ' || l.brand_name || ' ' || l.medicine_no`, keyword),
      indication: (_eb, words) =>
        containsText(sql`l.indication_text || ' ' || l.indication_code || ' ' || array_to_string(l.icd10_prefixes, ' ')`, words),
      socialCategory: 'l.socialCategory',
      capped: isSet('l.maxUnitPriceFen'),
    },
    id: 'l.id',
    sorts: {
      medicineNo: 'l.medicineNo',
      indicationCode: 'l.indicationCode',
      lineOfTherapy: 'l.lineOfTherapy',
      maxUnitPriceFen: 'l.maxUnitPriceFen',
    },
    order: [['l.id', 'asc']],
    bounded: 'a version of a drug list holds some thousands of lines',
    select: (rows) => rows.selectAll('l'),
    present: (rows) => rows.map(presentLine),
  });
export const linesExport = listExport(lines, {
  call: exportFormularyLine,
  title: '目录药品',
  routeKey: 'productHome',
  columns: [
    'medicineNo',
    'genericName',
    'brandName',
    'spec',
    'manufacturer',
    'indicationCode',
    'indicationText',
    'icd10Prefixes',
    'lineOfTherapy',
    'geneRequirement',
    'socialCategory',
    'maxUnitPriceFen',
    'agreementPrices',
    'maxQtyPerClaimMilli',
    'maxQtyPerDaysMilli',
    'maxQtyDays',
    'minIntervalDays',
    'dailyDoseMilli',
    'charityPayMonths',
    'charityFreeMonths',
    'directPay',
  ],
});

/** Lines are the content of a version: they change while it is written. @throws Refusal SCM90031 */
export async function openFormularyVersion(ctx: Pick<CommandContext, 'tx' | 'staff'>, formularyVersionId: string) {
  const version = await formularyVersionRecords.lock(ctx.tx, ctx.staff, formularyVersionId);
  if (version.state !== 'DRAFT' && version.state !== 'REJECTED')
    throw refuse(platformErrors.WRONG_STATE, { state: formularyVersionStates.dictionary.label(version.state) });
  return version;
}

async function requireLine(ctx: CommandContext, formularyVersionId: string, facts: LineFacts, exceptId: string | null) {
  const fault = lineFault(facts);
  if (fault) throw refuseField(fault.path, fault.message);
  const [medicine] = await namedMedicines(ctx.tx, { ids: [facts.medicineId] });
  if (!medicine) throw refuseField('medicineId', '药品不存在');
  const same = await ownTx(ctx.tx)
    .selectFrom('insuranceFormularyLine')
    .select('id')
    .where('formularyVersionId', '=', formularyVersionId)
    .where('medicineId', '=', facts.medicineId)
    .where('indicationCode', '=', facts.indicationCode)
    .executeTakeFirst();
  if (same && same.id !== exceptId) throw refuse(insuranceErrors.LINE_EXISTS);
  return medicine;
}
const labels = labelsOf(lineFacts.shape);

export const addLine = command(addFormularyLine, async ({ formularyVersionId, ...facts }, ctx) => {
  const version = await openFormularyVersion(ctx, formularyVersionId);
  const medicine = await requireLine(ctx, formularyVersionId, facts, null);
  const { id } = await ownTx(ctx.tx)
    .insertInto('insuranceFormularyLine')
    .values({ ...lineColumns(facts, medicine), formularyVersionId, ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: formularyVersionRecords.type, id: formularyVersionId, no: `${version.formularyCode} V${version.versionNo}` });
  ctx.changed(differencesOf({}, facts, labels));
  return { lineId: id, version: 1 };
});

/** A line of a version that is still written; the version is locked before it. */
async function lockedLine(ctx: CommandContext, lineId: string, version: number) {
  const known = await lineRecords.get(ctx.tx, ctx.staff, lineId);
  const owner = await openFormularyVersion(ctx, known.formularyVersionId);
  const row = await lineRecords.lock(ctx.tx, ctx.staff, lineId);
  await requireVersion(ctx, lineRecords.type, row, version, () => presentLine(row));
  ctx.target({ type: formularyVersionRecords.type, id: owner.id, no: `${owner.formularyCode} V${owner.versionNo}` });
  return row;
}

export const modifyLine = command(modifyFormularyLine, async ({ lineId, version, ...facts }, ctx) => {
  const row = await lockedLine(ctx, lineId, version);
  const medicine = await requireLine(ctx, row.formularyVersionId, facts, lineId);
  await ownTx(ctx.tx)
    .updateTable('insuranceFormularyLine')
    .set({ ...lineColumns(facts, medicine), version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', lineId)
    .execute();
  ctx.changed(differencesOf(factsOfLine(row), facts, labels));
  return { lineId, version: version + 1 };
});

export const removeLine = command(removeFormularyLine, async ({ lineId, version }, ctx) => {
  const row = await lockedLine(ctx, lineId, version);
  await ownTx(ctx.tx).deleteFrom('insuranceFormularyLine').where('id', '=', lineId).execute();
  ctx.changed([{ path: 'medicineId', label: '目录药品', before: lineName(row), after: null }]);
  return {};
});
