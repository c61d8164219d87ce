import type { Call, InputOf, OutputOf } from '../../contract/call.ts';
import { exchange, readBody, readEnvelope } from './client.ts';
import type { SendOptions } from './request.ts';

/** Either the bytes were saved, or the server made a task that will produce them. */
export type Downloaded<Data> = { kind: 'saved'; fileName: string; rows: number | null } | { kind: 'task'; data: Data };

/** Name in `Content-Disposition: attachment; filename*=UTF-8''…`. */
export function fileNameOf(disposition: string | null, fallback: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (encoded) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return fallback;
    }
  }
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? fallback;
}

/** Lets the browser save bytes under a name. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser reads the blob after the click; a minute is ample.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Makes a call of shape `file` and looks at the content type: bytes are saved, an envelope is answered.
 * @throws RefusalError, TransportError as `send`
 */
export async function download<C extends Call>(
  call: C,
  input: InputOf<C>,
  options: SendOptions & { fileName?: string } = {},
): Promise<Downloaded<OutputOf<C>>> {
  const response = await exchange(call, input, options);
  if ((response.headers.get('Content-Type') ?? '').includes('application/json')) {
    const envelope = await readEnvelope(call, response, options);
    return { kind: 'task', data: envelope.data as OutputOf<C> };
  }
  const fileName = fileNameOf(response.headers.get('Content-Disposition'), options.fileName ?? call.label);
  const rows = response.headers.get('X-Row-Count');
  saveBlob(await readBody(call, () => response.blob(), options), fileName);
  return { kind: 'saved', fileName, rows: rows === null ? null : Number(rows) };
}
