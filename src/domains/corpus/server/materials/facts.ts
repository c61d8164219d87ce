import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { getMedicines } from '#domains/pharma/server/index.ts';
import { MATERIAL_FILE } from '../../contract/materials/dictionaries.ts';
import type { MaterialContent } from '../../contract/materials/content.ts';
import type { MaterialFacts } from '../../contract/materials/render.ts';

const noFacts: MaterialFacts = { image: null, medicine: null, questionnaire: null };

/** Questionnaires in use, by id. */
export async function publishedQuestionnaires(
  db: Db | Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { title: string; versionId: string }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; title: string; versionId: string }>`
    select id, title, current_version_id as version_id from corpus_questionnaire
    where id = any (${[...ids]}::bigint[]) and state = 'ENABLED'`.execute(db);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** What contents name by ids, in the order of the contents; a thing that is gone is null. */
export async function factsOfContents(db: Db | Tx, contents: readonly MaterialContent[]): Promise<MaterialFacts[]> {
  const wanted = <T>(of: (content: MaterialContent) => T | null): T[] => [...new Set(contents.map(of).filter((one) => one !== null))];
  const files = wanted((content) => (content.type === 'IMAGE' ? content.fileId : null));
  const medicineIds = wanted((content) => (content.type === 'MEDICINE_CARD' ? content.medicineId : null));
  const forms = wanted((content) => (content.type === 'QUESTIONNAIRE' ? content.questionnaireId : null));
  const images = new Map((await fileBriefs(db, files, { purpose: MATERIAL_FILE })).map((file) => [file.fileId, file]));
  const medicines = new Map(
    (medicineIds.length === 0 ? [] : await getMedicines(db, medicineIds)).map((medicine) => [medicine.medicineId, medicine]),
  );
  const questionnaires = await publishedQuestionnaires(db, forms);
  return contents.map((content): MaterialFacts => {
    if (content.type === 'IMAGE') {
      const file = images.get(content.fileId);
      return { ...noFacts, image: file ? { fileId: file.fileId, fileName: file.fileName, size: file.size ?? 0 } : null };
    }
    if (content.type === 'MEDICINE_CARD') {
      const medicine = medicines.get(content.medicineId);
      if (!medicine || medicine.state !== 'ON') return noFacts;
      const name = medicine.brandName ? `${medicine.genericName}（${medicine.brandName}）` : medicine.genericName;
      return {
        ...noFacts,
        medicine: { medicineId: medicine.medicineId, name, spec: medicine.spec, rxRequired: medicine.rxRequired === true },
      };
    }
    if (content.type === 'QUESTIONNAIRE') {
      const form = questionnaires.get(content.questionnaireId);
      return { ...noFacts, questionnaire: form ? { questionnaireId: content.questionnaireId, title: form.title } : null };
    }
    return noFacts;
  });
}
