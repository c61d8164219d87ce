import type { Insertable } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import { addInsuredBatch, addReverseBatch, reparseInsuredBatch } from '../../contract/calls/batches.ts';
import { policyErrors } from '../../contract/errors.ts';
import { policyPermissions } from '../../contract/permissions.ts';
import { POLICY_LIST } from '../../contract/purposes.ts';
import { doubledAlias, layout, type Layout, makesPolicies, missingTargets, placesOf } from '../../contract/rules/template.ts';
import { policyRecords } from '../access.ts';
import { json, own } from '../database.ts';
import type { PolicyInsuredBatch } from '../tables.ts';
import { parseJob } from './parsing/parseJob.ts';
import { eraseMade } from './parsing/newPolicies.ts';
import { openList, readWholeList, sheetOf } from '../templates/readFile.ts';
import { type BatchRecord, batchRecords, layoutOf, templateRecords } from './records.ts';
import { renewalLayout } from './parsing/renewedRows.ts';
import { stateOf } from './rows.ts';
import { moveBatch } from './settle.ts';
import { getInsurer, resolveByCodes } from '#domains/insurance/server/index.ts';
import { insurerKeyOf } from '../policies/write.ts';
import { rawOf, readRow } from '../templates/readRow.ts';

/** Rows that are looked at for one that says it. */
const LOOKED_AT = 1_000;

/**
 * Whose policies a list makes that is read by everybody's template: the insurer of the product that its rows name first, or the
 * enterprise that has none. Rows of other insurers are wrong then.
 * @throws Refusal SCM90020 where no row says it, or of a product that the viewer does not see
 */
async function ownerInFile(kernel: Kernel, ctx: CommandContext, fileId: string, asked: Layout) {
  const { headers, rows } = await readWholeList(await openList(kernel, ctx.tx, fileId), asked);
  const places = placesOf(asked, headers);
  let looked = 0;
  for await (const row of rows) {
    if ((looked += 1) > LOOKED_AT) break;
    const { productCode, coverageStart, holderName } = readRow(asked, rawOf(places, row.cells), ctx.today).facts.ofPolicy;
    if (productCode === null || coverageStart === null || holderName === null) continue;
    const product = (await resolveByCodes(ctx.tx, [{ productCode, date: coverageStart }])).of(productCode, coverageStart);
    const { insurer: seen } = ctx.staff.scope;
    if (!product || (seen !== null && (product.insurerId === null || !seen.includes(product.insurerId))))
      throw refuseField(
        'fileId',
        `第${row.rowNo}行的产品编码“${productCode}”在${coverageStart}没有已发布版本，无法确定保司；请更正后重新上传，或改用该保司的模板`,
      );
    const insurer = product.insurerId === null ? null : await getInsurer(ctx.tx, product.insurerId);
    return {
      insurerKey: insurerKeyOf(product.insurerId, holderName),
      insurerId: product.insurerId,
      insurerName: insurer?.shortName ?? holderName,
    };
  }
  throw refuseField('policyIds', '清单没有写明产品编码、起保日期和投保人，无法确定保司；请先选择保单，或改用该保司的模板');
}

/** Of everybody: a template that names no insurer. */
export const EVERYBODY = '*';

/** @throws Refusal SCM13030, SCM13031 */
export function requireLayout({ columns }: Layout): void {
  const doubled = doubledAlias(columns);
  if (doubled !== null) throw refuse(policyErrors.COLUMN_TWICE, { name: doubled });
  const missing = missingTargets(columns);
  if (missing.length > 0) throw refuse(policyErrors.TARGETS_MISSING, { names: missing.join('、') });
}

/** The file with what its header says. @throws Refusal SCM13020, SCM13032 */
async function openedList(kernel: Kernel, ctx: CommandContext, fileId: string, asked: Layout, batchId: string) {
  await attach(
    ctx.tx,
    { fileIds: [fileId], purpose: POLICY_LIST, ownerType: 'policy.batch', ownerId: batchId, field: 'file', userId: ctx.staff.userId },
    ctx.now,
  );
  const file = await openList(kernel, ctx.tx, fileId);
  const { unknown } = placesOf(asked, (await readWholeList(file, asked)).headers);
  return {
    fileId,
    fileName: file.fileName,
    fileSha256: file.sha256,
    sheetRead: sheetOf(file, asked) || null,
    unknownHeaders: unknown.slice(0, 50),
  };
}

/** Whose list it is: the insurer of the chosen policies, else of the template; everybody's where the file is to say it. */
async function ownerOf(
  ctx: CommandContext,
  template: { insurerKey: string; insurerName: string },
  policyIds: readonly string[],
  inFile: boolean,
) {
  const policies = [];
  for (const id of policyIds) policies.push(await policyRecords.get(ctx.tx, ctx.staff, id));
  const [first] = policies;
  if (!first) {
    if (template.insurerKey === EVERYBODY && !inFile)
      throw refuseField('policyIds', '通用模板无法确定保司，请先选择保单，或改用该保司的模板；首次承保清单有新增保单的列时可不选');
    return template;
  }
  if (policies.some(({ insurerKey }) => insurerKey !== first.insurerKey)) throw refuseField('policyIds', '所选保单须属于同一保司或企业');
  if (template.insurerKey !== EVERYBODY && template.insurerKey !== first.insurerKey)
    throw refuseField('templateId', '模板与所选保单不属于同一保司或企业');
  return { insurerKey: first.insurerKey, insurerName: first.insurerName };
}

const insurerIdOf = (insurerKey: string) => (/^\d+$/.test(insurerKey) ? insurerKey : null);

type NewBatch = Omit<Insertable<PolicyInsuredBatch>, 'batchNo' | 'state' | 'makerId' | 'makerName' | 'createdAt' | 'updatedAt'>;
async function newBatch(ctx: CommandContext, values: NewBatch): Promise<BatchRecord> {
  const row = await own(ctx.tx)
    .insertInto('policyInsuredBatch')
    .values({
      batchNo: await nextNumber(ctx.tx, 'QD', ctx.today),
      ...values,
      state: 'UPLOADED',
      makerId: ctx.staff.userId,
      makerName: ctx.staff.displayName,
      ...createdColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  ctx.target({ type: 'policy.batch', id: row.id, no: row.batchNo });
  return row;
}

/** A list of the persons of a policy for the one that renews it; nobody uploaded it. */
export async function startRenewal(
  kernel: Kernel,
  ctx: CommandContext,
  from: { id: string; policyNo: string; insurerKey: string; insurerId: string | null; insurerName: string },
  to: { id: string; coverageStart: string },
): Promise<BatchRecord> {
  const row = await newBatch(ctx, {
    layout: json(renewalLayout),
    mode: 'INITIAL',
    chosenPolicyIds: [to.id],
    insurerKey: from.insurerKey,
    insurerId: from.insurerId,
    insurerName: from.insurerName,
    fileName: `续保${from.policyNo}`,
    defaultEffectiveOn: to.coverageStart,
    renewsPolicyId: from.id,
  });
  return startParsing(kernel, { ...ctx, requirePermission: () => {} }, row);
}

export const addBatch = (kernel: Kernel) =>
  command(addInsuredBatch, async ({ templateId, layout: mapped, mode, policyIds, fileId, defaultEffectiveOn }, ctx) => {
    const template = await templateRecords.get(ctx.tx, ctx.staff, templateId);
    const asked = mapped ?? layout.parse(layoutFields(template));
    requireLayout(asked);
    const makes = makesPolicies(mode, asked.columns) && policyIds.length === 0;
    if (makes) ctx.requirePermission(policyPermissions['policy.edit']);
    if (!asked.columns.some(({ target }) => target === 'policyNo') && policyIds.length !== 1)
      throw refuseField('policyIds', '清单没有保单号列，请选择一张保单');
    const { insurerKey, insurerName } = await ownerOf(ctx, template, policyIds, makes);
    const row = await newBatch(ctx, {
      templateId,
      templateVersion: template.version,
      layout: json(asked),
      mode,
      chosenPolicyIds: policyIds,
      insurerKey,
      insurerId: insurerIdOf(insurerKey),
      insurerName,
      defaultEffectiveOn: defaultEffectiveOn ?? null,
    });
    const batch = await own(ctx.tx)
      .updateTable('policyInsuredBatch')
      .set({
        ...(await openedList(kernel, ctx, fileId, asked, row.id)),
        ...(makes && insurerKey === EVERYBODY && (await ownerInFile(kernel, ctx, fileId, asked))),
      })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...stateOf(ctx, batch), batchNo: row.batchNo };
  });

/** Columns of a template that say how a list is read. */
export const layoutFields = ({
  sheet,
  headerRow,
  columns,
  leaveMeans,
  dedupeKey,
}: {
  sheet: string;
  headerRow: number;
  columns: unknown;
  leaveMeans: string;
  dedupeKey: string;
}) => ({ sheet, headerRow, columns, leaveMeans, dedupeKey });

/** What was decided is forgotten; rows are read again. */
export const forgotten = {
  parsedRows: 0,
  totalRows: 0,
  addRows: 0,
  modifyRows: 0,
  removeRows: 0,
  sameRows: 0,
  excludedRows: 0,
  warnRows: 0,
  errorRows: 0,
  backdatedRows: 0,
  premiumDeltaFen: '0',
  policyIds: [],
  fault: null,
  faultAcceptedBy: null,
  failure: null,
  impactHash: null,
};

/** Reads a list from its beginning, in the background. */
export async function startParsing(kernel: Kernel, ctx: CommandContext, batch: Parameters<typeof moveBatch>[1]) {
  await own(ctx.tx).deleteFrom('policyInsuredBatchRow').where('batchId', '=', batch.id).execute();
  await eraseMade(ctx, batch.id);
  await own(ctx.tx).updateTable('policyInsuredBatch').set({ policySeqs: '{}' }).where('id', '=', batch.id).execute();
  const moved = await moveBatch(ctx, batch, 'parse', forgotten);
  await ctx.enqueue(parseJob(kernel), { batchId: batch.id }, { singletonKey: batch.id });
  return moved;
}

/** Whether the file says whose policies the list makes. */
async function ofFile(ctx: CommandContext, { mode, chosenPolicyIds, templateId }: BatchRecord, { columns }: Layout): Promise<boolean> {
  if (templateId === null || chosenPolicyIds.length > 0 || !makesPolicies(mode, columns)) return false;
  const template = await own(ctx.tx)
    .selectFrom('policyInsuredTemplate')
    .select('insurerKey')
    .where('id', '=', templateId)
    .executeTakeFirst();
  return template?.insurerKey === EVERYBODY;
}

export const reparse = (kernel: Kernel) =>
  command(reparseInsuredBatch, async ({ batchId, version, fileId }, ctx) => {
    const batch = await batchRecords.lockVersion(ctx, batchId, version);
    if (fileId && batch.fileId === null)
      throw refuseField('fileId', batch.reverseOfBatchId === null ? '续保名单没有文件，不能更换' : '冲正批次没有文件');
    const asked = layoutOf(batch);
    const file = fileId ? await openedList(kernel, ctx, fileId, asked, batch.id) : {};
    const owner = fileId && (await ofFile(ctx, batch, asked)) ? await ownerInFile(kernel, ctx, fileId, asked) : {};
    const renewed = await own(ctx.tx)
      .updateTable('policyInsuredBatch')
      .set({ ...file, ...owner, ...updatedColumns(ctx) })
      .where('id', '=', batch.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return stateOf(ctx, await startParsing(kernel, ctx, renewed));
  });

export const reverseBatch = (kernel: Kernel) =>
  command(addReverseBatch, async ({ batchId, version, excludeRowIds }, ctx) => {
    const origin = await batchRecords.lockVersion(ctx, batchId, version);
    if (origin.state !== 'APPLIED') throw refuseField('batchId', '只有已生效的批次可以冲正');
    const row = await newBatch(ctx, {
      templateId: origin.templateId,
      templateVersion: origin.templateVersion,
      layout: json(origin.layout),
      mode: 'MIXED',
      chosenPolicyIds: origin.policyIds,
      insurerKey: origin.insurerKey,
      insurerId: origin.insurerId,
      insurerName: origin.insurerName,
      fileName: `冲正${origin.batchNo}`,
      reverseOfBatchId: origin.id,
      leftOut: excludeRowIds,
    });
    const batch = await startParsing(kernel, { ...ctx, requirePermission: () => {} }, row);
    return { ...stateOf(ctx, batch), batchNo: row.batchNo };
  });
