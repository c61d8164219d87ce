import { ImError, imError } from '../../../contract/im/codes.ts';
import { refusalOfVendor, textOfRefusal } from '../../../contract/im/vendor.ts';

/** What the SDK rejects with: an error with a number. */
const numberOf = (error: unknown): number => (typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : 0);

/** The same refusal with our number and text; where our server refused, its own text is kept. */
export function faultOf(error: unknown): ImError {
  if (error instanceof ImError) return error;
  const code = numberOf(error);
  const name = refusalOfVendor(code);
  const message = error instanceof Error ? error.message : '';
  if (name === null) return code > 0 ? new ImError(code, textOfRefusal('NO_ANSWER'), message) : imError('NO_ANSWER', { data: message });
  const ours = (code >= 10_100 && code <= 10_200) || (code > 120_000 && code <= 130_000);
  return imError(name, ours && message ? { message } : {});
}

/** Data of an answer of the SDK, whose promises are typed by nobody; its rejection in our words. */
export async function asked<T>(answer: Promise<unknown>): Promise<T> {
  try {
    return ((await answer) as { data: T }).data;
  } catch (error) {
    throw faultOf(error);
  }
}
