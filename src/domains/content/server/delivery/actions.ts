import { deliveryChanged } from '#events/content.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Writing } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { adjustAdvertise, advertLabels, auditAdvertise } from '../../contract/adverts/calls.ts';
import { adjustBanner, auditBanner } from '../../contract/banners/calls.ts';
import type { AuditChecks } from '../../contract/adverts/law.ts';
import { deliveryKinds, type DeliveryKind } from '../../contract/delivery/dictionaries.ts';
import { deliveryErrors } from '../../contract/delivery/errors.ts';
import { advertPermissions, deliveryPermissions } from '../../contract/delivery/permissions.ts';
import { positionCodes, positionOf } from '../../contract/delivery/positions.ts';
import { machines, type DeliveryAction } from '../../contract/delivery/states.ts';
import { advertOf, requireChecked, requireLawful } from '../adverts/facts.ts';
import { ownTx } from '../database.ts';
import { checkPeriod, requireReady } from './checks.ts';
import { targetOf } from './files.ts';
import { actionsOf, isOwnAction, records, type Delivery } from './rows.ts';

const pageOf = (kind: DeliveryKind) => (kind === 'BANNER' ? '/bannerConfig' : '/advertiseManage');
const todoKey = (kind: DeliveryKind, id: string) => `${targetOf(kind)}:${id}`;
const auditRight = { BANNER: deliveryPermissions['banner.audit'], AD: advertPermissions['ad.audit'] } as const;

/** Clients show something else from now on. */
export const publishDeliveryChanged = (
  ctx: Pick<Writing, 'publish'>,
  { id, pageCode, positionCode }: Pick<Delivery, 'id' | 'pageCode' | 'positionCode'>,
) => ctx.publish(deliveryChanged, id, { pageCode, positionCode });

/** What must hold when it is handed in and again when it is passed. @throws Refusal SCM04001 to SCM04005, SCM04020 to SCM04024 */
async function requireShowable(kernel: Kernel, ctx: CommandContext, kind: DeliveryKind, row: Delivery): Promise<void> {
  const position = positionOf(positionCodes.schema.parse(row.positionCode));
  await requireReady(kernel, ctx, row, position);
  if (kind === 'AD') requireLawful(await advertOf(ctx.tx, row.id), row, position);
}

async function notifyPeople(
  kernel: Kernel,
  ctx: CommandContext,
  kind: DeliveryKind,
  row: Delivery,
  action: DeliveryAction,
  opinion: string | undefined,
) {
  const { notices } = kernel.ports;
  const noun = deliveryKinds.label(kind);
  if (action === 'submit')
    await notices.addTodo(
      ctx.tx,
      {
        businessKey: todoKey(kind, row.id),
        title: `${noun}“${row.name}”待审核`,
        link: `${pageOf(kind)}?toAudit=true`,
        permission: auditRight[kind].code,
      },
      ctx.now,
    );
  else await notices.closeTodo(ctx.tx, todoKey(kind, row.id), ctx.now);
  const outcome = { approve: '已通过审核', reject: '被驳回', takeDown: '被下线' } as const;
  if ((action === 'approve' || action === 'reject' || action === 'takeDown') && row.submittedBy !== null)
    await notices.addResult(
      ctx.tx,
      {
        businessKey: `${targetOf(kind)}:${row.id}:${row.version}`,
        title: `${noun}“${row.name}”${outcome[action]}`,
        ...(opinion && { body: opinion }),
        link: `${pageOf(kind)}?${kind === 'BANNER' ? 'bannerNo' : 'adNo'}=${row.deliveryNo}`,
        userIds: [row.submittedBy],
      },
      ctx.now,
    );
}

interface ActionWish {
  id: string;
  version: number;
  action: DeliveryAction;
  opinion?: string | undefined;
  checks: AuditChecks;
}

async function takeAction(kernel: Kernel, ctx: CommandContext, kind: DeliveryKind, { id, version, action, opinion, checks }: ActionWish) {
  const row = await records[kind].lockVersion(ctx, id, version, ({ name, state }) => ({ name, state }));
  const isVerdict = action === 'approve' || action === 'reject';
  if ((action === 'withdraw' || action === 'offline') && !isOwnAction(row, action, ctx.staff.userId))
    throw refuse(platformErrors.NO_PERMISSION, { permission: machines[kind].transitions[action].label });
  const state = await moveState(ctx, machines[kind], {
    targetType: targetOf(kind),
    targetId: id,
    targetNo: row.deliveryNo,
    action,
    from: row.state,
    opinion,
    contributors: [row.submittedBy, row.createdBy],
  });
  if (action === 'submit' || action === 'approve') await requireShowable(kernel, ctx, kind, row);
  const tx = ownTx(ctx.tx);
  if (kind === 'AD' && action === 'approve') {
    requireChecked(checks, await advertOf(ctx.tx, id));
    await tx
      .updateTable('contentAdvert')
      .set({ checks: JSON.stringify(checks) })
      .where('deliveryId', '=', id)
      .execute();
  }
  const note = opinion?.trim() || null;
  const after = await tx
    .updateTable('contentDelivery')
    .set({
      state,
      version: row.version + 1,
      ...updatedColumns(ctx),
      ...(action === 'submit' && { submittedBy: ctx.staff.userId, submittedAt: ctx.now, auditedBy: null, auditedAt: null, opinion: null }),
      ...(isVerdict && { auditedBy: ctx.staff.userId, auditedAt: ctx.now, opinion: note }),
      ...(state === 'OFFLINE' && { offlineReason: note ?? '人工下线' }),
    })
    .where('id', '=', id)
    .returning(['id', 'state', 'version', 'submittedBy', 'createdBy'])
    .executeTakeFirstOrThrow();
  if (state === 'APPROVED' || state === 'OFFLINE') await publishDeliveryChanged(ctx, row);
  await notifyPeople(kernel, ctx, kind, row, action, opinion);
  return { id, state, version: after.version, allowedActions: actionsOf(kind, after, ctx) };
}

type Adjusted = Omit<CheckedInputOf<typeof adjustBanner>, 'id' | 'version'>;
type Caps = Pick<CheckedInputOf<typeof adjustAdvertise>, 'capPerPersonDay' | 'capPerPersonTotal'>;

/** Times, priority and caps of what is approved; everything else is audited again. */
async function adjust(
  ctx: CommandContext,
  kind: DeliveryKind,
  { id, version }: { id: string; version: number },
  facts: Adjusted,
  caps: Caps | null,
) {
  const row = await records[kind].lockVersion(ctx, id, version, ({ name, endAt, priority }) => ({ name, endAt, priority }));
  checkPeriod({ ...facts, startAt: row.startAt });
  if (Date.parse(facts.endAt) <= Date.parse(ctx.now))
    throw refuse(deliveryErrors.ENDED, { fields: [{ path: 'endAt', message: deliveryErrors.ENDED.text }] });
  const before = kind === 'AD' ? await advertOf(ctx.tx, id) : null;
  if (before) requireLawful(before, { ...row, endAt: facts.endAt }, positionOf(positionCodes.schema.parse(row.positionCode)));
  const weekdays = [...new Set(facts.weekdays)].toSorted((a, b) => a - b);
  const state = await moveState(ctx, machines[kind], {
    targetType: targetOf(kind),
    targetId: id,
    targetNo: row.deliveryNo,
    action: 'adjust',
    from: row.state,
    differences: differencesOf({ ...before, ...row }, { ...caps, ...facts, weekdays }, advertLabels),
  });
  const tx = ownTx(ctx.tx);
  const saved = await tx
    .updateTable('contentDelivery')
    .set({ ...facts, weekdays, state, version: row.version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  if (caps) await tx.updateTable('contentAdvert').set(caps).where('deliveryId', '=', id).execute();
  await publishDeliveryChanged(ctx, row);
  return saved;
}

export const bannerActionHandlers = (kernel: Kernel) => [
  command(auditBanner, (input, ctx) => takeAction(kernel, ctx, 'BANNER', { ...input, checks: {} })),
  command(adjustBanner, ({ id, version, ...facts }, ctx) => adjust(ctx, 'BANNER', { id, version }, facts, null)),
];
export const advertActionHandlers = (kernel: Kernel) => [
  command(auditAdvertise, (input, ctx) => takeAction(kernel, ctx, 'AD', { ...input, checks: input.checks ?? {} })),
  command(adjustAdvertise, ({ id, version, capPerPersonDay, capPerPersonTotal, ...facts }, ctx) =>
    adjust(ctx, 'AD', { id, version }, facts, { capPerPersonDay, capPerPersonTotal }),
  ),
];
