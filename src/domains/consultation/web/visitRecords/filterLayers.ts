import { lazy } from 'react';

// What other domains hold is loaded where it is shown.
export const DepartmentSelect = lazy(async () => ({ default: (await import('./selects.tsx')).DepartmentSelect }));
export const AssistantSelect = lazy(async () => ({ default: (await import('./selects.tsx')).AssistantSelect }));
