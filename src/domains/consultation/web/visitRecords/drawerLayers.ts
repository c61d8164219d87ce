import { lazy } from 'react';

// Each tab of the drawer is loaded when it is opened.
export const DetailTab = lazy(async () => ({ default: (await import('./DetailTabs.tsx')).DetailTab }));
export const ChatTab = lazy(async () => ({ default: (await import('./ChatTab.tsx')).ChatTab }));
export const RecordTab = lazy(async () => ({ default: (await import('./RecordTab.tsx')).RecordTab }));
