import type { RefusalError } from '#kernel/web/http/refusal.ts';

export type Faults<Field extends string> = Partial<Record<Field, string>>;

/** The server's field refusals, for the fields that the page shows. */
export function faultsOf<Field extends string>(error: RefusalError, shown: readonly Field[]): Faults<Field> {
  const faults: Faults<Field> = {};
  for (const { path, message } of error.fields) {
    const field = shown.find((name) => name === (path === 'captchaId' ? 'captcha' : path));
    if (field) faults[field] ??= message;
  }
  return faults;
}

/** Seconds that a refusal tells to wait: from its facts, else from its sentence. */
export function secondsOf(error: RefusalError): number | null {
  const { data } = error;
  if (typeof data === 'object' && data !== null && 'resendIn' in data) return Number(data.resendIn) || null;
  const seconds = /(\d+)秒/.exec(error.message)?.[1];
  return seconds ? Number(seconds) : null;
}
