import { own } from './database.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import { NOTES_SHEET, TEMPLATE_MARK } from '#kernel/server/importing/template.ts';
import * as exports from '../contract/calls/exports.ts';
import * as imports from '../contract/calls/imports.ts';
import * as objects from '../contract/calls/objects.ts';
import { registerOwner } from './owners.ts';
import { attach } from './objects/links.ts';
import { pdfOf } from './demo/samples.ts';

const NONE = '999999999';
const IMPORTER = 'corpus.disease';
const importing = { permissions: ['corpus.disease.edit'] };
const uploading = { permissions: ['files.object.manage', 'files.object.remove'] };
let made = 0;
const fresh = () => String((made += 1)).padStart(6, '0');

async function presigned(app: TestApp, as: TestStaff, purpose: string, fileName: string, bytes: Buffer) {
  const [upload] = await app.ok(
    objects.getPresignedUrl,
    { purpose, files: [{ fileName, size: bytes.length, contentType: 'application/octet-stream' }] },
    { as },
  );
  await app.inject({ method: 'PUT', url: upload!.url, payload: bytes, headers: { 'content-type': 'application/octet-stream' } });
  return upload!.fileId;
}
async function uploaded(app: TestApp, as: TestStaff, purpose = 'LICENCE', fileName = '证照.pdf', bytes = pdfOf([fresh()])) {
  const fileId = await presigned(app, as, purpose, fileName, bytes);
  await app.ok(objects.completeUpload, { fileId }, { as });
  return fileId;
}

/** A filled-in template of the importer that the corpus registers. */
async function diseaseTable(app: TestApp, as: TestStaff) {
  const importer = app.kernel.registry.importers.find(({ code }) => code === IMPORTER)!;
  const row = (texts: readonly string[]) => texts.map((text) => ({ text }));
  const bytes = await bufferOf(
    xlsxStream([
      { name: '数据', widths: [], rows: [row(importer.columns.map(({ label }) => label)), row([`CASE${fresh()}`, '用例病种', 'E11'])] },
      { name: NOTES_SHEET, widths: [], rows: [row([TEMPLATE_MARK, IMPORTER, '模板版本', importer.templateVersion])] },
    ]),
  );
  return uploaded(app, as, 'IMPORT', '病种.xlsx', bytes);
}
async function importTask(app: TestApp, as: TestStaff) {
  const { importTaskId } = await app.ok(imports.addImportTask, { importerCode: IMPORTER, fileId: await diseaseTable(app, as) }, { as });
  await app.runDue();
  const { version } = await app.ok(imports.queryImportResult, { importTaskId }, { as });
  return { importTaskId, version };
}
async function committedTask(app: TestApp, as: TestStaff) {
  const task = await importTask(app, as);
  await app.ok(imports.commitImportTask, task, { as, idempotencyKey: `case-commit-${task.importTaskId}` });
  await app.runDue();
  return {
    importTaskId: task.importTaskId,
    version: (await app.ok(imports.queryImportResult, { importTaskId: task.importTaskId }, { as })).version,
  };
}

let rows = 5_001;
async function exportTask(app: TestApp, as: TestStaff, run: boolean) {
  rows += 1;
  const { exportTaskId: taskId } = await app.ok(exports.exportDemoBigData, { rows }, { as });
  if (run) await app.runDue();
  const { version } = await own(app.db).selectFrom('filesExportTask').select('version').where('id', '=', taskId).executeTakeFirstOrThrow();
  return { taskId, version };
}
async function failedTask(app: TestApp, as: TestStaff) {
  const task = await exportTask(app, as, true);
  await own(app.db).updateTable('filesExportTask').set({ state: 'FAILED' }).where('id', '=', task.taskId).execute();
  return task;
}

const CASE_OWNER = 'files.case';
registerOwner(CASE_OWNER, { canRead: async (_reader, id) => id === '1', canReadOriginal: async () => true });

const foreignTask = { foreign: async () => ({ taskId: NONE, version: 1 }) };
const foreignImport = { as: importing, foreign: async () => ({ importTaskId: NONE, version: 1 }) };
const source = exports.exportDemoBigData.name;

/** One valid input and one foreign record per call, for the tests generated from the call table. */
export const filesCases: readonly CallCase[] = [
  callCase(
    objects.getPresignedUrl,
    async () => ({ purpose: 'LICENCE', files: [{ fileName: 'a.pdf', size: 10, contentType: 'application/pdf' }] }),
    { as: uploading },
  ),
  callCase(
    objects.renewPartUrl,
    async (app, as) => ({ fileId: await presigned(app, as!, 'LICENCE', 'a.pdf', pdfOf([fresh()])), partNos: [1] }),
    { as: uploading, foreign: async () => ({ fileId: NONE, partNos: [1] }) },
  ),
  callCase(objects.completeUpload, async (app, as) => ({ fileId: await presigned(app, as!, 'LICENCE', 'a.pdf', pdfOf([fresh()])) }), {
    as: uploading,
    foreign: async () => ({ fileId: NONE }),
  }),
  callCase(objects.queryFileState, async (app, as) => ({ fileIds: [await uploaded(app, as!)] }), {
    as: uploading,
    foreign: async () => ({ fileIds: [NONE] }),
  }),
  callCase(objects.getFileUrl, async (app, as) => ({ fileId: await uploaded(app, as!), use: 'PREVIEW' as const }), {
    as: uploading,
    foreign: async () => ({ fileId: NONE, use: 'PREVIEW' as const }),
  }),
  callCase(
    objects.queryFileList,
    async (app, as) => {
      const fileId = await uploaded(app, as!);
      await app.kernel.transactions.run('case', ({ tx }) =>
        attach(
          tx,
          { fileIds: [fileId], purpose: 'LICENCE', ownerType: CASE_OWNER, ownerId: '1', field: 'f', userId: as!.userId },
          app.clock.now(),
        ),
      );
      return { ownerType: CASE_OWNER, ownerId: '1' };
    },
    { as: uploading, foreign: async () => ({ ownerType: CASE_OWNER, ownerId: '2' }) },
  ),
  callCase(objects.deleteFile, async (app, as) => ({ fileId: await uploaded(app, as!) }), {
    as: uploading,
    foreign: async () => ({ fileId: NONE }),
  }),
  callCase(objects.queryFileObjectList, async (app, as) => {
    await uploaded(app, as!);
    return { purpose: 'LICENCE', state: ['READY' as const], linked: false };
  }),
  callCase(objects.queryFilePurposes, async () => ({})),
  callCase(objects.queryStorageUsage, async () => ({})),

  callCase(exports.exportDemoBigData, async () => ({ rows: 3 })),
  callCase(exports.queryExportTaskList, async (app, as) => {
    await exportTask(app, as!, false);
    return { state: ['QUEUED' as const] };
  }),
  callCase(exports.queryExportTaskProgress, async (app, as) => ({ taskIds: [(await exportTask(app, as!, false)).taskId] }), {
    foreign: async () => ({ taskIds: [NONE] }),
  }),
  callCase(exports.cancelExportTask, (app, as) => exportTask(app, as!, false), foreignTask),
  callCase(exports.retryExportTask, (app, as) => failedTask(app, as!), foreignTask),
  callCase(exports.rerunExportTask, (app, as) => exportTask(app, as!, true), foreignTask),
  callCase(exports.downloadExportFile, async (app, as) => ({ taskId: (await exportTask(app, as!, true)).taskId }), {
    foreign: async () => ({ taskId: NONE }),
  }),
  callCase(exports.getExportFileUrl, async (app, as) => ({ taskId: (await exportTask(app, as!, true)).taskId }), {
    foreign: async () => ({ taskId: NONE }),
  }),
  callCase(
    exports.revealExportPassword,
    async (app, as) => {
      const { taskId } = await exportTask(app, as!, true);
      await own(app.db)
        .updateTable('filesExportTask')
        .set({ passwordCipher: app.kernel.secrets.encrypt('Qx7-pass') })
        .where('id', '=', taskId)
        .execute();
      return { taskId };
    },
    { foreign: async () => ({ taskId: NONE }) },
  ),
  callCase(exports.queryColumnPreset, async () => ({ source })),
  callCase(exports.saveColumnPreset, async () => ({ source, name: '对账', columns: ['no'] })),
  callCase(exports.delColumnPreset, async () => ({ source, name: '对账' })),
  callCase(exports.queryExportColumns, async () => ({ source }), { foreign: async () => ({ source: 'NoService/exportNothing' }) }),

  callCase(imports.downloadImportTemplate, async () => ({ importerCode: IMPORTER }), {
    as: importing,
    foreign: async () => ({ importerCode: 'no.such' }),
  }),
  callCase(imports.queryImporter, async () => ({ importerCode: IMPORTER }), {
    as: importing,
    foreign: async () => ({ importerCode: 'no.such' }),
  }),
  callCase(imports.addImportTask, async (app, as) => ({ importerCode: IMPORTER, fileId: await diseaseTable(app, as!) }), {
    as: importing,
    foreign: async () => ({ importerCode: 'no.such', fileId: NONE }),
  }),
  callCase(imports.queryImportResult, async (app, as) => ({ importTaskId: (await importTask(app, as!)).importTaskId }), {
    as: importing,
    foreign: async () => ({ importTaskId: NONE }),
  }),
  callCase(imports.queryImportRowList, async (app, as) => ({ importTaskId: (await importTask(app, as!)).importTaskId }), {
    as: importing,
    foreign: async () => ({ importTaskId: NONE }),
  }),
  callCase(imports.commitImportTask, (app, as) => importTask(app, as!), foreignImport),
  callCase(imports.revalidateImportTask, (app, as) => importTask(app, as!), foreignImport),
  callCase(imports.cancelImportTask, (app, as) => importTask(app, as!), foreignImport),
  callCase(imports.undoImportTask, async (app, as) => ({ ...(await committedTask(app, as!)), opinion: '导错文件' }), {
    as: importing,
    foreign: async () => ({ importTaskId: NONE, version: 1, opinion: '导错文件' }),
  }),
  callCase(
    imports.downloadImportResult,
    async (app, as) => {
      const { importTaskId } = await importTask(app, as!);
      const result = await app.kernel.transactions.run('case', ({ tx }) =>
        app.kernel.ports.files.store(
          tx,
          { purpose: 'IMPORT', name: '标注.xlsx', body: Buffer.from('PK'), contentType: 'application/octet-stream', createdBy: as!.userId },
          app.clock.now(),
        ),
      );
      await own(app.db).updateTable('filesImportTask').set({ resultFileId: result.fileId }).where('id', '=', importTaskId).execute();
      return { importTaskId };
    },
    { as: importing, foreign: async () => ({ importTaskId: NONE }) },
  ),
  callCase(
    imports.queryImportTaskList,
    async (app, as) => {
      await importTask(app, as!);
      return {};
    },
    { as: importing },
  ),
];
