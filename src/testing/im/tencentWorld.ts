import type { ConversationID } from '#domains/consultation/contract/im/types.ts';
import { unseal, uncarry } from '#domains/consultation/contract/im/vendor.ts';
import type { WireMessage } from '#domains/consultation/contract/im/wire.ts';
import { noGroupCalls } from '#domains/consultation/web/im/clientParts.ts';
import type { StorePort } from '#domains/consultation/web/im/tencent/ports.ts';
import { TencentImClient } from '#domains/consultation/web/im/tencent/tencentImClient.ts';
import { SdkDouble } from './sdkDouble.ts';
import type { SuiteWorld } from './imClientSuite.ts';
import { VendorDouble } from './vendorDouble.ts';

/** Our own record, filled by what the vendor tells after each sending. */
export function recordOf(vendor: VendorDouble): {
  of(me: string): StorePort;
  reads: { me: string; conversationID: string; readSeq: number }[];
} {
  const reads: { me: string; conversationID: string; readSeq: number }[] = [];
  const cleared = new Map<string, number>();
  const rows = (me: string, conversationID: ConversationID): WireMessage[] =>
    (vendor.talkOf(me, conversationID)?.messages ?? [])
      .filter(({ sequence }) => sequence > (cleared.get(`${me}|${conversationID}`) ?? 0))
      .map((message) => {
        const sealed = unseal(message.cloudCustomData);
        return {
          ID: message.ID,
          seq: message.sequence,
          conversationID,
          clientMsgId: sealed?.clientMsgId ?? message.ID,
          from: message.from,
          nick: '',
          avatar: '',
          ...uncarry(String(message.type), message.payload),
          cloudCustomData: sealed?.custom ?? '',
          atUserList: [],
          quoteSeq: null,
          needReadReceipt: false,
          countsUnread: true,
          auto: false,
          at: message.time * 1000,
          isRevoked: message.isRevoked,
          revoker: '',
          revokeReason: '',
          modifyVersion: sealed?.modifyVersion ?? 0,
        };
      });
  return {
    reads,
    of: (me) => ({
      history({ conversationID, beforeSeq = Infinity, afterSeq, pageSize }) {
        const fitting = rows(me, conversationID).filter(({ seq }) => seq < beforeSeq && seq > (afterSeq ?? 0));
        const messages = afterSeq === undefined ? fitting.slice(-pageSize) : fitting.slice(0, pageSize);
        return Promise.resolve({ messages, isCompleted: messages.length === fitting.length });
      },
      read: ({ conversationID, readSeq }) => Promise.resolve(void reads.push({ me, conversationID, readSeq })),
      clear: ({ conversationID }) =>
        Promise.resolve(void cleared.set(`${me}|${conversationID}`, vendor.talkOf(me, conversationID)?.messages.length ?? 0)),
      search: null,
    }),
  };
}

export interface TencentWorld extends SuiteWorld {
  vendor: VendorDouble;
  record: ReturnType<typeof recordOf>;
  enter(userID: string): Promise<TencentImClient>;
}

/** The suite's world over a double of the vendor's SDK. */
export function tencentWorld(): TencentWorld {
  const vendor = new VendorDouble();
  const record = recordOf(vendor);
  const clients: TencentImClient[] = [];
  const groupID = 'YH10000001';
  vendor.group(groupID, 'P1', 'D1', 'A1');
  return {
    vendor,
    record,
    groupID,
    async enter(userID) {
      const client = new TencentImClient({
        sdkAppID: 1_400_000_002,
        store: record.of(userID),
        groups: noGroupCalls,
        now: () => vendor.now,
        load: () => Promise.resolve(new SdkDouble(vendor)),
        upload: (_kind, _file, onProgress) => {
          onProgress(1);
          return Promise.resolve({ fileId: '4711' });
        },
      });
      clients.push(client);
      await client.login({ userID, userSig: 'signed' });
      return client;
    },
    advance: (ms) => void (vendor.now += ms),
    async close() {
      for (const client of clients) await client.destroy();
    },
  };
}
