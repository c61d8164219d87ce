import { days } from '../../../../kernel/contract/time.ts';
import type { Corp, WelcomeAttachment, WelcomeFile } from './port.ts';

/** WeChat Work keeps an uploaded file for three days; it is handed over anew a little earlier. */
const KEPT_MS = days(3) - 3_600_000;
const MOST_REMEMBERED = 5_000;

type Upload = (corp: Corp, kind: 'image' | 'file', form: FormData) => Promise<string>;

/** Hands files over to WeChat Work, each once while it is kept there. @returns its media id. */
export function makeMedia(now: () => number, upload: Upload) {
  const known = new Map<string, { mediaId: string; until: number }>();
  return async (corp: Corp, kind: 'image' | 'file', file: WelcomeFile): Promise<string> => {
    const key = `${corp.id}/${kind}/${file.fileId}`;
    const kept = known.get(key);
    if (kept && kept.until > now()) return kept.mediaId;
    const { name, contentType, bytes } = await file.open();
    const form = new FormData();
    form.append('media', new Blob([new Uint8Array(bytes)], { type: contentType }), name);
    const mediaId = await upload(corp, kind, form);
    if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value!);
    known.set(key, { mediaId, until: now() + KEPT_MS });
    return mediaId;
  };
}

/** An attachment in the words of `send_welcome_msg`. */
export async function attachmentOf(
  attachment: WelcomeAttachment,
  mediaId: (kind: 'image' | 'file', file: WelcomeFile) => Promise<string>,
): Promise<object> {
  switch (attachment.type) {
    case 'link':
      return { msgtype: 'link', link: { title: attachment.title, url: attachment.url } };
    case 'image':
      return { msgtype: 'image', image: { media_id: await mediaId('image', attachment.file) } };
    case 'file':
      return { msgtype: 'file', file: { media_id: await mediaId('file', attachment.file) } };
    case 'mini':
      return {
        msgtype: 'miniprogram',
        miniprogram: {
          title: attachment.title,
          pic_media_id: await mediaId('image', attachment.cover),
          appid: attachment.appId,
          page: attachment.path,
        },
      };
  }
}
