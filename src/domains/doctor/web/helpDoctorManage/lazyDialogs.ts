import { lazy } from 'react';

// What a click opens is loaded by that click.
export const AssistantForm = lazy(async () => ({ default: (await import('./AssistantForm.tsx')).AssistantForm }));
export const LeaveDialog = lazy(async () => ({ default: (await import('./LeaveDialog.tsx')).LeaveDialog }));
export const BindDialog = lazy(async () => ({ default: (await import('./BindDialog.tsx')).BindDialog }));
export const BindHistory = lazy(async () => ({ default: (await import('./BindHistory.tsx')).BindHistory }));
export const UnboundDoctors = lazy(async () => ({ default: (await import('./UnboundDoctors.tsx')).UnboundDoctors }));
export const TransferWizard = lazy(async () => ({ default: (await import('./TransferWizard.tsx')).TransferWizard }));
