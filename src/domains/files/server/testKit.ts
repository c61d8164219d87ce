import * as z from 'zod/mini';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { declarePermissions } from '#kernel/contract/permission.ts';
import { declareService } from '#kernel/contract/service.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { type XlsxCell, bufferOf, xlsxStream } from '#kernel/server/documents/xlsxStream.ts';
import { exportHandler } from '#kernel/server/exporting/exportHandler.ts';
import { exportSource } from '#kernel/server/exporting/source.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import { NOTES_SHEET, TEMPLATE_MARK } from '#kernel/server/importing/template.ts';
import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { json, own } from './database.ts';

/** A tiny domain for the tests: a list of notes that is exported and imported. It keeps them among the column presets. */
export const notePermissions = declarePermissions('probe', {
  'note.export': { label: '导出便签', roles: '' },
  'note.import': { label: '导入便签', roles: '' },
});

export const exportNotes = declareService('ProbeService').file({
  operation: 'exportNotes',
  label: '导出便签',
  access: notePermissions['note.export'],
  log: 'EXPORT',
  input: { rows: z.int(), ...exportFields },
  output: exportQueued,
});

/** What the export does before each chunk; tests replace it to look in or to break off. */
export const exportHooks = { beforeChunk: async (_from: number): Promise<void> => {} };

const noteSource = exportSource({
  call: exportNotes,
  title: '便签',
  routeKey: 'notes',
  permission: notePermissions['note.export'].code,
  describe: ({ rows }) => `前${rows}行`,
  count: async ({ filter }) => filter.rows,
  async *chunks({ filter, staff }) {
    for (let from = 0; from < filter.rows; from += 1_000) {
      await exportHooks.beforeChunk(from);
      yield Array.from({ length: Math.min(1_000, filter.rows - from) }, (_, index) => ({
        no: from + index + 1,
        mobile: '13812345678',
        region: staff.scope.region?.join() ?? '全国',
      }));
    }
  },
  columns: [
    { key: 'no', label: '序号', kind: 'int', value: (row) => row.no },
    { key: 'mobile', label: '手机号', sensitive: 'mobile', value: (row) => row.mobile },
    { key: 'region', label: '区域', value: (row) => row.region },
  ],
});

const SOURCE = 'probe.note';
const note = (db: Db | Tx) => own(db).selectFrom('filesExportColumnPreset').where('source', '=', SOURCE);
const factsOf = (columns: unknown) => columns as { amount: string | null; version: number; batchNo: string };

export const notes = async (db: Db | Tx) =>
  (await note(db).select(['id', 'name', 'columns']).orderBy('name').execute()).map(({ id, name, columns }) => ({
    id,
    name,
    ...factsOf(columns),
  }));

/** Fails the commit when the batch reaches this row; 0 = never. */
export const importHooks = { failAtRow: 0 };

const noteImporter: Importer = {
  code: 'probe.note',
  label: '便签',
  templateVersion: '1',
  permission: notePermissions['note.import'].code,
  maxRows: 12_000,
  allowValidOnly: true,
  columns: [
    { key: 'name', label: '名称', type: 'text', required: true, maxLength: 20 },
    { key: 'amount', label: '金额', type: 'money' },
  ],
  async validateAll(rows) {
    const seen = new Set<unknown>();
    return rows.flatMap(({ rowNo, record }) => {
      const again = seen.has(record['name']);
      seen.add(record['name']);
      return again ? [{ rowNo, columnKey: 'name', severity: 'ERROR' as const, message: '名称重复' }] : [];
    });
  },
  async plan(rows, { db }) {
    const known = new Map((await notes(db)).map((row) => [row.name, row]));
    return rows.map((row) => {
      const found = known.get(String(row.record['name']));
      if (!found) return { ...row, action: 'NEW' as const };
      const before = { name: found.name, amount: found.amount === null ? null : BigInt(found.amount) };
      const same = before.amount === row.record['amount'];
      return { ...row, action: same ? ('SAME' as const) : ('CHANGE' as const), before, targetId: found.id, targetVersion: found.version };
    });
  },
  async commitChunk(rows, batchNo, { tx, staff, now }) {
    if (rows.some(({ rowNo }) => rowNo === importHooks.failAtRow)) throw new Error('the process died here');
    const written = await own(tx)
      .insertInto('filesExportColumnPreset')
      .values(
        rows.map(({ record, targetVersion }) => ({
          userId: staff.userId,
          source: SOURCE,
          name: String(record['name']),
          updatedAt: now,
          columns: json({
            amount: record['amount'] === null ? null : String(record['amount']),
            version: (targetVersion ?? 0) + 1,
            batchNo,
          }),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['userId', 'source', 'name']).doUpdateSet((eb) => ({ columns: eb.ref('excluded.columns') })),
      )
      .returning(['id', 'name'])
      .execute();
    const ids = new Map(written.map(({ id, name }) => [name, id]));
    return new Map(rows.map(({ rowNo, record }) => [rowNo, ids.get(String(record['name'])) ?? '']));
  },
  async undo(rows, batchNo, { tx }) {
    const known = new Map((await notes(tx)).map((row) => [row.name, row]));
    const touched = rows.find(({ record }) => known.get(String(record['name']))?.batchNo !== batchNo);
    if (touched) return { rowNo: touched.rowNo, no: String(touched.record['name']) };
    for (const { action, record, before, targetVersion } of rows) {
      const name = String(record['name']);
      if (action === 'NEW')
        await own(tx).deleteFrom('filesExportColumnPreset').where('source', '=', SOURCE).where('name', '=', name).execute();
      else {
        const columns = json({
          amount: before?.['amount'] == null ? null : String(before['amount']),
          version: (targetVersion ?? 0) + 2,
          batchNo: '',
        });
        await own(tx)
          .updateTable('filesExportColumnPreset')
          .set({ columns })
          .where('source', '=', SOURCE)
          .where('name', '=', name)
          .execute();
      }
    }
    return null;
  },
};

/** A filled-in template. */
export function noteBook(rows: readonly (readonly [name: string, amount: string])[], version = '1'): Promise<Buffer> {
  const cells = (...texts: string[]): XlsxCell[] => texts.map((text) => ({ text }));
  return bufferOf(
    xlsxStream([
      { name: '数据', widths: [], rows: [cells('*名称', '金额'), ...rows.map((row) => cells(...row))] },
      { name: NOTES_SHEET, widths: [], rows: [cells(TEMPLATE_MARK, noteImporter.code, '模板版本', version)] },
    ]),
  );
}

export const noteModule: ServerModuleFactory = (kernel) => ({
  domain: 'probe',
  permissions: Object.values(notePermissions),
  routes: [],
  errors: {},
  handlers: [exportHandler(noteSource, kernel)],
  exports: [noteSource],
  importers: [noteImporter],
});

/** Runs one job at the clock's time, without everything else that falls due in a week. */
export const runJob = (app: { kernel: Kernel; clock: { now(): string }; db: Db }, job: JobDeclaration): Promise<void> =>
  job.run(
    {},
    {
      kernel: app.kernel,
      now: app.clock.now(),
      traceId: 'test',
      db: app.db,
      signal: new AbortController().signal,
      idleFor: () => {},
      transaction: (work) => app.kernel.transactions.run('test', work),
    },
  );
