import type { Conversation, Group, GroupMember, Message, Profile } from '@tencentcloud/chat';
import type { SdkTypes } from '#domains/consultation/web/im/tencent/sdk.ts';

/** What the vendor's SDK rejects with. */
export class SdkError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface Settings {
  isPinned: boolean;
  remindType: string;
  draftText: string;
  clearedSeq: number;
  hidden: boolean;
  readSeq: number;
  isMarked: boolean;
}
interface Talk {
  id: string;
  kind: 'GROUP' | 'C2C';
  members: string[];
  messages: Message[];
  settings: Map<string, Settings>;
}
interface Invite {
  inviteID: string;
  groupID: string;
  inviter: string;
  inviteeList: string[];
  data: string;
  open: boolean;
}
export interface Listener {
  userID: string;
  hear(name: string, data: unknown): void;
  signal(name: string, data: unknown): void;
  remember(message: Message): void;
}

const RECALL_MS = 120_000;
const KEPT_MS = 7 * 86_400_000;

/** The vendor's service as far as two SDKs can see it: what one sends the others hear, numbered per conversation. */
export class VendorDouble {
  readonly talks = new Map<string, Talk>();
  readonly listeners = new Set<Listener>();
  readonly blocked = new Map<string, Set<string>>();
  readonly readers = new Map<string, Set<string>>();
  readonly invites = new Map<string, Invite>();
  /** What our server answers before a message is sent; null lets it pass. */
  before: (message: Message) => { code: number; info: string } | null = () => null;
  /** What our server hears after it was sent, or changed. */
  after: (message: Message, talk: Talk) => void = () => {};
  now = Date.parse('2026-11-21T02:00:00.000Z');
  #serial = 0;

  group(groupID: string, ...members: string[]): void {
    this.talks.set(groupID, { id: groupID, kind: 'GROUP', members, messages: [], settings: new Map() });
  }
  talkOf(me: string, conversationID: string): Talk | undefined {
    if (conversationID.startsWith('GROUP')) return this.talks.get(conversationID.slice(5));
    return this.talks.get([me, conversationID.slice(3)].toSorted().join('|'));
  }
  static nameFor(talk: Talk, me: string): string {
    return talk.kind === 'GROUP' ? `GROUP${talk.id}` : `C2C${talk.members.find((one) => one !== me) ?? me}`;
  }
  settingsOf(talk: Talk, me: string): Settings {
    const known = talk.settings.get(me) ?? {
      isPinned: false,
      remindType: 'AcceptAndNotify',
      draftText: '',
      clearedSeq: 0,
      hidden: false,
      readSeq: 0,
      isMarked: false,
    };
    talk.settings.set(me, known);
    return known;
  }
  /** The same message as one of its readers gets it. */
  seenBy(message: Message, talk: Talk, me: string): Message {
    return { ...message, conversationID: VendorDouble.nameFor(talk, me), flow: message.from === me ? 'out' : 'in', readReceiptInfo: {} };
  }
  profile(userID: string): Profile {
    const none = 'Gender_Type_Unknown' as SdkTypes;
    return {
      userID,
      nick: `昵称${userID}`,
      avatar: '',
      gender: none,
      birthday: 0,
      location: '',
      selfSignature: '',
      allowType: none,
      language: 0,
      messageSettings: 0,
      adminForbidType: none,
      level: 0,
      role: 0,
      lastUpdatedNumber: 0,
      profileCustomField: [],
    };
  }
  member(userID: string): GroupMember {
    return {
      userID,
      nick: `昵称${userID}`,
      avatar: '',
      role: 'Member',
      joinTime: this.now / 1000,
      nameCard: '',
      muteUntil: 0,
      memberCustomField: [],
    };
  }
  groupProfile(talk: Talk): Group {
    return {
      groupID: talk.id,
      name: `群${talk.id}`,
      avatar: '',
      type: 'Public' as SdkTypes,
      introduction: '',
      notification: '',
      ownerID: '',
      createTime: String(this.now / 1000),
      infoSequence: 0,
      lastInfoTime: 0,
      selfInfo: {},
      lastMessage: {},
      nextMessageSeq: talk.messages.length + 1,
      memberCount: talk.members.length,
      maxMemberCount: 50,
      muteAllMembers: false,
      joinOption: 'DisableApply' as SdkTypes,
      groupCustomField: [],
      isSupportTopic: false,
    };
  }
  conversation(talk: Talk, me: string): Conversation {
    const { isPinned, remindType, draftText, clearedSeq, readSeq, isMarked } = this.settingsOf(talk, me);
    const last = talk.messages.at(-1);
    const unread = talk.messages.filter((one) => one.from !== me && !one.isRevoked && one.sequence > Math.max(readSeq, clearedSeq)).length;
    return {
      conversationID: VendorDouble.nameFor(talk, me),
      type: talk.kind as SdkTypes,
      unreadCount: unread,
      lastMessage: last ? { lastTime: last.time, lastSequence: last.sequence, ID: last.ID } : {},
      groupProfile: this.groupProfile(talk),
      userProfile: this.profile(VendorDouble.nameFor(talk, me).slice(3)),
      groupAtInfoList: [],
      remark: '',
      isPinned,
      messageRemindType: remindType as SdkTypes,
      markList: isMarked ? [2] : [],
      customData: '',
      conversationGroupList: [],
      draftText,
    };
  }
  listOf(me: string): Conversation[] {
    return [...this.talks.values()]
      .filter((talk) => talk.members.includes(me) && !this.settingsOf(talk, me).hidden)
      .map((talk) => this.conversation(talk, me));
  }
  tell(userIDs: readonly string[], name: string, data: (me: string) => unknown): void {
    for (const listener of this.listeners) if (userIDs.includes(listener.userID)) listener.hear(name, data(listener.userID));
  }
  tellLists(userIDs: readonly string[]): void {
    this.tell(userIDs, 'onConversationListUpdated', (me) => this.listOf(me));
  }

  send(message: Message, onlineOnly: boolean): Message {
    const me = message.from;
    const isGroup = String(message.conversationType) === 'GROUP';
    if (!isGroup && !this.talkOf(me, message.conversationID)) {
      const members = [me, message.to].toSorted();
      this.talks.set(members.join('|'), { id: members.join('|'), kind: 'C2C', members, messages: [], settings: new Map() });
    }
    const talk = this.talkOf(me, message.conversationID);
    if (!talk) throw new SdkError(10010, 'group not exist');
    if (!talk.members.includes(me)) throw new SdkError(10007, 'not group member');
    if (!isGroup && this.blocked.get(message.to)?.has(me)) throw new SdkError(20007, 'in blacklist');
    const refused = this.before(message);
    if (refused) throw new SdkError(refused.code, refused.info);
    const known = talk.messages.find(({ ID }) => ID === message.ID);
    if (known) return this.seenBy(known, talk, me);
    const others = talk.members.filter((one) => one !== me);
    if (onlineOnly) {
      this.tell(others, 'onMessageReceived', (to) => [this.seenBy(message, talk, to)]);
      return message;
    }
    const stored: Message = {
      ...message,
      sequence: talk.messages.length + 1,
      time: Math.floor(this.now / 1000),
      status: 'success',
      nick: `昵称${me}`,
    };
    talk.messages.push(stored);
    for (const one of talk.members) this.settingsOf(talk, one).hidden = false;
    for (const listener of this.listeners)
      if (talk.members.includes(listener.userID)) listener.remember(this.seenBy(stored, talk, listener.userID));
    this.after(stored, talk);
    this.tell(others, 'onMessageReceived', (to) => [this.seenBy(stored, talk, to)]);
    this.tellLists(talk.members);
    return this.seenBy(stored, talk, me);
  }
  newMessage(
    me: string,
    o: { to: string; conversationType: SdkTypes; payload: unknown; cloudCustomData?: string; needReadReceipt?: boolean },
    type: string,
  ): Message {
    this.#serial += 1;
    return {
      ID: `144115${this.#serial}-${Math.floor(this.now / 1000)}-${this.#serial * 7919}`,
      type: type as SdkTypes,
      payload: o.payload,
      conversationID: `${String(o.conversationType)}${o.to}`,
      conversationType: o.conversationType,
      to: o.to,
      from: me,
      flow: 'out',
      time: Math.floor(this.now / 1000),
      status: 'unSend',
      isRevoked: false,
      priority: 'Normal' as SdkTypes,
      nick: '',
      avatar: '',
      isPeerRead: false,
      nameCard: '',
      atUserList: [],
      cloudCustomData: o.cloudCustomData ?? '',
      isDeleted: false,
      isModified: false,
      needReadReceipt: o.needReadReceipt ?? false,
      readReceiptInfo: {},
      isBroadcastMessage: false,
      isSupportExtension: false,
      revoker: '',
      revokerInfo: { userID: '', nick: '', avatar: '' },
      revokeReason: '',
      sequence: 0,
      hasRiskContent: false,
    };
  }
  revoke(message: Message, me: string): Message {
    const [talk, stored] = this.#find(message, me);
    if (stored.from !== me) throw new SdkError(10007, 'no permission');
    if (this.now - stored.time * 1000 > RECALL_MS) throw new SdkError(talk.kind === 'GROUP' ? 10031 : 20016, 'exceed revoke time limit');
    Object.assign(stored, { isRevoked: true, revoker: me });
    this.after(stored, talk);
    this.tell(talk.members, 'onMessageRevoked', (to) => [this.seenBy(stored, talk, to)]);
    this.tellLists(talk.members);
    return this.seenBy(stored, talk, me);
  }
  modify(message: Message, me: string): Message {
    const [talk, stored] = this.#find(message, me);
    Object.assign(stored, { payload: message.payload, cloudCustomData: message.cloudCustomData, isModified: true });
    for (const listener of this.listeners)
      if (talk.members.includes(listener.userID)) listener.remember(this.seenBy(stored, talk, listener.userID));
    this.after(stored, talk);
    this.tell(talk.members, 'onMessageModified', (to) => [this.seenBy(stored, talk, to)]);
    return this.seenBy(stored, talk, me);
  }
  #find(message: Message, me: string): [Talk, Message] {
    const talk = this.talkOf(me, message.conversationID);
    const stored = talk?.messages.find(({ ID }) => ID === message.ID);
    if (!talk || !stored) throw new SdkError(2110, 'message not exist');
    return [talk, stored];
  }
  /** What the vendor still keeps for one reader. */
  historyOf(talk: Talk, me: string): Message[] {
    const { clearedSeq } = this.settingsOf(talk, me);
    return talk.messages
      .filter((one) => one.sequence > clearedSeq && this.now - one.time * 1000 <= KEPT_MS)
      .map((one) => this.seenBy(one, talk, me));
  }
}
