import type { UploadedFile } from './places.ts';

interface StoreWatch {
  signal: AbortSignal;
  /** 0 to 100. */
  onProgress(percent: number): void;
}
type StoreFile = (file: File, purpose: string, watch: StoreWatch) => Promise<Pick<UploadedFile, 'fileId' | 'fileName'>>;

let load: (() => Promise<StoreFile>) | undefined;
/** Filled by the domain files; its code is fetched with the first file. */
export const provideStoring = (given: () => Promise<StoreFile>): void => void (load = given);

/**
 * Stores one file without a field of a form (messages of the chat).
 * @throws RefusalError with the server's sentence; the signal's reason when cancelled.
 */
export async function storeFile(file: File, purpose: string, watch: StoreWatch): Promise<Pick<UploadedFile, 'fileId' | 'fileName'>> {
  if (!load) throw new Error('Nothing stores files here');
  return (await load())(file, purpose, watch);
}
