import * as z from 'zod/mini';
import { textOrNull } from '#kernel/contract/fields.ts';
import { event } from '#kernel/contract/event.ts';

const id = z.string();
const idOrNull = z.nullable(id);
const text = z.string();

const conversation = z.strictObject({
  conversationId: id,
  groupId: textOrNull,
  kind: z.enum(['DOCTOR', 'DESK', 'C2C']),
  patientId: id,
  suffererOperatorId: id,
  doctorId: idOrNull,
  /** The assistant who answers for it now. */
  assistantOperatorId: idOrNull,
  deskId: idOrNull,
  source: text,
  /** Opened for the first time, not opened again. */
  first: z.boolean(),
  at: text,
});
export const conversationOpened = event('consultation.conversation.opened', conversation);
export const conversationClosed = event('consultation.conversation.closed', conversation);
export const memberChanged = event(
  'consultation.member.changed',
  z.strictObject({
    conversationId: id,
    imUserId: text,
    operatorId: id,
    userRole: z.enum(['DOCTOR', 'ASSISTANT', 'PATIENT']),
    change: z.enum(['JOIN', 'LEAVE', 'OWNER']),
  }),
);
/** One per committed batch of messages. */
export const messagePosted = event(
  'consultation.message.posted',
  z.strictObject({
    items: z.array(
      z.strictObject({
        conversationId: id,
        seq: z.int(),
        patientId: idOrNull,
        senderRole: z.enum(['DOCTOR', 'ASSISTANT', 'PATIENT', 'SYSTEM']),
        source: z.enum(['HUMAN', 'ENGINE', 'SYSTEM']),
        sourceRef: textOrNull,
        at: text,
      }),
    ),
  }),
);
/** Patients only; at most one in five seconds for a reader and conversation. */
export const messageRead = event(
  'consultation.message.read',
  z.strictObject({ conversationId: id, imUserId: text, readSeq: z.int(), at: text }),
);

const status = {
  serverId: id,
  inquiryNo: text,
  orderId: id,
  orderNo: text,
  groupId: textOrNull,
  doctorId: id,
  patientId: id,
  assistantId: idOrNull,
  from: text,
  to: text,
  reason: textOrNull,
  at: text,
};
export const serviceStatusChanged = event('consultation.service.statusChanged', z.strictObject(status));
export const inquiryOpened = event('consultation.inquiry.opened', z.strictObject({ ...status, serviceType: text }));
export const inquiryReopened = event('consultation.inquiry.reopened', z.strictObject({ ...status, serviceType: text }));
export const inquiryEnded = event(
  'consultation.inquiry.ended',
  z.strictObject({ ...status, serviceType: text, endReason: text, roundUsed: z.int(), doctorPatientSec: z.int() }),
);
export const inquiryFirstReplied = event('consultation.inquiry.firstReplied', z.strictObject({ ...status, replySeconds: z.int() }));
export const inquiryRated = event('consultation.inquiry.rated', z.strictObject({ ...status, stars: z.int(), tags: z.array(text) }));
export const visitRecordCompleted = event(
  'consultation.visitRecord.completed',
  z.strictObject({
    visitRecordId: id,
    recordVersion: z.int(),
    serverId: id,
    serviceType: text,
    doctorId: id,
    patientId: id,
    diagnoses: z.array(z.strictObject({ icd10: text, name: text, main: z.boolean() })),
    revisitOn: textOrNull,
    at: text,
  }),
);
export const consultationEvents = [
  conversationOpened,
  conversationClosed,
  memberChanged,
  messagePosted,
  messageRead,
  serviceStatusChanged,
  inquiryOpened,
  inquiryReopened,
  inquiryEnded,
  inquiryFirstReplied,
  inquiryRated,
  visitRecordCompleted,
] as const;
