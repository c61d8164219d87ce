import { SYSTEM_USER } from '../../contract/im/ids.ts';
import { messageTypes, type MessagePayload, type MessageType } from '../../contract/im/types.ts';

/** A message before its conversation is put in order. */
export interface Line {
  /** Milliseconds. */
  at: number;
  sender: string;
  type: MessageType;
  payload: MessagePayload;
  auto: boolean;
  countsUnread: boolean;
  clientMsgId?: string;
  sourceRef?: string;
  quotes?: Line;
  mentions?: string[];
  risk?: string[];
  /** Recalled half a minute later. */
  recall?: { by: string; reason: string | null };
  seq: number;
}

const line = (at: number, sender: string, type: MessageType, payload: MessagePayload, more: Partial<Line> = {}): Line => ({
  at: Math.round(at),
  sender,
  type,
  payload,
  auto: false,
  countsUnread: true,
  seq: 0,
  ...more,
});

export const says = (at: number, sender: string, text: string, more: Partial<Line> = {}): Line =>
  line(at, sender, messageTypes.TEXT, { text }, more);
export const shows = (at: number, sender: string, type: MessageType, payload: MessagePayload, more: Partial<Line> = {}): Line =>
  line(at, sender, type, payload, more);
/** What the system writes in between: it rings nobody. */
export const system = (at: number, type: MessageType, payload: MessagePayload, clientMsgId: string, sourceRef?: string): Line =>
  line(at, SYSTEM_USER, type, payload, { auto: true, countsUnread: false, clientMsgId, ...(sourceRef === undefined ? {} : { sourceRef }) });
export const tip = (at: number, clientMsgId: string, text: string): Line => system(at, messageTypes.TIP, { text }, clientMsgId);

export const isPersonal = ({ sender, auto }: Line): boolean => sender !== SYSTEM_USER && !auto;

/** A conversation with all that was said in it. */
export interface Talk {
  convId: string;
  groupId: string | null;
  lines: Line[];
}

/** Puts lines in order and numbers them. */
export function inOrder(lines: readonly Line[]): Line[] {
  const sorted = lines.toSorted((a, b) => a.at - b.at);
  sorted.forEach((one, index) => {
    one.seq = index + 1;
  });
  return sorted;
}

/** Of a text with `{name}` places. */
export const fill = (text: string, facts: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '');
