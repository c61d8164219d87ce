import * as z from 'zod/mini';
import { idOut, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { dutyStates, endReasons, groupKinds, refundStates, serviceTypes } from '../dictionaries.ts';
import { inquiryMachine, workMachine } from '../states.ts';

export const groupId = field('会话', z.string('缺少会话编号').check(z.regex(/^(YH|DZT)\d{8,18}$/, '会话编号格式不正确')));
export const conversationID = field(
  '会话',
  z.string('缺少会话编号').check(z.regex(/^(GROUP(YH|DZT)\d{8,18}|C2C[PDA]\d{1,18})$/, '会话编号格式不正确')),
);
export const imUserId = field('成员', z.string('缺少成员编号').check(z.regex(/^[PDA]\d{1,18}$/, '成员编号格式不正确')));
export const reason = (label: string) => text(label, 500, 2);
export const serverStatus = inquiryMachine.dictionary.schema;
export const workState = workMachine.dictionary.schema;

/** What an action on an inquiry answers. */
export const inquiryMoved = z.strictObject({ id: idOut, serverStatus, version: z.int(), allowedActions: z.array(z.string()) });
/** What an action on a group answers; `nextGroupId` for 处理并下一位. */
export const groupMoved = z.strictObject({
  groupId: z.string(),
  workState,
  version: z.int(),
  ownerAssistantId: z.nullable(idOut),
  nextGroupId: textOrNull,
});
export const groupMove = { groupId, version };
/** One row of the lists of groups: own ones, the queue, and those that one may watch. */
export const groupRow = z.strictObject({
  groupId: z.string(),
  groupName: z.string(),
  kind: groupKinds.schema,
  doctorOperatorId: z.nullable(idOut),
  doctorName: textOrNull,
  deskId: z.nullable(idOut),
  deskName: textOrNull,
  suffererOperatorId: idOut,
  suffererName: z.string(),
  serverId: z.nullable(idOut),
  serverStatus: z.nullable(serverStatus),
  serviceType: z.nullable(serviceTypes.schema),
  workState,
  ownerAssistantId: z.nullable(idOut),
  ownerAssistantName: textOrNull,
  waitingSince: textOrNull,
  slaDueAt: textOrNull,
  queuedAt: textOrNull,
  snoozeUntil: textOrNull,
  unanswered: z.int(),
  priority: z.int(),
  crisis: z.boolean(),
  tags: z.array(z.string()),
  lastMessageDigest: z.string(),
  lastMessageAt: textOrNull,
  /** Chosen by the caller's right and place: take it, read it, speak in it. */
  canTake: z.boolean(),
  canWatch: z.boolean(),
  member: z.boolean(),
  version: z.int(),
});
export type GroupRow = z.output<typeof groupRow>;

/** The inquiry as the console and the participants see it. */
export const inquiryFacts = {
  serverStatus: z.nullable(serverStatus),
  serverId: z.nullable(idOut),
  inquiryNo: textOrNull,
  orderId: z.nullable(idOut),
  orderNo: textOrNull,
  doctorId: z.nullable(idOut),
  suffererId: z.nullable(idOut),
  suffererOperatorId: idOut,
  serviceType: z.nullable(serviceTypes.schema),
  serviceName: textOrNull,
  feeFen: z.nullable(z.string()),
  refundState: z.nullable(refundStates.schema),
  acceptDueAt: textOrNull,
  replyDueAt: textOrNull,
  expireAt: textOrNull,
  endConfirmDueAt: textOrNull,
  settleAt: textOrNull,
  endReason: z.nullable(endReasons.schema),
  /** Seconds left until `expireAt`, 0 when past; null outside a service. */
  remainSec: z.nullable(z.int()),
  roundLimit: z.int(),
  roundUsed: z.int(),
  videoSecLimit: z.int(),
  videoSecUsed: z.int(),
  slotAt: textOrNull,
  durationMin: z.nullable(z.int()),
  chiefComplaint: textOrNull,
  attachments: z.array(z.strictObject({ fileId: idOut, fileName: z.string(), detectedType: textOrNull })),
  version: z.nullable(z.int()),
  allowedActions: z.array(z.string()),
};

export const assistantBrief = z.strictObject({
  assistantId: idOut,
  operatorId: idOut,
  name: z.string(),
  duty: dutyStates.schema,
  serving: z.int(),
  maxConcurrent: z.int(),
  supervisor: z.boolean(),
});
