import { createHash, randomBytes } from 'node:crypto';
import { dayOf, days, plusMs } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Writing } from '#kernel/server/context.ts';
import { type XlsxCell, bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import { CONTENT_TYPES } from '#kernel/server/exporting/renderExport.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import { NOTES_SHEET, TEMPLATE_MARK } from '#kernel/server/importing/template.ts';
import type { Checker } from '#domains/identity/server/index.ts';
import { json, own } from '../database.ts';
import { startImport } from '../imports/startImport.ts';
import { newStorageKey } from '../objects/names.ts';
import type { DemoStage } from './stage.ts';

interface Past {
  state: 'INVALID' | 'DONE' | 'FAILED' | 'CANCELLED' | 'UNDONE';
  fileName: string;
  minutesAgo: number;
  counts: { total: number; error?: number; created?: number; same?: number };
  message?: readonly [code: string, text: string];
}

/**
 * What is over. Finished batches changed nothing (all rows 无变化) or were undone, because nothing
 * that they could have written is in this database.
 */
const past: readonly Past[] = [
  { state: 'DONE', fileName: '员工名单_华东.xlsx', minutesAgo: 300, counts: { total: 18, same: 18 } },
  { state: 'DONE', fileName: '员工名单_客服中心.xlsx', minutesAgo: 2_900, counts: { total: 42, same: 42 } },
  { state: 'DONE', fileName: '员工名单_年初.xlsx', minutesAgo: 17_000, counts: { total: 120, same: 120 } },
  { state: 'DONE', fileName: '员工名单_外包.csv', minutesAgo: 6_100, counts: { total: 9, same: 9 } },
  { state: 'UNDONE', fileName: '员工名单_误传.xlsx', minutesAgo: 1_500, counts: { total: 12, created: 12 } },
  { state: 'UNDONE', fileName: '员工名单_测试.xlsx', minutesAgo: 4_300, counts: { total: 3, created: 3 } },
  {
    state: 'FAILED',
    fileName: '员工名单_并发.xlsx',
    minutesAgo: 700,
    counts: { total: 60, created: 60 },
    message: ['SCM02037', '第8、9行数据在校验后已变化，请重新校验'],
  },
  {
    state: 'FAILED',
    fileName: '员工名单_夜间.xlsx',
    minutesAgo: 5_200,
    counts: { total: 35, created: 35 },
    message: ['SCM90010', '没有权限：新增、修改、停用员工用户并分配任职'],
  },
  { state: 'CANCELLED', fileName: '员工名单_草稿.xlsx', minutesAgo: 950, counts: { total: 27, created: 27 } },
  { state: 'CANCELLED', fileName: '员工名单_草稿2.xlsx', minutesAgo: 940, counts: { total: 27, created: 25, error: 2 } },
];

async function uploadOf(stage: DemoStage, { tx }: Writing, fileName: string, bytes: Buffer, person: Checker, at: string): Promise<string> {
  const key = newStorageKey('IMPORT', at);
  const stored = await stage.kernel.storage.put(key, bytes, { contentType: CONTENT_TYPES.XLSX });
  const type = fileName.endsWith('.csv') ? 'csv' : 'xlsx';
  const { id } = await own(tx)
    .insertInto('filesFileObject')
    .values({
      fileNo: await nextNumber(tx, 'WJ', dayOf(at)),
      purpose: 'IMPORT',
      fileName,
      declaredType: CONTENT_TYPES.XLSX,
      declaredSize: String(stored.size),
      detectedType: type,
      size: String(stored.size),
      sha256: stored.sha256,
      storageKey: key,
      sensitive: true,
      state: 'READY',
      scanState: 'NONE',
      source: 'UPLOAD',
      checkedAt: at,
      createdAt: at,
      createdBy: person.userId,
      createdName: person.displayName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function writePast(stage: DemoStage, writing: Writing, importer: Importer, person: Checker, task: Past): Promise<void> {
  const at = stage.ago(task.minutesAgo);
  const done = task.state === 'DONE' || task.state === 'UNDONE';
  const end = plusMs(at, 240_000);
  const { total, error = 0, created = 0, same = 0 } = task.counts;
  const fileId = await uploadOf(stage, writing, task.fileName, Buffer.from(`演示文件 ${task.fileName}\n`), person, at);
  await own(writing.tx)
    .insertInto('filesImportTask')
    .values({
      batchNo: await nextNumber(writing.tx, 'DR', dayOf(at)),
      importerCode: importer.code,
      importerLabel: importer.label,
      templateVersion: importer.templateVersion,
      fileId,
      fileName: task.fileName,
      scopeKey: '*',
      rowsHash: createHash('sha256').update(task.fileName).digest('hex'),
      params: json({}),
      mode: 'ALL_OR_NOTHING',
      userRoleId: person.userRoleId,
      totalRows: total,
      okRows: total - error,
      errorRows: error,
      errorCells: error,
      newRows: created,
      sameRows: same,
      state: task.state,
      progressBp: done ? 10_000 : 0,
      rowsDone: done ? total : 0,
      attempt: 1,
      validatedAt: plusMs(at, 20_000),
      errorCode: task.message?.[0] ?? null,
      errorMessage: task.message?.[1] ?? null,
      traceId: randomBytes(8).toString('hex'),
      committedAt: done ? end : null,
      committedBy: done ? person.userId : null,
      undoUntil: done ? plusMs(end, days(7)) : null,
      undoneAt: task.state === 'UNDONE' ? plusMs(end, 3_600_000) : null,
      undoneBy: task.state === 'UNDONE' ? person.userId : null,
      undoReason: task.state === 'UNDONE' ? '名单有误，重新整理后再导入' : null,
      rowsDroppedAt: end,
      createdAt: at,
      createdBy: person.userId,
      createdName: person.displayName,
    })
    .execute();
}

/** A filled-in template of the importer. */
function bookOf(importer: Importer, rows: readonly Readonly<Record<string, string>>[]): Promise<Buffer> {
  const cells = (texts: readonly string[]): XlsxCell[] => texts.map((text) => ({ text }));
  return bufferOf(
    xlsxStream([
      {
        name: '数据',
        widths: [],
        rows: [
          cells(importer.columns.map(({ label }) => label)),
          ...rows.map((row) => cells(importer.columns.map(({ key }) => row[key] ?? ''))),
        ],
      },
      { name: NOTES_SHEET, widths: [], rows: [cells([TEMPLATE_MARK, importer.code, '模板版本', importer.templateVersion])] },
    ]),
  );
}

const DISEASES = [
  '2型糖尿病',
  '高血压',
  '慢性阻塞性肺疾病',
  '类风湿关节炎',
  '骨质疏松',
  '慢性肾脏病',
  '冠心病',
  '脑卒中',
  '乳腺癌',
  '肺癌',
];
const PREFIXES = ['E11', 'I10', 'J44', 'M06', 'M81', 'N18', 'I25', 'I63', 'C50', 'C34'];

const diseaseRow = (index: number) => ({
  diseaseCode: `YS${String(index + 1).padStart(4, '0')}`,
  diseaseName: `${DISEASES[index % DISEASES.length]}（随访${Math.floor(index / DISEASES.length) + 1}组）`,
  icd10Prefixes: PREFIXES[index % PREFIXES.length]!,
});

/** Two tables that go through the real check when the program starts: one with three bad cells, one to be committed. */
async function startReal(stage: DemoStage, importer: Importer, person: Checker): Promise<void> {
  const staff = await stage.kernel.ports.sessions.contextOf(stage.db, person.userRoleId, stage.now);
  if (!staff?.permissions.has(importer.permission)) return;
  const bad = Array.from({ length: 200 }, (_, index) => diseaseRow(index));
  bad[2] = { ...bad[2]!, diseaseName: '' };
  bad[57] = { ...bad[57]!, icd10Prefixes: 'ZZ-9' };
  bad[141] = { ...bad[141]!, diseaseCode: bad[140]!.diseaseCode };
  const good = Array.from({ length: 12 }, (_, index) => diseaseRow(500 + index));
  for (const [fileName, rows, minutesAgo] of [
    ['病种字典_200行.xlsx', bad, 25],
    ['病种字典_新增12种.xlsx', good, 12],
  ] as const) {
    const bytes = await bookOf(importer, rows);
    const at = stage.ago(minutesAgo);
    await stage.transaction(async (writing) => {
      const fileId = await uploadOf(stage, writing, fileName, bytes, person, at);
      await startImport(
        stage.kernel,
        writing,
        { importerCode: importer.code, fileId, params: {}, mode: 'ALL_OR_NOTHING', staff },
        at,
        randomBytes(8).toString('hex'),
      );
    });
  }
}

export async function writeDemoImports(stage: DemoStage): Promise<void> {
  const { importers } = stage.kernel.registry;
  const users = importers.find(({ code }) => code === 'identity.user');
  if (users) {
    await stage.transaction(async (writing) => {
      for (const [index, task] of past.entries())
        await writePast(stage, writing, users, stage.people[index % 5 === 4 ? stage.people.length - 1 : 0]!, task);
    });
  }
  const diseases = importers.find(({ code }) => code === 'corpus.disease');
  const person = stage.people[0];
  if (diseases && person) await startReal(stage, diseases, person);
}
