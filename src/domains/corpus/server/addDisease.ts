import { sql } from 'kysely';
import { refuse, refuseField } from '../../../kernel/contract/errors.ts';
import { command } from '../../../kernel/server/handler.ts';
import { updatedColumns } from '../../../kernel/server/command/stampedColumns.ts';
import { corpusDiseaseChanged } from '../../../events/corpus.ts';
import { addDiseaseInfo } from '../contract/diseaseCalls.ts';
import { corpusErrors } from '../contract/errors.ts';
import { ownTx } from './database.ts';
import { diseaseById } from './diseases.ts';
import { dictionaryRecords } from './access.ts';

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
