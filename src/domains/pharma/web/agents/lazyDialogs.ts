import { lazy } from 'react';

// What a click opens on the list and on the detail page is loaded by that click.
export const AgentForm = lazy(async () => ({ default: (await import('./AgentForm.tsx')).AgentForm }));
export const ParentForm = lazy(async () => ({ default: (await import('./AgentForm.tsx')).ParentForm }));
export const LinesForm = lazy(async () => ({ default: (await import('./AgentForm.tsx')).LinesForm }));
export const HandoverWizard = lazy(async () => ({ default: (await import('./HandoverWizard.tsx')).HandoverWizard }));
