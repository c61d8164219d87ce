import { queryOrderDetail, queryOrderList, queryOrderSum } from '../../contract/calls/orders.ts';

export const orderReads = [queryOrderList, queryOrderSum, queryOrderDetail];
