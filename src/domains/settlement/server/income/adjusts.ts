import { refuse } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { attach } from '#domains/files/server/index.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  addIncomeAdjust,
  auditIncomeAdjust,
  auditIncomeAdjustSecond,
  cancelIncomeAdjust,
  exportIncomeAdjustList,
  queryIncomeAdjustList,
  SECOND_CHECK_FEN,
} from '../../contract/calls/adjusts.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { INCOME_ADJUST } from '../../contract/purposes.ts';
import { adjustMachine } from '../../contract/states.ts';
import { adjustRecords, payerRecords, type AdjustRecord } from '../access.ts';
import { own } from '../database.ts';
import { keepDoctor } from '../doctors/keep.ts';
import { insertIncome, settleBooks, spokenTrace } from './write.ts';

type Action = keyof typeof adjustMachine.transitions;
const answer = (ctx: CommandContext, row: { id: string; status: keyof typeof adjustMachine.states; version: number }) => ({
  ...actionAnswer(ctx, adjustMachine, { ...row, state: row.status }),
  state: row.status,
});
const isLarge = ({ grossFen }: Pick<AdjustRecord, 'grossFen'>): boolean =>
  BigInt(grossFen) >= SECOND_CHECK_FEN || BigInt(grossFen) <= -SECOND_CHECK_FEN;

/** Of the two ways in which a first check passes the one that the amount leaves; only its maker takes an adjustment back. */
function offered(row: Pick<AdjustRecord, 'grossFen' | 'makerId'>, actions: readonly Action[], userId: string): Action[] {
  const otherWay = isLarge(row) ? 'approve' : 'approveFirst';
  return actions.filter((action) => action !== otherWay && (action !== 'cancel' || row.makerId === userId));
}

export const adjustList = listOf(queryIncomeAdjustList)
  .from(({ db }) =>
    own(db)
      .selectFrom('settlementAdjust as a')
      .innerJoin('settlementDoctor as d', 'd.doctorId', 'a.doctorId')
      .innerJoin('settlementPayer as p', 'p.id', 'a.payerEntityId'),
  )
  .with({
    where: { adjustNo: isNumber('a.adjustNo'), doctorName: contains('d.name'), status: 'a.status' },
    id: 'a.id',
    last: { of: 'a.status', groups: [['APPROVED'], ['REJECTED', 'CANCELLED']] },
    unsorted: 'what waits stands first, then the newest',
    bounded: 'adjustments are made by hand: some hundreds a year',
    select: (rows) => rows.selectAll('a').select(['d.doctorNo', 'd.name as doctorName', 'd.hospitalName', 'p.entityName as payerName']),
    present: (rows, { has, staff }) =>
      rows.map((row) => ({
        id: row.id,
        adjustNo: row.adjustNo,
        doctorId: row.doctorId,
        doctorNo: row.doctorNo,
        doctorName: row.doctorName,
        hospitalName: row.hospitalName,
        payerName: row.payerName,
        grossFen: Number(row.grossFen),
        reason: row.reason,
        fileIds: row.fileIds,
        makerName: row.makerName,
        checkerName: row.checkerName,
        secondCheckerName: row.secondCheckerName,
        opinion: row.opinion,
        createdAt: row.createdAt,
        status: row.status,
        version: row.version,
        allowedActions: offered(row, adjustMachine.allowed(row.status, has), staff.userId),
      })),
  });
export const adjustExport = listExport(adjustList, { call: exportIncomeAdjustList, title: '人工调整单', routeKey: 'incomeDetail.adjusts' });

export const add = command(addIncomeAdjust, async ({ doctorId, payerEntityId, grossFen, reason, fileIds }, ctx) => {
  const payer = await payerRecords.get(ctx.tx, payerRecords.everyone, payerEntityId);
  if (!payer.enabled) throw refuse(settlementErrors.PAYER_DISABLED, { name: payer.entityName });
  await keepDoctor(ctx.tx, doctorId, ctx.now);
  const row = await own(ctx.tx)
    .insertInto('settlementAdjust')
    .values({
      adjustNo: await nextNumber(ctx.tx, 'IA', dayOf(ctx.now)),
      doctorId,
      payerEntityId,
      grossFen: String(grossFen),
      reason,
      fileIds,
      makerId: ctx.staff.userId,
      makerName: ctx.staff.displayName,
      createdAt: ctx.now,
    })
    .returning(['id', 'adjustNo', 'status', 'version'])
    .executeTakeFirstOrThrow();
  await attach(
    ctx.tx,
    { fileIds, purpose: INCOME_ADJUST, ownerType: adjustRecords.type, ownerId: row.id, field: 'paper', userId: ctx.staff.userId },
    ctx.now,
  );
  ctx.target({ type: adjustRecords.type, id: row.id, no: row.adjustNo });
  return answer(ctx, row);
});

async function move(ctx: CommandContext, adjust: AdjustRecord, action: Action, opinion: string, more: object = {}) {
  const status = await moveState(ctx, adjustMachine, {
    targetType: adjustRecords.type,
    targetId: adjust.id,
    targetNo: adjust.adjustNo,
    action,
    from: adjust.status,
    opinion,
    contributors: [adjust.makerId, ...(adjust.status === 'PENDING_SECOND' ? [adjust.checkerId] : [])],
  });
  return own(ctx.tx)
    .updateTable('settlementAdjust')
    .set((eb) => ({ status, ...(opinion !== '' && { opinion }), ...more, version: eb('version', '+', 1) }))
    .where('id', '=', adjust.id)
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
}

/** What was agreed is an income of its own, payable at once. */
export const insertAdjusted = (ctx: Acting, adjust: AdjustRecord) =>
  insertIncome(ctx, {
    doctorId: adjust.doctorId,
    payerEntityId: adjust.payerEntityId,
    incomeType: 'ADJUST',
    sourceType: 'ADJUST',
    sourceId: adjust.id,
    sourceNo: adjust.adjustNo,
    seq: 0,
    serviceType: null,
    ruleVersionId: null,
    cycleVersionId: null,
    occurredAt: ctx.now,
    availableAt: ctx.now,
    baseFen: 0n,
    grossFen: BigInt(adjust.grossFen),
    trace: spokenTrace(adjust.reason, BigInt(adjust.grossFen)),
    productLineId: null,
    originalItemId: null,
    matured: true,
  });
/** What takes away is taken like what is clawed back. */
export const adjustStep = ({ grossFen }: Pick<AdjustRecord, 'grossFen'>) =>
  BigInt(grossFen) < 0n ? ('claw' as const) : ('adjust' as const);

async function book(ctx: CommandContext, kernel: Kernel, adjust: AdjustRecord, action: Action, opinion: string, more: object) {
  const income = await insertAdjusted(ctx, adjust);
  const row = await move(ctx, adjust, action, opinion, { ...more, incomeId: income.id });
  await settleBooks(ctx, ledgerOf(kernel), [{ income, step: adjustStep(adjust) }], {
    id: ctx.staff.userId,
    name: ctx.staff.displayName,
  });
  return row;
}

/** @throws Refusal SCM19001 for one's own */
export const audit = (kernel: Kernel) =>
  command(auditIncomeAdjust, async ({ id, version, decision, opinion }, ctx) => {
    const adjust = await adjustRecords.lockVersion(ctx, id, version);
    const checker = { checkerId: ctx.staff.userId, checkerName: ctx.staff.displayName };
    if (decision === 'reject') return answer(ctx, await move(ctx, adjust, 'reject', opinion, checker));
    if (isLarge(adjust)) return answer(ctx, await move(ctx, adjust, 'approveFirst', opinion, checker));
    return answer(ctx, await book(ctx, kernel, adjust, 'approve', opinion, checker));
  });

/** @throws Refusal SCM19001 for whoever made it or checked it first */
export const auditSecond = (kernel: Kernel) =>
  command(auditIncomeAdjustSecond, async ({ id, version, decision, opinion }, ctx) => {
    const adjust = await adjustRecords.lockVersion(ctx, id, version);
    const checker = { secondCheckerId: ctx.staff.userId, secondCheckerName: ctx.staff.displayName };
    if (decision === 'reject') return answer(ctx, await move(ctx, adjust, 'rejectSecond', opinion, checker));
    return answer(ctx, await book(ctx, kernel, adjust, 'approveSecond', opinion, checker));
  });

/** @throws Refusal SCM19014 for another person's */
export const cancel = command(cancelIncomeAdjust, async ({ id, version }, ctx) => {
  const adjust = await adjustRecords.lockVersion(ctx, id, version);
  if (adjust.makerId !== ctx.staff.userId) throw refuse(settlementErrors.NOT_MINE);
  return answer(ctx, await move(ctx, adjust, 'cancel', ''));
});
