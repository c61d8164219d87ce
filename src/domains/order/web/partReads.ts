import { queryAllocationRunList } from '../contract/calls/allocation.ts';
import { queryFulfilmentDetail, queryFulfilmentList, queryOrderFulfilments } from '../contract/calls/fulfilments.ts';
import { queryOrderDetail, queryOrderList } from '../contract/calls/orders.ts';
import { exceptionReads } from './exceptionReads.ts';

/** What is read again after a part of an order changed: exceptions open and close with it. */
export const partReads = [
  queryFulfilmentDetail,
  queryFulfilmentList,
  queryOrderFulfilments,
  queryOrderDetail,
  queryOrderList,
  queryAllocationRunList,
  ...exceptionReads,
];
