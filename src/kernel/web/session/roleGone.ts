import { platformErrors } from '../../contract/errors.ts';
import type { RefusalError } from '../http/refusal.ts';

let listener: (() => void) | null = null;

/** Hears that the role in which this tab acts was taken away, ended or switched off; one listener, the shell. */
export function onRoleGone(hear: () => void): () => void {
  listener = hear;
  return () => {
    if (listener === hear) listener = null;
  };
}

/** Tells the shell when a refusal says that the role is gone, as the session reader marks it. */
export function noteRoleGone(refusal: RefusalError): void {
  const { code, data } = refusal;
  if (code === platformErrors.NO_PERMISSION.code && typeof data === 'object' && data !== null && 'roleGone' in data) listener?.();
}
