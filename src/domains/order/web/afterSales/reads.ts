import { queryAfterSaleDetail, queryAfterSaleList } from '../../contract/calls/afterSales.ts';
import { orderReads } from '../orders/reads.ts';

export const afterSaleReads = [queryAfterSaleList, queryAfterSaleDetail, ...orderReads];
