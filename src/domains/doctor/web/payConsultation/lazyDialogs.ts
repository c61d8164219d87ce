import { lazy } from 'react';

// What a click opens on the list is loaded by that click.
export const OrderDrawer = lazy(async () => ({ default: (await import('./OrderDrawer.tsx')).OrderDrawer }));
export const RefundDialog = lazy(async () => ({ default: (await import('./RefundDialog.tsx')).RefundDialog }));
