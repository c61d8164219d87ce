import { toastError } from '../../../../../kernel/web/feedback/toast.ts';
import { imCodes } from '../../../contract/im/codes.ts';
import { mediaFault, mediaRules } from '../../../contract/im/limits.ts';
import type { OpenChat } from '../desk/chat.ts';

const endingOf = (name: string) => name.toLowerCase().split('.').at(-1) ?? '';
const isOf = (types: readonly string[], name: string) => types.includes(endingOf(name));

/** As what a file is sent: pictures and videos are shown in the chat, everything else is a file. */
export const kindOfFile = (file: { name: string }): 'image' | 'video' | 'file' =>
  isOf(mediaRules.image.types, file.name) ? 'image' : isOf(mediaRules.video.types, file.name) ? 'video' : 'file';

/** Sends files one by one; what may not be sent is refused before any byte leaves. */
export function sendFiles(chat: OpenChat, files: readonly File[]): void {
  for (const file of files) {
    const kind = kindOfFile(file);
    const fault = file.size === 0 ? '文件为空' : mediaFault(kind, file);
    if (fault) toastError(`${file.name}：${fault in imCodes ? imCodes[fault as keyof typeof imCodes][1] : fault}`);
    else void chat.sendFile(kind, file);
  }
}
