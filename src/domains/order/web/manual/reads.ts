import { queryManualOrderDetail, queryManualOrderList } from '../../contract/calls/manualOrders.ts';

export const manualReads = [queryManualOrderList, queryManualOrderDetail];
