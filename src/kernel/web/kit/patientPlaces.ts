import { followTimeline } from '../layout/slots.ts';
import { slot } from '../slots.tsx';

export { followTimeline };

/** A row of the record that can be sent into a conversation as a card. */
export interface PatientCard {
  kind: 'SUGGESTION' | 'ORDER' | 'INSPECTION';
  recordId: string;
  /** Number that people call it. */
  no: string;
  title: string;
  lines: readonly string[];
}

export type PatientSection = 'history' | 'base' | 'suggestions' | 'orders' | 'inspections';

export interface PatientPanelProps {
  /** The chat account's operator number, without its prefix. */
  suffererOperatorId: string;
  /** The patient that the conversation is about; absent: the base section is left out. */
  userId?: string | undefined;
  /** Sections to show, in this order; absent: all of them. */
  sections?: readonly PatientSection[];
  /** Offered on the rows as 发送到会话; absent: no such button. */
  onSend?: ((card: PatientCard) => void) | undefined;
}

/** The record in narrow form beside a conversation; it asks as soon as it is mounted. */
export const patientPanelPlace = slot<PatientPanelProps>('patientPanel');

interface PatientTabProps {
  patientId: string;
}

/** Tabs of the record drawer that other domains fill; one that nobody fills does not show. */
export const patientTabPlaces = {
  visits: slot<PatientTabProps>('patient.visits'),
  followUps: followTimeline,
  enrolments: slot<PatientTabProps>('patient.enrolments'),
  claims: slot<PatientTabProps>('patient.claims'),
  cards: slot<PatientTabProps>('patient.cards'),
  tags: slot<PatientTabProps>('patient.tags'),
} as const;

/** The page of the real-name switches; its address belongs to the domain doctor: `slotPage(realNameSwitchPlace)`. */
export const realNameSwitchPlace = slot('realNameSwitch');
