import { sql } from 'kysely';
import { seeded, type Random } from '#kernel/server/demo/bulk.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { DutyState } from '../../contract/dictionaries.ts';
import type { Course } from './talk/course.ts';
import { courseOf } from './talk/courses.ts';

/** An order of the demonstration whose service goes through the chat, with the people on both sides. */
export interface DemoOrder {
  orderId: string;
  orderNo: string;
  state: string;
  stateBefore: string | null;
  openingId: string;
  itemId: string;
  payFen: string;
  refundedFen: string;
  refundReason: string | null;
  closeReason: string | null;
  usedReplies: number;
  stars: number | null;
  itemSnapshot: {
    itemName: string;
    serviceType: string;
    careKind: string;
    billing: 'TIME' | 'REPLIES' | 'PERIOD';
    acceptHours: number;
    replyHours: number;
    validHours: number;
    quotaReplies: number | null;
    periodDays: number | null;
    durationMin: number | null;
  };
  createdAt: Instant;
  paidAt: Instant | null;
  slotAt: Instant | null;
  acceptDueAt: Instant | null;
  acceptedAt: Instant | null;
  replyDueAt: Instant | null;
  firstReplyAt: Instant | null;
  completedAt: Instant | null;
  endedAt: Instant | null;
  doctorId: string;
  doctorOperatorId: string;
  doctorName: string;
  doctorAvatar: string | null;
  titleCode: string | null;
  hospitalName: string | null;
  patientId: string;
  patientName: string;
  operatorId: string;
  icd: string | null;
  allergy: string;
}
export interface DemoAssistant {
  assistantId: string;
  operatorId: string;
  userId: string;
  name: string;
  avatarFileId: string | null;
  personState: string;
  userName: string;
  state: DutyState;
}
export interface DemoGuest {
  patientId: string;
  patientName: string;
  operatorId: string;
  icd: string | null;
}

/** The people of the demonstration, and what stands of them elsewhere. */
export interface Stage {
  now: Instant;
  random: Random;
  orders: DemoOrder[];
  assistants: DemoAssistant[];
  /** By doctor, the primary first. */
  binds: Map<string, { assistantId: string; role: string }[]>;
  /** Patients of the desks. */
  guests: DemoGuest[];
  course(icd: string | null): Course;
}

const INQUIRIES = 420;
const GUESTS = 60;
/** 刘志远 came by the desk, and then bought. */
export const DESK_STORY = '10017';
export const STORIES = { wang: '10016', liu: DESK_STORY, sun: '10018', he: '10019', ma: '10020' } as const;

/** In this order; who is on leave, or not on duty over there, is off here. */
const DUTIES: readonly DutyState[] = ['ON', 'ON', 'ON', 'ON', 'ON', 'BUSY', 'AWAY'];

async function assistantsOf(tx: Tx): Promise<DemoAssistant[]> {
  const { rows } = await sql<Omit<DemoAssistant, 'state'>>`
    select a.id as assistant_id, a.operator_id, a.user_id, a.name, a.avatar_file_id, a.state as person_state, u.user_name
      from doctor_assistant a
      join identity_staff_user u on u.id = a.user_id
      order by (u.user_name like 'assist%') desc, a.id`.execute(tx);
  let next = 0;
  return rows.map((row) => ({ ...row, state: row.personState === 'ON_DUTY' ? (DUTIES[next++] ?? 'OFF') : 'OFF' }));
}

/** Null where the domains whose people speak here have written none. */
export async function readStage(tx: Tx, now: Instant): Promise<Stage | null> {
  const { rows: orders } = await sql<DemoOrder>`
    select o.id as order_id, o.order_no, o.state, o.state_before, o.opening_id, o.item_id, o.item_snapshot, o.pay_fen, o.refunded_fen,
        o.close_reason, o.used_replies, o.stars, o.created_at, o.paid_at, o.slot_at, o.accept_due_at, o.accepted_at, o.reply_due_at,
        o.first_reply_at, o.completed_at, o.ended_at,
        (select r.reason from doctor_consult_refund r where r.order_id = o.id order by r.id limit 1) as refund_reason, d.id as doctor_id,
        d.operator_id as doctor_operator_id, d.name as doctor_name, d.avatar_file_id as doctor_avatar, d.title_code, d.hospital_name,
        p.id as patient_id, p.name as patient_name, a.operator_id, g.icd10 as icd, p.allergy_history as allergy
      from doctor_consult_order o
      join doctor_doctor d on d.id = o.doctor_id
      join patient_patient p on p.id = o.patient_id
      join patient_account_person a on a.patient_id = p.id and a.is_default and a.removed_at is null
      left join patient_diagnosis g on g.patient_id = p.id and g.is_primary and g.voided_at is null
      order by o.created_at desc, o.id desc limit ${INQUIRIES}`.execute(tx);
  const assistants = await assistantsOf(tx);
  if (orders.length < INQUIRIES || assistants.length === 0) return null;
  const { rows: bound } = await sql<{
    doctorId: string;
    assistantId: string;
    role: string;
  }>`
    select doctor_id, assistant_id, role
      from doctor_assistant_bind
      where ended_at is null
      order by doctor_id, role desc, assistant_id`.execute(tx);
  const { rows: guests } = await sql<DemoGuest>`
    select p.id as patient_id, p.name as patient_name, a.operator_id, g.icd10 as icd
      from patient_patient p
      join patient_account_person a on a.patient_id = p.id and a.is_default and a.removed_at is null
      left join patient_diagnosis g on g.patient_id = p.id and g.is_primary and g.voided_at is null
      where p.state = 'ACTIVE' and p.life_state = 'ALIVE' and not p.id = any(${orders.map(({ patientId }) => patientId)}::bigint[])
      order by p.id offset 260 limit ${GUESTS}`.execute(tx);
  return {
    now,
    random: seeded(20_261_122),
    orders: orders.toReversed(),
    assistants,
    binds: Map.groupBy(bound, ({ doctorId }) => doctorId),
    guests,
    course: courseOf,
  };
}

export const assistantUser = ({ operatorId }: Pick<DemoAssistant, 'operatorId'>): string => `A${operatorId}`;
