import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { sendSms } from '#domains/identity/server/index.ts';
import { agreeing, labels, mobileCiphers, type PatientLabel } from '#domains/patient/server/index.ts';
import { gate, byUrgency, type GateInput, type GateVerdict } from '../../contract/engine/gate.ts';
import { fillText } from '../../contract/materials/text.ts';
import { ownTx } from '../database.ts';
import { anyUnits, channelOf, type PlacedUnit } from '../facts/units.ts';
import {
  bubblesOf,
  countsAsTouch,
  countsOf,
  lastMaterials,
  noteClaimed,
  type LastMaterials,
  lockPatients,
  urgency,
  writeOutcomes,
  type ClaimedOf,
  type Counted,
  type Outcome,
  type Send,
} from './claim.ts';
import { sendables, type Sendable } from './materials.ts';
import { settingForShare, type EngineSetting } from './setting.ts';
import { coveringSwitches, type ActiveSwitch } from './switches.ts';
import { askedBy, readTexts, type Texts } from './texts.ts';
import type { Grounds } from './tries.ts';

/** A campaign does not cut into a live conversation either. */
const ACTIVE_GUARD_MIN = 10;

/** What the gates ask of a touch; one that is not written yet can be judged as well. */
export type OtherSend = Pick<
  Send,
  'sourceKind' | 'patientId' | 'conversationId' | 'target' | 'touchKind' | 'materialIds' | 'smsText' | 'immediate' | 'dueAt' | 'expiresAt'
>;

/** All that one batch is judged by, read once. */
export interface Moment {
  now: Instant;
  setting: EngineSetting;
  switches: readonly ActiveSwitch[];
  open: ReadonlyMap<string, PlacedUnit[]>;
  labels: ReadonlyMap<string, PatientLabel>;
  followUp: ReadonlySet<string>;
  marketing: ReadonlySet<string>;
  materials: ReadonlyMap<string, Sendable>;
  lastSent: LastMaterials;
  /** Enciphered. */
  mobiles: ReadonlyMap<string, string>;
}

/** Touches without a run that are due of these patients. */
const lockSends = (writing: Writing, patientIds: readonly string[], now: Instant): Promise<Send[]> =>
  ownTx(writing.tx)
    .selectFrom('corpusFollowSend')
    .selectAll()
    .where('sourceKind', '<>', 'FOLLOW')
    .where('patientId', 'in', [...patientIds])
    .where('state', 'in', ['PLANNED', 'HELD'])
    .where('nextTryAt', '<=', now)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();

export async function readMoment(
  writing: Pick<Writing, 'tx'>,
  setting: EngineSetting,
  sends: readonly OtherSend[],
  now: Instant,
): Promise<Moment> {
  const db = writing.tx;
  const patientIds = [...new Set(sends.map(({ patientId }) => patientId))];
  const campaigns = sends.some(countsAsTouch);
  const bySms = sends.flatMap(({ smsText, patientId }) => (smsText === null ? [] : [patientId]));
  return {
    now,
    setting,
    switches: await coveringSwitches(db, now),
    open: await anyUnits(db, patientIds),
    labels: new Map((await labels(db, patientIds)).map((label) => [label.patientId, label])),
    followUp: campaigns ? await agreeing(db, patientIds, 'FOLLOW_UP', now) : new Set(),
    marketing: campaigns ? await agreeing(db, patientIds, 'MARKETING', now) : new Set(),
    materials: await sendables(db, [...new Set(sends.flatMap(({ materialIds }) => materialIds))]),
    lastSent: campaigns ? await lastMaterials(db, patientIds, setting, now) : new Map(),
    mobiles: await mobileCiphers(db, bySms),
  };
}

/** Where a touch goes: a greeting into the conversation that it greets in, as long as that is open. Desks get nothing else. */
export function placeOf(send: OtherSend, { open }: Moment): PlacedUnit | null {
  const units = open.get(send.patientId) ?? [];
  if (send.conversationId !== null) return units.find(({ conversationId }) => conversationId === send.conversationId) ?? null;
  return channelOf(
    send.target,
    { conversationId: '' },
    units.filter(({ desk }) => !desk),
  );
}

const byText = (send: OtherSend, unit: PlacedUnit | null, { mobiles }: Moment): boolean =>
  unit === null && send.smsText !== null && mobiles.has(send.patientId);

function inputOf(send: OtherSend, unit: PlacedUnit | null, moment: Moment, texts: Texts, sent: Counted): GateInput {
  const { now, setting, open, switches } = moment;
  const label = moment.labels.get(send.patientId);
  const isTouch = countsAsTouch(send);
  // A text message has no conversation: the doctor's and the conversation's switches say nothing of it.
  const run = { sceneId: '', doctorId: unit?.doctorId ?? null, patientId: send.patientId };
  return {
    now,
    touch: { touchKind: send.touchKind, dueAt: send.dueAt, expiresAt: send.expiresAt },
    switches: switches.filter((one) => one.covers({ run, conversationId: unit?.conversationId ?? '' })).map(({ label: text }) => text),
    run: { state: 'RUNNING', pausedUntil: null },
    patient: { alive: label?.lifeState === 'ALIVE', cancelled: label?.state === 'CANCELLED' },
    consent: { followUp: moment.followUp.has(send.patientId), marketing: moment.marketing.has(send.patientId) },
    hasChannel: unit !== null || byText(send, unit, moment),
    stop: false,
    launch: null,
    itemConditions: null,
    materials: send.materialIds.map((id) => {
      const material = moment.materials.get(id);
      const last = isTouch ? (moment.lastSent.get(`${send.patientId}:${id}`) ?? []) : [];
      return {
        enabled: material?.enabled ?? false,
        rxMissing: material?.rxMedicineId != null && !texts.prescribed(send.patientId, material.rxMedicineId),
        lastSentAt: last.reduce<Instant | null>((latest, { sentAt }) => (latest === null || sentAt > latest ? sentAt : latest), null),
      };
    }),
    sameMaterialGapDays: setting.sameMaterialGapDays,
    restDays: [],
    lastHumanAt:
      (open.get(send.patientId) ?? []).find(({ conversationId }) => conversationId === unit?.conversationId)?.lastHumanAt ?? null,
    activeGuardMin: ACTIVE_GUARD_MIN,
    ...(!isTouch && { exempt: { consent: true, hours: send.immediate, activity: true, cap: true } }),
    sent: { ...sent },
    caps: { perDay: setting.capPerDay, in7Days: setting.cap7Days },
  };
}

/** There is no run to stop: what would stop one ends the touch alone. */
const ofOneTouch = (verdict: GateVerdict): GateVerdict =>
  verdict.do !== 'STOP_RUN' ? verdict : verdict.reason === 'CONSENT' ? { do: 'SKIP', reason: 'NO_CONSENT' } : { do: 'CANCEL' };

/** What the gates say of one touch. */
export function judgeSend(
  send: OtherSend,
  unit: PlacedUnit | null,
  moment: Moment,
  texts: Texts,
  sent: Counted,
): ReturnType<typeof gate> & { grounds: Grounds } {
  const input = inputOf(send, unit, moment, texts, sent);
  const { verdict, trace } = gate(input);
  return { verdict: ofOneTouch(verdict), trace, grounds: { input, facts: new Map() } };
}

/** Hands a notice to the outbox of text messages in the claim's own transaction: it is sent with its commit, once. */
async function sendByText(
  job: JobContext,
  writing: Writing,
  send: Send,
  rendered: { cipher: string; text: string; trace: Outcome['trace'] },
): Promise<void> {
  const { cipher, text, trace } = rendered;
  const { now } = job;
  const mobile = job.kernel.secrets.decrypt(cipher);
  await sendSms(job.kernel, writing, { mobile, text, purpose: null }, now);
  await ownTx(writing.tx)
    .updateTable('corpusFollowSend')
    .set((eb) => ({
      state: 'SENT' as const,
      reasonCode: null,
      claimedAt: now,
      sentAt: now,
      attempts: eb('attempts', '+', 1),
      gateTrace: JSON.stringify(trace),
      bubbles: JSON.stringify([{ n: 1, key: `${send.dedupeKey}#1`, type: 'SMS', payload: { text }, seq: null }]),
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('id', '=', send.id)
    .execute();
}

/**
 * First half of sending for touches that belong to no run: automatic messages and campaigns. The same locks, gates and delivery as
 * for those of runs; what is exempt of a gate says so in the trace.
 * @returns the claimed touches
 */
export const claimOthers = (job: JobContext, patients: number, most: number, of?: ClaimedOf): Promise<string[]> =>
  job.transaction(async (writing) => {
    const { now } = job;
    const patientIds = await lockPatients(writing, now, patients, 'OTHERS', of);
    if (patientIds.length === 0) return [];
    // Before the touches: whoever lifts a switch holds it and writes them.
    const setting = await settingForShare(writing.tx);
    const sends = await lockSends(writing, patientIds, now);
    if (sends.length === 0) return [];
    const moment = await readMoment(writing, setting, sends, now);
    const placed = new Map(sends.map((send) => [send.id, placeOf(send, moment)]));
    const addressed = (send: Send) => ({
      patientId: send.patientId,
      doctorId: placed.get(send.id)?.doctorId ?? null,
      conversationId: placed.get(send.id)?.conversationId ?? null,
      diseaseId: null,
    });
    const asked = askedBy(moment.materials.values(), ...sends.flatMap(({ smsText }) => smsText ?? []));
    const texts = await readTexts(writing.tx, sends.map(addressed), { ...asked, labels: moment.labels }, now);
    const counts = await countsOf(writing.tx, patientIds, dayOf(now));
    const outcomes: Outcome[] = [];
    let claimed = 0;
    for (const send of sends.toSorted(byUrgency(urgency))) {
      const sent = counts.get(send.patientId)!;
      const unit = placed.get(send.id)!;
      const judged = judgeSend(send, unit, moment, texts, sent);
      const { verdict } = judged;
      const values = { ...texts.values(addressed(send)), ...(send.textValues as Record<string, string>) };
      if (verdict.do === 'SEND' && claimed >= most) continue;
      if (verdict.do === 'SEND') {
        claimed += 1;
        if (byText(send, unit, moment)) {
          await sendByText(job, writing, send, {
            cipher: moment.mobiles.get(send.patientId)!,
            text: fillText(send.smsText!, values),
            trace: judged.trace,
          });
          continue;
        }
        if (countsAsTouch(send)) {
          sent.today += 1;
          sent.in7Days += 1;
          noteClaimed(moment.lastSent, send, now);
        }
      }
      const bubbles =
        verdict.do === 'SEND' ? await bubblesOf(writing, job.kernel.secrets, send, { now, materials: moment.materials, values }) : [];
      const address = unit && { conversationId: unit.conversationId, senderId: send.senderId ?? unit.assistantOperatorId };
      outcomes.push({ send, verdict, trace: judged.trace, address, bubbles, grounds: judged.grounds });
    }
    if (outcomes.length > 0) await writeOutcomes(writing, outcomes, now);
    return outcomes.flatMap(({ send, verdict }) => (verdict.do === 'SEND' ? [send.id] : []));
  });
