import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { command } from '#kernel/server/handler.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { corpusDiseaseChanged } from '#events/corpus.ts';
import { icd10PrefixExists } from '#domains/identity/server/index.ts';
import { addDiseaseInfo, delDiseaseInfo, modifyDiseaseInfo } from '../../contract/diseaseCalls.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { countLive, markDeleted } from '../scenes/remove.ts';
import { ownTx } from '../database.ts';
import { dictionaryRecords, diseaseRecords } from '../access.ts';
import { diseaseById } from './list.ts';

/** Takes a disease of the dictionary into the corpus, at the end of the left menu. */
export const addDisease = command(addDiseaseInfo, async (input, ctx) => {
  if (input.Id === null) throw refuse(corpusErrors.NONE_CHOSEN);
  const tx = ownTx(ctx.tx);
  const stored = await dictionaryRecords.lock(ctx.tx, ctx.staff, input.Id);
  if (input.diseaseCode !== '' && input.diseaseCode !== stored.diseaseCode) {
    throw refuseField('diseaseCode', '病种编码与所选病种不一致');
  }
  if (stored.available === 1) throw refuse(corpusErrors.ALREADY_IN_CORPUS);
  await tx
    .updateTable('corpusDisease')
    .set((eb) => ({
      available: 1,
      sortNo: sql<number>`(select coalesce(max(sort_no), 0) + 1 from corpus_disease where available = 1)`,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', stored.id)
    .execute();
  const added = (await diseaseById(tx, stored.id))!;
  ctx.target({ type: 'corpus.disease', id: added.id, no: added.diseaseCode });
  ctx.changed([{ path: 'available', label: '在语料库中', before: '否', after: '是' }]);
  await ctx.publish(corpusDiseaseChanged, added.id, {
    diseaseId: added.id,
    diseaseCode: added.diseaseCode,
    diseaseName: added.diseaseName,
    available: 1,
  });
  return added;
});

const diseaseLabels = { diseaseName: '病种名称', icd10Prefixes: 'ICD-10前缀' };

/** Changes name and prefixes of a dictionary row; codes never change. */
export const modifyDisease = command(modifyDiseaseInfo, async (input, ctx) => {
  const tx = ownTx(ctx.tx);
  const shown = async () => (await diseaseById(tx, input.id))!;
  const stored = await dictionaryRecords.lockVersion(ctx, input.id, input.version, shown);
  const before = await shown();
  const icd10Prefixes = [...new Set(input.icd10Prefixes)];
  for (const [index, prefix] of icd10Prefixes.entries()) {
    if (!(await icd10PrefixExists(ctx.tx, prefix))) {
      throw refuse(corpusErrors.ICD10_UNKNOWN, {
        fields: [{ path: `icd10Prefixes.${index}`, message: `${corpusErrors.ICD10_UNKNOWN.text}：${prefix}` }],
      });
    }
  }
  await tx
    .updateTable('corpusDisease')
    .set((eb) => ({
      diseaseName: input.diseaseName,
      icd10Prefixes,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', stored.id)
    .execute();
  const after = (await diseaseById(tx, stored.id))!;
  ctx.target({ type: 'corpus.disease', id: after.id, no: after.diseaseCode });
  ctx.changed(differencesOf(before, after, diseaseLabels));
  await ctx.publish(corpusDiseaseChanged, after.id, {
    diseaseId: after.id,
    diseaseCode: after.diseaseCode,
    diseaseName: after.diseaseName,
    available: after.available,
  });
  return after;
});

/** Takes a disease out of the corpus and marks its scenes deleted; the dictionary keeps it. */
export const removeDisease = command(delDiseaseInfo, async (input, ctx) => {
  const tx = ownTx(ctx.tx);
  const disease = await diseaseRecords.lockVersion(ctx, input.id, ctx.ifMatch, async () => (await diseaseById(tx, input.id))!);
  const live = await countLive(tx, { diseaseId: disease.id });
  if (live > 0) throw refuse(corpusErrors.DISEASE_RUNNING, { n: live });
  const deleted = await markDeleted(ctx, disease, (query) => query);
  await tx
    .updateTable('corpusDisease')
    .set((eb) => ({ available: 0, sortNo: 0, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', disease.id)
    .execute();
  ctx.target({ type: 'corpus.disease', id: disease.id, no: disease.diseaseCode });
  ctx.changed([
    { path: 'available', label: '在语料库中', before: '是', after: '否' },
    ...(deleted > 0 ? [{ path: 'sceneCount', label: '删除的场景数', before: deleted, after: 0 }] : []),
  ]);
  await ctx.publish(corpusDiseaseChanged, disease.id, {
    diseaseId: disease.id,
    diseaseCode: disease.diseaseCode,
    diseaseName: disease.diseaseName,
    available: 0,
  });
  return {};
});
