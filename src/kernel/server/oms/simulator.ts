import { dayOf, days, hours, minutes, plusDays, plusMs } from '../../contract/time.ts';
import { digitsOf, simulation, type SimulationParts, type Taken } from '../outside/simulation.ts';
import { unknownFulfilment, type Oms, type OmsAnswer, type OmsOrder } from './port.ts';

/**
 * How a supplier behaves, by the last two digits of the order's number; every other accepts, and ships a day later.
 * LOST: taken, but the answer does not arrive. NOT_HEARD: the first push does not arrive. TWICE: each parcel is reported twice.
 */
type Ending = 'REJECTED' | 'LATE' | 'NEVER' | 'LOST' | 'NOT_HEARD' | 'TWICE' | 'KEEPS';
const ENDS_IN: Readonly<Record<string, Ending>> = {
  '91': 'REJECTED',
  '92': 'LATE',
  '93': 'NEVER',
  '94': 'LOST',
  '95': 'NOT_HEARD',
  '96': 'TWICE',
  // Who keeps it does not cancel.
  '97': 'KEEPS',
};
/** A supplier whose code ends so refuses key and secret, or does not answer; every other answers. */
const PINGS_AS: Readonly<Record<string, 'REFUSED' | 'UNREACHABLE'>> = { '91': 'REFUSED', '93': 'UNREACHABLE' };
const LATE_MS = hours(3);
const ACCEPTS_MS = minutes(30);
const SHIPS_MS = days(1);
const GOOD_FOR_DAYS = 540;

interface Pushed extends Pick<OmsOrder, 'way' | 'lines'> {
  /** What was pushed, so that another order under the same number is refused. */
  content: string;
}

const endingOf = (fulfilmentNo: string): Ending | undefined => ENDS_IN[fulfilmentNo.slice(-2)];

/** Stands in for the suppliers' OMS: it keeps numbers and goods in the own database, no persons, and ships nothing. */
export function simulatedOms(parts: SimulationParts): Oms {
  const orders = simulation<Pushed>('OMS', parts);
  const { now } = parts;

  function answerOf({ ref, facts, takenAt, isAnswered }: Taken<Pushed>): OmsAnswer {
    const known = { ...unknownFulfilment, supplierOrderNo: `SIM${digitsOf(ref, 12)}` };
    if (!isAnswered) return { ...known, state: 'WAITING' };
    const ending = endingOf(ref);
    if (ending === 'REJECTED') return { ...known, state: 'REJECTED', rejectReason: '模拟供应商：库存不足' };
    const acceptedAt = plusMs(takenAt, ending === 'LATE' ? LATE_MS : ACCEPTS_MS);
    const shippedAt = plusMs(acceptedAt, SHIPS_MS);
    if (now() < acceptedAt) return { ...known, state: 'WAITING' };
    if (facts.way === 'PICKUP' || now() < shippedAt) return { ...known, state: 'ACCEPTED' };
    const lines = facts.lines.map(({ goodsCode, quantity }) => ({
      goodsCode,
      quantity,
      batchNo: 'SIM2026',
      expireDate: plusDays(dayOf(shippedAt), GOOD_FOR_DAYS),
      traceCodes: [],
    }));
    const parcel = { carrierCode: 'SF', waybillNo: `SF${digitsOf(ref, 13)}`, shippedAt, lines };
    return { ...known, state: 'SHIPPED', parcels: ending === 'TWICE' ? [parcel, parcel] : [parcel] };
  }

  return {
    available: true,
    ping: ({ supplierCode }) => Promise.resolve(PINGS_AS[supplierCode.slice(-2)] ?? 'ANSWERS'),
    async push({ fulfilmentNo, supplierCode, way, lines }) {
      const ending = endingOf(fulfilmentNo);
      const content = JSON.stringify([supplierCode, way, lines]);
      const asked = { group: 'order', facts: { way, lines, content }, answersAfter: ending === 'NEVER' ? null : 0 };
      if (ending === 'NOT_HEARD' && (await orders.take([{ ...asked, ref: `${fulfilmentNo}:unheard` }])).length > 0) return 'UNKNOWN';
      const isNew = (await orders.take([{ ...asked, ref: fulfilmentNo }])).length > 0;
      if ((await orders.find(fulfilmentNo))?.facts.content !== content) return 'REFUSED';
      return isNew && ending === 'LOST' ? 'UNKNOWN' : 'TAKEN';
    },
    async query(fulfilmentNo) {
      const order = await orders.find(fulfilmentNo);
      if (!order) return null;
      const answer = answerOf(order);
      const isCancelled = (await orders.find(`${fulfilmentNo}:cancelled`)) !== null;
      return isCancelled ? { ...answer, state: 'CANCELLED' } : answer;
    },
    async cancel(fulfilmentNo) {
      const order = await orders.find(fulfilmentNo);
      if (!order || endingOf(fulfilmentNo) === 'KEEPS' || ['SHIPPED', 'REJECTED'].includes(answerOf(order).state)) return 'REFUSED';
      await orders.take([{ ref: `${fulfilmentNo}:cancelled`, group: 'cancelled', facts: order.facts, answersAfter: 0 }]);
      return 'TAKEN';
    },
  };
}
