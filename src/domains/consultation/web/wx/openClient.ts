import { completeMyFile, presignMyFile, queryMySign } from '../../contract/calls/participants.ts';
import type { ImClient, ImExtras } from '../../contract/im/client.ts';
import { browserTabs } from '../im/links/tabLink.ts';
import { noGroupCalls, type EmbeddedOptions } from '../im/clientParts.ts';
import { EmbeddedImClient } from '../im/embeddedImClient.ts';
import { indexedDbKeeper } from '../im/kept/indexedDbKeeper.ts';
import { memoryKeeper } from '../im/kept/keeper.ts';
import { clientId, sendMine, type Entered } from './access.ts';

const POLL_MS = 1_000;
const MOST_POLLS = 120;
type Use = 'CHAT' | 'REPORT';

function put(url: string, body: Blob, headers: Readonly<Record<string, string>>, onSent: (bytes: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => (request.status >= 200 && request.status < 300 ? resolve() : reject(new Error('文件上传失败，请重试')));
    request.onerror = () => reject(new Error('文件上传失败，请重试'));
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
  });
}

/**
 * Stores a file of the chat or of a report: signed place, its parts, then the inspection. @throws RefusalError with the server's
 * sentence.
 */
export async function uploadMine(groupId: string, use: Use, file: File, onProgress: (share: number) => void = () => {}): Promise<string> {
  const { fileId, headers, parts } = await sendMine(presignMyFile, {
    groupId,
    use,
    fileName: file.name,
    contentType: file.type || 'application/octet-stream',
    size: file.size,
  });
  let start = 0;
  for (const { size, url } of parts) {
    const from = start;
    await put(url, file.slice(from, from + size), headers, (sent) => onProgress(((from + sent) / file.size) * 0.99));
    start += size;
  }
  for (let polls = 0; polls < MOST_POLLS; polls += 1) {
    const { state } = await sendMine(completeMyFile, { groupId, use, fileId });
    if (state === 'READY') return fileId;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('文件校验超时，请稍后重试');
}

export interface WxClient extends ImClient, ImExtras {
  userID: string;
  /** The group whose chat is open: what is uploaded belongs to it. */
  place: { groupID: string };
  signIn(): Promise<void>;
}

/** The chat of this tab's participant. Browsers without a database keep nothing over a reload and chat all the same. */
export async function openClient(entered: Pick<Entered, 'userID' | 'userSig' | 'sdkAppID' | 'runtime'>): Promise<WxClient> {
  const { userID, userSig, sdkAppID, runtime } = entered;
  const place = { groupID: '' };
  const common: Pick<EmbeddedOptions, 'sdkAppID' | 'groups' | 'upload' | 'renewSign'> = {
    sdkAppID,
    groups: noGroupCalls,
    async upload(_kind, { content }, onProgress) {
      if (!(content instanceof File)) throw new TypeError('A message carries a file of the browser');
      return { fileId: await uploadMine(place.groupID, 'CHAT', content, onProgress) };
    },
    renewSign: async () => (await sendMine(queryMySign, {}).catch(() => null))?.userSig ?? null,
  };
  const client =
    runtime.mode === 'TENCENT'
      ? (await import('../im/tencent/openMyTencent.ts')).openMyTencent({ ...common, userID })
      : new EmbeddedImClient({
          ...common,
          address: '',
          device: 'wx',
          clientId: clientId(),
          keeper: 'indexedDB' in globalThis ? indexedDbKeeper : memoryKeeper,
          tabs: browserTabs(),
        });
  return Object.assign(client, { userID, place, signIn: async () => void (await client.login({ userID, userSig })) });
}
