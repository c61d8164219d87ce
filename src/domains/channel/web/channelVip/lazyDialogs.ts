import { lazy } from 'react';

// What a click opens on the list is loaded by that click.
export const VipDrawer = lazy(async () => ({ default: (await import('./VipDrawer.tsx')).VipDrawer }));
export const VipForm = lazy(async () => ({ default: (await import('./VipForm.tsx')).VipForm }));
