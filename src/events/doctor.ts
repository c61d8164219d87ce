import * as z from 'zod/mini';
import { textOrNull } from '#kernel/contract/fields.ts';
import { event } from '#kernel/contract/event.ts';

const id = z.string();
const idOrNull = z.nullable(id);
const text = z.string();
const fen = z.int();

/** What other domains keep of a doctor. */
const doctor = z.strictObject({
  doctorId: id,
  doctorNo: text,
  operatorId: id,
  name: text,
  avatarFileId: idOrNull,
  titleCode: textOrNull,
  hospitalId: idOrNull,
  hospitalName: textOrNull,
  departmentId: idOrNull,
  adcode: textOrNull,
  accountState: z.enum(['NORMAL', 'FROZEN', 'CANCELLED']),
  qualState: z.enum(['NONE', 'PENDING', 'RETURNED', 'APPROVED', 'REJECTED', 'EXPIRED']),
  /** May be consulted: qualification, account and certificates are in order. */
  practiceOk: z.boolean(),
  acceptState: z.enum(['ON', 'OFF']),
  offUntil: textOrNull,
  channelId: idOrNull,
  agentId: idOrNull,
  /** Names of the fields that changed. */
  changed: z.array(text),
});
/** First qualification granted. */
export const doctorApproved = event('doctor.doctor.approved', doctor);
export const doctorChanged = event('doctor.doctor.changed', doctor);
export const doctorDisabled = event(
  'doctor.doctor.disabled',
  z.strictObject({ doctorId: id, reason: z.enum(['FROZEN', 'CANCELLED', 'QUAL_EXPIRED']) }),
);

export const openingChanged = event(
  'doctor.opening.changed',
  z.strictObject({ openingId: id, doctorId: id, itemId: id, itemName: text, priceFen: fen, state: text }),
);

const bind = z.strictObject({
  doctorId: id,
  assistantId: id,
  operatorId: id,
  userId: id,
  role: z.enum(['PRIMARY', 'BACKUP']),
  withInquiries: z.boolean(),
});
export const assistantBound = event('doctor.assistant.bound', bind);
export const assistantUnbound = event('doctor.assistant.unbound', bind);
/** The doctor's new bind; `withInquiries`: open inquiries move along. */
export const assistantTransferred = event('doctor.assistant.transferred', bind);
export const assistantChanged = event(
  'doctor.assistant.changed',
  z.strictObject({
    assistantId: id,
    operatorId: id,
    userId: id,
    name: text,
    avatarFileId: idOrNull,
    state: z.enum(['ON_DUTY', 'OFF_DUTY', 'LEAVE', 'DISABLED']),
  }),
);

/** Ways of consultation that are sold. */
const serviceType = z.enum(['TEXT', 'PHONE', 'VIDEO', 'FOLLOW_UP', 'REPORT', 'SECOND_OPINION', 'PRIVATE']);

/** The item as it was sold; hours are wall clock hours. */
export const itemSnapshot = z.strictObject({
  itemCode: text,
  itemName: text,
  serviceType,
  careKind: z.enum(['CONSULT', 'DIAGNOSIS']),
  billing: z.enum(['TIME', 'REPLIES', 'PERIOD']),
  acceptHours: z.int(),
  replyHours: z.int(),
  validHours: z.int(),
  quotaReplies: z.nullable(z.int()),
  periodDays: z.nullable(z.int()),
  durationMin: z.nullable(z.int()),
  priceFen: fen,
});
const order = z.strictObject({
  orderId: id,
  orderNo: text,
  doctorId: id,
  patientId: id,
  itemId: id,
  itemSnapshot,
  slotAt: textOrNull,
  assistantId: idOrNull,
  payFen: fen,
  channelId: idOrNull,
  scanId: idOrNull,
  at: text,
});
export const consultOrderPaid = event('doctor.consultOrder.paid', order);
export const consultOrderClosed = event('doctor.consultOrder.closed', order);
const income = {
  orderId: id,
  orderNo: text,
  doctorId: id,
  patientId: id,
  itemId: id,
  serviceType,
  productLineId: idOrNull,
  payFen: fen,
  /** The price before the discount. */
  listFen: fen,
  refundedFen: fen,
  channelId: idOrNull,
  agentId: idOrNull,
  at: text,
};
/** The only source of consultation income. */
export const consultOrderCompleted = event('doctor.consultOrder.completed', z.strictObject(income));
export const consultOrderRefunded = event(
  'doctor.consultOrder.refunded',
  z.strictObject({ ...income, refundNo: text, refundFen: fen, result: z.enum(['ALL', 'PART']), refundedAt: text }),
);
export const attributionChanged = event(
  'doctor.attribution.changed',
  z.strictObject({
    subjectType: z.enum(['DOCTOR', 'PATIENT']),
    subjectId: id,
    fromChannelId: idOrNull,
    toChannelId: idOrNull,
    agentId: idOrNull,
    effectiveOn: text,
  }),
);
export const doctorEvents = [
  doctorApproved,
  doctorChanged,
  doctorDisabled,
  openingChanged,
  assistantBound,
  assistantUnbound,
  assistantTransferred,
  assistantChanged,
  consultOrderPaid,
  consultOrderClosed,
  consultOrderCompleted,
  consultOrderRefunded,
  attributionChanged,
] as const;
