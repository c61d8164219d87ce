import { refuse } from '../../../kernel/contract/errors.ts';
import { command } from '../../../kernel/server/handler.ts';
import { updatedColumns } from '../../../kernel/server/command/stampedColumns.ts';
import { corpusDiseaseChanged } from '../../../events/corpus.ts';
import { delDiseaseInfo } from '../contract/diseaseCalls.ts';
import { corpusErrors } from '../contract/errors.ts';
import { diseaseRecords } from './access.ts';
import { ownTx } from './database.ts';
import { diseaseById } from './diseases.ts';
import { countLive } from './livePackages.ts';
import { markDeleted } from './markDeleted.ts';

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
