import { dayOf, hours, minutes, plusDays, plusMs, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import type { Trace } from '#kernel/server/logistics/port.ts';
import { allocate } from '../allocation/allocate.ts';
import { own } from '../database.ts';
import { fulfilmentRecords, lockPart, partLines, type FulfilmentRecord } from '../fulfilment/access.ts';
import { accepted, pushed } from '../fulfilment/give.ts';
import { shipped } from '../fulfilment/ship.ts';
import { noteTraces } from '../logistics/tracks.ts';
import { orderRecords, type OrderRecord } from '../orders/access.ts';

const nothing = (): Promise<void> => Promise.resolve();
const CARRIERS = ['SF', 'JD', 'ZTO', 'YTO', 'EMS'] as const;

interface Stage {
  writing: Writing;
  now: Instant;
  batch?: string;
}
/** The system acts so long after an order was paid, at the latest now; what it would tell others is history. */
function after({ writing, now }: Stage, { paidAt }: OrderRecord, ms: number): Acting {
  const then = plusMs(paidAt ?? now, ms);
  const history = { ...writing, publish: nothing, publishMany: nothing, enqueue: nothing };
  return asSystem(history, { now: then < now ? then : now, traceId: 'demo' });
}
const locked = ({ writing }: Stage, { id }: FulfilmentRecord) => lockPart(writing.tx, fulfilmentRecords.everyone, id);

/** All parcels of one table. */
async function batchNo(stage: Stage): Promise<string> {
  stage.batch ??= await nextNumber(stage.writing.tx, 'DR', dayOf(stage.now));
  return stage.batch;
}

/** What a carrier told of a parcel until now. */
function tracesOf(shippedAt: Instant, now: Instant): Trace[] {
  const nodes: readonly [number, Trace['state'], string, string][] = [
    [1, 'TRANSIT', '快件已揽收', '上海市'],
    [9, 'TRANSIT', '快件到达转运中心', '杭州市'],
    [24, 'DELIVERING', '快递员正在派送', '杭州市'],
    [28, 'SIGNED', '快件已签收，签收人：本人', '杭州市'],
  ];
  return nodes.flatMap(([hour, state, description, city]) => {
    const occurredAt = plusMs(shippedAt, hours(hour));
    return occurredAt <= now ? [{ occurredAt, state, description, city }] : [];
  });
}

async function send(stage: Stage, order: OrderRecord, part: FulfilmentRecord, n: number): Promise<void> {
  const ctx = after(stage, order, hours(5));
  const lines = await partLines(ctx.tx, part.id);
  if (lines.some(({ coldChain }) => coldChain)) return;
  const { shipmentId } = await shipped(
    ctx,
    await locked(stage, part),
    {
      carrierCode: CARRIERS[n % CARRIERS.length]!,
      waybillNo: `${CARRIERS[n % CARRIERS.length]!}${String(7_300_100_000 + Number(part.id) * 7919)}`,
      shippedAt: ctx.now,
      lines: lines.map(({ orderLineId, quantity }) => ({
        orderLineId,
        quantity,
        batchNo: `P${dayOf(ctx.now).replaceAll('-', '').slice(2)}`,
        expireDate: plusDays(dayOf(stage.now), 540),
        traceCodes: [],
      })),
      tempRecordFileId: null,
      minTemp: null,
      maxTemp: null,
    },
    n % 4 === 0 ? { source: 'BULK', importBatchNo: await batchNo(stage) } : { source: 'MANUAL' },
  );
  const traces = tracesOf(ctx.now, stage.now);
  if (traces.length > 0) await noteTraces(after(stage, order, hours(40)), shipmentId, traces);
}

/** A paid order on its way: the older it is, the further it came. */
async function goOn(stage: Stage, found: OrderRecord, n: number): Promise<void> {
  const { tx } = stage.writing;
  const order = await orderRecords.lock(tx, orderRecords.everyone, found.id);
  const { parts } = await allocate(after(stage, order, minutes(2)), order);
  const hoursAgo = (Date.parse(stage.now) - Date.parse(order.paidAt ?? stage.now)) / hours(1);
  for (const part of parts) {
    if (hoursAgo < 24 && n % 3 === 0) continue;
    await pushed(after(stage, order, minutes(4)), await locked(stage, part), null);
    if (hoursAgo < 24 && n % 3 === 1) continue;
    await accepted(after(stage, order, minutes(40)), await locked(stage, part));
    if (hoursAgo >= 24 && part.way === 'SHIP') await send(stage, order, part, n);
  }
}

/** What suppliers made of the demonstration's paid orders, after their payments are there. */
export const writeParts = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const stage: Stage = { writing, now: demo.now };
    const waiting = await own(writing.tx)
      .selectFrom('orderOrder')
      .selectAll()
      .where('state', '=', 'PENDING_ALLOCATION')
      .orderBy('id')
      .execute();
    for (const [n, order] of waiting.entries()) await goOn(stage, order, n);
  });
