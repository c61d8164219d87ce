import { minutes, plusMs, type Instant } from '#kernel/contract/time.ts';

/** What the product needs of WeChat Work; the simulator and the real interface fill it alike. */
export interface Corp {
  id: string;
  corpId: string;
  mode: 'LOCAL' | 'WECOM';
  contactSecret: string | null;
}

export interface RemoteMember {
  wecomUserId: string;
  name: string;
  avatar: string | null;
  mobile: string | null;
  /** Where only the hash is known (the simulator). */
  mobileHash?: string | null;
  mobileMasked?: string | null;
  departmentNames: string[];
  status: 1 | 2 | 4 | 5;
  canContact: boolean;
}

export interface RemoteContact {
  externalUserId: string;
  nickName: string;
  avatar: string | null;
  unionId: string | null;
  addedAt: string;
  /** `state` of the contact way by which it came. */
  wayKey: string | null;
  /** The company's tags that the member gave. */
  tagIds: readonly string[];
}

export interface RemoteTag {
  tagId: string;
  name: string;
  groupName: string;
}

/** A file of the product, read when it has to be handed over. */
export interface WelcomeFile {
  fileId: string;
  open(): Promise<{ name: string; contentType: string; bytes: Buffer }>;
}
export type WelcomeAttachment =
  | { type: 'link'; title: string; url: string }
  | { type: 'image' | 'file'; file: WelcomeFile }
  | { type: 'mini'; title: string; appId: string; path: string; cover: WelcomeFile };
export interface WelcomeMessage {
  text: string;
  attachments: readonly WelcomeAttachment[];
}

/** How a customer took a hand-over. */
export type TransferState = 'WAITING' | 'DONE' | 'REFUSED' | 'LIMIT';
interface HandOver {
  from: string;
  to: string;
  /** The giving member has left the company. */
  left: boolean;
}

export interface WecomPort {
  /** Proves the credentials. @throws WecomError */
  test(corp: Corp): Promise<void>;
  members(corp: Corp): Promise<RemoteMember[]>;
  contacts(corp: Corp, wecomUserId: string): Promise<RemoteContact[]>;
  contact(corp: Corp, externalUserId: string, wecomUserId: string): Promise<RemoteContact | null>;
  addContactWay(corp: Corp, way: { wecomUserId: string; state: string; skipVerify: boolean }): Promise<{ configId: string; qrUrl: string }>;
  changeContactWay(corp: Corp, configId: string, way: { wecomUserId: string; state: string; skipVerify: boolean }): Promise<void>;
  removeContactWay(corp: Corp, configId: string): Promise<void>;
  sendWelcome(corp: Corp, welcomeCode: string, message: WelcomeMessage): Promise<void>;
  tags(corp: Corp): Promise<RemoteTag[]>;
  markTags(corp: Corp, contact: { wecomUserId: string; externalUserId: string; tagIds: readonly string[] }): Promise<void>;
  /** Per contact: 0 = taken over or waiting for the customer. */
  transfer(corp: Corp, move: HandOver & { externalUserIds: readonly string[] }): Promise<ReadonlyMap<string, number>>;
  /** What became of the hand-overs between two members, per contact. */
  transferResults(corp: Corp, move: HandOver): Promise<ReadonlyMap<string, TransferState>>;
}

/** Chinese sentences for the codes that operators meet; the code itself is kept beside them. */
const SENTENCES: Record<number, string> = {
  [-1]: '企业微信繁忙，请稍后重试',
  40001: 'Secret不正确或已失效',
  40013: '企业ID不正确',
  40014: '访问凭证无效',
  40058: '请求参数不正确',
  41050: '欢迎语已失效或已发送',
  42001: '访问凭证已过期',
  45009: '接口调用超过限制',
  45033: '并发调用超过限制',
  48002: '应用没有该接口的权限',
  60011: '没有查看通讯录的权限',
  60020: '服务器地址不在企业可信IP内',
  60111: '成员不存在',
  84061: '不存在外部联系人关系',
  84074: '成员没有客户联系权限',
};

export class WecomError extends Error {
  readonly errcode: number;
  constructor(errcode: number, errmsg: string) {
    super(SENTENCES[errcode] ?? `企业微信返回错误：${errmsg}`);
    this.name = 'WecomError';
    this.errcode = errcode;
  }
  /** WeChat Work asks to slow down. */
  get limited(): boolean {
    return this.errcode === 45009 || this.errcode === 45033 || this.errcode === -1;
  }
}

/** Pauses after which WeChat Work is asked again when it says that it was asked too often. */
const PAUSES_MIN = [1, 5, 15] as const;

/** When to ask again after so many tries; null when it was tried often enough. */
export function nextTry(tries: number, now: Instant): Instant | null {
  const pause = PAUSES_MIN[tries];
  return pause === undefined ? null : plusMs(now, minutes(pause));
}
