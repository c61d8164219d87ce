import { randomInt } from 'node:crypto';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { orderErrors } from '../../contract/errors.ts';
import {
  chooseSuppliers,
  chosenPart,
  faultOf,
  faultText,
  supplierFaults,
  type AppliedRule,
  type Choice,
  type Need,
  type Part,
  type Trigger,
} from '../../contract/rules/allocation.ts';
import { own } from '../database.ts';
import { openException, settleExceptions } from '../exceptions/open.ts';
import { bySystemOf, movePart, type FulfilmentRecord } from '../fulfilment/access.ts';
import { moveStock } from '../fulfilment/stock.ts';
import { moveOrder, writeOrder, type OrderRecord } from '../orders/access.ts';
import { candidatesFor, lockGoods, needsOf } from './candidates.ts';
import { pushJob } from './job.ts';
import { ruleFor } from './rule.ts';

/** How often the rules may choose for one order. */
export const MOST_ATTEMPTS = 3;

/** Makes the part that one supplier brings and reserves its stock. Order and goods are locked. */
async function createPart(ctx: Acting, order: OrderRecord, part: Part): Promise<FulfilmentRecord> {
  const isPickup = order.orderType === 'PICKUP';
  const made = await own(ctx.tx)
    .insertInto('orderFulfilment')
    .values({
      fulfilmentNo: await nextNumber(ctx.tx, 'FO', ctx.today),
      orderId: order.id,
      supplierId: part.supplierId,
      way: isPickup ? 'PICKUP' : 'SHIP',
      state: 'WAIT_PUSH',
      supplyFen: String(part.supplyFen),
      freightFen: String(isPickup ? 0 : part.freightFen),
      pickupCode: isPickup ? String(randomInt(1_000_000)).padStart(6, '0') : null,
      ...createdColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await own(ctx.tx)
    .insertInto('orderFulfilmentLine')
    .values(
      part.lines.map(({ orderLineId, quantity, supplyPriceFen }) => ({
        fulfilmentId: made.id,
        orderLineId,
        quantity,
        supplyPriceFen: String(supplyPriceFen),
      })),
    )
    .execute();
  for (const { orderLineId, quantity } of part.lines)
    await own(ctx.tx)
      .updateTable('orderLine')
      .set((eb) => ({ allocatedQty: eb('allocatedQty', '+', quantity) }))
      .where('id', '=', orderLineId)
      .execute();
  await moveStock(ctx, part.supplierId, part.lines, 'RESERVE');
  const created = await movePart(ctx, made, 'create', {}, `由${part.supplierName}履约`);
  await ctx.enqueue(pushJob, { fulfilmentId: made.id });
  return created;
}

async function keepRun(
  ctx: Acting,
  order: OrderRecord,
  { rule, choice, trigger, opinion }: { rule: AppliedRule; choice: Choice; trigger: Trigger; opinion?: string },
): Promise<string> {
  const { id } = await own(ctx.tx)
    .insertInto('orderAllocationRun')
    .values({
      orderId: order.id,
      attempt: order.allocAttempts + (trigger === 'MANUAL' ? 0 : 1),
      ruleCode: rule.ruleCode,
      ruleVersion: rule.ruleVersion,
      strategy: rule.strategy,
      trigger,
      candidates: JSON.stringify(choice.verdicts),
      result: JSON.stringify((choice.parts ?? []).map(({ supplierId, supplierName, lines }) => ({ supplierId, supplierName, lines }))),
      succeeded: choice.parts !== null,
      operatorId: ctx.staffOrNull?.userId ?? null,
      operatorName: ctx.staffOrNull?.displayName ?? null,
      opinion: opinion ?? null,
      createdAt: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Parts are made, the order is on its way; nothing of the choosing is left to do. */
async function giveTo(ctx: Acting, order: OrderRecord, parts: readonly Part[], attempts: number) {
  const made: FulfilmentRecord[] = [];
  for (const part of parts.toSorted((a, b) => (BigInt(a.supplierId) < BigInt(b.supplierId) ? -1 : 1)))
    made.push(await createPart(bySystemOf(ctx), order, part));
  const change = { allocAttempts: attempts };
  const moved =
    order.state === 'PENDING_ALLOCATION' ? await moveOrder(ctx, order, 'allocate', change) : await writeOrder(ctx, order, change);
  await settleExceptions(ctx, order, ['ALLOC_FAILED', 'SUPPLIER_REJECTED']);
  return { order: moved, parts: made };
}

export interface Allocated {
  runId: string | null;
  order: OrderRecord;
  parts: readonly FulfilmentRecord[];
  choice: Choice;
}
const canBeGiven = ({ state }: OrderRecord) => state === 'PENDING_ALLOCATION' || state === 'FULFILLING';

/**
 * The rules choose who brings what of a locked order that has no supplier yet; where nobody does, a person is asked.
 * An order whose attempts are used waits for a person as well.
 */
export async function allocate(ctx: Acting, order: OrderRecord): Promise<Allocated> {
  const nothing = { runId: null, order, parts: [], choice: { parts: [], verdicts: [] } };
  if (!canBeGiven(order) || order.orderType === 'SERVICE') return nothing;
  const needs = await needsOf(ctx.tx, order.id);
  if (needs.length === 0) return nothing;
  if (order.allocAttempts >= MOST_ATTEMPTS) {
    await openException(ctx, order, { type: 'SUPPLIER_REJECTED', detail: orderErrors.ATTEMPTS_USED.text });
    return nothing;
  }
  await lockGoods(ctx.tx, needs);
  const rule = await ruleFor(ctx.tx, order, ctx.today);
  const choice = chooseSuppliers(rule, await candidatesFor(ctx.tx, order, needs, ctx), needs);
  const trigger = order.allocAttempts === 0 ? 'AUTO' : 'REALLOC';
  const runId = await keepRun(ctx, order, { rule, choice, trigger });
  const attempts = order.allocAttempts + 1;
  if (choice.parts === null) {
    const tried = await writeOrder(ctx, order, { allocAttempts: attempts });
    await openException(ctx, order, { type: 'ALLOC_FAILED', detail: `没有可用供应商：${faultText(choice.verdicts)}` });
    return { runId, order: tried, parts: [], choice };
  }
  return { runId, ...(await giveTo(ctx, order, choice.parts, attempts)), choice };
}

interface WantedPart {
  supplierId: string;
  lines: readonly { orderLineId: string; quantity: number }[];
}

/** The lines of a wish as needs. @throws Refusal SCM90020 unless all that is left is given */
function wantedNeeds(needs: readonly Need[], wanted: readonly WantedPart[]): Need[][] {
  const lines = wanted.flatMap((part) => part.lines);
  const given = (orderLineId: string) =>
    lines.filter((line) => line.orderLineId === orderLineId).reduce((sum, { quantity }) => sum + quantity, 0);
  const isWhole =
    needs.every(({ orderLineId, quantity }) => given(orderLineId) === quantity) &&
    lines.every(({ orderLineId }) => needs.some((need) => need.orderLineId === orderLineId)) &&
    wanted.every((part) => new Set(part.lines.map(({ orderLineId }) => orderLineId)).size === part.lines.length);
  if (!isWhole) throw refuseField('parts', '分配数量之和须等于待分配数量');
  const twice = wanted.findIndex(({ supplierId }, at) => wanted.findIndex((other) => other.supplierId === supplierId) !== at);
  if (twice >= 0) throw refuseField(`parts.${twice}.supplierId`, '同一供应商请合并为一个履约单');
  return wanted.map((part) =>
    part.lines.map(({ orderLineId, quantity }) => ({ ...needs.find((need) => need.orderLineId === orderLineId)!, quantity })),
  );
}

/**
 * A person chose who brings what of a locked order; all filters but the capacity hold for him too.
 * @throws Refusal SCM16021, SCM16024, SCM90020
 */
export async function assign(ctx: Acting, order: OrderRecord, wanted: readonly WantedPart[], opinion: string): Promise<Allocated> {
  const needs = await needsOf(ctx.tx, order.id);
  const asked = wantedNeeds(needs, wanted);
  await lockGoods(ctx.tx, needs);
  const candidates = await candidatesFor(ctx.tx, order, needs, ctx);
  const parts = wanted.map(({ supplierId }, at) => {
    const candidate = candidates.find((one) => one.supplierId === supplierId);
    if (!candidate) throw refuseField(`parts.${at}.supplierId`, '供应商不存在或不能履约该订单');
    const short = asked[at]!.find(
      ({ goodsCode, quantity }) => (candidate.offers.find((offer) => offer.goodsCode === goodsCode)?.available ?? quantity) < quantity,
    );
    const fault = faultOf(candidate, asked[at]!, { ignoreCapacity: true });
    if (fault === 'STOCK_SHORT' && short) {
      const left = candidate.offers.find(({ goodsCode }) => goodsCode === short.goodsCode)?.available ?? 0;
      throw refuse(orderErrors.STOCK_SHORT, { supplier: candidate.supplierName, needed: short.quantity, left });
    }
    // Whoever refused it once may be asked by a person again.
    if (fault !== null && fault !== 'REFUSED')
      throw refuse(orderErrors.NOT_ELIGIBLE, { supplier: candidate.supplierName, reason: supplierFaults.label(fault) });
    return chosenPart(candidate, asked[at]!);
  });
  const choice: Choice = {
    parts,
    verdicts: candidates.map((candidate) => ({
      supplierId: candidate.supplierId,
      supplierName: candidate.supplierName,
      fault: faultOf(candidate, needs),
      score: null,
      isChosen: parts.some(({ supplierId }) => supplierId === candidate.supplierId),
    })),
  };
  const rule: AppliedRule = { ruleCode: null, ruleVersion: null, strategy: 'FIXED', candidates: null, allowSplit: true, maxSplit: 3 };
  const runId = await keepRun(ctx, order, { rule, choice, trigger: 'MANUAL', opinion });
  return { runId, ...(await giveTo(ctx, order, parts, order.allocAttempts)), choice };
}
