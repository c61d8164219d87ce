import { sql, type SqlBool } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { yuan } from '#kernel/contract/money.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { cardLimits } from '#domains/identity/server/index.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  addBatch,
  auditBatch,
  batchDetails,
  closeBatch,
  exportBatchList,
  exportBatchSecret,
  generateBatch,
  modifyBatch,
  queryBatchList,
  revealBatchPassword,
  submitBatch,
  voidBatch,
} from '../../contract/calls/batches.ts';
import { cardErrors } from '../../contract/errors.ts';
import { batchMachine, MOST_EXPORTS, SECOND_APPROVAL_FROM, type BatchState } from '../../contract/typeDictionaries.ts';
import { batchTotal } from '../../contract/rules/settlement.ts';
import { randomSecret } from '../cards/cardNo.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { notOfOwn, type Viewing } from '../access.ts';
import { own } from '../database.ts';
import { termsOf } from '../types/terms.ts';
import { issueContraOf, unsoldOf } from '../chart.ts';
import { generateJob } from './generate.ts';
import { secretFile } from './secretFile.ts';
import { valueOf } from './value.ts';
import { typeRecords } from '../types/handlers.ts';

const batchRecords = recordOf((db) => own(db).selectFrom('cardBatch as b').selectAll('b')).with({
  noun: '发卡批次',
  type: 'card.batch',
  id: 'b.id',
  scope: () => sql<boolean>`true`,
});
type Batch = Awaited<ReturnType<typeof batchRecords.get>>;

const columns = [
  'b.id',
  'b.batchNo',
  'b.cardTypeId',
  't.typeName',
  't.kind',
  'b.medium',
  'b.quantity',
  'b.faceAmount',
  'b.bonusAmount',
  'b.totalAmount',
  'b.generatedCount',
  'b.status',
  'b.createdByName',
  'b.submittedByName',
  'b.firstApprovedByName',
  'b.secondApprovedByName',
  'b.submittedBy as submitterId',
  'b.firstApprovedBy as approverId',
  'b.passwordRevealedTo as toldTo',
  'b.createdAt',
  'b.version',
] as const;
const counted = [
  sql<number>`(select count(*)::int from card_card c where c.batch_id = b.id and c.issued_at is not null)`.as('issuedCount'),
  sql<number>`(select count(*)::int from card_card c where c.batch_id = b.id and c.activated_at is not null)`.as('activatedCount'),
];
interface Row {
  faceAmount: string;
  bonusAmount: string;
  totalAmount: string;
  createdByName: string;
  submittedByName: string | null;
  firstApprovedByName: string | null;
  secondApprovedByName: string | null;
  submitterId: string | null;
  approverId: string | null;
  toldTo: string | null;
  status: BatchState;
}
/** Two acts of the machine are one button: which of them, the batch's value decides. */
const BUTTONS: Readonly<Record<string, string>> = { approveFirst: 'approve', rejectSecond: 'reject' };
/** Their file has a password, which somebody else than who asked for them is told. */
const REVEALED: ReadonlySet<BatchState> = new Set(['EXPORTED']);
const shown = <R extends Row>(
  { createdByName, submittedByName, firstApprovedByName, secondApprovedByName, submitterId, approverId, toldTo, ...row }: R,
  ask: Viewing,
) => ({
  ...row,
  faceAmount: Number(row.faceAmount),
  bonusAmount: Number(row.bonusAmount),
  totalAmount: Number(row.totalAmount),
  createdBy: createdByName,
  submittedBy: submittedByName,
  approvedBy: [firstApprovedByName, secondApprovedByName].filter((name) => name !== null).join('、') || null,
  allowedActions: [
    ...new Set(
      notOfOwn(batchMachine.allowed(row.status, ask.has), ['approve', 'approveFirst', 'approveSecond'], [submitterId, approverId], ask).map(
        (action) => BUTTONS[action] ?? action,
      ),
    ),
    ...(REVEALED.has(row.status) && toldTo === null && ask.has(may['batch.approve']) && submitterId !== ask.staff.userId ? ['reveal'] : []),
  ],
});

export const batchList = listOf(queryBatchList)
  .from(({ db }) => own(db).selectFrom('cardBatch as b').innerJoin('cardType as t', 't.id', 'b.cardTypeId'))
  .with({
    where: {
      batchNo: isNumber('b.batchNo'),
      cardTypeId: 'b.cardTypeId',
      kind: 't.kind',
      medium: 'b.medium',
      status: 'b.status',
      creator: contains('b.createdByName'),
      dateFrom: (_eb, day) => sql<SqlBool>`b.created_at >= ${startOfDay(day)}::timestamptz`,
      dateTo: (_eb, day) => sql<SqlBool>`b.created_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
    },
    id: 'b.id',
    sorts: {
      batchNo: 'b.batchNo',
      quantity: 'b.quantity',
      faceAmount: 'b.faceAmount',
      bonusAmount: 'b.bonusAmount',
      totalAmount: 'b.totalAmount',
      generatedCount: 'b.generatedCount',
      createdAt: 'b.createdAt',
    },
    bounded: 'batches are applied for and approved by hand: some hundreds a year',
    order: [['b.id', 'desc']],
    select: (rows) => rows.select(columns).select(counted),
    present: (rows, ask) => rows.map((row) => shown(row, ask)),
  });
export const batchExport = listExport(batchList, { call: exportBatchList, title: '发卡批次', routeKey: 'cardBatchManagement' });

export const details = (kernel: Kernel): Handler =>
  query(batchDetails, async ({ batchId }, ctx) => {
    ctx.header('Cache-Control', 'no-store');
    const row = await own(ctx.db)
      .selectFrom('cardBatch as b')
      .innerJoin('cardType as t', 't.id', 'b.cardTypeId')
      .innerJoin('cardTypeVersion as v', (join) =>
        join.onRef('v.cardTypeId', '=', 'b.cardTypeId').onRef('v.ruleVersion', '=', 'b.ruleVersion'),
      )
      .select(columns)
      .select(counted)
      .select(['b.purpose', 'b.ruleVersion', 'b.exportCount', 'v.rules'])
      .where('b.id', '=', batchId)
      .executeTakeFirst();
    if (!row) throw batchRecords.missing();
    const { rows: states } = await sql<{ state: string; n: number }>`
    select state, count(*)::int as n from card_card where batch_id = ${batchId} group by state`.execute(ctx.db);
    const inState = (...names: string[]) => states.filter(({ state }) => names.includes(state)).reduce((total, { n }) => total + n, 0);
    const exports = await own(ctx.db)
      .selectFrom('cardExportLog')
      .select(['action', 'userName', 'opinion', 'ip', 'at'])
      .where('batchId', '=', batchId)
      .orderBy('id')
      .execute();
    const { rules, ...rest } = row;
    return {
      ...shown(rest, ctx),
      terms: termsOf(rules),
      passwordShown: row.toldTo !== null,
      funnel: [
        { label: '制卡', count: row.generatedCount },
        { label: '发放', count: row.issuedCount },
        { label: '激活', count: row.activatedCount },
        { label: '使用', count: inState('ACTIVE', 'DEPLETED') },
        { label: '用完', count: inState('DEPLETED') },
      ],
      amounts: await valueOf(ctx.db, ledgerOf(kernel), row),
      exports,
      trail: await trailOf(ctx.db, 'card.batch', batchId),
    };
  });

interface Wishes {
  quantity: number;
  faceAmount: number;
  bonusAmount: number;
}
/** @throws Refusal SCM17001, SCM17008, SCM90020 */
async function pinnedType(
  ctx: CommandContext,
  cardTypeId: string,
  { quantity, faceAmount, bonusAmount }: Wishes,
): Promise<{ ruleVersion: number }> {
  const type = await typeRecords.get(ctx.tx, typeRecords.everyone, cardTypeId);
  if (type.status !== 'ENABLED') throw refuse(cardErrors.TYPE_NOT_ENABLED);
  if (type.kind !== 'STORED_VALUE' && faceAmount + bonusAmount > 0) throw refuseField('faceAmount', '只有储值卡有面额');
  if (type.funder === 'PLATFORM' && faceAmount > 0) throw refuseField('faceAmount', '平台只能出资赠金');
  const total = batchTotal(quantity, BigInt(faceAmount), BigInt(bonusAmount));
  const { batchMaxFen } = await cardLimits(ctx.tx);
  if (total > batchMaxFen) throw refuse(cardErrors.BATCH_TOO_LARGE, { a: yuan(total), b: yuan(batchMaxFen) });
  return { ruleVersion: type.ruleVersion };
}

export const add = command(addBatch, async ({ cardTypeId, ...wishes }, ctx) => {
  const { ruleVersion } = await pinnedType(ctx, cardTypeId, wishes);
  const row = await own(ctx.tx)
    .insertInto('cardBatch')
    .values({
      ...wishes,
      faceAmount: String(wishes.faceAmount),
      bonusAmount: String(wishes.bonusAmount),
      cardTypeId,
      ruleVersion,
      batchNo: await nextNumber(ctx.tx, 'CB', ctx.today),
      status: 'DRAFT',
      ...authorColumns(ctx),
      createdByName: ctx.staff.displayName,
    })
    .returning(['id', 'batchNo', 'status', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: 'card.batch', id: row.id, no: row.batchNo });
  return row;
});

type Changes = Partial<Omit<Batch, 'id' | 'batchNo' | 'cardTypeId' | 'totalAmount'>>;
const change = (ctx: CommandContext, batch: Batch, changes: Changes) => {
  const { contractFileIds: _files, version: _version, ...columnsChanged } = changes;
  return own(ctx.tx)
    .updateTable('cardBatch')
    .set((eb) => ({ ...columnsChanged, version: eb('version', '+', 1) }))
    .where('id', '=', batch.id)
    .returning(['id', 'batchNo', 'status', 'version'])
    .executeTakeFirstOrThrow();
};
const move = (ctx: CommandContext, batch: Batch, action: Parameters<typeof batchMachine.canStart>[0], opinion?: string) =>
  moveState(ctx, batchMachine, {
    targetType: 'card.batch',
    targetId: batch.id,
    targetNo: batch.batchNo,
    action,
    from: batch.status,
    opinion,
    contributors: [batch.createdBy, batch.submittedBy, batch.firstApprovedBy],
  });

export const modify = command(modifyBatch, async ({ batchId, version, ...wishes }, ctx) => {
  const batch = await batchRecords.lockVersion(ctx, batchId, version);
  if (batch.status !== 'DRAFT' && batch.status !== 'REJECTED')
    throw refuse(platformErrors.WRONG_STATE, { state: batchMachine.states[batch.status].label });
  const { ruleVersion } = await pinnedType(ctx, batch.cardTypeId, wishes);
  ctx.target({ type: 'card.batch', id: batch.id, no: batch.batchNo });
  return change(ctx, batch, {
    ...wishes,
    faceAmount: String(wishes.faceAmount),
    bonusAmount: String(wishes.bonusAmount),
    ruleVersion,
  });
});

export const submit = command(submitBatch, async ({ batchId, version }, ctx) => {
  const batch = await batchRecords.lockVersion(ctx, batchId, version);
  const status = await move(ctx, batch, 'submit');
  await pinnedType(ctx, batch.cardTypeId, {
    quantity: batch.quantity,
    faceAmount: Number(batch.faceAmount),
    bonusAmount: Number(batch.bonusAmount),
  });
  return change(ctx, batch, {
    status,
    submittedBy: ctx.staff.userId,
    submittedByName: ctx.staff.displayName,
    submittedAt: ctx.now,
    firstApprovedBy: null,
    firstApprovedByName: null,
    secondApprovedBy: null,
    secondApprovedByName: null,
  });
});

/** Whoever asked for a batch passes it at no level, and who passed it first is not the second. @throws Refusal SCM17003 */
export const audit = command(auditBatch, async ({ batchId, version, stage, decision, opinion }, ctx) => {
  const batch = await batchRecords.lockVersion(ctx, batchId, version);
  const first = stage === 'FIRST';
  const twice = BigInt(batch.totalAmount) >= BigInt(SECOND_APPROVAL_FROM);
  const action =
    decision === 'reject' ? (first ? 'reject' : 'rejectSecond') : first ? (twice ? 'approveFirst' : 'approve') : 'approveSecond';
  const status = await move(ctx, batch, action, opinion);
  if (decision === 'reject') return change(ctx, batch, { status });
  const { userId, displayName } = ctx.staff;
  return change(
    ctx,
    batch,
    first
      ? { status, firstApprovedBy: userId, firstApprovedByName: displayName }
      : { status, secondApprovedBy: userId, secondApprovedByName: displayName },
  );
});

export const generate = (kernel: Kernel): Handler =>
  command(generateBatch, async ({ batchId, version }, ctx) => {
    const batch = await batchRecords.lockVersion(ctx, batchId, version);
    const status = await move(ctx, batch, 'generate');
    const row = await change(ctx, batch, {
      status,
      secretSeed: randomSecret(32),
    });
    await ctx.enqueue(generateJob(kernel), { batchId });
    return row;
  });

const note = (ctx: CommandContext, batchId: string, action: 'EXPORT' | 'REVEAL', opinion: string | null) =>
  own(ctx.tx)
    .insertInto('cardExportLog')
    .values({ batchId, action, userId: ctx.staff.userId, userName: ctx.staff.displayName, opinion, ip: ctx.ip, at: ctx.now })
    .execute();

export const exportSecret = (kernel: Kernel): Handler =>
  command(exportBatchSecret, async ({ batchId, version, opinion }, ctx) => {
    const batch = await batchRecords.lockVersion(ctx, batchId, version);
    const status = await move(ctx, batch, 'export', opinion);
    if (batch.exportCount >= MOST_EXPORTS) throw refuse(cardErrors.TOO_MANY_EXPORTS);
    if (batch.secretSeed === null) throw refuse(platformErrors.NOT_FOUND, { message: '卡密文件已销毁' });
    if (await didBefore(ctx, batchId, 'REVEAL')) throw refuseField('batchId', '已查看文件密码的人不能下载卡密文件，请由他人下载');
    // The password belongs to this file: the next one has another, and each is told once.
    const password = randomSecret(16);
    const passwordCipher = kernel.secrets.encrypt(password);
    await change(ctx, batch, { status, exportCount: batch.exportCount + 1, passwordCipher, passwordRevealedTo: null });
    await note(ctx, batchId, 'EXPORT', opinion);
    const { bytes, rowCount } = await secretFile(ctx.tx, kernel.secrets, { ...batch, secretSeed: batch.secretSeed }, password);
    return new FileAnswer({ name: `${batch.batchNo}_卡密.zip`, contentType: 'application/zip', body: bytes, rowCount });
  });

const didBefore = async (ctx: CommandContext, batchId: string, action: 'EXPORT' | 'REVEAL'): Promise<boolean> =>
  (await own(ctx.tx)
    .selectFrom('cardExportLog')
    .select('id')
    .where('batchId', '=', batchId)
    .where('action', '=', action)
    .where('userId', '=', ctx.staff.userId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** The password of the newest file is told once, to somebody who never took one. */
export const reveal = (kernel: Kernel): Handler =>
  command(revealBatchPassword, async ({ batchId }, ctx) => {
    const batch = await batchRecords.lock(ctx.tx, ctx.staff, batchId);
    if (batch.secretSeed === null) throw refuse(platformErrors.NOT_FOUND, { message: '该批次没有卡密文件' });
    if (batch.exportCount === 0 || batch.passwordCipher === null) throw refuse(cardErrors.NOT_EXPORTED);
    if (batch.passwordRevealedTo !== null) throw refuseField('batchId', '文件密码只显示一次，已被查看');
    const took = await didBefore(ctx, batchId, 'EXPORT');
    if (took || batch.submittedBy === ctx.staff.userId) throw refuseField('batchId', '提交人和下载人不能查看文件密码，请由审批人查看');
    await change(ctx, batch, { passwordRevealedTo: ctx.staff.userId });
    await note(ctx, batchId, 'REVEAL', null);
    ctx.target({ type: 'card.batch', id: batch.id, no: batch.batchNo });
    return { password: kernel.secrets.decrypt(batch.passwordCipher) };
  });

/** What nobody got yet is taken out of stock, and its face value out of the books. @returns how many cards it were */
async function voidStock(ctx: CommandContext, kernel: Kernel, batch: Batch): Promise<number> {
  const voided = await sql`
    update card_card
      set state = 'VOIDED', version = version + 1
      where batch_id = ${batch.id} and state in ('CREATED', 'IN_STOCK')`.execute(ctx.tx);
  const count = Number(voided.numAffectedRows ?? 0n);
  const amount = BigInt(count) * (BigInt(batch.faceAmount) + BigInt(batch.bonusAmount));
  if (amount > 0n) {
    await ledgerOf(kernel).post(ctx, {
      businessKey: `card:batch:${batch.id}:unsold`,
      book: 'CARD',
      type: 'CARD_ISSUE',
      debit: [{ account: unsoldOf(batch.id), amount }],
      credit: [{ account: issueContraOf(batch.id), amount }],
      ref: { type: 'cardBatch', id: batch.id, no: batch.batchNo },
      actor: { id: ctx.staff.userId, name: ctx.staff.displayName },
    });
  }
  return count;
}

const forget: Changes = { secretSeed: null, passwordCipher: null };

export const close = (kernel: Kernel): Handler =>
  command(closeBatch, async ({ batchId, version, opinion }, ctx) => {
    const batch = await batchRecords.lockVersion(ctx, batchId, version);
    const status = await move(ctx, batch, 'close', opinion);
    const row = await change(ctx, batch, { status, closedAt: ctx.now, ...forget });
    await voidStock(ctx, kernel, batch);
    return row;
  });

export const voidWhole = (kernel: Kernel): Handler =>
  command(voidBatch, async ({ batchId, version, opinion }, ctx) => {
    const batch = await batchRecords.lockVersion(ctx, batchId, version);
    const status = await move(ctx, batch, 'void', opinion);
    const { n } = await own(ctx.tx)
      .selectFrom('cardCard')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('batchId', '=', batchId)
      .where('state', 'not in', ['CREATED', 'IN_STOCK', 'VOIDED'])
      .executeTakeFirstOrThrow();
    if (Number(n) > 0) throw refuse(cardErrors.CARDS_ISSUED, { n: Number(n) });
    const row = await change(ctx, batch, { status, closedAt: ctx.now, ...forget });
    await voidStock(ctx, kernel, batch);
    return row;
  });
