import { toastError } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { fileNameOf, saveBlob } from '#kernel/web/http/download.ts';
import { RefusalError, TransportError } from '#kernel/web/http/refusal.ts';
import { getFileUrl } from '../../contract/calls/objects.ts';
import { fetchSigned } from './useShown.ts';

interface Wanted {
  fileId: string;
  page?: number;
  ownerType?: string | undefined;
  ownerId?: string | undefined;
}

/** Saves the original, or the marked picture where the original may not be read. */
export async function saveFile({ fileId, page, ownerType, ownerId }: Wanted): Promise<void> {
  try {
    const facts = await send(getFileUrl, {
      fileId,
      use: 'DOWNLOAD',
      ...(page ? { page } : {}),
      ...(ownerType ? { ownerType } : {}),
      ...(ownerId ? { ownerId } : {}),
    });
    const response = await fetchSigned(facts.url);
    saveBlob(await response.blob(), fileNameOf(response.headers.get('Content-Disposition'), facts.fileName));
  } catch (error) {
    // Refusals of the call have been shown by the error law.
    if (!(error instanceof RefusalError || error instanceof TransportError)) toastError('文件下载失败，请重试');
  }
}
