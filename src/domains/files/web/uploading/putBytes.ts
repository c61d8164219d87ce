import { RefusalError, TransportError } from '#kernel/web/http/refusal.ts';
import { fileErrors } from '../../contract/errors.ts';

/** The store does not take these bytes at this address (any more). */
export const partRefused = () => new RefusalError(fileErrors.PART_REFUSED.code, fileErrors.PART_REFUSED.text);

/** Time limit of a PUT (specification section 9). */
const PUT_MS = 10_000;

/** PUTs bytes to a presigned address, telling how many have left. */
export function putBytes(
  url: string,
  bytes: Blob,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () => (request.status >= 200 && request.status < 300 ? resolve() : reject(partRefused()));
    request.onerror = () => reject(new TransportError('connection'));
    request.ontimeout = () => reject(new TransportError('timeout'));
    request.onabort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('已取消'));
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.open('PUT', url);
    request.timeout = PUT_MS;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(bytes);
  });
}
