import { lazy } from 'react';

// What a click opens is loaded by that click.
export const CardForm = lazy(async () => ({ default: (await import('./CardForm.tsx')).CardForm }));
export const CardPreview = lazy(async () => ({ default: (await import('./CardPreview.tsx')).CardPreview }));
