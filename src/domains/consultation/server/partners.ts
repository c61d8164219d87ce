import type { Deed } from './deed.ts';
import type { Db } from '../../../kernel/server/context.ts';
import type { SoldOrder } from './inquiries/write.ts';

/** What consultation asks of the domains doctor and patient, in one place. */

export type OrderStep = 'ACCEPT' | 'FIRST_REPLY' | 'REPLY' | 'NO_ACCEPT' | 'NO_REPLY' | 'DOCTOR_REFUSE' | 'PATIENT' | 'COMPLETE';

/** Reports to the order; the same step with the same replies does nothing the second time. */
export function advanceConsultOrder(_ctx: Deed, _step: { orderId: string; step: OrderStep; usedReplies: number }): Promise<void> {
  throw new Error('doctor is not joined yet');
}
export interface PatientLabel {
  patientId: string;
  name: string;
  mobileMasked: string | null;
}
export function patientLabels(_db: Db, _ids: readonly string[]): Promise<PatientLabel[]> {
  throw new Error('patient is not joined yet');
}
/** The account through which a person is spoken with; null when he has none. */
export function patientAccountOf(_db: Db, _patientId: string): Promise<{ operatorId: string; name: string } | null> {
  throw new Error('patient is not joined yet');
}
export interface DoctorFacts {
  doctorId: string;
  operatorId: string;
  name: string;
  avatarFileId: string | null;
}
export function doctorFacts(_db: Db, _doctorId: string): Promise<DoctorFacts | null> {
  throw new Error('doctor is not joined yet');
}
/** Sends a text message to a doctor's own mobile, which stays with doctor. */
export function textDoctor(_ctx: Deed, _doctorId: string, _text: string): Promise<void> {
  throw new Error('doctor is not joined yet');
}
/** Tells doctor that an assistant came or went; its own rules on leave apply. */
export function assistantOnDuty(_ctx: Deed, _assistantId: string, _on: boolean): Promise<void> {
  throw new Error('doctor is not joined yet');
}
/** Accounts that use this mobile, found by its hash. */
export function accountsByMobile(_db: Db, _mobile: string): Promise<string[]> {
  throw new Error('patient is not joined yet');
}

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
export function sellService(_ctx: Deed, _wish: NewConsultOrder): Promise<MadeOrder> {
  throw new Error('doctor is not joined yet');
}
/** Page on which an order that still waits is paid. */
export function payUrlOf(_ctx: Deed, _orderNo: string): string {
  throw new Error('doctor is not joined yet');
}
/** Persons of an account; the default one first. */
export function personsOf(_db: Db, _operatorId: string): Promise<{ patientId: string; name: string }[]> {
  throw new Error('patient is not joined yet');
}
/** Whether a person must be proved before this scene, and how; `floor` is the item's own. @throws Refusal of patient when he is not. */
export function demandRealName(_ctx: Deed, _wish: { patientId: string; scene: 'CONSULT' | 'PRESCRIBE'; itemId: string; doctorId: string; floor: 'NONE' | 'ID2' }): Promise<void> {
  throw new Error('patient is not joined yet');
}
export function openingFacts(_db: Db, _openingId: string): Promise<{ doctorId: string; itemId: string; floor: 'NONE' | 'ID2' } | null> {
  throw new Error('doctor is not joined yet');
}
export function doctorCardFacts(_ctx: Deed, _openingId: string): Promise<{ doctorId: string; doctorName: string; titleCode: string | null; hospitalName: string }> {
  throw new Error('doctor is not joined yet');
}
export interface RoutableDoctor {
  doctorId: string;
  operatorId: string;
  doctorName: string;
  titleName: string;
  hospitalName: string;
  departmentName: string;
  online: boolean;
  openings: { openingId: string; name: string; serviceType: string; priceFen: string; needSlot: boolean }[];
}
export function routableDoctors(_db: Db, _wish: { keyword?: string | undefined; department?: string | undefined; diseaseId?: string | undefined; adcode?: string | undefined }): Promise<RoutableDoctor[]> {
  throw new Error('doctor is not joined yet');
}
/** Words of an emergency, from doctor's configuration in force. */
export function crisisWordsAt(_db: Db, _at: string): Promise<readonly string[]> {
  throw new Error('doctor is not joined yet');
}
