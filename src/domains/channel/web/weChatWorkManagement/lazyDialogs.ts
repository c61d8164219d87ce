import { lazy } from 'react';

// What a click opens on the lists is loaded by that click.
export const LiveCodeAdd = lazy(async () => ({ default: (await import('./LiveCodeForm.tsx')).LiveCodeAdd }));
export const LiveCodeEdit = lazy(async () => ({ default: (await import('./LiveCodeForm.tsx')).LiveCodeEdit }));
export const LiveCodeMembers = lazy(async () => ({ default: (await import('./LiveCodeForm.tsx')).LiveCodeMembers }));
export const Picture = lazy(async () => ({ default: (await import('../shared/Picture.tsx')).Picture }));
