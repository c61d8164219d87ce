import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { command, query } from '#kernel/server/handler.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  allocateOrder,
  assignSupplier,
  dryRunAllocation,
  exportAllocationRunList,
  queryAllocationRunList,
} from '../../contract/calls/allocation.ts';
import { orderErrors } from '../../contract/errors.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import {
  chooseSuppliers,
  faultText,
  strategies,
  type AppliedRule,
  type Part,
  type Trigger,
  type Verdict,
} from '../../contract/rules/allocation.ts';
import { own } from '../database.ts';
import { linesOf, orderRecords, type OrderRecord } from '../orders/access.ts';
import { allocate, assign, MOST_ATTEMPTS, type Allocated } from './allocate.ts';
import { candidatesFor, needsOf } from './candidates.ts';
import { ruleFor } from './rule.ts';

type Given = Pick<Part, 'supplierName' | 'lines'>;
const partText = ({ supplierName, lines }: Given) =>
  `${supplierName}（${lines.map(({ goodsCode, quantity }) => `${goodsCode}×${quantity}`).join('、')}）`;

/** By what suppliers were chosen: a rule, a person, or the store from which it is fetched. */
const ruleTextOf = ({ ruleCode, ruleVersion }: Pick<AppliedRule, 'ruleCode' | 'ruleVersion'>, trigger: Trigger) => {
  if (ruleCode !== null) return `${ruleCode} V${ruleVersion}`;
  return trigger === 'MANUAL' ? '人工指定' : '门店自提';
};

export const runList = listOf(queryAllocationRunList)
  .from(({ db, staff }) => orderRecords.seen(db, staff).innerJoin('orderAllocationRun as r', 'r.orderId', 'o.id'))
  .with({
    where: {
      orderId: 'r.orderId',
      orderNo: (_eb, text) => sql<SqlBool>`o.order_no = ${text.toUpperCase()}`,
      trigger: 'r.trigger',
    },
    id: 'r.id',
    order: [['r.id', 'desc']],
    unsorted: 'what was chosen is read newest first',
    select: (rows) =>
      rows
        .select(['r.id', 'r.orderId', 'o.orderNo', 'r.attempt', 'r.trigger', 'r.ruleCode', 'r.ruleVersion', 'r.strategy', 'r.succeeded'])
        .select(['r.operatorName', 'r.opinion', 'r.createdAt'])
        .select([sql<Verdict[]>`r.candidates`.as('candidates'), sql<Given[]>`r.result`.as('result')]),
    present: (rows) =>
      rows.map(({ ruleCode, ruleVersion, strategy, candidates, result, ...row }) => {
        const left = candidates.filter(({ isChosen, fault }) => !isChosen && fault !== null);
        return {
          ...row,
          strategy: strategies.codes.find((code) => code === strategy) ?? 'PRIORITY',
          ruleText: ruleTextOf({ ruleCode, ruleVersion }, row.trigger),
          resultText: row.succeeded ? result.map((part) => partText(part)).join('；') : '没有可用供应商',
          faultText: left.length === 0 ? '' : faultText(left),
          candidates,
        };
      }),
  });
export const runExport = listExport(runList, { call: exportAllocationRunList, title: '订单分配记录', routeKey: 'orderAllocation' });

const madeOf = ({ order, runId, parts }: Allocated) => ({
  orderId: order.id,
  state: order.state,
  version: order.version,
  runId,
  fulfilmentNos: parts.map(({ fulfilmentNo }) => fulfilmentNo),
});

/** @throws Refusal SCM90031 for an order that needs no supplier now */
async function requireNeeds(ctx: { tx: Parameters<typeof needsOf>[0] }, order: OrderRecord) {
  const isOpen = order.state === 'PENDING_ALLOCATION' || order.state === 'FULFILLING';
  const needs = isOpen && order.orderType !== 'SERVICE' ? await needsOf(ctx.tx, order.id) : [];
  if (needs.length === 0) throw refuse(platformErrors.WRONG_STATE, { state: orderMachine.states[order.state].label });
}

/** 重新分配: the rules are asked once more. @throws Refusal SCM16020, SCM16023 */
export const allocateNow = command(allocateOrder, async ({ orderId, version }, ctx) => {
  const order = await orderRecords.lockVersion(ctx, orderId, version, () => ({}));
  await requireNeeds(ctx, order);
  if (order.allocAttempts >= MOST_ATTEMPTS) throw refuse(orderErrors.ATTEMPTS_USED);
  const made = await allocate(ctx, order);
  if (made.choice.parts === null) throw refuse(orderErrors.NO_SUPPLIER, { reason: faultText(made.choice.verdicts) });
  return madeOf(made);
});

/** 人工分配. @throws Refusal SCM16021, SCM16024 */
export const assignNow = command(assignSupplier, async ({ orderId, version, parts, opinion }, ctx) => {
  const order = await orderRecords.lockVersion(ctx, orderId, version, () => ({ parts, opinion: '' }));
  await requireNeeds(ctx, order);
  return madeOf(await assign(ctx, order, parts, opinion));
});

/** 试分配. */
export const dryRun = query(dryRunAllocation, async ({ orderNo }, ctx) => {
  const order = await own(ctx.db)
    .selectFrom('orderOrder')
    .select('id')
    .where('orderNo', '=', orderNo.toUpperCase())
    .executeTakeFirst()
    .then((found) => orderRecords.get(ctx.db, ctx.staff, found?.id ?? '0'));
  const needs = await needsOf(ctx.db, order.id);
  const rule = await ruleFor(ctx.db, order, ctx.today);
  const candidates = await candidatesFor(ctx.db, order, needs, ctx);
  const { parts, verdicts } = chooseSuppliers(rule, candidates, needs);
  const lines = new Map((await linesOf(ctx.db, order.id)).map((line) => [line.id, line]));
  const limits = new Map(
    (await own(ctx.db).selectFrom('orderSupplier').select(['id', 'acceptSlaMin', 'shipSlaHour']).execute()).map((one) => [one.id, one]),
  );
  return {
    orderId: order.id,
    version: order.version,
    strategy: rule.strategy,
    ruleText: ruleTextOf(rule, 'AUTO'),
    needs: needs.map((need) => ({ ...need, goodsName: lines.get(need.orderLineId)!.goodsName })),
    parts:
      parts?.map(({ supplierId, supplierName, lines: given }) => ({
        supplierId,
        supplierName,
        lines: given.map(({ goodsCode, quantity }) => ({ goodsCode, quantity })),
      })) ?? null,
    candidates: verdicts.map((verdict) => {
      const { offers, distanceM, capacityLeft } = candidates.find(({ supplierId }) => supplierId === verdict.supplierId)!;
      const { acceptSlaMin, shipSlaHour } = limits.get(verdict.supplierId)!;
      return {
        ...verdict,
        distanceM,
        capacityLeft,
        acceptSlaMin,
        shipSlaHour,
        offers: offers.map(({ goodsCode, available, supplyPriceFen }) => ({ goodsCode, available, supplyPriceFen })),
      };
    }),
  };
});
