import { lazy } from 'react';

// What a click opens on the lists is loaded by that click.
export const CodeForm = lazy(async () => ({ default: (await import('./CodeForm.tsx')).CodeForm }));
export const History = lazy(async () => ({ default: (await import('./History.tsx')).History }));
export const BatchWizard = lazy(async () => ({ default: (await import('./BatchWizard.tsx')).BatchWizard }));
export const ScanStat = lazy(async () => ({ default: (await import('../shared/ScanStat.tsx')).ScanStat }));
export const CodePreview = lazy(async () => ({ default: (await import('../shared/CodePreview.tsx')).CodePreview }));
