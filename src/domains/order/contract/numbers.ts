import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryAfterSaleList } from './calls/afterSales.ts';
import { queryExceptionList } from './calls/exceptions.ts';
import { queryManualOrderList } from './calls/manualOrders.ts';
import { queryOrderList } from './calls/orders.ts';

/** Business numbers of the domain, and the lists that are searched by them. */
export const orderNumbers: readonly NumberPlace[] = [
  numberPlace('OR', '订单', queryOrderList, 'orderNo', { path: '/orderManagement' }),
  numberPlace('AS', '售后单', queryAfterSaleList, 'afterSaleNo', { path: '/orderManagement', tab: 'afterSales' }),
  numberPlace('MO', '手工订单', queryManualOrderList, 'manualNo', { path: '/manualorders' }),
  numberPlace('EX', '异常工单', queryExceptionList, 'exceptionNo', { path: '/manualorders', tab: 'exceptions' }),
];
