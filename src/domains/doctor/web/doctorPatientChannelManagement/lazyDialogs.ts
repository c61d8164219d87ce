import { lazy } from 'react';

// What a click or a later tab opens is loaded by it.
export const TrailDrawer = lazy(async () => ({ default: (await import('./TrailDrawer.tsx')).TrailDrawer }));
export const ChangeForm = lazy(async () => ({ default: (await import('./ChangeForm.tsx')).ChangeForm }));
export const ChangeDrawer = lazy(async () => ({ default: (await import('./ChangeDrawer.tsx')).ChangeDrawer }));
export const Funnel = lazy(async () => ({ default: (await import('./Funnel.tsx')).Funnel }));
