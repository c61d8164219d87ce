import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext, Db } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { interruptedSince } from '#kernel/server/jobs/interrupted.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { ledgerOf, type PostCommand } from '#domains/ledger/server/index.ts';
import {
  addGrant,
  auditGrant,
  exportGrantList,
  exportGrantResult,
  queryGrantDetail,
  queryGrantLineList,
  queryGrantList,
  retryGrant,
  revokeGrant,
  submitGrant,
} from '../../contract/calls/grants.ts';
import { cardErrors } from '../../contract/errors.ts';
import { grantMachine, SECOND_GRANT_FROM, type GrantState } from '../../contract/grantStates.ts';
import { maskCardNo } from '../cards/cardNo.ts';
import { showHolder } from '../cards/holder.ts';
import { refreshCard } from '../cards/projection.ts';
import { notOfOwn, type Viewing } from '../access.ts';
import { own } from '../database.ts';
import { fundOf } from '../chart.ts';
import { executeJob, grantJob } from './execute.ts';
import { faultOfDays, grantedSerials, isPossibleIdNo, lineColumns, tidyIdNo } from './lines.ts';
import { revokeLine } from './revoke.ts';
import { typeRecords } from '../types/handlers.ts';

const grantRecords = recordOf((db) => own(db).selectFrom('cardGrant as g').selectAll('g')).with({
  noun: '发放单',
  type: 'card.grant',
  id: 'g.id',
  scope: () => sql<boolean>`true`,
});
type Grant = Awaited<ReturnType<typeof grantRecords.get>>;

const columns = [
  'g.id',
  'g.grantNo',
  'g.cardTypeId',
  't.typeName',
  't.kind',
  'g.source',
  'g.totalCount',
  'g.totalAmount',
  'g.totalBonus',
  'g.okCount',
  'g.failCount',
  'g.status',
  'g.createdByName',
  'g.submittedByName',
  'g.approvedByName',
  'g.secondApprovedByName',
  'g.submittedBy as submitterId',
  'g.approvedBy as approverId',
  'g.createdAt',
  'g.version',
] as const;
interface Row {
  id: string;
  totalAmount: string;
  totalBonus: string;
  createdByName: string;
  submittedByName: string | null;
  approvedByName: string | null;
  secondApprovedByName: string | null;
  submitterId: string | null;
  approverId: string | null;
  status: GrantState;
}
const BUTTONS: Readonly<Record<string, string>> = { approveFirst: 'approve', rejectSecond: 'reject', revokePart: 'revoke' };
const shown = <R extends Row>(
  { createdByName, submittedByName, approvedByName, secondApprovedByName, submitterId, approverId, ...row }: R,
  ask: Viewing,
  waiting: ReadonlyMap<string, Instant>,
) => ({
  ...row,
  waitingSince: waiting.get(row.id) ?? null,
  totalAmount: Number(row.totalAmount),
  totalBonus: Number(row.totalBonus),
  createdBy: createdByName,
  submittedBy: submittedByName,
  approvedBy: [approvedByName, secondApprovedByName].filter((name) => name !== null).join('、') || null,
  allowedActions: [
    ...new Set(
      notOfOwn(grantMachine.allowed(row.status, ask.has), ['approve', 'approveFirst', 'approveSecond'], [submitterId, approverId], ask).map(
        (action) => BUTTONS[action] ?? action,
      ),
    ),
  ],
});

/** Grants whose value is being handed out, but by nobody at present. */
const waitingOf = ({ db, now }: { db: Db; now: Instant }, rows: readonly Pick<Row, 'id' | 'status'>[]) =>
  interruptedSince(
    { db, now },
    grantJob,
    'grantId',
    rows.flatMap(({ id, status }) => (status === 'EXECUTING' ? [id] : [])),
  );

/** A grant is found by what one of its lines says. */
const hasLine =
  (says: (text: string) => RawBuilder<unknown>) =>
  (_eb: unknown, text: string): RawBuilder<SqlBool> =>
    sql<SqlBool>`exists (select from card_grant_line l where l.grant_id = g.id and ${says(text)})`;

export const grantList = listOf(queryGrantList)
  .from(({ db }) => own(db).selectFrom('cardGrant as g').innerJoin('cardType as t', 't.id', 'g.cardTypeId'))
  .with({
    where: {
      grantNo: isNumber('g.grantNo'),
      cardTypeId: 'g.cardTypeId',
      source: 'g.source',
      status: 'g.status',
      holderName: hasLine((text) => sql`l.holder_name = ${text.trim()}`),
      policyNo: hasLine((text) => sql`l.policy_no = ${text.trim()}`),
      outerSerialNo: hasLine((text) => sql`l.outer_serial_no = ${text.trim()}`),
      dateFrom: (_eb, day) => sql<SqlBool>`g.created_at >= ${startOfDay(day)}::timestamptz`,
      dateTo: (_eb, day) => sql<SqlBool>`g.created_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
    },
    id: 'g.id',
    sorts: { grantNo: 'g.grantNo', createdAt: 'g.createdAt' },
    order: [['g.id', 'desc']],
    select: (rows) => rows.select(columns),
    present: async (rows, ask) => {
      const waiting = await waitingOf(ask, rows);
      return rows.map((row) => shown(row, ask, waiting));
    },
  });
export const grantExport = listExport(grantList, { call: exportGrantList, title: '储值发放单', routeKey: 'valueCardGrant' });

export const lineList = listOf(queryGrantLineList)
  .from(({ db }) =>
    own(db)
      .selectFrom('cardGrantLine as l')
      .innerJoin('cardGrant as g', 'g.id', 'l.grantId')
      .innerJoin('cardType as t', 't.id', 'l.cardTypeId')
      .leftJoin('cardCard as c', 'c.id', 'l.cardId'),
  )
  .with({
    where: {
      grantId: 'l.grantId',
      grantNo: isNumber('g.grantNo'),
      cardTypeId: 'l.cardTypeId',
      holderName: (_eb, text) => sql<SqlBool>`l.holder_name = ${text.trim()}`,
      policyNo: 'l.policyNo',
      outerSerialNo: 'l.outerSerialNo',
      state: 'l.state',
    },
    id: 'l.id',
    unsorted: 'millions of lines, the newest first; those of one grant are found by its filters',
    order: [['l.id', 'desc']],
    select: (rows) =>
      rows
        .select([
          'l.id',
          'l.grantId',
          'g.grantNo',
          'l.rowNo',
          't.typeName',
          'l.holderName',
          'l.idNoMasked',
          'l.mobileMasked',
          'l.policyNo',
          'l.outerSerialNo',
        ])
        .select([
          'l.amount',
          'l.bonus',
          'l.revokedAmount',
          'l.effectiveFrom',
          'l.expireOn',
          'l.cardId',
          'c.cardNo',
          'l.state',
          'l.failReason',
          'l.doneAt',
        ]),
    present: (rows, { has }) =>
      rows.map(({ idNoMasked, mobileMasked, cardNo, ...row }) => ({
        ...row,
        holderName: showHolder({ cardNo: '', holderName: row.holderName }, { has }).holderName ?? '',
        idNo: idNoMasked,
        mobile: mobileMasked,
        amount: Number(row.amount),
        bonus: Number(row.bonus),
        revokedAmount: Number(row.revokedAmount),
        cardNo: cardNo === null ? null : maskCardNo(cardNo),
      })),
  });
export const lineExport = listExport(lineList, { call: exportGrantResult, title: '储值发放明细', routeKey: 'valueCardGrant.lines' });

const needsSecond = (grant: Pick<Grant, 'totalAmount' | 'totalBonus'>) =>
  BigInt(grant.totalAmount) + BigInt(grant.totalBonus) >= BigInt(SECOND_GRANT_FROM);

export const detail = query(queryGrantDetail, async ({ grantId }, ctx) => {
  const { db } = ctx;
  const row = await own(db)
    .selectFrom('cardGrant as g')
    .innerJoin('cardType as t', 't.id', 'g.cardTypeId')
    .select(columns)
    .select(['g.purpose', 'g.opinion'])
    .where('g.id', '=', grantId)
    .executeTakeFirst();
  if (!row) throw grantRecords.missing();
  return {
    ...shown(row, ctx, await waitingOf(ctx, [row])),
    needsSecond: needsSecond(row),
    trail: await trailOf(db, 'card.grant', grantId),
  };
});

/** @throws Refusal SCM17001, SCM90040 */
export async function grantableType(ctx: Pick<CommandContext, 'tx'>, cardTypeId: string) {
  const type = await typeRecords.get(ctx.tx, typeRecords.everyone, cardTypeId);
  if (type.status !== 'ENABLED') throw refuse(cardErrors.TYPE_NOT_ENABLED);
  return type;
}

export const add = (kernel: Kernel): Handler =>
  command(addGrant, async ({ cardTypeId, purpose, ...wish }, ctx) => {
    const type = await grantableType(ctx, cardTypeId);
    if (!isPossibleIdNo(wish.idType, tidyIdNo(wish.idNo))) throw refuseField('idNo', '请输入正确的证件号');
    if (type.kind === 'STORED_VALUE' && wish.amount + wish.bonus === 0) throw refuseField('amount', '发放金额须大于0');
    if (type.kind !== 'STORED_VALUE' && wish.amount + wish.bonus > 0) throw refuseField('amount', '只有储值卡可以发放金额');
    if (type.funder === 'PLATFORM' && wish.amount > 0) throw refuseField('amount', '平台只能出资赠金');
    const wrong = faultOfDays(wish, ctx.today);
    if (wrong) throw refuseField(wrong.field, wrong.message);
    if (wish.outerSerialNo !== null && (await grantedSerials(ctx.tx, cardTypeId, [wish.outerSerialNo])).size > 0)
      throw refuse(cardErrors.SERIAL_GRANTED, { row: 1 });
    const row = await own(ctx.tx)
      .insertInto('cardGrant')
      .values({
        grantNo: await nextNumber(ctx.tx, 'GR', ctx.today),
        cardTypeId,
        source: 'SINGLE',
        purpose,
        totalCount: 1,
        totalAmount: String(wish.amount),
        totalBonus: String(wish.bonus),
        status: 'DRAFT',
        ...authorColumns(ctx),
        createdByName: ctx.staff.displayName,
      })
      .returning(['id', 'grantNo', 'status', 'version'])
      .executeTakeFirstOrThrow();
    await own(ctx.tx)
      .insertInto('cardGrantLine')
      .values({ grantId: row.id, cardTypeId, rowNo: 1, ...lineColumns(kernel.secrets, wish) })
      .execute();
    ctx.target({ type: 'card.grant', id: row.id, no: row.grantNo });
    return row;
  });

type Changes = Partial<
  Pick<
    Grant,
    'status' | 'submittedBy' | 'submittedByName' | 'approvedBy' | 'approvedByName' | 'secondApprovedBy' | 'secondApprovedByName' | 'opinion'
  >
>;
const change = (ctx: CommandContext, grant: Grant, changes: Changes) =>
  own(ctx.tx)
    .updateTable('cardGrant')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('id', '=', grant.id)
    .returning(['id', 'grantNo', 'status', 'version'])
    .executeTakeFirstOrThrow();
const move = (ctx: CommandContext, grant: Grant, action: Parameters<typeof grantMachine.canStart>[0], opinion?: string) =>
  moveState(ctx, grantMachine, {
    targetType: 'card.grant',
    targetId: grant.id,
    targetNo: grant.grantNo,
    action,
    from: grant.status,
    opinion,
    contributors: [grant.createdBy, grant.submittedBy, grant.approvedBy],
  });

export const submit = command(submitGrant, async ({ grantId, version }, ctx) => {
  const grant = await grantRecords.lockVersion(ctx, grantId, version);
  const status = await move(ctx, grant, 'submit');
  if (grant.totalCount === 0) throw refuseField('grantId', '发放单没有明细');
  await grantableType(ctx, grant.cardTypeId);
  return change(ctx, grant, {
    status,
    submittedBy: ctx.staff.userId,
    submittedByName: ctx.staff.displayName,
    approvedBy: null,
    approvedByName: null,
    secondApprovedBy: null,
    secondApprovedByName: null,
  });
});

/** A prepaid type grants no more than its funder has paid. @throws Refusal SCM17002 */
async function requireFund(kernel: Kernel, ctx: CommandContext, grant: Grant): Promise<void> {
  const type = await grantableType(ctx, grant.cardTypeId);
  if (type.fundingMode !== 'PREPAID') return;
  const [fund] = await ledgerOf(kernel).balancesIfAny(ctx.tx, [fundOf(type)], ctx.now);
  const short = BigInt(grant.totalAmount) - (fund?.available ?? 0n);
  if (short > 0n) throw refuse(cardErrors.FUND_SHORT, { n: yuan(short) });
}

/** @throws Refusal SCM17003, SCM17002 */
export const audit = (kernel: Kernel): Handler =>
  command(auditGrant, async ({ grantId, version, stage, decision, opinion }, ctx) => {
    const grant = await grantRecords.lockVersion(ctx, grantId, version);
    const first = stage === 'FIRST';
    const action =
      decision === 'reject'
        ? first
          ? 'reject'
          : 'rejectSecond'
        : first
          ? needsSecond(grant)
            ? 'approveFirst'
            : 'approve'
          : 'approveSecond';
    const status = await move(ctx, grant, action, opinion);
    if (decision === 'reject') return change(ctx, grant, { status, opinion: opinion || null });
    const { userId, displayName } = ctx.staff;
    await requireFund(kernel, ctx, grant);
    if (status === 'EXECUTING') await ctx.enqueue(executeJob(kernel), { grantId });
    return change(ctx, grant, {
      status,
      opinion: opinion || null,
      ...(first ? { approvedBy: userId, approvedByName: displayName } : { secondApprovedBy: userId, secondApprovedByName: displayName }),
    });
  });

export const retry = (kernel: Kernel): Handler =>
  command(retryGrant, async ({ grantId, version }, ctx) => {
    const grant = await grantRecords.lockVersion(ctx, grantId, version);
    const status = await move(ctx, grant, 'retry');
    await own(ctx.tx)
      .updateTable('cardGrantLine')
      .set({ state: 'PENDING', failReason: null })
      .where('grantId', '=', grantId)
      .where('state', '=', 'FAILED')
      .execute();
    await ctx.enqueue(executeJob(kernel), { grantId });
    return change(ctx, grant, { status });
  });

/** Takes back a line, or all lines as far as they are unused; the grant is revoked when nothing of it is left with anybody. */
export const revoke = (kernel: Kernel): Handler =>
  command(revokeGrant, async ({ grantId, version, lineId, amount, opinion }, ctx) => {
    const grant = await grantRecords.lockVersion(ctx, grantId, version);
    if (amount !== undefined && lineId === undefined) throw refuseField('lineId', '请选择要撤回的明细');
    const type = await own(ctx.tx).selectFrom('cardType').select('kind').where('id', '=', grant.cardTypeId).executeTakeFirstOrThrow();
    if (type.kind !== 'STORED_VALUE') throw refuseField('grantId', '权益卡和优惠券请申请作废');
    const lines = await own(ctx.tx)
      .selectFrom('cardGrantLine')
      .selectAll()
      .where('grantId', '=', grantId)
      .where('state', 'in', ['SUCCESS', 'PART_REVOKED'])
      .$if(lineId !== undefined, (rows) => rows.where('id', '=', lineId!))
      .orderBy('cardId')
      .execute();
    if (lines.length === 0) throw refuseField('lineId', '没有可撤回的明细');
    if (lines.length > 200) throw refuseField('grantId', '一次最多撤回200行，请逐行撤回');
    let taken = 0n;
    const wanted = amount === undefined ? undefined : BigInt(amount);
    const acting = { ...ctx, actor: { id: ctx.staff.userId, name: ctx.staff.displayName } };
    const ledger = ledgerOf(kernel);
    const postings: PostCommand[] = [];
    for (const line of lines) {
      const one = await revokeLine(ledger, acting, { line, grantNo: grant.grantNo }, wanted);
      taken += one.taken;
      postings.push(...one.postings);
    }
    if (taken === 0n) throw refuse(cardErrors.USED, { a: yuan(BigInt(grant.totalAmount) + BigInt(grant.totalBonus)), b: yuan(0) });
    const open = await own(ctx.tx)
      .selectFrom('cardGrantLine')
      .select('id')
      .where('grantId', '=', grantId)
      .where('state', 'in', ['SUCCESS', 'PART_REVOKED', 'PENDING'])
      .limit(1)
      .executeTakeFirst();
    const status = await move(ctx, grant, open ? 'revokePart' : 'revoke', opinion);
    const answer = await change(ctx, grant, { status, opinion });
    await ledger.postMany(ctx, postings);
    for (const cardId of new Set(lines.flatMap((line) => line.cardId ?? []))) await refreshCard(ctx.tx, ledger, cardId, ctx.now);
    return answer;
  });
