import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { mask } from '#kernel/contract/masking.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { labels, personsByNo } from '#domains/patient/server/index.ts';
import { addCampaign, modifyCampaign, previewCampaign, queryCampaignDetail } from '../../contract/campaigns/calls.ts';
import { audienceResult, CAMPAIGN_TARGET, campaignMachine } from '../../contract/campaigns/dictionaries.ts';
import { checkRows } from '../conditions/sets.ts';
import { own, ownTx } from '../database.ts';
import { freeze } from '../versions/draft.ts';
import { audienceOf, judgeAudience, rowsOf } from './audience.ts';
import { campaignRecord, campaigns, presentCampaigns, selectCampaigns } from './rows.ts';

type Fields = CheckedInputOf<typeof addCampaign>;

/** Persons that a preview tells by name. */
const SHOWN = 200;

/** @throws Refusal SCM90020 naming the number that nobody has */
async function personsOf(tx: Tx, path: 'includePatientNos' | 'excludePatientNos', numbers: readonly string[]): Promise<string[]> {
  const known = new Map((await personsByNo(tx, [...new Set(numbers)])).map(({ patientNo, patientId }) => [patientNo, patientId]));
  const missing = numbers.find((no) => !known.has(no));
  if (missing !== undefined) throw refuseField(path, `患者编号${missing}不存在`);
  return [...new Set(numbers.map((no) => known.get(no)!))];
}

/** The columns of what was typed. @throws Refusal SCM11010–15, SCM90020 */
async function columnsOf(tx: Tx, input: Fields) {
  const { diseaseIds, includePatientNos, excludePatientNos, materialIds } = input;
  if (diseaseIds.length === 0 && input.rows.length > 0) throw refuseField('diseaseIds', '按条件筛选请先选择病种');
  const diseases =
    diseaseIds.length === 0 ? [] : await ownTx(tx).selectFrom('corpusDisease').select('id').where('id', 'in', diseaseIds).execute();
  if (diseases.length < new Set(diseaseIds).size) throw refuseField('diseaseIds', '病种不存在');
  const materials = await ownTx(tx).selectFrom('corpusMaterial').select('id').where('id', 'in', materialIds).execute();
  if (materials.length < new Set(materialIds).size) throw refuseField('materialIds', '素材不存在');
  // The rows belong to no scene.
  const { rows } = await checkRows(
    own(tx),
    '0',
    input.rows.map((row) => ({ ...row, scenePackageId: null })),
  );
  return {
    name: input.name,
    diseaseIds: [...new Set(diseaseIds)],
    rows: JSON.stringify(await freeze(own(tx), rows)),
    includePatientIds: await personsOf(tx, 'includePatientNos', includePatientNos),
    excludePatientIds: await personsOf(tx, 'excludePatientNos', excludePatientNos),
    target: input.target,
    touchKind: input.touchKind,
    materialIds: [...materialIds],
    sendAt: input.sendAt,
    previewCount: null,
    previewAt: null,
  };
}

export const add = command(addCampaign, async (input, ctx) => {
  const row = await ownTx(ctx.tx)
    .insertInto('corpusCampaign')
    .values({
      ...(await columnsOf(ctx.tx, input)),
      ...createdColumns(ctx),
    })
    .returning(['id', 'version', 'campaignNo'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: CAMPAIGN_TARGET, id: row.id, no: row.campaignNo });
  return { id: row.id, version: row.version };
});

export const modify = command(modifyCampaign, async ({ id, version, ...input }, ctx) => {
  const row = await campaignRecord.lockVersion(ctx, id, version);
  if (row.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: campaignMachine.dictionary.label(row.state) });
  const columns = await columnsOf(ctx.tx, input);
  await ownTx(ctx.tx)
    .updateTable('corpusCampaign')
    .set({ ...columns, version: row.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  ctx.target({ type: CAMPAIGN_TARGET, id, no: row.campaignNo });
  ctx.changed([
    { path: 'name', label: '名称', before: row.name, after: columns.name },
    { path: 'sendAt', label: '发送时间', before: row.sendAt, after: columns.sendAt },
  ]);
  return { id, version: row.version + 1 };
});

export const preview = command(previewCampaign, async ({ id, version }, ctx) => {
  const row = await campaignRecord.lockVersion(ctx, id, version);
  if (row.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: campaignMachine.dictionary.label(row.state) });
  if (row.diseaseIds.length === 0 && row.includePatientIds.length === 0 && row.importedPatientIds.length === 0)
    throw refuseField('diseaseIds', '请选择病种、填写指定患者或导入人群');
  const people = await audienceOf(ctx.tx, row, ctx.now);
  const judged = await judgeAudience(ctx, row, people, ctx.now);
  await ownTx(ctx.tx)
    .updateTable('corpusCampaign')
    .set({ previewCount: people.length, previewAt: ctx.now, version: row.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  ctx.target({ type: CAMPAIGN_TARGET, id, no: row.campaignNo });
  ctx.changed([{ path: 'previewCount', label: '预览人数', before: row.previewCount, after: people.length }]);
  // Who gets nothing is looked at first.
  const shown = judged.toSorted((a, b) => Number(a.result === 'SEND') - Number(b.result === 'SEND')).slice(0, SHOWN);
  const names = new Map(
    (
      await labels(
        ctx.tx,
        shown.map(({ patientId }) => patientId),
      )
    ).map((label) => [label.patientId, label]),
  );
  return {
    version: row.version + 1,
    total: people.length,
    results: audienceResult.codes.map((result) => ({ result, count: judged.filter((one) => one.result === result).length })),
    people: shown.map((one) => ({
      ...one,
      patientNo: names.get(one.patientId)?.patientNo ?? '',
      patientName: mask('name', names.get(one.patientId)?.name ?? ''),
    })),
  };
});

export const detail = query(queryCampaignDetail, async ({ id }, ctx) => {
  const shown = await selectCampaigns(campaigns(ctx.db)).where('c.id', '=', id).executeTakeFirst();
  if (!shown) throw campaignRecord.missing();
  const row = await campaignRecord.get(ctx.db, ctx.staff, id);
  const numbers = new Map(
    (await labels(ctx.db, [...row.includePatientIds, ...row.excludePatientIds])).map(({ patientId, patientNo }) => [patientId, patientNo]),
  );
  const numbersOf = (ids: readonly string[]) => ids.flatMap((one) => numbers.get(one) ?? []);
  const [campaign] = presentCampaigns([shown], (permission) => ctx.has(permission));
  return {
    campaign: campaign!,
    diseaseIds: row.diseaseIds,
    rows: rowsOf(row),
    includePatientNos: numbersOf(row.includePatientIds),
    excludePatientNos: numbersOf(row.excludePatientIds),
    materialIds: row.materialIds,
    timeline: await trailOf(ctx.db, CAMPAIGN_TARGET, id),
  };
});
