import type { ReactNode } from 'react';
import { ERROR_TOAST_MS, toastGate } from '../http/errorLaw.ts';

type Kind = 'success' | 'info' | 'warning' | 'error';
export type Show = (kind: Kind, content: ReactNode, seconds: number) => void;

let show: Show = () => {};
/** The root component sets the place where toasts appear. */
export const provideToasts = (place: Show): void => void (show = place);

const mayShowError = toastGate(() => performance.now());

/** Stays 2 s (specification section 9). */
export const toast = (content: ReactNode, kind: Kind = 'success'): void => show(kind, content, 2);

/** Stays 1 s, at most one per second. */
export function toastError(content: ReactNode): void {
  if (mayShowError()) show('error', content, ERROR_TOAST_MS / 1000);
}
