import { lazy } from 'react';

// What a click opens is loaded by that click.
export const VisitDrawer = lazy(async () => ({ default: (await import('./drawer/VisitDrawer.tsx')).VisitDrawer }));
export const QualityDialog = lazy(async () => ({ default: (await import('./QualityDialog.tsx')).QualityDialog }));
export const InquiryDialog = lazy(async () => ({ default: (await import('./InquiryDialog.tsx')).InquiryDialog }));
