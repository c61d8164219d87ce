import { lazy } from 'react';

// What a click opens on the list is loaded by that click.
export const VisitDrawer = lazy(async () => ({ default: (await import('./VisitDrawer.tsx')).VisitDrawer }));
export const QualityDialog = lazy(async () => ({ default: (await import('./QualityDialog.tsx')).QualityDialog }));
export const InquiryDialog = lazy(async () => ({ default: (await import('./InquiryDialog.tsx')).InquiryDialog }));
export const ArchiveResult = lazy(async () => ({ default: (await import('./ArchiveResult.tsx')).ArchiveResult }));
export const ChatTab = lazy(async () => ({ default: (await import('./ChatTab.tsx')).ChatTab }));
export const RecordTab = lazy(async () => ({ default: (await import('./RecordTab.tsx')).RecordTab }));
export const QuotePicker = lazy(async () => ({ default: (await import('./QuotePicker.tsx')).QuotePicker }));
