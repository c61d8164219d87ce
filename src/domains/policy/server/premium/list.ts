import { sql, type SqlBool } from 'kysely';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { query } from '#kernel/server/handler.ts';
import { leaseOf } from '#kernel/server/lease/lease.ts';
import { contains, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportPremiumOrder,
  queryPremiumOrderDetail,
  queryPremiumOrderList,
  queryPremiumOrderTotal,
  type PremiumRow,
} from '../../contract/calls/premium.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { premiumMachine, rejectReasons, type PremiumState } from '../../contract/premiumStates.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { insurerScope, policyRecords, premiumRecords, seesMoney } from '../access.ts';
import { own } from '../database.ts';
import { desk } from './desk.ts';
import { premiumSums } from './due.ts';
import { recomputedLines, recomputedSum } from './recompute.ts';

const seen = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('policyPremiumOrder as o')
    .innerJoin('policyPolicy as p', 'p.id', 'o.policyId')
    .where(scopeFilter(insurerScope('p.insurerId'), viewer));

const columns = [
  'o.id',
  'o.premiumOrderNo',
  'o.policyId',
  'p.policyNo',
  'p.insurerName',
  'p.productName',
  'p.productLine',
  'p.holderName',
  'o.kind',
  'o.direction',
  'o.periodFrom',
  'o.periodTo',
  'o.personCount',
  'o.amountFen',
  'o.statedFen',
  'o.settledFen',
  'o.dueOn',
  'o.state',
  'o.makerName as maker',
  'o.makerId',
  'o.firstCheckerId',
  'o.firstCheckerName',
  'o.secondCheckerName',
  'o.insurerInvoiceNo',
  'o.createdAt',
  'o.version',
] as const;
const selected = (rows: ReturnType<typeof seen>, now: Instant) => rows.select(columns).select(desk.holder(now).as('holder'));
type Raw = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];
type Has = (permission: string | { code: string }) => boolean;

const CHECKS: ReadonlySet<string> = new Set(['approve', 'reject', 'secondApprove', 'secondReject']);
/** Whoever checks an order wrote none of it: nobody but its maker goes on with it; what the system made anybody may who makes orders. */
export const goesOn = ({ makerId }: { makerId: string | null }, userId: string): boolean => makerId === null || makerId === userId;

/** What somebody may do with an order: nobody passes or rejects his own, nobody checks twice. */
export const premiumActionsOf = (
  row: { state: PremiumState; makerId: string | null; firstCheckerId: string | null },
  has: Has,
  userId: string,
): string[] =>
  premiumMachine
    .allowed(row.state, has)
    .filter((action) => action !== 'submit' || goesOn(row, userId))
    .filter(
      (action) => !CHECKS.has(action) || (row.makerId !== userId && (row.state !== 'PENDING_SECOND' || row.firstCheckerId !== userId)),
    );

/** What the insurer says of an order, where it has a say. */
const insurersOf = ({
  productLine,
  statedFen,
  insurerInvoiceNo,
  amountFen,
}: Pick<Raw, 'productLine' | 'statedFen' | 'insurerInvoiceNo' | 'amountFen'>) =>
  POLICY_LINE_VIEW[productLine].insurerNumbers
    ? { statedFen, insurerInvoiceNo, differenceFen: statedFen === null ? null : String(BigInt(statedFen) - BigInt(amountFen)) }
    : { statedFen: null, insurerInvoiceNo: null, differenceFen: null };

const shown = ({ firstCheckerId, firstCheckerName, secondCheckerName, holder, ...row }: Raw, has: Has, userId: string): PremiumRow => ({
  ...row,
  ...insurersOf(row),
  // Nobody has checked what somebody has in hand.
  checker: [firstCheckerName, secondCheckerName].filter((name) => name !== null).join('、') || holder,
  allowedActions: premiumActionsOf({ ...row, firstCheckerId }, has, userId),
});

export const premiumList = listOf(queryPremiumOrderList)
  .from(({ db, staff }) => seen(db, staff))
  .with({
    where: {
      premiumOrderNo: isNumber('o.premiumOrderNo'),
      policyId: 'o.policyId',
      policyNo: (_eb, text) => sql<SqlBool>`p.policy_no_norm = ${normalPolicyNo(text)}`,
      holderName: contains('p.holderName'),
      insurerId: 'p.insurerId',
      productId: 'o.productId',
      kind: 'o.kind',
      direction: 'o.direction',
      state: 'o.state',
      dueFrom: from('o.dueOn'),
      dueTo: upTo('o.dueOn'),
      overdue: (_eb, yes, { today }) =>
        yes ? sql<SqlBool>`o.state in ('APPROVED', 'PART_SETTLED') and o.due_on < ${today}::date` : undefined,
      amountFrom: from('o.amountFen'),
      amountTo: upTo('o.amountFen'),
    },
    id: 'o.id',
    sorts: { premiumOrderNo: 'o.premiumOrderNo', amountFen: 'o.amountFen', dueOn: 'o.dueOn' },
    select: (rows, { now }) => selected(rows, now),
    present: (rows, { has, staff }) => rows.map((row) => shown(row, has, staff.userId)),
  });
export const premiumExport = listExport(premiumList, {
  call: exportPremiumOrder,
  title: '保费订单',
  routeKey: 'insurancePremiumOrderInquiry',
});

export const premiumTotal = query(queryPremiumOrderTotal, async (filter, { db, staff, now, today, has }) => {
  const rows = await premiumList.matching({ db, staff, now, today, has, filter });
  return rows
    .clearSelect()
    .select([
      sql<number>`count(*)::int`.as('orders'),
      premiumSums.collectFen.as('collectFen'),
      premiumSums.refundFen.as('refundFen'),
      premiumSums.premiumFen.as('premiumFen'),
      premiumSums.waitingFen.as('waitingFen'),
      premiumSums.receivedFen.as('receivedFen'),
    ])
    .executeTakeFirstOrThrow();
});

/** Lines of one answer; a list of a whole city is exported instead. */
const MOST_LINES = 500;

export const premiumDetail = query(queryPremiumOrderDetail, async ({ premiumOrderId }, { db, staff, has, now }) => {
  const raw = await selected(seen(db, staff), now).where('o.id', '=', premiumOrderId).executeTakeFirst();
  if (!raw) throw premiumRecords.missing();
  const order = await premiumRecords.get(db, staff, premiumOrderId);
  const policy = await policyRecords.get(db, staff, order.policyId);
  const lines = await recomputedLines(db, order, policy);
  const source =
    order.sourceEndorsementId === null
      ? undefined
      : await own(db)
          .selectFrom('policyEndorsement')
          .select('endorsementNo')
          .where('id', '=', order.sourceEndorsementId)
          .executeTakeFirst();
  const allocations = await own(db)
    .selectFrom('policyPremiumAllocation as a')
    .innerJoin('policyPremiumReceipt as r', 'r.id', 'a.receiptId')
    .leftJoin('policyPremiumAllocation as x', 'x.reversesAllocationId', 'a.id')
    .select([
      'a.id',
      'a.receiptId',
      'r.bankFlowNo',
      'r.payerName',
      'r.paidOn',
      'a.amountFen',
      'x.id as reversedBy',
      'a.madeByName as madeBy',
      'a.at',
    ])
    .where('a.premiumOrderId', '=', order.id)
    .orderBy('a.id')
    .execute();
  return {
    ...shown(raw, has, staff.userId),
    recomputedFen: String(recomputedSum(lines)),
    endorsementNo: source?.endorsementNo ?? null,
    rejectReasons: rejectReasons.codes.filter((code) => order.rejectReasons.includes(code)),
    opinion: order.opinion,
    backdatedDays: order.backdatedDays,
    items: lines.slice(0, MOST_LINES),
    allocations: (seesMoney(staff) ? allocations : []).map(({ reversedBy, ...row }) => ({
      ...row,
      reversed: reversedBy !== null,
    })),
    lease: await leaseOf(db, { type: premiumRecords.type, id: order.id }, now),
    timeline: await trailOf(db, 'policy.premiumOrder', order.id),
  };
});
