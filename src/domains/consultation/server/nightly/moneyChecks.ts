import { minutes, plusMs } from '#kernel/contract/time.ts';
import { own } from '../database.ts';
import { orderStates } from '../partners.ts';
import type { Check, Look } from './check.ts';

const SETTLING_MIN = 60;
const AGREEING_MIN = 5;
const CHUNK = 500;

type OrderState = Awaited<ReturnType<typeof orderStates>>[number];
interface Served {
  id: string;
  orderId: string;
  serverStatus: string;
}

/** Asks doctor for the orders of these services, some at a time. */
async function wrong(
  look: Look,
  services: readonly Served[],
  breaks: (service: Served, order: OrderState | undefined) => boolean,
): Promise<number> {
  let found = 0;
  for (let from = 0; from < services.length; from += CHUNK) {
    const chunk = services.slice(from, from + CHUNK);
    const orders = new Map(
      (
        await orderStates(
          look.db,
          chunk.map(({ orderId }) => orderId),
        )
      ).map((order) => [order.orderId, order]),
    );
    found += chunk.filter((service) => breaks(service, orders.get(service.orderId))).length;
  }
  return found;
}
const services = (look: Look) => own(look.db).selectFrom('consultationInquiry').select(['id', 'orderId', 'serverStatus']);

const PAID: readonly string[] = ['PAID', 'REFUNDING'];
const SERVING: readonly string[] = ['SERVING', 'REFUNDING'];

/** I7, I8: what the services told doctor's orders. */
export const moneyChecks: readonly Check[] = [
  {
    name: '已结束问诊未结算或重复结算',
    broken: async (look) =>
      wrong(
        look,
        await services(look)
          .where('serverStatus', '=', '4')
          .where('settleAt', '>', look.since)
          .where('settleAt', '<=', plusMs(look.now, -minutes(SETTLING_MIN)))
          .execute(),
        (_service, order) => order?.completed !== 1,
      ),
  },
  {
    name: '已关闭问诊未退款或重复退款',
    broken: async (look) =>
      wrong(
        look,
        await services(look)
          .where('serverStatus', 'in', ['5', '6', '7'])
          .where('paidAt', 'is not', null)
          .where('statusAt', '>', look.since)
          .execute(),
        (_service, order) =>
          !order || order.givenBack > 1 || (order.givenBack === 0 && order.refundedFen === '0' && order.state !== 'REFUNDED'),
      ),
  },
  {
    name: '问诊与咨询订单状态不符',
    broken: async (look) =>
      wrong(
        look,
        await services(look)
          .where('serverStatus', 'in', ['1', '2', '3'])
          .where('statusAt', '<=', plusMs(look.now, -minutes(AGREEING_MIN)))
          .execute(),
        ({ serverStatus }, order) => !order || !(serverStatus === '1' ? PAID : SERVING).includes(order.state),
      ),
  },
];
