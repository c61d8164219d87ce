import { CAMPAIGN_TARGET } from '../../contract/campaigns/dictionaries.ts';
import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, PlannedRow } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { personsByNo } from '#domains/patient/server/index.ts';
import { audiencePerson } from '../../contract/campaigns/calls.ts';
import { CAMPAIGN_AUDIENCE_IMPORTER, campaignMachine } from '../../contract/campaigns/dictionaries.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { ownTx } from '../database.ts';
import { campaignRecord } from './rows.ts';

const numberOf = (row: Parameters<typeof textOf>[0]) => textOf(row, 'patientNo').toUpperCase();
const campaignIdOf = (params: Readonly<Record<string, unknown>>): string => {
  const id = params['campaignId'];
  if (typeof id !== 'string' || !/^\d{1,18}$/.test(id)) throw refuseField('campaignId', '请选择群发任务');
  return id;
};

/** @throws Refusal where it is no draft any more */
async function draftOf(db: Db | Tx, params: Readonly<Record<string, unknown>>) {
  const row = await campaignRecord.get(db, campaignRecord.everyone, campaignIdOf(params));
  if (row.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: campaignMachine.dictionary.label(row.state) });
  return row;
}

const personsOf = async (db: Db | Tx, rows: readonly Parameters<typeof textOf>[0][]) =>
  new Map((await personsByNo(db, [...new Set(rows.map(numberOf))])).map(({ patientNo, patientId }) => [patientNo, patientId]));

/** Writes the list of a draft; whoever looked at its audience looks again. @throws Refusal where it is no draft any more */
async function setImported(
  tx: Tx,
  campaignId: string,
  list: ReturnType<typeof sql<string[]>>,
  by: { now: string; userId: string },
): Promise<void> {
  const done = await ownTx(tx)
    .updateTable('corpusCampaign')
    .set((eb) => ({
      importedPatientIds: list,
      previewCount: null,
      previewAt: null,
      version: eb('version', '+', 1),
      ...updatedColumns(by),
    }))
    .where('id', '=', campaignId)
    .where('state', '=', 'DRAFT')
    .returning('id')
    .executeTakeFirst();
  if (!done) throw refuse(platformErrors.WRONG_STATE, { state: '非草稿' });
  await noteWritten({ tx, now: by.now }, by.userId, CAMPAIGN_TARGET, [done.id]);
}

/** Persons of a campaign by a file of their numbers. */
// No `upsertImporter`: the rows are no records, they join the one list of their campaign.
export const audienceImporter: Importer = {
  code: CAMPAIGN_AUDIENCE_IMPORTER,
  label: '群发人群',
  templateVersion: '1',
  permission: corpusPermissions['campaign.edit'].code,
  columns: importColumns(audiencePerson.shape, [
    { key: 'patientNo', required: true, maxLength: 20, example: 'PT00000001', note: '每行一名患者' },
  ]),
  scopeKey: campaignIdOf,

  async validateAll(rows, { db, params }) {
    await draftOf(db, params);
    const known = await personsOf(db, rows);
    return [
      ...repeated(rows, 'patientNo', '患者编号', numberOf),
      ...rows
        .filter((row) => !known.has(numberOf(row)))
        .map((row) => fault(row, 'patientNo', `患者编号${textOf(row, 'patientNo')}不存在，请核对后重新填写`)),
    ];
  },

  async plan(rows, { db, params }) {
    const { importedPatientIds } = await draftOf(db, params);
    const known = await personsOf(db, rows);
    const there = new Set(importedPatientIds);
    return rows.map((row): PlannedRow => {
      const targetId = known.get(numberOf(row))!;
      return there.has(targetId) ? { ...row, action: 'SAME', targetId } : { ...row, action: 'NEW' };
    });
  },

  async commitChunk(rows, _batchNo, writing) {
    const known = await personsOf(writing.tx, rows);
    const ids = new Map(rows.map((row) => [row.rowNo, known.get(numberOf(row))!]));
    await setImported(
      writing.tx,
      campaignIdOf(writing.params),
      sql<
        string[]
      >`(select coalesce(array_agg(distinct u), '{}') from unnest(imported_patient_ids || ${[...ids.values()]}::bigint[]) as u)`,
      { now: writing.now, userId: writing.staff.userId },
    );
    return ids;
  },
};
