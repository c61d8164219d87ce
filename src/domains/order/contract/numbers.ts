import { numberPlace, type NumberPlace } from '#kernel/contract/numberPlace.ts';
import { queryFulfilmentList } from './calls/fulfilments.ts';

/** Business numbers of fulfilment, and the lists that are searched by them. */
export const orderNumbers: readonly NumberPlace[] = [numberPlace('FO', '履约单', queryFulfilmentList, 'fulfilmentNo', { path: '/b2cOrder' })];
