import type { OrderType } from '../../contract/orderDictionaries.ts';

/** How far an order of the demonstration came. */
type Ending = 'RX' | 'RX_FAILED' | 'UNPAID' | 'EXPIRED' | 'PAID' | 'CANCELLED' | 'REFUNDED' | 'COMPLETED';

export interface OrderSpec {
  /** Days before today on which it was placed. */
  came: number;
  type: OrderType;
  ending: Ending;
  /** How many kinds of goods, and how many of the first. */
  kinds: number;
  pieces: number;
  discountFen?: number;
  remark?: string;
}

const REMARKS = ['请放门口，勿按门铃', '工作日白天无人，请晚上配送', '孕妇用药，请核对批号', ''] as const;
const spread = (count: number, first: number, step: number, of: (n: number) => Omit<OrderSpec, 'came'>): OrderSpec[] =>
  Array.from({ length: count }, (_, n) => ({ came: first + n * step, ...of(n) }));

/** Orders of four months by how far they came, the newest last. */
export const orderSpecs: readonly OrderSpec[] = [
  ...spread(26, 4, 4, (n) => ({ type: 'STORE_DIRECT', ending: 'COMPLETED', kinds: (n % 3) + 1, pieces: (n % 2) + 1 })),
  ...spread(10, 3, 9, (n) => ({ type: 'SERVICE', ending: 'PAID', kinds: 1, pieces: 1, ...(n % 4 === 0 && { discountFen: 500 }) })),
  ...spread(30, 1, 2, (n) => ({ type: 'B2C', ending: 'PAID', kinds: (n % 3) + 1, pieces: (n % 3) + 1, remark: REMARKS[n % 4]! })),
  ...spread(8, 0, 0, (n) => ({ type: n % 4 === 3 ? 'PICKUP' : 'B2C', ending: 'PAID', kinds: 1, pieces: (n % 2) + 1 })),
  ...spread(8, 2, 11, (n) => ({ type: n % 3 === 2 ? 'PICKUP' : 'B2C', ending: 'RX_FAILED', kinds: 1, pieces: (n % 3) + 1 })),
  ...spread(8, 1, 13, (n) => ({ type: 'B2C', ending: 'EXPIRED', kinds: (n % 2) + 1, pieces: 1, remark: REMARKS[n % 4]! })),
  ...spread(4, 6, 15, () => ({ type: 'B2C', ending: 'CANCELLED', kinds: 2, pieces: 2 })),
  ...spread(6, 5, 12, (n) => ({ type: 'B2C', ending: 'REFUNDED', kinds: (n % 3) + 1, pieces: 3, discountFen: 1_000 })),
  ...spread(8, 0, 0, (n) => ({ type: n % 4 === 3 ? 'PICKUP' : 'B2C', ending: 'UNPAID', kinds: (n % 3) + 1, pieces: (n % 2) + 1 })),
  ...spread(9, 0, 0, (n) => ({ type: 'B2C', ending: 'RX', kinds: (n % 2) + 1, pieces: (n % 3) + 1, remark: REMARKS[n % 4]! })),
];
