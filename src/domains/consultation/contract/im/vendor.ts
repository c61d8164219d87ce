import { imCodes, type ImCodeName } from './codes.ts';
import { digestOf } from './cards.ts';
import { messageTypes, type CustomPayload, type MessagePayload, type MessageType, type TextPayload } from './types.ts';

/** How our messages travel through the vendor's chat; browser and server agree here. */

const CARRIER = 'kangqiao_element';
const known: readonly string[] = Object.values(messageTypes);

export type Carried =
  | { type: typeof messageTypes.TEXT; payload: TextPayload }
  | { type: typeof messageTypes.CUSTOM; payload: CustomPayload };

/**
 * Texts and cards travel as they are. Files stay in our own storage, so their messages travel as custom elements that name them; tips do
 * too.
 */
export function carry({ type, payload }: { type: MessageType; payload: MessagePayload }): Carried {
  if (type === messageTypes.TEXT) return { type, payload: payload as TextPayload };
  if (type === messageTypes.CUSTOM) return { type, payload: payload as CustomPayload };
  return {
    type: messageTypes.CUSTOM,
    payload: {
      data: JSON.stringify({ businessID: CARRIER, v: 1, type, payload }),
      description: digestOf({ type, payload }),
      extension: '',
    },
  };
}

/** What a vendor's element means to us; its own tips and what we never send become an empty tip. */
export function uncarry(type: string, payload: unknown): { type: MessageType; payload: MessagePayload } {
  const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  if (type === messageTypes.TEXT) return { type, payload: { text: text('text') } };
  if (type !== messageTypes.CUSTOM) return { type: messageTypes.TIP, payload: { text: '' } };
  const custom = { data: text('data'), description: text('description'), extension: text('extension') };
  const inner = parsed(custom.data);
  if (
    inner?.['businessID'] === CARRIER &&
    known.includes(String(inner['type'])) &&
    typeof inner['payload'] === 'object' &&
    inner['payload'] !== null
  ) {
    return { type: inner['type'] as MessageType, payload: inner['payload'] as MessagePayload };
  }
  return { type, payload: custom };
}

/** What we know of a message beside its content. */
export interface Seal {
  clientMsgId: string;
  /** The page's own custom data. */
  custom: string;
  quoteSeq: number | null;
  modifyVersion: number;
  /** Written by an engine or the system, with its source. */
  auto: boolean;
  sourceRef: string | null;
  countsUnread: boolean;
}

/** Packs it into the vendor's one field for custom data. */
export const seal = (facts: Pick<Seal, 'clientMsgId'> & Partial<Seal>): string =>
  JSON.stringify({
    kq: 1,
    id: facts.clientMsgId,
    ...(facts.custom ? { c: facts.custom } : {}),
    ...(facts.quoteSeq ? { q: facts.quoteSeq } : {}),
    ...(facts.modifyVersion ? { v: facts.modifyVersion } : {}),
    ...(facts.auto ? { a: 1 } : {}),
    ...(facts.sourceRef ? { s: facts.sourceRef } : {}),
    ...(facts.countsUnread === false ? { u: 0 } : {}),
  });

/** Reads it again; foreign custom data is kept as the page's own. */
export function unseal(cloudCustomData: string | undefined): Seal | null {
  const fields = parsed(cloudCustomData ?? '');
  if (fields?.['kq'] !== 1 || typeof fields['id'] !== 'string' || fields['id'].length === 0 || fields['id'].length > 80) return null;
  return {
    clientMsgId: fields['id'],
    custom: typeof fields['c'] === 'string' ? fields['c'] : '',
    quoteSeq: typeof fields['q'] === 'number' ? fields['q'] : null,
    modifyVersion: typeof fields['v'] === 'number' ? fields['v'] : 0,
    auto: fields['a'] === 1,
    sourceRef: typeof fields['s'] === 'string' ? fields['s'] : null,
    countsUnread: fields['u'] !== 0,
  };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Refusals that our server gives before a message is sent. Order is wire format: append only. */
const refused = [
  'POLICY',
  'MUTED',
  'SENSITIVE',
  'TOO_LONG',
  'TOO_OFTEN',
  'DISABLED',
  'NOT_MEMBER',
  'DISSOLVED',
  'BLACKLISTED',
  'MALFORMED',
  'STORE_FAILED',
] as const satisfies readonly ImCodeName[];
/** The vendor passes on numbers from 10100 to 10200 for groups and from 120001 to 130000 for single chats. */
const BASES = { GROUP: 10_100, C2C: 120_001 } as const;

export const vendorRefusal = (name: ImCodeName, kind: keyof typeof BASES): number => {
  const place = refused.findIndex((one) => one === name);
  return BASES[kind] + (place < 0 ? refused.indexOf('STORE_FAILED') : place);
};

/** Our name of a number that the vendor answers; null for those that mean the same with us. */
export function refusalOfVendor(code: number): ImCodeName | null {
  for (const base of Object.values(BASES)) {
    const name = refused[code - base];
    if (name) return name;
  }
  return VENDOR_CODES[code] ?? null;
}

const VENDOR_CODES: Readonly<Record<number, ImCodeName>> = {
  10_031: 'RECALL_TOO_LATE',
  20_016: 'RECALL_TOO_LATE',
  10_030: 'RECALL_FAILED',
  2_110: 'RECALL_FAILED',
  10_007: 'NOT_MEMBER',
  10_010: 'DISSOLVED',
  10_017: 'MUTED',
  20_012: 'MUTED',
  20_007: 'BLACKLISTED',
  80_001: 'SENSITIVE',
  80_002: 'TOO_LONG',
  2_996: 'TOO_OFTEN',
  10_023: 'TOO_OFTEN',
  2_480: 'STALE',
  2_481: 'STALE',
  2_999: 'NOT_READY',
  2_024: 'NOT_READY',
  2_800: 'OFFLINE',
  2_801: 'NO_ANSWER',
  2_805: 'BROKEN',
  70_001: 'SIG_REFUSED',
  70_003: 'SIG_REFUSED',
  70_005: 'SIG_REFUSED',
  70_009: 'SIG_REFUSED',
  70_013: 'SIG_REFUSED',
  70_107: 'SIG_REFUSED',
};

export const textOfRefusal = (name: ImCodeName): string => imCodes[name][1];

/** The highest number that the vendor's rooms take. */
export const TRTC_HIGHEST_ROOM = 4_294_967_294;
