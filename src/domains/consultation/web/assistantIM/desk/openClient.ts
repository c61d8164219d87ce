import { send } from '#kernel/web/http/client.ts';
import { storeFile } from '#kernel/web/files/storing.ts';
import { instantOf } from '#kernel/contract/time.ts';
import { delGroupMember, muteMember } from '../../../contract/calls/groups.ts';
import { queryGetUserSign } from '../../../contract/calls/runtime.ts';
import { browserTabs } from '../../im/links/tabLink.ts';
import { noGroupCalls, type EmbeddedOptions, type GroupCalls } from '../../im/clientParts.ts';
import { EmbeddedImClient } from '../../im/embeddedImClient.ts';
import { indexedDbKeeper } from '../../im/kept/indexedDbKeeper.ts';
import { uuid7 } from '../../im/uuid.ts';
import { CHAT_PURPOSE, isStored, type DeskClient, type Runtime } from './facts.ts';

const CLIENT_ID = 'kangqiao.im.client';

/** The same for all tabs of this browser, until the person logs out. */
function clientId(): string {
  const known = localStorage.getItem(CLIENT_ID);
  if (known) return known;
  const made = uuid7();
  localStorage.setItem(CLIENT_ID, made);
  return made;
}

const groups: GroupCalls = {
  ...noGroupCalls,
  async removeMembers({ groupID, userIDList }) {
    for (const imUserId of userIDList) await send(delGroupMember, { groupId: groupID, imUserId });
  },
  async muteMember({ groupID, userID, muteTime, reason }) {
    await send(muteMember, {
      groupId: groupID,
      imUserId: userID,
      until: muteTime === 0 ? null : instantOf(Date.now() + muteTime * 1000),
      reason: reason ?? '',
    });
  },
};

/** Makes the chat client of the mode that the service runs in; it connects when it is told to sign in. */
export async function openClient({ mode }: Runtime): Promise<DeskClient> {
  const { userID, userSig, sdkAppID } = await send(queryGetUserSign, {}, { quiet: true });
  const common: Pick<EmbeddedOptions, 'sdkAppID' | 'groups' | 'upload' | 'renewSign'> = {
    sdkAppID,
    groups,
    async upload(_kind, file, onProgress) {
      if (isStored(file.content)) return { fileId: file.content.fileId };
      if (!(file.content instanceof File)) throw new TypeError('A message of the console carries a file of the browser');
      const stored = await storeFile(file.content, CHAT_PURPOSE, {
        signal: new AbortController().signal,
        onProgress: (percent) => onProgress(percent / 100),
      });
      return { fileId: stored.fileId };
    },
    renewSign: async () => (await send(queryGetUserSign, {}, { quiet: true }).catch(() => null))?.userSig ?? null,
  };
  const client =
    mode === 'TENCENT'
      ? (await import('../../im/tencent/openTencent.ts')).openTencent({ ...common, userID })
      : new EmbeddedImClient({
          ...common,
          address: '',
          device: 'console',
          clientId: clientId(),
          keeper: indexedDbKeeper,
          tabs: browserTabs(),
        });
  return Object.assign(client, { userID, signIn: async () => void (await client.login({ userID, userSig })) });
}
