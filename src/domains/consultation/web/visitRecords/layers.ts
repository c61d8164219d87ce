import { lazy } from 'react';

// What a click opens is loaded by that click, and what the domains beside this one hold where it is shown.
export const VisitDrawer = lazy(async () => ({ default: (await import('./VisitDrawer.tsx')).VisitDrawer }));
export const QualityDialog = lazy(async () => ({ default: (await import('./QualityDialog.tsx')).QualityDialog }));
export const InquiryDialog = lazy(async () => ({ default: (await import('./InquiryDialog.tsx')).InquiryDialog }));
export const ArchiveResult = lazy(async () => ({ default: (await import('./ArchiveResult.tsx')).ArchiveResult }));
export const HospitalSelect = lazy(async () => ({ default: (await import('./selects.tsx')).HospitalSelect }));
export const DepartmentSelect = lazy(async () => ({ default: (await import('./selects.tsx')).DepartmentSelect }));
export const AssistantSelect = lazy(async () => ({ default: (await import('./selects.tsx')).AssistantSelect }));
export const DetailTab = lazy(async () => ({ default: (await import('./DetailTabs.tsx')).DetailTab }));
export const Linked = lazy(async () => ({ default: (await import('./Linked.tsx')).Linked }));
export const ChatTab = lazy(async () => ({ default: (await import('./ChatTab.tsx')).ChatTab }));
export const RecordTab = lazy(async () => ({ default: (await import('./RecordTab.tsx')).RecordTab }));
export const QuotePicker = lazy(async () => ({ default: (await import('./QuotePicker.tsx')).QuotePicker }));
