import { sql } from 'kysely';
import type { Importer, ImportFault, ParsedRow, PlannedRow } from '../../../kernel/server/importing/importer.ts';
import { corpusDiseaseChanged } from '../../../events/corpus.ts';
import { icd10PrefixExists } from '../../identity/server/index.ts';
import { DISEASE_IMPORTER, icd10Prefix } from '../contract/diseaseCalls.ts';
import { corpusErrors } from '../contract/errors.ts';
import { corpusPermissions } from '../contract/permissions.ts';
import { corpusDb, corpusTx } from './database.ts';

const text = (row: ParsedRow, key: string) => String(row.record[key] ?? '').trim();

/** `E11、E14` in one cell; Chinese and English separators are both taken. */
const prefixesOf = (row: ParsedRow): string[] => [
  ...new Set(
    text(row, 'icd10Prefixes')
      .toUpperCase()
      .split(/[,，、;；\s]+/)
      .filter(Boolean),
  ),
];

const isWellFormed = (prefix: string) => icd10Prefix.safeParse(prefix).success;

const fault = (row: ParsedRow, columnKey: string, message: string): ImportFault => ({
  rowNo: row.rowNo,
  columnKey,
  severity: 'ERROR',
  message,
});

/** The disease dictionary: codes are keys and never change; names and prefixes are replaced. */
export const diseaseImporter: Importer = {
  code: DISEASE_IMPORTER,
  label: '病种字典',
  templateVersion: '1',
  permission: corpusPermissions['disease.edit'].code,
  columns: [
    { key: 'diseaseCode', label: '病种编码', type: 'text', required: true, maxLength: 32, example: 'E11' },
    { key: 'diseaseName', label: '病种名称', type: 'text', required: true, maxLength: 64, example: '2型糖尿病' },
    { key: 'icd10Prefixes', label: 'ICD-10前缀', type: 'text', required: true, maxLength: 200, example: 'E11', note: '多个前缀用逗号分隔' },
  ],

  validateRow: (row) =>
    prefixesOf(row)
      .filter((prefix) => !isWellFormed(prefix))
      .map((prefix) => fault(row, 'icd10Prefixes', `ICD-10前缀“${prefix}”格式不正确，应如E11或C34.9`)),

  async validateAll(rows, { db }) {
    const faults: ImportFault[] = [];
    const firstRow = new Map<string, number>();
    for (const row of rows) {
      const code = text(row, 'diseaseCode');
      const earlier = firstRow.get(code);
      if (earlier === undefined) firstRow.set(code, row.rowNo);
      else faults.push(fault(row, 'diseaseCode', `病种编码与第${earlier}行重复`));
    }
    const known = new Map<string, boolean>();
    for (const prefix of new Set(rows.flatMap(prefixesOf).filter(isWellFormed))) known.set(prefix, await icd10PrefixExists(db, prefix));
    for (const row of rows) {
      for (const prefix of prefixesOf(row)) {
        if (known.get(prefix) === false) faults.push(fault(row, 'icd10Prefixes', `${corpusErrors.ICD10_UNKNOWN.text}：${prefix}`));
      }
    }
    return faults;
  },

  async plan(rows, { db }) {
    const stored = await corpusDb(db)
      .selectFrom('corpusDisease')
      .select(['id', 'diseaseCode', 'diseaseName', 'icd10Prefixes', 'version'])
      .where(
        'diseaseCode',
        'in',
        rows.map((row) => text(row, 'diseaseCode')),
      )
      .execute();
    const byCode = new Map(stored.map((row) => [row.diseaseCode, row]));
    return rows.map((row): PlannedRow => {
      const old = byCode.get(text(row, 'diseaseCode'));
      if (!old) return { ...row, action: 'NEW' };
      const same = old.diseaseName === text(row, 'diseaseName') && old.icd10Prefixes.join() === prefixesOf(row).join();
      return {
        ...row,
        action: same ? 'SAME' : 'CHANGE',
        before: { diseaseCode: old.diseaseCode, diseaseName: old.diseaseName, icd10Prefixes: old.icd10Prefixes.join('、') },
        targetId: old.id,
        targetVersion: old.version,
      };
    });
  },

  async commitChunk(rows, _batchNo, writing) {
    const tx = corpusTx(writing.tx);
    const written = new Map<number, string>();
    for (const row of rows) {
      if (row.action === 'SAME') {
        written.set(row.rowNo, row.targetId!);
        continue;
      }
      const values = {
        diseaseName: text(row, 'diseaseName'),
        icd10Prefixes: prefixesOf(row),
        updatedAt: writing.now,
        updatedBy: writing.staff.userId,
      };
      const saved =
        row.action === 'CHANGE'
          ? await tx
              .updateTable('corpusDisease')
              .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
              .where('id', '=', row.targetId!)
              .where('version', '=', row.targetVersion!)
              .returning(['id', 'diseaseCode', 'diseaseName', 'available'])
              .executeTakeFirstOrThrow()
          : await tx
              .insertInto('corpusDisease')
              .values({
                ...values,
                diseaseCode: text(row, 'diseaseCode'),
                available: 0,
                sortNo: 0,
                createdAt: writing.now,
                createdBy: writing.staff.userId,
              })
              .returning(['id', 'diseaseCode', 'diseaseName', 'available'])
              .executeTakeFirstOrThrow();
      written.set(row.rowNo, saved.id);
      await writing.publish(corpusDiseaseChanged, saved.id, {
        diseaseId: saved.id,
        diseaseCode: saved.diseaseCode,
        diseaseName: saved.diseaseName,
        available: saved.available as 0 | 1,
      });
    }
    return written;
  },

  async undo(rows, _batchNo, writing) {
    const tx = corpusTx(writing.tx);
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
      if (!used || !untouched) return { rowNo: row.rowNo, no: text(row, 'diseaseCode') };
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
            updatedAt: writing.now,
            updatedBy: writing.staff.userId,
          }))
          .where('id', '=', row.targetId!)
          .execute();
      }
    }
    return null;
  },
};
