import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { listOpenConversations, type OpenConversation } from '#domains/consultation/server/index.ts';

export { channelOf, unitsOfScene } from '../../contract/engine/channel.ts';

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
