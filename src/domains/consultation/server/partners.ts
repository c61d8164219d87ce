import { refuseField } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import * as doctor from '#domains/doctor/server/index.ts';
import {
  accountOfPerson,
  accountsByMobile,
  mobileEndsWith,
  labels,
  notInRecord,
  personsOfAccount,
  recordIds,
  resolveRealName,
} from '#domains/patient/server/index.ts';
import { roleOf, operatorIdOf } from '../contract/im/ids.ts';
import type { Deed } from './deed.ts';
import type { SoldOrder } from './inquiries/write.ts';

/** What consultation asks of the domains doctor and patient, in one place. */

export type OrderStep = 'ACCEPT' | 'FIRST_REPLY' | 'REPLY' | 'NO_ACCEPT' | 'NO_REPLY' | 'DOCTOR_REFUSE' | 'PATIENT' | 'COMPLETE';

/** Reports to the order; the same step with the same replies does nothing the second time. */
export const advanceConsultOrder = async (ctx: Deed, step: { orderId: string; step: OrderStep; usedReplies: number }): Promise<void> =>
  void (await doctor.advanceConsultOrder(ctx, step));

/** Where the orders of services stand. */
export const orderStates = (db: Db, orderIds: readonly string[]): Promise<doctor.OrderStateBrief[]> => doctor.orderStatesOf(db, orderIds);

export interface NewConsultOrder {
  patientId: string;
  name: string;
  openingId: string;
  slotAt?: string | undefined;
  scanToken?: string | undefined;
}
export interface MadeOrder {
  order: SoldOrder;
  /** Nothing was to pay. */
  paid: boolean;
  payUrl: string | null;
}

/** Sells a doctor's service in the caller's transaction. @throws Refusal SCM07076, SCM07077, SCM07079 as doctor says it. */
export async function sellService(ctx: Deed, { patientId, name, ...wish }: NewConsultOrder): Promise<MadeOrder> {
  const order = await doctor.createConsultOrder(ctx.kernel, ctx, { patient: { patientId, name, mobile: null }, ...wish });
  const { orderNo, doctorId, itemId, itemSnapshot, slotAt, payFen, state } = order;
  return {
    order: { orderId: order.id, orderNo, doctorId, patientId, itemId, itemSnapshot, slotAt, payFen },
    paid: state === 'PAID',
    payUrl: doctor.createdAnswer(ctx.kernel, order).payUrl,
  };
}
/** Page on which an order that still waits is paid. */
export const payUrlOf = (ctx: Deed, orderNo: string): string => ctx.kernel.pay.linkOf(orderNo);

export interface PatientLabel {
  patientId: string;
  name: string;
  salutation: string;
  gender: number;
  mobileMasked: string | null;
}
export const patientLabels = (db: Db | Tx, ids: readonly string[]): Promise<PatientLabel[]> => labels(db, ids);
/** Ids under which a person may stand in our tables. */
export const idsOfPatient = (db: Db | Tx, patientId: string): Promise<string[]> => recordIds(db, patientId);
/** Whether all of these belong to the person's record. */
export const inRecord = async (
  db: Db | Tx,
  patientId: string,
  kind: 'suggestion' | 'inspection',
  ids: readonly string[],
): Promise<boolean> => (await notInRecord(db, patientId, kind, ids)).length === 0;
/** The account through which a person is spoken with; null when he has none. */
export const patientAccountOf = (db: Db | Tx, patientId: string): Promise<{ operatorId: string; name: string } | null> =>
  accountOfPerson(db, patientId);
/** Persons of an account; the default one first. */
export const personsOf = (db: Db | Tx, operatorId: string): Promise<{ patientId: string; name: string }[]> =>
  personsOfAccount(db, operatorId);

const METHODS = { ID2: '姓名身份证核验', ID3: '姓名身份证手机号核验', FACE: '人脸核身' } as const;

/**
 * Whether a person must be proved before this scene; the stricter of patient's switches and the item's own floor decides. @throws Refusal
 * SCM90020 when he is not.
 */
export async function requireRealName(
  ctx: Deed,
  wish: { patientId: string; scene: 'CONSULT' | 'PRESCRIBE'; itemId: string; doctorId: string; floor: 'NONE' | 'ID2' },
): Promise<void> {
  const { scene, itemId, doctorId, floor } = wish;
  const { required, minMethod } = await resolveRealName(
    ctx.tx,
    { scene, itemId, doctorId, floor: floor === 'NONE' ? null : floor },
    ctx.now,
  );
  if (!required) return;
  const [label] = await labels(ctx.tx, [wish.patientId]);
  if (label?.realNameState !== 'VERIFIED') throw refuseField('patientId', `患者尚未实名，请先完成${METHODS[minMethod ?? 'ID2']}`);
}

export interface DoctorFacts {
  doctorId: string;
  operatorId: string;
  name: string;
  avatarFileId: string | null;
}
export const doctorFacts = async (db: Db | Tx, doctorId: string): Promise<DoctorFacts | null> =>
  (await doctor.getDoctors(db, [doctorId]))[0] ?? null;

/** Sends a text message to a doctor's own mobile, which stays with doctor. */
export const textDoctor = (ctx: Deed, doctorId: string, text: string): Promise<void> => doctor.textDoctor(ctx.kernel, ctx, doctorId, text);

/** Whether a participant knows the last four digits of the mobile on file. */
export const knowsMobile = (kernel: Kernel, db: Db | Tx, imUserId: string, digits: string): Promise<boolean> =>
  roleOf(imUserId) === 'DOCTOR'
    ? doctor.doctorMobileEndsWith(kernel, db, operatorIdOf(imUserId), digits)
    : mobileEndsWith(kernel, db, operatorIdOf(imUserId), digits);

/** Tells doctor that an assistant came or went; its own rules on leave apply. */
export const assistantOnDuty = async (ctx: Deed, assistantId: string, onDuty: boolean): Promise<void> =>
  void (await doctor.changeAssistantState(ctx, { assistantId, onDuty }));

/** Those who by their week work at this moment, whatever they have switched to. */
export const scheduledNow = (db: Db, assistantIds: readonly string[], at: string): Promise<ReadonlySet<string>> =>
  doctor.inDutyWeek(db, assistantIds, at);

export async function openingFacts(
  db: Db | Tx,
  openingId: string,
): Promise<{ doctorId: string; itemId: string; floor: 'NONE' | 'ID2' } | null> {
  const opening = await doctor.openingBrief(db, openingId);
  return opening && { doctorId: opening.doctorId, itemId: opening.itemId, floor: doctor.realNameFloor(opening.careKind) };
}

export async function doctorCardFacts(
  ctx: Deed,
  openingId: string,
): Promise<{ doctorId: string; doctorName: string; titleCode: string | null; hospitalName: string }> {
  const opening = await doctor.openingBrief(ctx.tx, openingId);
  const [facts] = opening ? await doctor.getDoctors(ctx.tx, [opening.doctorId]) : [];
  return {
    doctorId: facts?.doctorId ?? '',
    doctorName: facts?.name ?? '',
    titleCode: facts?.titleCode ?? null,
    hospitalName: facts?.hospitalName ?? '',
  };
}

/** Words of an emergency, from doctor's configuration in force. */
export const crisisWordsAt = async (db: Db, at: string): Promise<readonly string[]> =>
  (await doctor.activeServiceConfig(db, at)).crisisWords;

export type RoutableDoctor = doctor.RoutableDoctor;
/** Doctors to whom a desk may lead a patient. */
export const routableDoctors = (
  db: Db,
  wish: { keyword?: string | undefined; department?: string | undefined; diseaseId?: string | undefined; adcode?: string | undefined },
): Promise<RoutableDoctor[]> => doctor.routableDoctors(db, wish);
/** Accounts that use this mobile, found by its hash. */
export const patientAccountsByMobile = (kernel: Kernel, db: Db, mobile: string): Promise<string[]> => accountsByMobile(kernel, db, mobile);
