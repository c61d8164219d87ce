import { sql } from 'kysely';
import type { Writing } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { ParsedRow } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { corpusDiseaseChanged } from '#events/corpus.ts';
import { icd10PrefixExists } from '#domains/identity/server/index.ts';
import { addDiseaseInfo, DISEASE_IMPORTER, icd10Prefix, importDiseaseInfo, modifyDiseaseInfo } from '../../contract/diseaseCalls.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { own, ownTx } from '../database.ts';

/** `E11、E14` in one cell; Chinese and English separators are both taken. */
const prefixesOf = (row: ParsedRow): string[] => [
  ...new Set(
    textOf(row, 'icd10Prefixes')
      .toUpperCase()
      .split(/[,，、;；\s]+/)
      .filter(Boolean),
  ),
];

const isWellFormed = (prefix: string) => icd10Prefix.safeParse(prefix).success;

/** Fields of a disease that other domains are sent. */
const reported = ['id', 'diseaseCode', 'diseaseName', 'available'] as const;
const publish = (
  writing: Pick<Writing, 'publish'>,
  { id, diseaseCode, diseaseName, available }: { id: string; diseaseCode: string; diseaseName: string; available: number },
) => writing.publish(corpusDiseaseChanged, id, { diseaseId: id, diseaseCode, diseaseName, available: available === 1 ? 1 : 0 });

/** The disease dictionary: codes are keys and never change; names and prefixes are replaced. */
export const diseaseImporter = upsertImporter({
  code: DISEASE_IMPORTER,
  label: '病种字典',
  call: importDiseaseInfo,
  templateVersion: '1',
  permission: corpusPermissions['disease.edit'].code,
  columns: importColumns({ ...modifyDiseaseInfo.input.shape, diseaseCode: addDiseaseInfo.input.shape.diseaseCode }, [
    { key: 'diseaseCode', required: true, maxLength: 32, example: 'E11' },
    { key: 'diseaseName', example: '2型糖尿病' },
    { key: 'icd10Prefixes', maxLength: 200, example: 'E11', note: '多个前缀用逗号分隔' },
  ]),

  validateRow: (row) =>
    prefixesOf(row)
      .filter((prefix) => !isWellFormed(prefix))
      .map((prefix) => fault(row, 'icd10Prefixes', `ICD-10前缀“${prefix}”格式不正确，应如E11或C34.9`)),

  async lookUp(db, rows) {
    const stored = await own(db)
      .selectFrom('corpusDisease')
      .select(['id', 'diseaseCode', 'diseaseName', 'icd10Prefixes', 'version'])
      .where(
        'diseaseCode',
        'in',
        rows.map((row) => textOf(row, 'diseaseCode')),
      )
      .execute();
    return new Map(stored.map((row) => [row.diseaseCode, row]));
  },

  async validate(rows, _known, { db }) {
    const faults = repeated(rows, 'diseaseCode', '病种编码', (row) => textOf(row, 'diseaseCode'));
    const there = new Map<string, boolean>();
    for (const prefix of new Set(rows.flatMap(prefixesOf).filter(isWellFormed))) there.set(prefix, await icd10PrefixExists(db, prefix));
    for (const row of rows) {
      for (const prefix of prefixesOf(row)) {
        if (there.get(prefix) === false) faults.push(fault(row, 'icd10Prefixes', `${corpusErrors.ICD10_UNKNOWN.text}：${prefix}`));
      }
    }
    return faults;
  },

  match: (row, known) => known.get(textOf(row, 'diseaseCode')),
  facts: (row) => ({ diseaseCode: textOf(row, 'diseaseCode'), diseaseName: textOf(row, 'diseaseName'), icd10Prefixes: prefixesOf(row) }),
  before: ({ diseaseCode, diseaseName, icd10Prefixes }) => ({ diseaseCode, diseaseName, icd10Prefixes: icd10Prefixes.join('、') }),

  async insert(rows, _known, writing) {
    const { now, staff } = writing;
    const saved = await ownTx(writing.tx)
      .insertInto('corpusDisease')
      .values(
        rows.map(({ values }) => ({
          ...values,
          available: 0,
          sortNo: 0,
          ...createdColumns({ now, staff }),
        })),
      )
      .returning(reported)
      .execute();
    for (const disease of saved) await publish(writing, disease);
    const ids = new Map(saved.map(({ diseaseCode, id }) => [diseaseCode, id]));
    return rows.map(({ values }) => ids.get(values.diseaseCode)!);
  },

  async update({ values: { diseaseName, icd10Prefixes }, stored }, _known, writing) {
    const saved = await ownTx(writing.tx)
      .updateTable('corpusDisease')
      .set((eb) => ({
        diseaseName,
        icd10Prefixes,
        ...updatedColumns(writing),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', stored.id)
      .where('version', '=', stored.version)
      .returning(reported)
      .executeTakeFirst();
    if (saved) await publish(writing, saved);
    return saved !== undefined;
  },

  async undo(rows, _batchNo, writing) {
    const tx = ownTx(writing.tx);
    for (const row of rows) {
      if (row.action === 'SAME') continue;
      const used = await tx
        .selectFrom('corpusDisease as d')
        .select(['d.diseaseCode', 'd.version', 'd.available'])
        .select(sql<boolean>`exists (select from corpus_scene s where s.disease_id = d.id)`.as('hasScenes'))
        .where('d.id', '=', row.targetId!)
        .forUpdate()
        .executeTakeFirst();
      const untouched = row.action === 'NEW' ? used?.version === 1 && !used.hasScenes : used?.version === row.targetVersion! + 1;
      if (!used || !untouched) return { rowNo: row.rowNo, no: textOf(row, 'diseaseCode') };
    }
    for (const row of rows) {
      if (row.action === 'NEW') await tx.deleteFrom('corpusDisease').where('id', '=', row.targetId!).execute();
      if (row.action === 'CHANGE') {
        const before = row.before as { diseaseName: string; icd10Prefixes: string };
        await tx
          .updateTable('corpusDisease')
          .set((eb) => ({
            diseaseName: before.diseaseName,
            icd10Prefixes: before.icd10Prefixes.split('、'),
            version: eb('version', '+', 1),
            ...updatedColumns(writing),
          }))
          .where('id', '=', row.targetId!)
          .execute();
      }
    }
    return null;
  },
});
