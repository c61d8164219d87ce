import { digestOf } from '../../../../contract/im/cards.ts';
import type { PickedFile } from '../../../../contract/im/client.ts';
import { peerOf } from '../../../../contract/im/ids.ts';
import type { CustomPayload, ImMessage } from '../../../../contract/im/types.ts';
import type { DeskClient, StoredFile } from '../facts.ts';
import type { ChatPicture } from '../state.ts';

export type FileKind = 'image' | 'video' | 'file' | 'audio';
interface WritingParts {
  client(): DeskClient;
  chat(): ChatPicture | null;
  /** A message that was just written takes its place at the end. */
  show(message: ImMessage): Promise<void>;
  /** What became of it. */
  replace(message: ImMessage): void;
}

/** Messages that are written here: made, sent, sent again, let go. */
export class Writing {
  readonly #parts: WritingParts;
  /** The client's own objects; files hang on them. */
  readonly #written = new Map<string, ImMessage>();

  constructor(parts: WritingParts) {
    this.#parts = parts;
  }

  #to(): { to: string; conversationType: 'GROUP' | 'C2C' } | null {
    const chat = this.#parts.chat();
    if (!chat) return null;
    const peer = peerOf(chat.chosen.conversationID);
    return 'groupID' in peer ? { to: peer.groupID, conversationType: 'GROUP' } : { to: peer.userID, conversationType: 'C2C' };
  }
  #quoted(): { cloudCustomData?: string; quoteSeq?: number } {
    const quote = this.#parts.chat()?.quote;
    return quote
      ? { quoteSeq: quote.sequence, cloudCustomData: JSON.stringify({ quote: { seq: quote.sequence, digest: digestOf(quote) } }) }
      : {};
  }

  async #post(message: ImMessage): Promise<void> {
    this.#written.set(message.clientMsgId, message);
    await this.#parts.show(message);
    // Why it failed stands beside the message, with 重发.
    await this.#parts
      .client()
      .sendMessage(message)
      .catch((error: unknown) => {
        if (message.status === 'fail' && !message.fault)
          message.fault = { code: 0, message: error instanceof Error ? error.message : '发送失败' };
      });
    this.#parts.replace(message);
  }

  async text(text: string, atUserList: string[]): Promise<void> {
    const to = this.#to();
    if (to)
      await this.#post(
        this.#parts
          .client()
          .createTextMessage({ ...to, ...this.#quoted(), payload: { text }, ...(atUserList.length > 0 ? { atUserList } : {}) }),
      );
  }
  async card(payload: CustomPayload): Promise<void> {
    const to = this.#to();
    if (to) await this.#post(this.#parts.client().createCustomMessage({ ...to, payload }));
  }
  async file(kind: FileKind, file: File | StoredFile, second: number): Promise<void> {
    const to = this.#to();
    if (!to) return;
    const client = this.#parts.client();
    let message: ImMessage | null = null;
    const picked: PickedFile =
      file instanceof File
        ? { name: file.name, size: file.size, type: file.type, content: file }
        : { name: file.fileName, size: 0, type: '', content: file };
    const input = { ...to, file: picked, onProgress: () => message && this.#parts.replace(message) };
    const make = {
      image: () => client.createImageMessage(input),
      video: () => client.createVideoMessage(input),
      file: () => client.createFileMessage(input),
      audio: () => client.createAudioMessage({ ...input, second }),
    };
    message = make[kind]();
    await this.#post(message);
  }

  async resend(message: ImMessage): Promise<void> {
    const own = this.#written.get(message.clientMsgId) ?? this.#parts.client().findMessage(message.clientMsgId) ?? message;
    own.status = 'unSend';
    this.#parts.replace(own);
    await this.#parts
      .client()
      .resendMessage(own)
      .catch(() => {});
    this.#parts.replace(own);
  }
  async discard(message: ImMessage): Promise<void> {
    await this.#parts.client().discard?.(message);
    this.#written.delete(message.clientMsgId);
  }
}
