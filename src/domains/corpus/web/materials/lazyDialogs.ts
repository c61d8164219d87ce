import { lazy } from 'react';

// What a click opens is loaded by that click.
export const MaterialDrawer = lazy(async () => ({ default: (await import('./MaterialDrawer.tsx')).MaterialDrawer }));
export const MaterialForm = lazy(async () => ({ default: (await import('./MaterialForm.tsx')).MaterialForm }));
export const StoredMaterialForm = lazy(async () => ({ default: (await import('./MaterialForm.tsx')).StoredMaterialForm }));
