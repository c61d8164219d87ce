import { lazy } from 'react';

/** Loaded with the form that shows it. */
export const CodeStyleFields = lazy(async () => ({ default: (await import('./CodeStyleFields.tsx')).CodeStyleFields }));
