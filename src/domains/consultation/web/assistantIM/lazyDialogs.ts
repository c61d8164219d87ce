import { lazy } from 'react';

export const SettingsDrawer = lazy(async () => ({ default: (await import('./settings/SettingsDrawer.tsx')).SettingsDrawer }));
export const StatDrawer = lazy(async () => ({ default: (await import('./stats/StatDrawer.tsx')).StatDrawer }));
export const ListFilterPanel = lazy(async () => ({ default: (await import('./list/ListFilterPanel.tsx')).ListFilterPanel }));
export const MembersDrawer = lazy(async () => ({ default: (await import('./chat/MembersDrawer.tsx')).MembersDrawer }));
export const SearchPanel = lazy(async () => ({ default: (await import('./chat/SearchPanel.tsx')).SearchPanel }));
export const CannedList = lazy(async () => ({ default: (await import('./chat/composer/CannedList.tsx')).CannedList }));
export const Recorder = lazy(async () => ({ default: (await import('./chat/composer/Recorder.tsx')).Recorder }));
