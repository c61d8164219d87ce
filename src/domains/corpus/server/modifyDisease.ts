import { refuse } from '../../../kernel/contract/errors.ts';
import { differencesOf } from '../../../kernel/server/command/differences.ts';
import { command } from '../../../kernel/server/handler.ts';
import { updatedColumns } from '../../../kernel/server/command/stampedColumns.ts';
import { corpusDiseaseChanged } from '../../../events/corpus.ts';
import { icd10PrefixExists } from '../../identity/server/index.ts';
import { modifyDiseaseInfo } from '../contract/diseaseCalls.ts';
import { corpusErrors } from '../contract/errors.ts';
import { ownTx } from './database.ts';
import { diseaseById } from './diseases.ts';
import { dictionaryRecords } from './access.ts';

export const diseaseLabels = { diseaseName: '病种名称', icd10Prefixes: 'ICD-10前缀' };

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
