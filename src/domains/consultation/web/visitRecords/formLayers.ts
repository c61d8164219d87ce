import { lazy } from 'react';

// Parts of the form that are opened by hand.
export const Linked = lazy(async () => ({ default: (await import('./Linked.tsx')).Linked }));
export const QuotePicker = lazy(async () => ({ default: (await import('./QuotePicker.tsx')).QuotePicker }));
