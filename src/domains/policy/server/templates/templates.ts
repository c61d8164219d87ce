import { sql, type SqlBool } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Db } from '#kernel/server/context.ts';
import { bufferOf, xlsxStream, type XlsxCell } from '#kernel/server/documents/xlsxStream.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { XLSX_TYPE } from '../batches/exportResult.ts';
import { requireRead } from '#domains/files/server/index.ts';
import { getInsurer } from '#domains/insurance/server/index.ts';
import {
  addTemplate,
  downloadTemplate,
  modifyTemplate,
  MOST_TRIED,
  queryTemplateList,
  removeTemplate,
  testTemplate,
} from '../../contract/calls/templates.ts';
import { leaveMeanings, listTargets, rowOps, type ListTarget } from '../../contract/batchDictionaries.ts';
import { genders, idTypes, relations } from '../../contract/dictionaries.ts';
import { POLICY_LIST } from '../../contract/purposes.ts';
import { layout, placesOf, type Layout } from '../../contract/rules/template.ts';
import { insurerScope, policyRecords } from '../access.ts';
import { json, own } from '../database.ts';
import { EVERYBODY, layoutFields, requireLayout } from '../batches/add.ts';
import { openList, readList, sheetNames, sheetsWithColumns, type ListFile } from './readFile.ts';
import { rawOf, readRow } from './readRow.ts';
import { templateRecords, type TemplateRecord } from '../batches/records.ts';

/** How many templates there ever are: some per insurer. */
const BOUNDED = '模板每家保司几份';

export const templateList = listOf(queryTemplateList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('policyInsuredTemplate as t')
      .where('t.removed', '=', false)
      .where(scopeFilter(insurerScope('t.insurerId'), staff)),
  )
  .with({
    where: { insurerName: contains('t.insurerName'), templateName: contains('t.templateName') },
    id: 't.id',
    sorts: { updatedAt: 't.updatedAt' },
    bounded: BOUNDED,
    select: (rows) => rows.selectAll('t'),
    present: (rows) => rows.map(shownTemplate),
  });

function shownTemplate(row: TemplateRecord) {
  const read = layoutOfTemplate(row);
  return {
    id: row.id,
    insurerId: row.insurerId,
    insurerName: row.insurerName,
    templateName: row.templateName,
    ...read,
    columnCount: read.columns.length,
    updatedAt: row.updatedAt,
    version: row.version,
  };
}
const layoutOfTemplate = (row: TemplateRecord): Layout => layout.parse(layoutFields(row));

/** Whose template it is: an insurer's, an employer's, or everybody's. */
async function ownerOf(ctx: CommandContext, insurerId: string | null | undefined, sponsorName: string | null | undefined) {
  if (insurerId) {
    const { insurer: seen } = ctx.staff.scope;
    const insurer = seen === null || seen.includes(insurerId) ? await getInsurer(ctx.tx, insurerId) : null;
    if (!insurer) throw refuseField('insurerId', '保司不存在');
    return { insurerKey: insurerId, insurerName: insurer.shortName };
  }
  return sponsorName ? { insurerKey: `S:${sponsorName}`, insurerName: sponsorName } : { insurerKey: EVERYBODY, insurerName: '通用' };
}

const NAME_TAKEN = '该保司下模板名称已存在';

export const add = command(addTemplate, async ({ insurerId, sponsorName, templateName, ...asked }, ctx) => {
  requireLayout(asked);
  const owner = await ownerOf(ctx, insurerId, sponsorName);
  // Its condition stands in the text: as a parameter it would name no index once the statement is planned for any value.
  const row = await own(ctx.tx)
    .insertInto('policyInsuredTemplate')
    .values({ ...owner, templateName, ...asked, columns: json(asked.columns), ...createdColumns(ctx) })
    .onConflict((on) =>
      on
        .columns(['insurerKey', 'templateName'])
        .where(sql<SqlBool>`not removed`)
        .doNothing(),
    )
    .returning(['id', 'templateName', 'version'])
    .executeTakeFirst();
  if (!row) throw refuseField('templateName', NAME_TAKEN);
  ctx.target({ type: 'policy.template', id: row.id, no: row.templateName });
  return row;
});

export const modify = command(modifyTemplate, async ({ id, version, templateName, ...asked }, ctx) => {
  const known = await templateRecords.lockVersion(ctx, id, version, shownTemplate);
  requireLayout(asked);
  const taken = await own(ctx.tx)
    .selectFrom('policyInsuredTemplate')
    .select('id')
    .where('insurerKey', '=', known.insurerKey)
    .where('templateName', '=', templateName)
    .where('removed', '=', false)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (taken) throw refuseField('templateName', NAME_TAKEN);
  const row = await own(ctx.tx)
    .updateTable('policyInsuredTemplate')
    .set((eb) => ({ templateName, ...asked, columns: json(asked.columns), ...updatedColumns(ctx), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning(['id', 'templateName', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: 'policy.template', id, no: row.templateName });
  ctx.changed([{ path: 'columns', label: '列数', before: (known.columns as unknown[]).length, after: asked.columns.length }]);
  return row;
});

/** Batches keep how their lists were read, so a template may go at any time. */
export const remove = command(removeTemplate, async ({ id, version }, ctx) => {
  const row = await templateRecords.lockVersion(ctx, id, version, shownTemplate);
  await own(ctx.tx)
    .updateTable('policyInsuredTemplate')
    .set((eb) => ({ removed: true, ...updatedColumns(ctx), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  ctx.target({ type: 'policy.template', id, no: row.templateName });
  return {};
});

/** Sheets among which somebody chooses. */
const MOST_SHEETS = 100;

/** The header row of a file and the first rows below it. */
async function beginningOf(file: ListFile, asked: Layout): Promise<{ headers: string[]; rows: { rowNo: number; cells: string[] }[] }> {
  const list = await readList(file, asked);
  const rows: { rowNo: number; cells: string[] }[] = [];
  for await (const { rowNo, cells } of list?.rows ?? []) {
    rows.push({ rowNo, cells });
    if (rows.length >= MOST_TRIED) break;
  }
  return { headers: list?.headers ?? [], rows };
}

const onSheet = (asked: Layout, sheet: string | undefined): Layout => (sheet === undefined ? asked : { ...asked, sheet });

/** The template of whose columns the file has most; null: it has none of any. */
async function guess(
  db: Db,
  viewer: Viewer,
  file: ListFile,
  { policyId, sheet }: { policyId: string | undefined; sheet: string | undefined },
): Promise<TemplateRecord | null> {
  const seen = await templateRecords.seen(db, viewer).selectAll('t').orderBy('t.id').execute();
  // A list for a policy is never read by the template of another insurer.
  const policy = policyId ? await policyRecords.get(db, viewer, policyId) : null;
  const all = policy ? seen.filter(({ insurerKey }) => insurerKey === policy.insurerKey || insurerKey === EVERYBODY) : seen;
  const rank = ({ insurerKey }: TemplateRecord) => Number((insurerKey === EVERYBODY) === (policy === null));
  let best: { row: TemplateRecord; share: number } | null = null;
  for (const row of all) {
    const asked = onSheet(layoutOfTemplate(row), sheet);
    const headers = (await readList(file, asked))?.headers ?? [];
    const places = placesOf(asked, headers);
    const share = places.at.size - places.missing.length * 2 - places.unknown.length / 2;
    // Headers that several know say nothing of the insurer: then everybody's reads them, and for a policy that of its insurer.
    const better = best === null || share > best.share || (share === best.share && rank(row) > rank(best.row));
    if (places.at.size > 0 && better) best = { row, share };
  }
  return best?.row ?? null;
}

export const test = (kernel: Kernel) =>
  query(testTemplate, async ({ fileId, templateId, policyId, layout: given, sheet }, { db, staff, has, today }) => {
    const right = await requireRead(db, fileId, { staff, has });
    if (!right.original || right.file.purpose !== POLICY_LIST) throw refuseField('fileId', '请上传清单文件');
    const file = await openList(kernel, db, fileId);
    const sheets = sheetNames(file);
    if (sheet !== undefined && !sheets.includes(sheet)) throw refuseField('sheet', `文件中没有工作表“${sheet}”`);
    const named = templateId ? await templateRecords.get(db, staff, templateId) : null;
    const chosen = named ?? (given ? null : await guess(db, staff, file, { policyId, sheet }));
    const own = given ?? (chosen ? layoutOfTemplate(chosen) : layout.parse({ columns: [{ target: 'name', headerAliases: ['姓名'] }] }));
    const asked = onSheet(own, sheet);
    const { headers, rows } = await beginningOf(file, asked);
    const places = placesOf(asked, headers);
    const targetAt = new Map([...places.at].map(([target, place]) => [place, target]));
    return {
      templateId: chosen?.id ?? null,
      templateName: chosen?.templateName ?? null,
      layout: asked,
      sheets: sheets.slice(0, MOST_SHEETS),
      headers: headers.slice(0, 60),
      mapped: headers.slice(0, 60).map((_header, place): ListTarget | null => targetAt.get(place) ?? null),
      missing: places.missing,
      elsewhere: places.missing.length === 0 ? [] : await sheetsWithColumns(file, asked),
      unknown: places.unknown,
      rows: rows.map(({ rowNo, cells }) => ({
        rowNo,
        cells: headers.slice(0, 60).map((_header, place) => cells[place] ?? ''),
        faults: readRow(asked, rawOf(places, cells), today).faults.map(({ header, message }) => ({ header, message })),
      })),
    };
  });

const DICTIONARIES: readonly (readonly [ListTarget, readonly { label: string }[]])[] = [
  ['op', rowOps.options],
  ['idType', idTypes.options],
  ['gender', genders.options],
  ['relation', relations.options],
  ['hasSocial', [{ label: '是' }, { label: '否' }]],
];
const text = (...texts: string[]): XlsxCell[] => texts.map((one) => ({ text: one }));

/** The workbook that is sent to an insurer or employer: the headers, what each of them means, and the values that it may have. */
export const download = command(downloadTemplate, async ({ templateId }, ctx) => {
  const row = await templateRecords.get(ctx.tx, ctx.staff, templateId);
  const { columns, headerRow, sheet, leaveMeans } = layoutOfTemplate(row);
  const names = columns.map(({ headerAliases }) => headerAliases[0] ?? '');
  const listed = DICTIONARIES.filter(([target]) => columns.some((column) => column.target === target));
  const longest = Math.max(0, ...listed.map(([, options]) => options.length));
  const body = await bufferOf(
    xlsxStream([
      {
        name: sheet === '' ? '人员清单' : sheet,
        widths: names.map((name) => Math.max(14, name.length * 2 + 6)),
        frozenRows: headerRow,
        rows: [
          ...Array.from({ length: headerRow - 1 }, (): XlsxCell[] => []),
          columns.map(({ required }, at): XlsxCell => ({
            text: required ? `*${names[at]}` : names[at]!,
            style: required ? 'required' : 'header',
          })),
        ],
      },
      {
        name: '填写说明',
        widths: [24, 10, 24, 60],
        rows: [
          text('列名', '必填', '字段', '说明').map((cell): XlsxCell => ({ ...cell, style: 'header' })),
          ...columns.map(({ target, required, format, dict }, at) =>
            text(
              names[at]!,
              required ? '是' : '否',
              listTargets.label(target),
              target === 'leaveOn'
                ? `日期（${format}），${leaveMeanings.label(leaveMeans)}`
                : target === 'effectiveOn' || target === 'birthDate'
                  ? `日期（${format}）`
                  : Object.entries(dict)
                      .map(([from, to]) => `${from}→${to}`)
                      .join('，'),
            ),
          ),
        ],
      },
      {
        name: '字典',
        widths: listed.map(() => 20),
        rows: [
          listed.map(([target]): XlsxCell => ({ text: listTargets.label(target), style: 'header' })),
          ...Array.from({ length: longest }, (_, at) => text(...listed.map(([, options]) => options[at]?.label ?? ''))),
        ],
      },
    ]),
  );
  ctx.target({ type: 'policy.template', id: row.id, no: row.templateName });
  return new FileAnswer({ name: `${row.insurerName}_${row.templateName}.xlsx`, contentType: XLSX_TYPE, body, rowCount: 0 });
});
