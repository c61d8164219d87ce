import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { listOpenConversations, type OpenConversation } from '../../../consultation/server/index.ts';
import type { ChatFlag, SendTarget } from '../../contract/dictionaries.ts';

/** A patient in one of his open conversations, as the engine judges and addresses him. */
export interface Unit {
  patientId: string;
  conversationId: string;
  groupId: string | null;
  doctorId: string | null;
  assistantOperatorId: string | null;
  /** Last message of a patient, doctor or assistant, by hand. */
  lastHumanAt: Instant | null;
}

/** Conversations in which the engine may write; desks of guidance only get welcome messages. */
const KINDS = ['DOCTOR', 'C2C'] as const;

const unitOf = (open: OpenConversation): Unit => ({
  patientId: open.patientId,
  conversationId: open.conversationId,
  groupId: open.groupId,
  doctorId: open.doctorId,
  assistantOperatorId: open.assistantOperatorId,
  lastHumanAt: Object.values(open.lastHumanMessageAt).reduce((last, at) => (at !== null && (last === null || at > last) ? at : last), null),
});

/** All open conversations of persons, by person. */
export async function openUnits(db: Db, patientIds: readonly string[]): Promise<ReadonlyMap<string, Unit[]>> {
  if (patientIds.length === 0) return new Map();
  const open = await listOpenConversations(db, { patientIds, kinds: KINDS });
  return Map.groupBy(open.map(unitOf), ({ patientId }) => patientId);
}

/** A conversation of any kind, as what belongs to no scene is addressed. */
export interface PlacedUnit extends Unit {
  /** A desk of guidance. */
  desk: boolean;
}

/** All open conversations of persons with the desks of guidance, by person. */
export async function anyUnits(db: Db, patientIds: readonly string[]): Promise<ReadonlyMap<string, PlacedUnit[]>> {
  if (patientIds.length === 0) return new Map();
  const open = await listOpenConversations(db, { patientIds, kinds: [...KINDS, 'DESK'] });
  return Map.groupBy(
    open.map((one) => ({ ...unitOf(one), desk: one.kind === 'DESK' })),
    ({ patientId }) => patientId,
  );
}

/** The conversations of one person in which a scene lives (R1): groups, the single chat, or the groups and else the single chat. */
export function unitsOfScene(chatFlag: ChatFlag, open: readonly Unit[]): Unit[] {
  const groups = open.filter(({ groupId }) => groupId !== null);
  const single = open.filter(({ groupId }) => groupId === null);
  if (chatFlag === 0) return groups;
  return chatFlag === 1 || groups.length === 0 ? single : groups;
}

/** Where a touch of a run goes: AUTO to the run's group as long as it is open, else to the single chat. */
export function channelOf<U extends Unit>(target: SendTarget, run: { conversationId: string }, open: readonly U[]): U | null {
  const single = open.find(({ groupId }) => groupId === null) ?? null;
  if (target === 'SINGLE') return single;
  const own = open.find(({ conversationId, groupId }) => conversationId === run.conversationId && groupId !== null) ?? null;
  const group = own ?? open.find(({ groupId }) => groupId !== null) ?? null;
  return target === 'GROUP' ? group : (group ?? single);
}
