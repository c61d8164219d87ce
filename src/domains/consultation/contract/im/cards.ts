import * as z from 'zod/mini';
import {
  messageTypes,
  type CustomPayload,
  type FilePayload,
  type MessagePayload,
  type MessageType,
  type TextPayload,
  type TipPayload,
} from './types.ts';

const text = z.string();
const number = z.number();
const list = z.array(z.unknown());
const card = <const N extends string, S extends z.core.$ZodLooseShape>(businessID: N, fields: S) =>
  z.object({ businessID: z.literal(businessID), v: z.literal(1), ...fields });

/** Cards in `payload.data`; the status in them is re-read when they are shown. */
const cardSchemas = {
  medicine_suggestion: card('medicine_suggestion', { suggestNo: text, medicines: list, doctorName: text, status: number }),
  order_card: card('order_card', { orderId: text, orderNo: text, goodsSummary: text, payableAmount: number, status: text }),
  inspection_request: card('inspection_request', { requestId: text, items: list, dueOn: z.nullable(text) }),
  inspection_result: card('inspection_result', { inspectionId: text, name: text, abnormalCount: number }),
  doctor_card: card('doctor_card', {
    doctorId: text,
    doctorName: text,
    titleCode: z.nullable(text),
    hospitalName: text,
    openingId: z.nullable(text),
    feeFen: number,
    payUrl: z.nullable(text),
  }),
  inquiry_status: card('inquiry_status', { serverId: text, from: z.nullable(text), to: text, text }),
  visit_summary: card('visit_summary', { visitRecordId: text, diagnoses: list, advice: text }),
  video_call: card('video_call', { roomId: number, action: text, talkSec: z.optional(number) }),
  follow_up: card('follow_up', {
    sendId: text,
    materialType: text,
    title: text,
    body: text,
    coverFileId: z.optional(text),
    link: z.optional(text),
    medicineId: z.optional(text),
    questionnaireId: z.optional(text),
    token: z.optional(text),
  }),
  user_typing_status: card('user_typing_status', {}),
} as const;
export type CardName = keyof typeof cardSchemas;
export type CardOf<N extends CardName> = z.output<(typeof cardSchemas)[N]>;

export const cardLabels: Readonly<Record<CardName, string>> = {
  medicine_suggestion: '用药建议',
  order_card: '订单',
  inspection_request: '检查资料请求',
  inspection_result: '检查结果',
  doctor_card: '医生名片',
  inquiry_status: '问诊状态',
  visit_summary: '就诊小结',
  video_call: '视频通话',
  follow_up: '随访消息',
  user_typing_status: '正在输入',
};

/** Who may send a card: role letters; what is not listed is written by the server alone. */
export const cardSenders: Readonly<Partial<Record<CardName, string>>> = {
  medicine_suggestion: 'DA',
  order_card: 'A',
  inspection_request: 'DA',
  inspection_result: 'P',
  doctor_card: 'A',
  video_call: 'DAP',
};

export type AnyCard = { [N in CardName]: CardOf<N> }[CardName];

/** The card of a custom message; null when this program does not know it. */
export function cardOf(payload: CustomPayload): AnyCard | null {
  try {
    const data: unknown = JSON.parse(payload.data);
    const name = typeof data === 'object' && data !== null && 'businessID' in data ? String(data.businessID) : '';
    if (!Object.hasOwn(cardSchemas, name)) return null;
    const parsed = cardSchemas[name as CardName].safeParse(data);
    return parsed.success ? (parsed.data as AnyCard) : null;
  } catch {
    return null;
  }
}

/** Payload of a card; `digest` is what lists show of it. */
export const cardPayload = <N extends CardName>(fields: CardOf<N>, digest?: string): CustomPayload => ({
  data: JSON.stringify(fields),
  description: digest ?? `[${cardLabels[fields.businessID as N]}]`,
  extension: '',
});

const KINDS: Partial<Record<MessageType, string>> = {
  [messageTypes.IMAGE]: '[图片]',
  [messageTypes.AUDIO]: '[语音]',
  [messageTypes.VIDEO]: '[视频]',
};

/** One line of a message, as lists, quotes and notices show it. */
export function digestOf(message: { type: MessageType; payload: MessagePayload; isRevoked?: boolean }): string {
  if (message.isRevoked) return '[消息已撤回]';
  const { type, payload } = message;
  if (type === messageTypes.TEXT) return (payload as TextPayload).text.replaceAll(/\s+/g, ' ').slice(0, 100);
  if (type === messageTypes.TIP) return (payload as TipPayload).text;
  if (type === messageTypes.FILE) return `[文件] ${(payload as FilePayload).fileName}`;
  if (type === messageTypes.CUSTOM) return (payload as CustomPayload).description || '[暂不支持的消息]';
  return KINDS[type] ?? '[暂不支持的消息]';
}
