import { lazy } from 'react';
import type { Layers } from '#kernel/web/kit/useLayers.tsx';
import type { OrderRow } from '../../contract/calls/orders.ts';

const AddressForm = lazy(async () => ({ default: (await import('./AddressForm.tsx')).AddressForm }));
const RemarkForm = lazy(async () => ({ default: (await import('./RemarkForm.tsx')).RemarkForm }));
const CancelForm = lazy(async () => ({ default: (await import('./CancelForm.tsx')).CancelForm }));

/** What somebody does to an order, from the list or from its drawer. */
export const useOrderActions = (layers: Layers) => ({
  editAddress: (order: OrderRow) => layers.open((close) => <AddressForm order={order} onClose={close} />),
  remark: (order: OrderRow) => layers.open((close) => <RemarkForm order={order} onClose={close} />),
  cancel: (order: OrderRow) => layers.open((close) => <CancelForm order={order} onClose={close} />),
});
