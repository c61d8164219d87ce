import { dayOf, hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { confirmedCodes } from '#domains/patient/server/index.ts';
import type { AutoTrigger } from '../../contract/welcome/dictionaries.ts';
import { resolveWinner } from '../../contract/welcome/winner.ts';
import { ownTx } from '../database.ts';
import { inUse } from './resolve.ts';

/** A greeting that could not be sent within a day greets nobody any longer; news of an order or a claim keeps three days. */
const KEEPS = { WELCOME: hours(24), NOTICE: hours(72) } as const;
const PRIORITY = 9;

type Message = Awaited<ReturnType<typeof inUse>>[number];

/** The diseases among the messages' that the patient has. */
async function diseasesOf(tx: Tx, messages: readonly Message[], patientId: string): Promise<string[]> {
  const ids = messages.flatMap(({ scopeType, scopeId }) => (scopeType === 'DISEASE' && scopeId !== null ? [scopeId] : []));
  if (ids.length === 0) return [];
  const codes = await confirmedCodes(tx, patientId);
  const diseases = await ownTx(tx).selectFrom('corpusDisease').select(['id', 'icd10Prefixes']).where('id', 'in', ids).execute();
  return diseases
    .filter(({ icd10Prefixes }) => icd10Prefixes.some((prefix) => codes.some((code) => code.startsWith(prefix))))
    .map(({ id }) => id);
}

export interface Occasion {
  triggerType: AutoTrigger;
  patientId: string;
  /** Where a greeting goes; a notice finds the single chat when it is sent. */
  conversationId: string | null;
  /** The same occasion is answered once. */
  dedupeKey: string;
  channelId?: string | null;
  doctorId?: string | null;
  serviceItemId?: string | null;
  diseaseId?: string | null;
  /** Values for the text variables of a notice. */
  values?: Readonly<Record<string, string>>;
}

/** Writes the touch of the message that wins, once per occasion however often it is told of; the engine sends it. */
export async function planMessage({ tx, now }: { tx: Tx; now: Instant }, occasion: Occasion): Promise<void> {
  const { triggerType, patientId, conversationId, dedupeKey } = occasion;
  const messages = await inUse(tx, triggerType);
  if (messages.length === 0) return;
  const { winner } = resolveWinner(messages, {
    triggerType,
    on: dayOf(now),
    channelId: occasion.channelId ?? null,
    doctorId: occasion.doctorId ?? null,
    serviceItemId: occasion.serviceItemId ?? null,
    diseaseIds: [...(occasion.diseaseId ? [occasion.diseaseId] : []), ...(await diseasesOf(tx, messages, patientId))],
  });
  if (!winner) return;
  const dueAt = plusMs(now, winner.delaySec * 1000);
  await ownTx(tx)
    .insertInto('corpusFollowSend')
    .values({
      dedupeKey,
      sourceKind: winner.kind,
      sourceId: winner.id,
      itemKey: triggerType,
      occurrence: 0,
      materialIds: winner.materialIds,
      patientId,
      target: winner.kind === 'NOTICE' ? 'SINGLE' : 'AUTO',
      touchKind: winner.kind === 'NOTICE' ? 'SERVICE' : 'CARE',
      priority: PRIORITY,
      conversationId,
      immediate: winner.quietMode === 'IMMEDIATE',
      textValues: JSON.stringify(occasion.values ?? {}),
      smsText: winner.smsText,
      dueAt,
      nextTryAt: dueAt,
      expiresAt: plusMs(dueAt, KEEPS[winner.kind]),
      state: 'PLANNED',
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
    .execute();
}
