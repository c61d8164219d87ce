import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Difference } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach, detach } from '#domains/files/server/index.ts';
import { addSupplier, modifySupplier } from '../../contract/calls/supplier.ts';
import { SUPPLIER_LICENCE } from '../../contract/purposes.ts';
import { supplierMachine, type SupplierAction } from '../../contract/supplierStates.ts';
import { supplierRecords, type SupplierRecord } from '../access.ts';
import { own } from '../database.ts';
import {
  changesAudited,
  columnsOf,
  editorOf,
  formOf,
  mobileColumns,
  requireLicence,
  requireSound,
  type SupplierFacts,
  type Writer,
} from './facts.ts';

type Moved = Pick<SupplierRecord, 'id' | 'status' | 'version'>;
export const answerOf = (ctx: Parameters<typeof actionAnswer>[0], { id, status, version }: Moved) => ({
  ...actionAnswer(ctx, supplierMachine, { id, state: status, version }),
  state: status,
});

/** Keeps the licence's files with the supplier. @param userId who uploaded what is new */
async function keepFiles(ctx: Writer, id: string, fileIds: readonly string[], before: readonly string[], userId: string): Promise<void> {
  const files = { ownerType: supplierRecords.type, ownerId: id, field: 'licence' };
  const gone = before.filter((fileId) => !fileIds.includes(fileId));
  await detach(ctx.tx, { ...files, fileIds: gone }, ctx.now);
  await attach(ctx.tx, { ...files, fileIds: [...fileIds], purpose: SUPPLIER_LICENCE, userId }, ctx.now);
}

/** A draft of a supplier. @throws Refusal SCM90020 for a code that is taken, what is unknown, a licence that has ended */
export async function makeSupplier(
  ctx: Writer,
  { secrets }: Pick<Kernel, 'secrets'>,
  { supplierCode, contactMobile, ...facts }: CheckedInputOf<typeof addSupplier>,
  userId: string,
): Promise<Moved> {
  await lockKeys(ctx.tx, 'order.supplier', [supplierCode]);
  const twin = await own(ctx.tx).selectFrom('orderSupplier').select('id').where('supplierCode', '=', supplierCode).executeTakeFirst();
  if (twin) throw refuseField('supplierCode', '供应商编码已存在');
  await requireSound(ctx.tx, facts, ctx.today);
  const made = await own(ctx.tx)
    .insertInto('orderSupplier')
    .values({
      supplierCode,
      ...columnsOf(secrets, facts),
      ...mobileColumns(secrets, contactMobile),
      editorName: editorOf(ctx),
      ...createdColumns(ctx),
    })
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
  await keepFiles(ctx, made.id, facts.licenseFileIds, [], userId);
  ctx.target({ type: supplierRecords.type, id: made.id, no: supplierCode });
  return made;
}

/** Writes columns of a supplier that the caller has locked. */
async function write(ctx: Writer, id: string, columns: Partial<Omit<SupplierRecord, 'id' | 'version' | 'expireOn'>>): Promise<Moved> {
  return own(ctx.tx)
    .updateTable('orderSupplier')
    .set((eb) => ({ ...columns, editorName: editorOf(ctx), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
}

/** Takes a supplier, locked by the caller, to another state. @throws Refusal SCM90031, SCM16013, SCM16022 */
export async function moveSupplier(
  ctx: Writer,
  row: SupplierRecord,
  action: SupplierAction,
  { opinion = '', columns = {}, differences = [] }: { opinion?: string; columns?: object; differences?: readonly Difference[] } = {},
): Promise<Moved> {
  if ((action === 'submit' || action === 'approve') && supplierMachine.canStart(action, row.status)) requireLicence(row, ctx.today);
  const status = await moveState(ctx, supplierMachine, {
    targetType: supplierRecords.type,
    targetId: row.id,
    targetNo: row.supplierCode,
    action,
    from: row.status,
    opinion,
    differences,
    contributors: [row.createdBy, row.submittedBy],
  });
  const submits = action === 'submit' || action === 'change';
  return write(ctx, row.id, { ...columns, status, ...(submits && { submittedBy: ctx.staffOrNull?.userId ?? null }) });
}

const labels = { ...labelsOf(addSupplier.input.shape), contactMobile: '手机号' };

/** Changes a supplier that the caller has locked; one that takes orders waits for an audit where audited facts change. */
async function changeSupplier(ctx: Writer, kernel: Pick<Kernel, 'secrets'>, row: SupplierRecord, facts: SupplierFacts, userId: string) {
  if (row.status === 'PENDING_AUDIT') throw refuse(platformErrors.WRONG_STATE, { state: supplierMachine.states.PENDING_AUDIT.label });
  await requireSound(ctx.tx, facts, ctx.today, row);
  const { secret, contactMobile, ...shown } = facts;
  const { contactMobile: _, ...before } = formOf(row);
  const differences: Difference[] = [
    ...differencesOf(before, shown, labels),
    ...(secret === '' ? [] : [{ path: 'secret', label: '接口密钥', before: '******', after: '已更新' }]),
    ...(contactMobile === undefined ? [] : [{ path: 'contactMobile', label: '手机号', before: '******', after: '已更新' }]),
  ];
  await keepFiles(ctx, row.id, facts.licenseFileIds, row.licenseFileIds, userId);
  const columns = columnsOf(kernel.secrets, facts);
  const isRunning = row.status === 'ENABLED' || row.status === 'PAUSED';
  if (isRunning && changesAudited(row, facts)) {
    requireLicence(facts, ctx.today);
    return moveSupplier(ctx, row, 'change', { columns, differences });
  }
  ctx.target({ type: supplierRecords.type, id: row.id, no: row.supplierCode });
  ctx.changed(differences);
  return write(ctx, row.id, columns);
}

export const add = (kernel: Kernel) =>
  command(addSupplier, async (input, ctx) => answerOf(ctx, await makeSupplier(ctx, kernel, input, ctx.staff.userId)));

export const modify = (kernel: Kernel) =>
  command(modifySupplier, async ({ id, version, ...facts }, ctx) => {
    const row = await supplierRecords.lockVersion(ctx, id, version, formOf);
    return answerOf(ctx, await changeSupplier(ctx, kernel, row, facts, ctx.staff.userId));
  });
