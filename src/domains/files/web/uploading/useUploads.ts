import { useEffect, useRef, useState } from 'react';
import { failureText } from '#kernel/web/http/refusal.ts';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { compressed } from './compress.ts';
import { refusalOf, type PurposeFacts } from './checks.ts';
import { uploadFile, type Resume } from './uploadFile.ts';

/** One file on its way. */
export interface UploadItem {
  key: number;
  file: File;
  percent: number;
  state: 'waiting' | 'sending' | 'failed' | 'refused';
  message?: string;
  resume: Resume;
}

const AT_ONCE = 3;
let nextKey = 1;

/** Files on their way: three at a time, each with progress, cancelling and retrying. */
export function useUploads(purpose: PurposeFacts | undefined, onUploaded: (file: UploadedFile) => void) {
  const [items, setItems] = useState<readonly UploadItem[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const latest = useRef(onUploaded);
  latest.current = onUploaded;
  const patch = (key: number, change: Partial<UploadItem>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...change } : item)));
  const drop = (key: number) => setItems((all) => all.filter((item) => item.key !== key));

  useEffect(() => {
    if (!purpose) return;
    for (const item of items) {
      if (item.state !== 'waiting' || running.current.size >= AT_ONCE) continue;
      const control = new AbortController();
      running.current.set(item.key, control);
      patch(item.key, { state: 'sending' });
      void (async () => {
        try {
          const file = purpose.compress ? await compressed(item.file) : item.file;
          latest.current(
            await uploadFile(
              file,
              purpose.code,
              { signal: control.signal, onProgress: (percent) => patch(item.key, { percent }) },
              item.resume,
            ),
          );
          drop(item.key);
        } catch (error) {
          if (!control.signal.aborted) patch(item.key, { state: 'failed', message: failureText(error) });
        } finally {
          running.current.delete(item.key);
          setItems((all) => [...all]); // the next waiting one may start
        }
      })();
    }
  }, [items, purpose]);
  useEffect(() => () => running.current.forEach((control) => control.abort(new Error('已取消'))), []);

  return {
    items,
    busy: items.some(({ state }) => state === 'waiting' || state === 'sending'),
    add: (files: readonly File[]) =>
      setItems((all) => [
        ...all,
        ...files.map((file): UploadItem => {
          const message = purpose ? refusalOf(file, purpose) : null;
          return { key: nextKey++, file, percent: 0, resume: {}, state: message ? 'refused' : 'waiting', ...(message ? { message } : {}) };
        }),
      ]),
    cancel: (key: number) => {
      running.current.get(key)?.abort(new Error('已取消'));
      drop(key);
    },
    /** Sends only what is missing. */
    retry: (key: number) =>
      setItems((all) =>
        all.map(({ message: _message, ...item }) =>
          item.key === key ? { ...item, state: 'waiting' as const } : { ...item, ...(_message ? { message: _message } : {}) },
        ),
      ),
  };
}
